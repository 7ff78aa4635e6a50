// Cards as SVG, and their names in words.

import { h as s } from "./dom.js";

export const SYMBOLS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 0: "joker" };
const ORDER = "CDSH";

export const suitOf = (card) => (card === "JK" ? "" : card.at(-1));
export const rankOf = (card) => card.slice(0, -1).replace("T", "10").replace(/^0$/, "Jo");
export const isCard = (word) => !word.includes(":");

export function words(card) {
  if (card === "JK") return "joker";
  const rank = card.slice(0, -1);
  return rank === "0" ? `joker of ${SUITS[suitOf(card)]}` : `${RANKS[rank] ?? rank} of ${SUITS[suitOf(card)]}`;
}

export function short(card) {
  if (card === "JK") return "Joker";
  return rankOf(card) + SYMBOLS[suitOf(card)];
}

// Suits alternate in colour; within a suit the server's order stays.
export function sorted(hand) {
  const place = (card) => (card === "JK" ? 9 : ORDER.indexOf(suitOf(card)));
  return hand.map((card, index) => [card, index])
    .sort(([a, i], [b, j]) => place(a) - place(b) || i - j)
    .map(([card]) => card);
}

// --- faces ------------------------------------------------------------------------------------

const PIP = {
  C: "M8 1a3.3 3.3 0 0 1 2.6 5.4 3.3 3.3 0 1 1-1.7 5.3L10.3 15H5.7l1.4-3.3a3.3 3.3 0 1 1-1.7-5.3A3.3 3.3 0 0 1 8 1Z",
  D: "M8 1l5.5 7L8 15 2.5 8Z",
  H: "M8 15C2 9.5 1 7.5 1 5.2A3.5 3.5 0 0 1 8 4.2 3.5 3.5 0 0 1 15 5.2C15 7.5 14 9.5 8 15Z",
  S: "M8 1c6 5 7 7 7 9a3.4 3.4 0 0 1-6 1.5l1.5 3.5h-5L7 11.5A3.4 3.4 0 0 1 1 10C1 8 2 6 8 1Z",
  "": "M8 1l2.1 4.700 5 .5-3.800 3.400 1.1 5L8 12l-4.400 2.600 1.1-5L.9 6.2l5-.5Z",
};
const CROWNS = {
  K: "M22 23l-1-11 5 6 4-8 4 8 5-6-1 11Z",
  Q: "M23 23l-2-8q4 4 5-2 4 5 4-2 0 7 4 2 1 6 5 2l-2 8Z",
  J: "M21 23q0-9 12-9 6 1 6 6v3ZM33 15q3-6 8-5 0 4-6 6Z",
};
const HAIR = { K: "M25 29q5 12 10 0l-1 7-4 3-4-3Z", Q: "M24 24q-4 8-1 11h4ZM36 24q4 8 1 11h-4Z", J: "M24 24q-2 5 0 7h2ZM36 24q2 5 0 7h-2Z" };

// Where the pips of a number stand: column 0 to 2, and height from 0, the top, to 1.
function pips(count) {
  const rows = count > 8 ? [0, 1 / 3, 2 / 3, 1] : count > 5 ? [0, 0.5, 1] : count > 3 ? [0, 1] : [];
  const middle = { 1: [0.5], 2: [0, 1], 3: [0, 0.5, 1], 5: [0.5], 7: [0.25], 8: [0.25, 0.75], 9: [0.5], 10: [1 / 6, 5 / 6], 11: [1 / 6, 0.5, 5 / 6], 12: rows }[count] ?? [];
  return [...rows.flatMap((row) => [[0, row], [2, row]]), ...middle.map((row) => [1, row])];
}

const pip = (suit, x, y, size, turned = false) =>
  s("path", { d: PIP[suit], transform: `translate(${x} ${y})${turned ? " rotate(180)" : ""} scale(${size / 16}) translate(-8 -8)` });

function figure(rank) {
  return [s("path", { d: "M17 42q1-9 13-9t13 9Z", class: "robe" }), s("circle", { cx: 30, cy: 27, r: 6, class: "skin" }), s("path", { d: HAIR[rank], class: "hair" }),
    s("path", { d: "M28 26v1M32 26v1", class: "eyes" }), s("path", { d: CROWNS[rank], class: "crown" })];
}

function picture(rank, suit) {
  if (CROWNS[rank]) return [s("rect", { x: 17, y: 8, width: 26, height: 68, rx: 2, class: "frame" }), s("g", {}, figure(rank)), s("g", { transform: "rotate(180 30 42)" }, figure(rank))];
  const count = rank === "A" ? 1 : Number(rank);
  return count ? pips(count).map(([column, row]) => pip(suit, 22 + 8 * column, 16 + 52 * row, count === 1 ? 26 : 10.5, row > 0.5)) : pip("", 30, 42, 26);
}

function corner(rank, suit) {
  return [s("text", { x: 9, y: 18, class: `index${rank.length > 1 ? " tight" : ""}` }, rank), pip(suit, 9, 27, 11)];
}

export function face(card, extra = "") {
  const suit = suitOf(card), rank = card === "JK" ? "Jo" : rankOf(card);
  return s("svg", { viewBox: "0 0 60 84", class: `card suit-${suit || "J"} ${extra}`, role: "img", "aria-label": words(card) },
    s("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, class: "paper" }), picture(rank, suit),
    s("g", {}, corner(rank, suit)), s("g", { transform: "rotate(180 30 42)", "aria-hidden": "true" }, corner(rank, suit)));
}

// Hidden cards: their backs, one beside the other.
export function backs(count) {
  return s("svg", { viewBox: `0 0 ${14 + 5 * (count - 1)} 20`, class: "backs", "aria-hidden": "true" },
    [...Array(count).keys()].map((place) => [s("rect", { x: 5 * place + 0.5, y: 0.5, width: 13, height: 19, rx: 2, class: "back" }), s("path", { d: `M${5 * place + 3} 3h8v14h-8Z`, class: "weave" })]));
}

export function score(value) {
  if (!Array.isArray(value)) return String(value).replace("-", "−");
  const [re, im] = value;
  if (!im) return score(re);
  const part = `${Math.abs(im) === 1 ? "" : Math.abs(im)}i`;
  return re ? `${score(re)} ${im < 0 ? "−" : "+"} ${part}` : `${im < 0 ? "−" : ""}${part}`;
}
