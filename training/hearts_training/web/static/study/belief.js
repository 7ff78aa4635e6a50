// Who may hold what: suits by ranks for each other seat, coloured by how far a card departs from even chances.

import { SYMBOLS, rankOf, short, suitOf, words } from "../cards.js";
import { h, scroller } from "../dom.js";
import { called } from "./words.js";

const FACES = "JQKA";
const order = (card) => { const rank = rankOf(card); return FACES.includes(rank) ? 100 + FACES.indexOf(rank) : Number(rank) || 0; };
const certain = (shares, seat) => shares[seat] > 0.999;

// The grid of a seat: green above its even share of the hidden cards, red below it.
function grid(study, cards, seat, title) {
  const open = Object.entries(cards).filter(([, shares]) => !shares.some((_, one) => certain(shares, one)));
  const even = open.reduce((sum, [, shares]) => sum + shares[seat], 0) / Math.max(1, open.length);
  const ranks = [...new Map(Object.keys(cards).sort((a, b) => order(a) - order(b)).map((card) => [rankOf(card), card])).keys()];
  const cell = (card) => {
    const share = cards[card]?.[seat];
    if (share === undefined) return h("td", { key: card });
    const apart = share - even, strength = Math.min(80, Math.round(130 * Math.abs(apart)));
    return h("td", { key: card, class: certain(cards[card], seat) ? "certain" : apart < 0 ? "less" : "more", "--strength": `${strength}%`, title: `${words(card)}: ${(100 * share).toFixed(1)}%` }, Math.round(100 * share) || "");
  };
  const sure = Object.keys(cards).filter((card) => certain(cards[card], seat));
  return scroller(title, h("table", { class: "grid" }, h("caption", {}, title, sure.length ? h("b", {}, ` holds ${sure.map(short).join(" ")}`) : null),
    h("thead", {}, h("tr", {}, h("td", {}), ranks.map((rank) => h("th", { scope: "col" }, rank)))),
    h("tbody", {}, [...new Set(Object.keys(cards).map(suitOf))].map((suit) => h("tr", {}, h("th", { scope: "row", class: `suit-${suit || "J"}` }, SYMBOLS[suit] ?? "Joker"), ranks.map((rank) => cell(Object.keys(cards).find((card) => suitOf(card) === suit && rankOf(card) === rank) ?? rank)))))));
}

export function beliefs(study) {
  const { belief, weighed, names } = study;
  if (!belief) return null;
  const others = names.map((_, seat) => seat).filter((seat) => seat !== belief.seat);
  const lacks = Object.values(belief.cards).some((shares) => shares.reduce((sum, share) => sum + share, 0) < 0.98);
  return h("section", { id: "beliefs" }, h("h2", {}, `What ${called(study, belief.seat)} can know`),
    h("p", { class: "small" }, "Chances in percent, counted over all deals that agree with the cards seen; green is more than this player's even share, red is less.", lacks ? " The rest, up to 100%, is in the kitty." : "",
      weighed ? ` Beside them, ${weighed.by} weighs 512 deals by how it would have played: as good as ${weighed.worlds.toFixed(0)} deals of equal weight.` : ""),
    others.map((seat) => h("div", { class: "grids", key: seat }, grid(study, belief.cards, seat, called(study, seat)), weighed ? grid(study, weighed.cards, seat, `${called(study, seat)}, by ${weighed.by}`) : null)));
}
