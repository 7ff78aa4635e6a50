// A record under study in words, and its values: by the adviser whose values lie on the cards, or by a deeper search.

import { isCard, short, words } from "../cards.js";

// Names that several seats share are told apart by the seat.
export const called = ({ names }, seat) => (names.filter((name) => name === names[seat]).length > 1 ? `${names[seat]}, seat ${seat}` : names[seat]);

export const label = ({ labels }, place, action) => labels[place]?.[action] ?? words(action);

export const brief = ({ labels }, place, action) => labels[place]?.[action] ?? short(action);

export function deed(study, place) {
  const { seat, phase, action } = study.decisions[place];
  const what = phase === "pass" ? `passes the ${words(action)}` : isCard(action) ? `plays the ${words(action)}` : `decides: ${label(study, place, action)}`;
  return `${called(study, seat)} ${what}`;
}

export const main = (study) => study.advisers.find((one) => one.agent === study.leading) ?? study.advisers.find((one) => Object.keys(one.costs).length) ?? study.advisers[0] ?? null;

// The values of the position on the board, the best first; null where there are none.
export const valuesHere = (study) => study.deeper[study.at]?.values ?? main(study)?.values[study.at] ?? null;

export const percent = (share) => (share > 0.999 && share < 1 ? ">99.9%" : share > 0 && share < 0.001 ? "<0.1%" : `${(100 * share).toFixed(1)}%`);

export const costs = (value) => `${value.cost.toFixed(1)} ± ${value.error.toFixed(1)}`;

// A value beside or under its action, in few signs.
export const figure = (value, best) => (value.probability !== undefined ? `${Math.round(100 * value.probability)}%` : value === best ? "best" : `+${value.cost.toFixed(1)}`);
