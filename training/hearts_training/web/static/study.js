// A record: its positions, what each decision cost, and playing on.

import { complain, connect, h, request, show } from "./dom.js";
import { isCard, words } from "./cards.js";
import { felt, scores } from "./felt.js";
import { ownName } from "./home.js";
import { beliefTable } from "./table.js";

export function studyRecord(key) {
  let decisions = [], labels = {}, names = [], own = null, values = {}, costs = {}, worst = [], position = null, running = false;
  let at = 0, belief = null, agent = "", record = null, who = 0;
  const send = connect(`/socket/study/${key}`, receive);

  function receive(message) {
    if (message.is === "error") { complain(message.line); running = false; draw(); }
    if (message.is === "study") {
      ({ decisions, labels, values, costs, worst, running, record } = message);
      agent = message.agent;
      own = message.seat;
      who = own ?? who;
      names = message.names.map((name, seat) => (seat === own ? `${name} (you)` : name));
      go(Math.min(at, decisions.length));
    }
    if (message.is === "position") { position = { ...message, names }; draw(); }
    if (message.is === "value") { values[message.at] = message.values; costs[message.at] = message.cost; worst = message.worst; later(); }
    if (message.is === "done") { running = false; draw(); }
    if (message.is === "belief") { belief = message; draw(); }
  }

  let waiting = 0;
  function later() { if (!waiting) waiting = setTimeout(() => { waiting = 0; draw(); }, 250); }

  function go(place) { at = Math.max(0, Math.min(decisions.length, place)); belief = null; send({ do: "position", at }); }

  // Names that several seats share are told apart by the seat.
  const called = (seat) => (names.filter((name) => name === names[seat]).length > 1 ? `${names[seat]}, seat ${seat}` : names[seat]);

  const label = (place, action) => labels[place]?.[action] ?? words(action);

  function deed(place) {
    const { seat, phase, action } = decisions[place];
    const what = phase === "pass" ? `passes the ${words(action)}` : isCard(action) ? `plays the ${words(action)}` : `decides: ${label(place, action)}`;
    return `${called(seat)} ${what}`;
  }

  function graph() {
    const top = Math.max(1, ...Object.values(costs));
    const width = Math.max(decisions.length, 1);
    const costly = new Set(worst.map((one) => one.at));
    return [h("svg", { viewBox: `0 0 ${width} 40`, preserveAspectRatio: "none", class: "costs", role: "img", "aria-label": "what each decision cost, in points", onclick: (event) => go(Math.floor((event.offsetX / event.currentTarget.clientWidth) * width)) },
      Object.entries(costs).map(([place, one]) => (one ? h("rect", { x: place, y: 40 - (38 * one) / top, width: 1, height: (38 * one) / top, class: costly.has(Number(place)) ? "bad" : "" }) : null)),
      h("path", { d: `M${at + 0.5} 0V40`, class: "now" })),
    worst.length ? h("p", { class: "small", id: "bars" }, `Each bar is a decision, as high as what it cost; the highest is ${top.toFixed(1)} points. Red: the ${worst.length} costliest. The line is where you are; click to go elsewhere.`) : null];
  }

  function costliest() {
    if (!worst.length) return null;
    return h("section", {}, h("h2", {}, "The costliest decisions"), h("p", { class: "small" }, "In points compared with the best choice. ± is one standard error: a cost that is not well above it may be chance."),
      h("ol", { class: "worst" }, worst.map((one) => h("li", {}, h("button", { onclick: () => go(one.at) }, `deal ${decisions[one.at].deal}: ${deed(one.at)}`),
        ` costs ${one.cost.toFixed(1)} ± ${one.error.toFixed(1)}; better: ${label(one.at, one.better)}`))));
  }

  function choices() {
    const found = values[at];
    const next = decisions[at];
    if (!next) return h("p", {}, "The end of the record.");
    return h("section", { id: "choices" }, h("h2", {}, deed(at)), found ? valued(found, next) : h("p", { class: "small" }, "Not valued yet, or the only choice there was."));
  }

  function valued(found, next) {
    const byCost = found[0].cost !== undefined;
    const meaning = byCost ? "Points of the deal compared with the best choice; lower is better. ± is one standard error over the deals that the search imagined."
      : `How likely ${agent} is to choose each.`;
    return h("table", { class: "values" }, h("caption", {}, meaning),
      h("thead", {}, h("tr", {}, h("th", {}, "choice"), h("th", {}, byCost ? "costs" : "probability"))),
      h("tbody", {}, found.map((value) => h("tr", { class: value.action === next.action ? "chosen" : "" }, h("td", {}, label(at, value.action), value.action === next.action ? h("b", {}, " ◂ chosen") : null),
        h("td", {}, byCost ? (value === found[0] ? "best" : `+${value.cost.toFixed(1)} ± ${value.error.toFixed(1)}`) : `${(100 * value.probability).toFixed(1)}%`)))));
  }

  async function playOn() {
    const seats = names.map((_, seat) => (seat === who ? `person ${ownName()}`.trim() : "rule"));
    try {
      const table = await request("/api/tables", { seats, record, at });
      location.href = table.links[who];
    } catch (error) { complain(error.message); }
  }

  function fromHere() {
    const seat = h("select", { id: "who", "aria-label": "the player", value: who, onchange: (event) => { who = Number(event.target.value); } }, names.map((_, one) => h("option", { value: one }, called(one))));
    return h("section", {}, h("h2", {}, "From this position"), h("p", {}, "Take the place of ", seat), h("div", { class: "tools" },
      h("button", { id: "play-on", onclick: playOn }, "Play on against solid players"),
      h("button", { id: "believe", onclick: () => send({ do: "belief", at, seat: who }) }, "Which cards may the others hold, as far as this player can know?")));
  }

  function kitty() {
    const lacks = Object.values(belief.cards).some((shares) => shares.reduce((sum, share) => sum + share, 0) < 0.98);
    return lacks ? h("p", { class: "small" }, "The rest of a row, up to 100%, is the chance that the card is in the kitty.") : null;
  }

  function analysis() {
    const adviser = h("input", { id: "adviser", value: agent, spellcheck: "false", oninput: (event) => { agent = event.target.value; } });
    const known = Object.keys(values).length;
    const start = () => { running = true; send({ do: "analyse", agent }); draw(); };
    return h("div", { class: "tools" },
      running ? h("button", { id: "stop", onclick: () => { running = false; send({ do: "stop" }); draw(); } }, "Stop") : h("button", { id: "analyse", class: "main", onclick: start }, "Value every decision"),
      h("label", {}, "by the agent ", adviser),
      known ? h("span", { id: "valued" }, `${known} decisions valued`) : null,
      running ? h("progress", { max: decisions.length, value: Math.max(0, ...Object.keys(values).map(Number)), "aria-label": "progress of the analysis" }) : null);
  }

  function draw() {
    if (!position) return;
    const slider = h("input", { type: "range", id: "slider", min: 0, max: decisions.length, value: at, "aria-label": "place in the record", oninput: (event) => go(Number(event.target.value)) });
    show(h("div", { class: "play study" },
      h("div", {}, h("div", {}, felt(position, own ?? 0)),
        h("div", { class: "steady" }, h("div", { class: "tools" }, h("button", { id: "back", onclick: () => go(at - 1) }, "◂ back"), slider, h("button", { id: "next", onclick: () => go(at + 1) }, "next ▸"), h("span", { class: "place" }, `${at} of ${decisions.length}`)),
        graph(), analysis())),
      h("aside", {}, h("h2", {}, position.rules), choices(), costliest(), scores(position), position.over ? null : fromHere(),
        belief ? [beliefTable(belief, names), kitty()] : null)));
  }

  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select")) return;
    if (event.key === "ArrowLeft") go(at - 1);
    if (event.key === "ArrowRight") go(at + 1);
  });
}
