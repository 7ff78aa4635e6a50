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

export function face(card, extra = "") {
  const suit = suitOf(card);
  const rank = card === "JK" ? "JK" : rankOf(card);
  return s("svg", { viewBox: "0 0 60 84", class: `card suit-${suit || "J"} ${extra}`, role: "img", "aria-label": words(card) },
    s("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, class: "paper" }),
    s("text", { x: 7, y: 22, class: "rank" }, rank),
    s("text", { x: 7, y: 40, class: "small" }, SYMBOLS[suit] ?? "★"),
    s("text", { x: 36, y: 70, class: "big", "text-anchor": "middle" }, SYMBOLS[suit] ?? "★"));
}

export function score(value) {
  if (!Array.isArray(value)) return String(value).replace("-", "−");
  const [re, im] = value;
  if (!im) return score(re);
  const part = `${Math.abs(im) === 1 ? "" : Math.abs(im)}i`;
  return re ? `${score(re)} ${im < 0 ? "−" : "+"} ${part}` : `${im < 0 ? "−" : ""}${part}`;
}
