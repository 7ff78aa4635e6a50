// A record: its positions, what each decision cost, and playing on.

import { complain, connect, h, preparing, request, scroller, show } from "./dom.js";
import { isCard, words } from "./cards.js";
import { felt, scores } from "./felt.js";
import { ownName } from "./home.js";
import { beliefTable } from "./table.js";

export function studyRecord(key) {
  let decisions = [], labels = {}, names = [], own = null, values = {}, costs = {}, verdict = [], mistake_errors = 0, position = null, running = false;
  let at = 0, belief = null, agent = "", by = "", record = null, who = 0, begun = false;
  let retrying = false, tried = null; // whether the reader decides again, and what they chose
  const send = connect(`/socket/study/${key}`, receive);

  function receive(message) {
    if (message.is === "error") { complain(message.line); running = false; draw(); }
    if (message.is === "study") {
      ({ decisions, labels, values, costs, verdict, mistake_errors, running, record, agent, by } = message);
      own = message.seat;
      who = own ?? who;
      names = message.names.map((name, seat) => (seat === own ? `${name} (you)` : name));
      go(Math.min(at, decisions.length));
      if (own !== null && !begun && !running && !Object.keys(values).length) start(); // a player wants the verdict
    }
    if (message.is === "analysis") {
      ({ agent, by } = message);
      running = true;
      if (message.begins) { values = {}; costs = {}; verdict = []; }
      draw();
    }
    if (message.is === "preparing") preparing();
    if (message.is === "position") { position = { ...message, names }; draw(); }
    if (message.is === "value") { values[message.at] = message.values; if (message.cost !== null) costs[message.at] = message.cost; verdict = message.verdict; later(); }
    if (message.is === "done") { running = false; draw(); }
    if (message.is === "belief") { belief = message; draw(); }
  }

  let waiting = 0;
  function later() { if (!waiting) waiting = setTimeout(() => { waiting = 0; draw(); }, 250); }

  function go(place) { at = Math.max(0, Math.min(decisions.length, place)); belief = null; retrying = false; tried = null; send({ do: "position", at }); }
  function start() { begun = running = true; send({ do: "analyse", agent }); draw(); }

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
    const costly = new Set(verdict[who]?.mistakes);
    return [h("svg", { viewBox: `0 0 ${width} 40`, preserveAspectRatio: "none", class: "costs", role: "img", "aria-label": "what each decision cost, in points", onclick: (event) => go(Math.floor((event.offsetX / event.currentTarget.clientWidth) * width)) },
      Object.entries(costs).map(([place, one]) => (one ? h("rect", { x: place, y: 40 - (38 * one) / top, width: 1, height: (38 * one) / top, class: costly.has(Number(place)) ? "bad" : "" }) : null)),
      h("path", { d: `M${at + 0.5} 0V40`, class: "now" })),
    Object.keys(costs).length ? h("p", { class: "small", id: "bars" }, `Each bar is a decision, as high as what it cost; the highest is ${top.toFixed(1)} points. Red: ${whose()} mistakes. The line is where you are; click to go elsewhere.`) : null];
  }

  const whose = () => (who === own ? "your" : `${called(who)}'s`);
  const points = (value) => `${value.toFixed(1)} points`;

  // What each player lost, and the mistakes of one of them.
  function judged() {
    const mine = verdict[who];
    if (!Object.keys(costs).length) return null;
    const { passing, play, clear, mistakes } = mine, deals = [...new Set(decisions.map((one) => one.deal))];
    const row = (title, cell) => h("tr", {}, h("th", { scope: "row" }, title), verdict.map((one, seat) => h("td", { class: seat === who ? "chosen" : "" }, cell(one).toFixed(1))));
    const place = mistakes.findIndex((one) => one >= at), here = mistakes.includes(at);
    const next = mistakes.find((one) => one > at), back = mistakes.findLast((one) => one < at);
    return h("section", { class: "verdict", id: "verdict", "aria-label": "verdict" },
      h("h2", {}, who === own ? "Your verdict" : `The verdict on ${called(who)}`),
      h("p", {}, `${who === own ? "You" : called(who)} lost ${points(passing + play)} compared with the best choices: ${passing.toFixed(1)} in passing, ${play.toFixed(1)} in play. ${points(clear)} of them in ${mistakes.length} clear mistake${mistakes.length === 1 ? "" : "s"}.`),
      scroller("points lost", h("table", { class: `lost${names.length > 4 ? " many" : ""}` }, h("caption", {}, "Points lost"), h("thead", {}, h("tr", {}, h("th", {}, ""), names.map((_, seat) => h("th", { scope: "col", title: called(seat) }, h("span", {}, seat === own ? "you" : names[seat]))))),
        h("tbody", {}, row("passing", (one) => one.passing), row("play", (one) => one.play), deals.map((deal) => row(`deal ${deal}`, (one) => one.deals[deal] ?? 0)), row("all", (one) => one.passing + one.play)))),
      h("p", { class: "small" }, "A mistake costs more than two standard errors; smaller costs may be chance, and add up."),
      h("div", { class: "tools" }, h("button", { id: "last-mistake", disabled: back === undefined, onclick: () => go(back) }, "◂ mistake"), h("button", { id: "next-mistake", disabled: next === undefined, onclick: () => go(next) }, "mistake ▸"),
        here ? h("button", { id: "retry", class: "main", disabled: retrying, onclick: () => { retrying = true; tried = null; draw(); } }, "Retry") : null, mistakes.length ? h("span", { class: "place" }, here ? `${place + 1} of ${mistakes.length}` : `${mistakes.length} in all`) : null),
      retrying ? null : h("ol", { class: "worst" }, mistakes.map((one) => { const value = chosen(one); return h("li", {}, h("button", { onclick: () => go(one) }, `deal ${decisions[one].deal}: ${deed(one)}`), ` costs ${value.cost.toFixed(1)} ± ${value.error.toFixed(1)}; better: ${label(one, values[one][0].action)}`); })));
  }

  const chosen = (place) => values[place].find((value) => value.action === decisions[place].action);

  // The same decision again, with only the player's own cards to see.
  function again() {
    return h("section", { id: "choices" }, h("h2", {}, `${called(decisions[at].seat)}: what would you do?`), h("div", { class: "tools" }, values[at].map((value) => value.action).sort().map((action) =>
      h("button", { "data-retry": action, onclick: () => { tried = action; retrying = false; draw(); } }, label(at, action)))));
  }

  function answered() {
    const value = values[at].find((one) => one.action === tried), best = values[at][0];
    return h("p", { role: "status", id: "answer" }, h("b", {}, `${label(at, tried)}: ${value === best ? "the best choice." : value.cost > mistake_errors * value.error ? `costs ${value.cost.toFixed(1)} ± ${value.error.toFixed(1)}.` : "as good as the best, as far as the search can say."}`));
  }

  function choices() {
    const found = values[at];
    const next = decisions[at];
    if (!next) return h("p", {}, "The end of the record.");
    if (retrying && found) return again();
    return h("section", { id: "choices" }, h("h2", {}, deed(at)), tried && found ? answered() : null, found ? valued(found, next) : h("p", { class: "small" }, "Not valued yet, or the only choice there was."));
  }

  function valued(found, next) {
    const byCost = found[0].cost !== undefined;
    const meaning = byCost ? "Points of the deal compared with the best choice; lower is better. ± is one standard error over the deals that the search imagined."
      : `How likely ${by} is to choose each.`;
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
    const seat = h("select", { id: "who", "aria-label": "the player", value: who, onchange: (event) => { who = Number(event.target.value); draw(); } }, names.map((_, one) => h("option", { value: one }, called(one))));
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
    return h("div", { class: "tools" },
      running ? h("button", { id: "stop", onclick: () => { running = false; send({ do: "stop" }); draw(); } }, "Stop") : h("button", { id: "analyse", class: "main", onclick: start }, "Value every decision"),
      known ? h("span", { id: "valued" }, `${known} decisions valued`) : null,
      running ? h("progress", { "aria-label": "the analysis goes on" }) : null,
      known ? h("a", { class: "button", id: "values", href: `/api/study/${key}/values.csv`, download: `${key}.csv` }, "Values (CSV)") : null,
      h("details", { id: "expert" }, h("summary", {}, `By: ${by}`), adviser));
  }

  // The position as the player saw it: the other hands are covered.
  const covered = () => ({ ...position, hands: position.hands.map((hand, seat) => (seat === decisions[at].seat ? hand : null)) });

  function draw() {
    if (!position) return;
    const slider = h("input", { type: "range", id: "slider", min: 0, max: decisions.length, value: at, "aria-label": "place in the record", oninput: (event) => go(Number(event.target.value)) });
    show(h("div", { class: "play study" },
      h("div", { class: "board" },
        h("div", { class: "tools" }, h("button", { id: "back", onclick: () => go(at - 1) }, "◂ back"), slider, h("button", { id: "next", onclick: () => go(at + 1) }, "next ▸"), h("span", { class: "place" }, `${at} of ${decisions.length}`)),
        h("div", { class: "game" }, felt(retrying ? covered() : position, own ?? 0)),
        graph(), analysis()),
      h("aside", { class: "side" }, judged(), choices(), h("h2", {}, position.rules), scores(position), position.over ? null : fromHere(),
        belief ? [beliefTable(belief, names), kitty()] : null)));
  }

  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select")) return;
    if (event.key === "ArrowLeft") go(at - 1);
    if (event.key === "ArrowRight") go(at + 1);
  });
}
