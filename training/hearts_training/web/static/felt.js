// The table itself: seats around the felt, the trick in the middle, scores beside it.

import { h, s } from "./dom.js";
import { face, score, short, sorted } from "./cards.js";

function place(table, seat, viewer) {
  const angle = (2 * Math.PI * (seat - viewer)) / table.players;
  return { "--x": (-Math.sin(angle)).toFixed(3), "--y": Math.cos(angle).toFixed(3) };
}

function seatBox(table, seat, viewer) {
  const turn = table.turn === seat;
  const hand = table.hands && sorted(table.hands[seat]);
  return h("section", { class: `seat${turn ? " turn" : ""}${seat === viewer && !table.hands ? " own" : ""}`, ...place(table, seat, viewer), "aria-label": `seat ${seat}, ${table.names[seat]}` },
    h("h3", {}, turn ? h("span", { class: "arrow", "aria-label": "to act" }, "▸ ") : null, table.names[seat], h("span", { class: "number" }, ` · seat ${seat}`),
      table.teams ? h("span", { class: "team" }, ` team ${table.teams[seat]}`) : null),
    h("p", {}, h("b", {}, score(table.totals[seat])), " total · ", h("b", {}, score(table.points[seat])), " this deal"),
    h("p", { class: "small" }, `${table.cards_left[seat]} cards · ${table.tricks_won[seat]} tricks`, table.extras[seat].map((word) => ` · ${word}`)),
    hand ? h("div", { class: "open-hand" }, hand.map((card) => face(card, table.legal.includes(card) && turn ? "lit" : ""))) : null,
    table.taken[seat].length ? h("p", { class: "taken", "aria-label": "cards taken that count" }, table.taken[seat].map((card) => h("span", { class: `suit-${card.at(-1)}` }, short(card)))) : null);
}

function trickCards(table, viewer) {
  const resting = !table.trick.length && table.last_trick && table.phase !== "pass";
  const cards = table.trick.length ? table.trick : resting ? table.last_trick.cards : [];
  const seen = {};
  return cards.map(([seat, card], order) => {
    const fresh = !resting && order === cards.length - 1 ? " fresh" : "";
    const nth = (seen[seat] = (seen[seat] ?? -1) + 1);
    const taken = resting && table.last_trick.taker === seat ? " taken-by" : "";
    return h("div", { class: `played${resting ? " resting" : fresh}${taken}`, ...place(table, seat, viewer), "--n": nth }, face(card));
  });
}

const ASKED = {
  direction: "calls the pass", refuse: "may refuse cards", pass: "passes", expose: "may show cards", pledge: "may pledge to take no heart",
  play: "plays", suit: "calls the suit", moon: "has shot the moon and chooses", sign: "chooses a sign", exact: "has hit an exact total and chooses",
};

export function situation(table) {
  if (table.over) return `The match is over. ${table.names.map((name, seat) => `${name}: place ${table.ranking[seat]}`).join(", ")}.`;
  const who = table.seat === table.turn ? "You" : table.names[table.turn];
  const what = ASKED[table.phase] ?? table.phase;
  return `Deal ${table.deal}${table.direction ? `, pass: ${table.direction}` : ""} · ${who} ${who === "You" ? YOU[table.phase] ?? what : what}`;
}

const YOU = { direction: "call the pass", pass: "pass", expose: "may show cards", play: "play", suit: "call the suit", moon: "have shot the moon: choose", exact: "have hit an exact total: choose" };

export function felt(table, viewer) {
  const seats = [...Array(table.players).keys()];
  return [h("p", { class: "situation" }, situation(table)), h("div", { class: "notes" }, table.notes.map((note) => h("p", {}, note))),
    h("div", { class: `felt players-${Math.min(table.players, 7)}${table.hands ? " open" : ""}` },
      h("div", { class: "middle" }, trickCards(table, viewer)),
      seats.map((seat) => seatBox(table, seat, viewer)))];
}

export function scores(table) {
  const names = table.names.map((name, seat) => h("th", { scope: "col" }, seat === table.seat ? "you" : name));
  const rows = table.history.map((points, deal) => h("tr", {}, h("th", { scope: "row" }, deal + 1), points.map((value) => h("td", {}, score(value)))));
  const sums = h("tr", { class: "sum" }, h("th", { scope: "row" }, "total"), table.totals.map((value) => h("td", {}, score(value))));
  return h("div", {},
    h("div", { class: "scroll" }, h("table", { class: "scores" }, h("caption", {}, "Points by deal"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "deal"), names)), h("tbody", {}, rows, sums))),
    table.gaussian ? plane(table) : null);
}

// Complex totals as points of the plane.
function plane(table) {
  const reach = Math.max(10, ...table.totals.flat().map(Math.abs)) * 1.15;
  const at = ([re, im]) => [100 + (95 * re) / reach, 100 - (95 * im) / reach];
  return s("svg", { viewBox: "0 0 200 200", class: "plane", role: "img", "aria-label": "totals in the complex plane" },
    s("path", { d: "M100 2V198M2 100H198", class: "axes" }),
    table.totals.map((total, seat) => {
      const [x, y] = at(total);
      return [s("circle", { cx: x, cy: y, r: 4, class: seat === table.seat ? "own" : "" }), s("text", { x: x + 6, y: y - 4 }, table.names[seat])];
    }));
}
