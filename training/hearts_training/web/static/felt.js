// The table itself: seats around the felt, the trick in the middle, scores beside it.

import { h } from "./dom.js";
import { SYMBOLS, face, rankOf, score, short, sorted, suitOf, words } from "./cards.js";

function place(table, seat, viewer) {
  const angle = (2 * Math.PI * (seat - viewer)) / table.players;
  return { "--x": (-Math.sin(angle)).toFixed(3), "--y": Math.cos(angle).toFixed(3) };
}

const signed = (value) => (value > 0 ? `+${value}` : score(value));
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function seatBox(table, seat, viewer) {
  const turn = table.turn === seat;
  const hand = table.hands && sorted(table.hands[seat]);
  const points = table.settled ? null : [" · ", h("b", {}, signed(table.points[seat])), h("span", { class: "long" }, " this deal")];
  return h("section", { key: `seat ${seat}`, class: `seat${turn ? " turn" : ""}${seat === viewer && !table.hands ? " own" : ""}`, ...place(table, seat, viewer), "aria-label": table.names[seat] },
    h("h3", {}, turn ? h("span", { class: "arrow", "aria-label": "to act" }, "▸ ") : null, table.names[seat], table.specs?.[seat] ? h("span", { class: "spec", title: table.specs[seat] }, table.specs[seat]) : null),
    h("p", {}, h("b", {}, score(table.totals[seat])), " total", points),
    h("p", { class: "small" }, `${plural(table.cards_left[seat], "card")} · ${plural(table.tricks_won[seat], "trick")}`, table.extras[seat].map((word) => ` · ${word}`)),
    hand ? h("div", { class: "open-hand" }, hand.map((card) => face(card, table.legal.includes(card) && turn ? "lit" : ""))) : null,
    table.taken[seat].length ? h("p", { class: "taken", role: "group", "aria-label": "cards taken that count" }, bySuit(table.taken[seat])) : null);
}

// A chip for each suit, so that a seat that takes many cards stays small.
function bySuit(cards) {
  const suits = new Map();
  for (const card of sorted(cards)) suits.set(suitOf(card), [...(suits.get(suitOf(card)) ?? []), card]);
  return [...suits].map(([suit, own]) => h("span", { class: `suit-${suit || "J"}`, "aria-label": own.map(words).join(", ") }, suit ? `${SYMBOLS[suit]} ${own.map(rankOf).join(" ")}` : own.map(short).join(" ")));
}

function trickCards(table, viewer) {
  const resting = !table.trick.length && table.last_trick && table.widget !== "pick";
  const cards = table.trick.length ? table.trick : resting ? table.last_trick.cards : [];
  const seen = {};
  return cards.map(([seat, card], order) => {
    const fresh = !resting && order === cards.length - 1 ? " fresh" : "";
    const nth = (seen[seat] = (seen[seat] ?? -1) + 1);
    const taken = resting && table.last_trick.taker === seat ? " taken-by" : "";
    return h("div", { key: `${seat} ${card} ${nth}`, class: `played${resting ? " resting" : fresh}${taken}`, ...place(table, seat, viewer), "--n": nth }, face(card));
  });
}

export function felt(table, viewer) {
  const seats = [...Array(table.players).keys()];
  return [h("p", { class: "situation" }, table.status), h("div", { class: "notes" }, h("p", {}, table.result ?? ""), table.notes.map((note) => h("p", {}, note))),
    h("div", { key: "felt", class: `felt players-${Math.min(table.players, 7)}${table.hands ? " open" : ""}` },
      h("div", { class: "middle" }, trickCards(table, viewer)),
      seats.map((seat) => seatBox(table, seat, viewer)))];
}

// What a deal came to, until the next one.
export function dealEnd(table, end, next) {
  const seats = [...Array(table.players).keys()].map((step) => (step + (table.seat ?? 0)) % table.players);
  const rows = seats.map((seat) => h("tr", { class: seat === table.seat ? "chosen" : "" }, h("th", { scope: "row" }, table.names[seat]),
    h("td", {}, score(end.points[seat])), h("td", {}, score(end.totals[seat])), end.over ? h("td", {}, end.places[seat]) : null));
  return [h("p", { class: "situation" }, end.over ? table.status : `Deal ${end.deal} has ended`), h("div", { class: "notes" }, h("p", {}, end.result)),
    h("section", { key: "deal end", class: "deal-end", "aria-label": `the end of deal ${end.deal}` }, h("h2", {}, `Deal ${end.deal}`),
      h("div", { class: "cards" }, (table.last_trick?.cards ?? []).map(([seat, card]) => h("figure", {}, face(card, seat === table.last_trick.taker ? "winner" : ""), h("figcaption", {}, table.names[seat])))),
      h("table", {}, h("thead", {}, h("tr", {}, ["points", "this deal", "total", end.over ? "place" : null].filter((word) => word !== null).map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, rows)),
      end.lines.map((line) => h("p", {}, line)),
      next ? h("button", { id: "next-deal", class: "main", onclick: next }, "Next deal") : null,
      end.over ? h("a", { class: "button", href: "/" }, "New table") : null)];
}

export function scores(table) {
  const names = table.names.map((name, seat) => h("th", { scope: "col", title: name }, h("span", {}, seat === table.seat ? "you" : name)));
  const rows = table.history.map(({ row, values }) => h("tr", {}, h("th", { scope: "row" }, row), values.map((value) => h("td", {}, score(value)))));
  const sums = h("tr", { class: "sum" }, h("th", { scope: "row" }, "total"), table.totals.map((value) => h("td", {}, score(value))));
  return h("div", {},
    h("div", { class: "scroll" }, h("table", { class: `scores${table.players > 4 ? " many" : ""}` }, h("caption", {}, "Points by deal"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "deal"), names)), h("tbody", {}, rows, sums))),
    table.gaussian ? plane(table) : null);
}

// Complex totals as points of the plane.
function plane(table) {
  const reach = Math.max(10, ...table.totals.flat().map(Math.abs)) * 1.15;
  const at = ([re, im]) => [100 + (95 * re) / reach, 100 - (95 * im) / reach];
  return h("svg", { viewBox: "0 0 200 200", class: "plane", role: "img", "aria-label": "totals in the complex plane" },
    h("path", { d: "M100 2V198M2 100H198", class: "axes" }),
    table.totals.map((total, seat) => {
      const [x, y] = at(total);
      return [h("circle", { cx: x, cy: y, r: 4, class: seat === table.seat ? "own" : "" }), h("text", { x: x + 6, y: y - 4 }, table.names[seat])];
    }));
}
