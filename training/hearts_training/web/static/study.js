// A record: its positions, what each decision cost, and playing on.

import { complain, connect, h, request, s, show } from "./dom.js";
import { label } from "./cards.js";
import { felt, scores } from "./felt.js";
import { beliefTable } from "./table.js";

const WORST = 10;

export function studyRecord(key) {
  let decisions = [], values = {}, position = null, running = false, at = 0, belief = null, agent = "pimc(worlds=64)", record = null;
  const send = connect(`/socket/study/${key}`, receive);

  function receive(message) {
    if (message.is === "error") { complain(message.line); running = false; draw(); }
    if (message.is === "study") {
      ({ decisions, values, running } = message);
      agent = message.agent || agent;
      record = message.record;
      go(Math.min(at, decisions.length));
    }
    if (message.is === "position") { position = { ...message, names: names(message) }; draw(); }
    if (message.is === "value") { values[message.at] = message.values; later(); }
    if (message.is === "done") { running = false; draw(); }
    if (message.is === "belief") { belief = message; draw(); }
  }

  let waiting = 0;
  function later() { if (!waiting) waiting = setTimeout(() => { waiting = 0; draw(); }, 250); }

  const names = (table) => [...Array(table.players).keys()].map((seat) => `seat ${seat}`);
  function go(place) { at = Math.max(0, Math.min(decisions.length, place)); belief = null; send({ do: "position", at }); }

  function cost(place) {
    const found = values[place];
    if (!found || found[0].margin === undefined) return null;
    const taken = found.find((value) => value.action === decisions[place].action);
    return taken ? Math.max(0, taken.margin - found[0].margin) : null;
  }

  function graph() {
    const costs = decisions.map((_, place) => cost(place));
    const top = Math.max(5, ...costs.filter((one) => one !== null));
    const width = Math.max(decisions.length, 1);
    return s("svg", { viewBox: `0 0 ${width} 40`, preserveAspectRatio: "none", class: "costs", role: "img", "aria-label": "what each decision cost, in points", onclick: (event) => go(Math.floor((event.offsetX / event.currentTarget.clientWidth) * width)) },
      costs.map((one, place) => (one ? s("rect", { x: place, y: 40 - (38 * one) / top, width: 1, height: (38 * one) / top, class: one > 2 ? "bad" : "" }) : null)),
      s("path", { d: `M${at + 0.5} 0V40`, class: "now" }));
  }

  function worst() {
    const places = decisions.map((_, place) => place).filter((place) => cost(place) > 0.05).sort((a, b) => cost(b) - cost(a)).slice(0, WORST);
    if (!places.length) return null;
    return h("section", {}, h("h2", {}, "The costliest decisions"), h("ol", { class: "worst" }, places.map((place) => {
      const { deal, seat, action } = decisions[place];
      return h("li", {}, h("button", { onclick: () => go(place) }, `deal ${deal}, seat ${seat}: ${label(action)}`), ` cost ${cost(place).toFixed(1)}, better: ${label(values[place][0].action)}`);
    })));
  }

  function choices() {
    const found = values[at];
    const next = decisions[at];
    if (!next) return h("p", {}, "The end of the record.");
    return h("section", {}, h("h2", {}, `Seat ${next.seat} chose ${label(next.action)}`), found ? h("table", { class: "values" },
      h("thead", {}, h("tr", {}, h("th", {}, "action"), h("th", {}, found[0].margin === undefined ? "probability" : "margin"))),
      h("tbody", {}, found.map((value) => h("tr", { class: value.action === next.action ? "chosen" : "" }, h("td", {}, label(value.action)),
        h("td", {}, value.margin === undefined ? `${(100 * value.probability).toFixed(1)}%` : `${value.margin.toFixed(2)} ± ${(value.error ?? 0).toFixed(2)}`))))) : h("p", { class: "small" }, "Not valued yet, or forced."));
  }

  async function playOn(seat) {
    const seats = names(position).map((_, other) => (other === seat ? `person ${localStorage.getItem("name") ?? "you"}` : "rule"));
    try {
      const table = await request("/api/tables", { seats, record, at });
      location.href = table.links[seat];
    } catch (error) { complain(error.message); }
  }

  function draw() {
    if (!position) return;
    const focused = document.activeElement?.id;
    const slider = h("input", { type: "range", id: "slider", min: 0, max: decisions.length, value: at, "aria-label": "place in the record", oninput: () => go(Number(slider.value)) });
    const adviser = h("input", { id: "adviser", value: agent, spellcheck: "false", "aria-label": "agent that analyses", onchange: () => { agent = adviser.value; } });
    const known = Object.keys(values).length;
    const seatButtons = (text, act) => names(position).map((name, seat) => h("button", { onclick: () => act(seat) }, `${text} ${name}`));
    show(h("div", { class: "play" },
      h("div", {}, felt(position, 0),
        h("div", { class: "tools" }, h("button", { id: "back", onclick: () => go(at - 1) }, "◂ back"), slider, h("button", { id: "next", onclick: () => go(at + 1) }, "next ▸"), h("span", {}, `${at} of ${decisions.length}`)),
        graph(),
        h("div", { class: "tools" }, adviser, running ? h("button", { id: "stop", onclick: () => { running = false; send({ do: "stop" }); draw(); } }, "Stop") : h("button", { id: "analyse", class: "main", onclick: () => { running = true; values = agent ? values : {}; send({ do: "analyse", agent }); draw(); } }, "Value every decision"),
          known ? h("span", { id: "valued" }, `${known} decisions valued`) : null, running ? h("progress", { max: decisions.length, value: Math.max(0, ...Object.keys(values).map(Number)) }) : null)),
      h("aside", {}, h("h2", {}, position.rules), choices(), worst(), scores(position),
        position.over ? null : h("section", {}, h("h2", {}, "From here"), h("div", { class: "tools" }, seatButtons("Play on as", playOn)), h("div", { class: "tools" }, seatButtons("What may know", (seat) => send({ do: "belief", at, seat })))),
        belief ? beliefTable(belief, names(position)) : null)));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  addEventListener("keydown", (event) => {
    if (event.target.matches("input")) return;
    if (event.key === "ArrowLeft") go(at - 1);
    if (event.key === "ArrowRight") go(at + 1);
  });
}
