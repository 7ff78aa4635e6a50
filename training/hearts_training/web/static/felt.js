// The table itself: seats around the felt, the trick in the middle, scores beside it.

import { h, scroller } from "./dom.js";
import { SYMBOLS, backs, face, rankOf, score, short, sorted, suitOf, words } from "./cards.js";

// The seats form a ring: one's own at the bottom, from there up the left side, along the top and down the right side.
// A seat has a cell of its own in the grid, so no two overlap; the cards of the trick lie in its direction.
const sides = (players) => (players > 9 ? 3 : players > 6 ? 2 : players > 2 ? 1 : 0);
const along = (players) => Math.max(1, players - 1 - 2 * sides(players));

function cell(players, step) {
  const side = sides(players), last = along(players) + 2;
  if (!step) return [Math.max(side, 1) + 2, `2 / ${last}`];
  if (step <= side) return [side + 2 - step, 1];
  return step < players - side ? [1, step - side + 1] : [step - players + side + 2, last];
}

function direction(table, seat, viewer) {
  const angle = (2 * Math.PI * (seat - viewer)) / table.players;
  return [(-Math.sin(angle)).toFixed(3), Math.cos(angle).toFixed(3)];
}

function place(table, seat, viewer) {
  const [x, y] = direction(table, seat, viewer);
  return { "--x": x, "--y": y };
}

const signed = (value) => (value > 0 ? `+${value}` : score(value));
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function seatBox(table, seat, viewer) {
  const turn = table.turn === seat, hand = table.hands?.[seat];
  const own = !table.hands && seat === (table.seat ?? table.look); // whose hand lies below the table
  const [row, column] = cell(table.players, (seat - viewer + table.players) % table.players);
  const points = table.settled ? null : [" · ", h("b", {}, signed(table.points[seat])), h("span", { class: "long" }, " this deal")];
  return h("section", { key: `seat ${seat}`, class: `seat${turn ? " turn" : ""}${own ? " own" : ""}`, "--row": row, "--column": column, "aria-label": table.names[seat] },
    h("h3", {}, turn ? h("span", { class: "arrow", role: "img", "aria-label": "to act" }, "▸ ") : null, table.names[seat], table.levels?.[seat] ? h("span", { class: "level", title: table.specs[seat] }, table.levels[seat]) : null),
    h("p", {}, h("b", {}, score(table.totals[seat])), h("span", { class: "word" }, " total"), points),
    h("p", { class: "small" }, `${plural(table.cards_left[seat], "card")} · ${plural(table.tricks_won[seat], "trick")}`, table.extras[seat].map((word) => ` · ${word}`)),
    hand && table.brief ? h("p", { class: "taken brief", role: "group", "aria-label": "hand" }, bySuit(hand)) : hand ? h("div", { class: "open-hand" }, sorted(hand).map((card) => face(card, table.legal.includes(card) && turn ? "lit" : "")))
      : own || !table.cards_left[seat] ? null : backs(table.cards_left[seat]),
    table.taken[seat].length ? h("p", { class: "taken", role: "group", "aria-label": "cards taken that count" }, bySuit(table.taken[seat])) : null);
}

// A chip for each suit, so that a seat that takes many cards stays small.
function bySuit(cards) {
  const suits = new Map();
  for (const card of sorted(cards)) suits.set(suitOf(card), [...(suits.get(suitOf(card)) ?? []), card]);
  return [...suits].map(([suit, own]) => h("span", { class: `suit-${suit || "J"}`, "aria-label": own.map(words).join(", ") }, suit ? `${SYMBOLS[suit]} ${own.map(rankOf).join(" ")}` : own.map(short).join(" ")));
}

// The cards of the trick; a complete one goes to its winner and lies there, small, until the next card is played.
function trickCards(table, viewer) {
  const resting = !table.trick.length && table.last_trick && table.widget !== "pick";
  const cards = table.trick.length ? table.trick : resting ? table.last_trick.cards : [];
  const taker = resting ? table.last_trick.taker : null;
  const [tx, ty] = taker === null ? [0, 0] : direction(table, taker, viewer);
  const seen = {};
  return cards.map(([seat, card], order) => {
    const nth = (seen[seat] = (seen[seat] ?? -1) + 1);
    const state = resting ? `resting${taker === null ? "" : " swept"}${taker === seat ? " taken-by" : ""}` : order === cards.length - 1 ? "fresh" : "";
    return h("div", { key: `${seat} ${card} ${nth}`, class: `played ${state}`, ...place(table, seat, viewer), "--n": nth, "--tx": tx, "--ty": ty }, face(card));
  });
}

export function felt(table, viewer) {
  const around = [...Array(table.players).keys()].map((step) => (viewer + step) % table.players), crowd = table.players > 6 ? " crowd" : "";
  return [h("p", { class: "situation" }, table.status), h("div", { class: "notes" }, h("p", {}, table.result ?? ""), table.notes.map((note) => h("p", {}, note))),
    h("div", { key: "felt", class: `felt players-${Math.min(table.players, 7)}${crowd}${table.hands ? " open" : ""}`, "--along": along(table.players), "--sides": Math.max(1, sides(table.players)), "--wait": `${Math.min(0.8, 0.6 * (table.pace ?? 0))}s` },
      h("div", { class: "others" }, around.slice(1).map((seat) => seatBox(table, seat, viewer))),
      h("div", { class: "middle" }, trickCards(table, viewer)),
      seatBox(table, viewer, viewer))];
}

// What a deal came to, until the next one.
export function dealEnd(table, end, next) {
  const seats = [...Array(table.players).keys()].map((step) => (step + (table.seat ?? 0)) % table.players);
  const rows = seats.map((seat) => h("tr", { class: seat === table.seat ? "chosen" : "" }, h("th", { scope: "row" }, table.names[seat]),
    h("td", {}, score(end.points[seat])), h("td", {}, score(end.totals[seat])), end.over ? h("td", {}, end.places[seat]) : null));
  return [h("p", { class: "situation" }, end.over ? table.status : `Deal ${end.deal} has ended`), h("div", { class: "notes" }, h("p", {}, end.result)),
    h("section", { key: "deal end", class: "deal-end", "aria-label": `the end of deal ${end.deal}` }, h("h2", {}, `Deal ${end.deal}`),
      end.moon.map((line) => h("p", { class: "moon" }, line)),
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
    scroller("points by deal", h("table", { class: `scores${table.players > 4 ? " many" : ""}` }, h("caption", {}, "Points by deal"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "deal"), names)), h("tbody", {}, rows, sums))),
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
