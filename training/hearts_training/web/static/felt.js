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
    table.shown[seat].length ? h("p", { class: "taken", role: "group", "aria-label": "cards shown before play" }, "shown ", bySuit(table.shown[seat])) : null,
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
  const last = table.tricks.at(-1), resting = !table.trick.length && last;
  const cards = table.trick.length ? table.trick : resting ? last.cards : [];
  const taker = resting ? last.taker : null;
  const [tx, ty] = taker === null ? [0, 0] : direction(table, taker, viewer);
  const seen = {};
  return cards.map(([seat, card], order) => {
    const nth = (seen[seat] = (seen[seat] ?? -1) + 1);
    const state = resting ? `resting${taker === null ? "" : " swept"}${taker === seat ? " taken-by" : ""}` : order === cards.length - 1 ? "fresh" : "";
    return h("div", { key: `${seat} ${card} ${nth}`, class: `played ${state}`, ...place(table, seat, viewer), "--n": nth, "--tx": tx, "--ty": ty }, face(card), h("small", {}, table.names[seat]));
  });
}

// A card of the hand is dragged to the felt by mouse or pen; a finger scrolls the page instead.
export function drag(event, play) {
  if (event.pointerType === "touch" || event.button) return;
  const button = event.currentTarget, { clientX: x, clientY: y } = event;
  const move = (to) => {
    if (Math.hypot(to.clientX - x, to.clientY - y) > 8) button.classList.add("dragged"); // it lets the pointer through: no click follows
    if (button.classList.contains("dragged")) button.style.translate = `${to.clientX - x}px ${to.clientY - y}px`;
  };
  const drop = (at) => {
    removeEventListener("pointermove", move);
    const dragged = button.classList.contains("dragged");
    button.classList.remove("dragged");
    button.style.translate = "";
    if (dragged && at.type === "pointerup" && document.elementFromPoint(at.clientX, at.clientY)?.closest(".felt")) play();
  };
  addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, drop, { once: true });
}

export function felt(table, viewer) {
  const around = [...Array(table.players).keys()].map((step) => (viewer + step) % table.players), crowd = table.players > 6 ? " crowd" : "";
  return [h("p", { class: "situation" }, table.status), h("div", { class: "notes" }, h("p", {}, table.result ?? ""), table.notes.map((note) => h("p", {}, note))),
    h("div", { key: "felt", class: `felt players-${Math.min(table.players, 7)}${crowd}${table.hands ? " open" : ""}`, "--along": along(table.players), "--sides": Math.max(1, sides(table.players)), "--wait": `${Math.min(0.8, 0.6 * (table.pace ?? 0))}s` },
      h("div", { class: "others" }, around.slice(1).map((seat) => seatBox(table, seat, viewer))),
      h("div", { class: "middle" }, trickCards(table, viewer)),
      seatBox(table, viewer, viewer))];
}

