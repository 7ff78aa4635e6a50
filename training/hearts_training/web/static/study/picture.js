// The decisions of a player in a deal as a picture, actions by decisions, with the cursor of the board.

import { h, scroller } from "../dom.js";
import { isCard, sorted, suitOf } from "../cards.js";
import { brief, called, deed, main } from "./words.js";

const WIDE = 22, HIGH = 18, LEFT = 62;

// From 0 to 1: how likely a network is to choose it, or how close it is to the best choice.
const worth = (value) => value.probability ?? Math.exp(-value.cost / 2);

export function picture(study, act) {
  const { at, who, decisions } = study, adviser = main(study), deal = (decisions[at] ?? decisions.at(-1))?.deal;
  const places = decisions.map((_, place) => place).filter((place) => decisions[place].deal === deal && decisions[place].seat === who);
  const valued = (place) => adviser.values[place] ?? [{ action: decisions[place].action, cost: 0, error: 0 }];
  if (!adviser || !places.some((place) => adviser.values[place])) return null;
  const names = [...new Set(places.flatMap((place) => valued(place).map((value) => value.action)))];
  const rows = [...sorted(names.filter(isCard).sort()), ...names.filter((name) => !isCard(name))];
  const x = (column) => LEFT + WIDE * column, y = (row) => HIGH * row, width = x(places.length), height = y(rows.length) + HIGH;
  const cells = places.flatMap((place, column) => valued(place).map((value) => {
    const row = rows.indexOf(value.action), share = worth(value), chosen = value.action === decisions[place].action;
    return h("g", { key: `${place} ${value.action}` }, h("rect", { x: x(column) + 1, y: y(row) + 1, width: WIDE - 2, height: HIGH - 2, class: "cell", "fill-opacity": (0.06 + 0.94 * share).toFixed(2) }),
      chosen ? h("rect", { x: x(column) + 1.5, y: y(row) + 1.5, width: WIDE - 3, height: HIGH - 3, rx: 5, class: "ring" }) : null,
      h("text", { x: x(column) + WIDE / 2, y: y(row) + 13, class: share > 0.7 ? "on" : "" }, value.probability !== undefined ? Math.round(100 * share) || "" : value.cost < 0.05 ? "0" : value.cost.toFixed(value.cost < 9.95 ? 1 : 0)));
  }));
  const now = places.includes(at) ? places.indexOf(at) : Math.max(0, places.findLastIndex((place) => place < at)); // the decision before the board
  const title = `${adviser.by}: the choices of ${called(study, who)} in deal ${deal}`;
  const go = ({ clientX, currentTarget }) => { const box = currentTarget.getBoundingClientRect(), place = places[Math.floor(((clientX - box.left) * width / box.width - LEFT) / WIDE)]; if (place !== undefined) act.go(place); };
  return h("section", { id: "picture" }, h("h2", {}, title), h("p", { class: "small" }, valued(places.find((place) => adviser.values[place]))[0].probability === undefined ? "In the cells, points worse than the best; a ring marks what was chosen." : "In the cells, how likely in percent; a ring marks what was chosen."),
    scroller(title, h("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "picture", role: "img", "aria-label": title, onclick: go },
      rows.map((name, row) => h("text", { x: LEFT - 4, y: y(row) + 13, class: `row suit-${isCard(name) ? suitOf(name) : ""}` }, brief(study, places.find((place) => study.labels[place]?.[name]), name).slice(0, 9))),
      cells, places.map((place, column) => h("text", { x: x(column) + WIDE / 2, y: height - 5 }, decisions[place].trick || "–")),
      h("rect", { x: x(now), y: 0, width: WIDE, height: height - 1, class: "cursor" }, h("title", {}, deed(study, places[now]))))));
}
