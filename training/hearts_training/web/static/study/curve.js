// The expected end of a deal along its tricks: mean points and the share of moons of every seat.

import { h, scroller } from "../dom.js";
import { called, main } from "./words.js";

const WIDE = 340, HIGH = 90, LEFT = 30;

// Lines of the seats over the places of a deal, from 0 to `top`.
function chart(study, title, read, top, format, found, places, last) {
  const x = (place) => LEFT + ((WIDE - LEFT - 4) * (place - places[0])) / Math.max(1, last - places[0]), y = (value) => 4 + (HIGH - 8) * (1 - value / top);
  return h("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "curve", role: "img", "aria-label": title },
    h("path", { d: `M${LEFT} 4V${HIGH - 4}H${WIDE - 4}`, class: "axes" }), h("text", { x: LEFT - 3, y: 12 }, format(top)), h("text", { x: LEFT - 3, y: HIGH - 4 }, "0"),
    study.names.map((_, seat) => h("polyline", { key: seat, class: `line seat-${seat % 4}`, points: places.map((place) => `${x(place).toFixed(1)},${y(read(found[place])[seat]).toFixed(1)}`).join(" ") })),
    study.at >= places[0] && study.at <= last ? h("path", { d: `M${x(study.at).toFixed(1)} 2V${HIGH - 2}`, class: "cursor" }) : null);
}

export function curve(study, act) {
  const { at, who, decisions, names } = study, deal = (decisions[at] ?? decisions.at(-1))?.deal, known = study.outlooks[`${deal} ${who}`];
  const network = [main(study), ...study.advisers].find((one) => Object.values(one?.values ?? {})[0]?.[0].probability !== undefined)?.agent;
  const ask = h("button", { id: "outlook", onclick: () => act.outlook(deal, who, network) }, "Play deal ", deal, " out from every trick");
  if (!known) return decisions.length ? h("section", {}, h("h2", {}, "How the deal may end"), h("p", { class: "small" }, `A network plays 64 deals that agree with what ${called(study, who)} knows, from each trick on.`), ask) : null;
  const places = Object.keys(known.found).map(Number), last = decisions.findLastIndex((one) => one.deal === deal);
  const here = known.found[places.findLast((place) => place <= at) ?? places[0]], top = Math.max(...places.flatMap((place) => known.found[place].points), 1);
  const percent = (share) => `${Math.round(100 * share)}%`;
  return h("section", { id: "curve" }, h("h2", {}, "How the deal may end"),
    h("p", { class: "small" }, `64 deals that agree with what ${called(study, who)} knows, played out by ${known.by} from each trick on; ± ${here.error.toFixed(1)} points at most here.`),
    chart(study, "mean points of the deal, along its decisions", (one) => one.points, top, (value) => value.toFixed(0), known.found, places, last),
    chart(study, "how often each shoots the moon, along the decisions of the deal", (one) => one.moons, 1, percent, known.found, places, last),
    scroller("at the trick on the board", h("table", { class: "values" }, h("thead", {}, h("tr", {}, h("th", {}, "at this trick"), names.map((_, seat) => h("th", { scope: "col" }, h("i", { class: `key seat-${seat % 4}` }), called(study, seat))))),
      h("tbody", {}, h("tr", {}, h("th", { scope: "row" }, "points"), here.points.map((value) => h("td", {}, value.toFixed(1)))), h("tr", {}, h("th", { scope: "row" }, "moon"), here.moons.map((share) => h("td", {}, percent(share))))))));
}