// What a deal came to, until the next one: what each took, and how it counts.
export function dealEnd(table, end, next, more) {
  const seats = [...Array(table.players).keys()].map((step) => (step + (table.seat ?? 0)) % table.players), last = end.tricks.at(-1);
  const rows = seats.map((seat) => h("tr", { class: seat === table.seat ? "chosen" : "" }, h("th", { scope: "row" }, table.names[seat]),
    h("td", { class: "took" }, h("span", { class: "taken" }, bySuit(end.taken[seat])), end.how[seat] ? h("small", {}, end.how[seat]) : null),
    h("td", {}, score(end.points[seat])), h("td", {}, score(end.totals[seat])), end.over ? h("td", {}, end.places[seat]) : null));
  return [h("p", { class: "situation" }, end.over ? table.status : `Deal ${end.deal} has ended`), h("div", { class: "notes" }, h("p", {}, end.result)),
    h("section", { key: "deal end", class: "deal-end", "aria-label": `the end of deal ${end.deal}` }, h("h2", {}, `Deal ${end.deal}`),
      end.moon.map((line) => h("p", { class: "moon" }, line)),
      next ? h("button", { id: "next-deal", class: "main", onclick: next }, "Next deal") : null, more,
      h("table", {}, h("thead", {}, h("tr", {}, ["points", "took", "this deal", "total", end.over ? "place" : null].filter((word) => word !== null).map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, rows)),
      end.lines.map((line) => h("p", {}, line)),
      h("div", { class: "cards" }, last.cards.map(([seat, card]) => h("figure", {}, face(card, seat === last.taker ? "winner" : ""), h("figcaption", {}, table.names[seat])))))];
}

// The tricks of a deal: who played what, in order from the leader, and who took it.
export function trickList(table, tricks) {
  if (!tricks.length) return null;
  return h("details", { id: "tricks" }, h("summary", {}, `All tricks so far: ${tricks.length}`), scroller("the tricks of the deal", h("table", { class: "tricks" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "trick"), table.names.map((name) => h("th", { scope: "col", title: name }, h("span", {}, name))))),
    h("tbody", {}, tricks.map(({ cards, taker }, place) => h("tr", {}, h("th", { scope: "row" }, place + 1), table.names.map((_, seat) =>
      h("td", { class: seat === taker ? "chosen" : "" }, seat === cards[0][0] ? h("span", { title: "led" }, "▸") : null, cards.filter(([one]) => one === seat).map(([, card]) => h("span", { class: `suit-${suitOf(card) || "J"}` }, short(card)))))))))));
}

export function scores(table) {
  const names = table.names.map((name, seat) => h("th", { scope: "col", title: name }, h("span", {}, seat === table.seat ? "you" : name)));
  const rows = table.history.map(({ row, values }) => h("tr", {}, h("th", { scope: "row" }, row), values.map((value) => h("td", {}, score(value)))));
  const sums = h("tr", { class: "sum" }, h("th", { scope: "row" }, "total"), table.totals.map((value) => h("td", {}, score(value))));
  return h("div", {},
    scroller("points by deal", h("table", { class: `scores${table.players > 4 ? " many" : ""}` }, h("caption", {}, "Points by deal"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "deal"), names)), h("tbody", {}, rows, sums))),
    table.gaussian ? plane(table) : null);
}

// Complex totals as points of the plane; a name that would lie on another one moves down, at the end of a line.
function plane(table) {
  const reach = Math.max(10, ...table.totals.flat().map(Math.abs)) * 1.15, labels = [];
  const spots = table.totals.map(([re, im], seat) => ({ seat, name: table.names[seat].slice(0, 12), x: 100 + (95 * re) / reach, y: 100 - (95 * im) / reach }));
  for (const { seat, name, x, y } of [...spots].sort((a, b) => a.y - b.y)) {
    const wide = 5.5 * name.length, left = x + 6 + wide > 200 ? x - 6 - wide : x + 6;
    const hit = (at) => labels.some((one) => Math.abs(one.at - at) < 9.5 && one.left < left + wide && left < one.left + one.wide);
    let at = Math.max(8, y - 4);
    while (hit(at)) at += 2;
    labels.push({ seat, name, x, y, left, wide, at });
  }
  return h("svg", { viewBox: `0 0 200 ${Math.max(200, ...labels.map(({ at }) => at + 4))}`, class: "plane", role: "img", "aria-label": `totals in the complex plane: ${table.names.map((name, seat) => `${name} ${score(table.totals[seat])}`).join(", ")}` },
    h("path", { d: "M100 2V198M2 100H198", class: "axes" }),
    labels.map(({ seat, name, x, y, left, at }) => [h("path", { d: `M${x} ${y}L${left < x ? x - 4 : left} ${at - 3}`, class: "axes" }), h("circle", { cx: x, cy: y, r: 4, class: seat === table.seat ? "own" : "" }), h("text", { x: left, y: at }, name)]));
}
