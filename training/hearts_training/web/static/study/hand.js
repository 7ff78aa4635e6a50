// The hand of the seat that decides, with a value on every card: the one chosen and the best one are marked.

import { h } from "../dom.js";
import { face, isCard, sorted } from "../cards.js";
import { called, figure, label, valuesHere } from "./words.js";

function option(study, action, key, choose, content) {
  const { at, decisions, position } = study;
  const found = study.retrying ? null : valuesHere(study), value = found?.find((one) => one.action === action);
  const chosen = !study.retrying && decisions[at]?.action === action, best = value && value === found[0], legal = position.legal.includes(action);
  const said = `${label(study, at, action)}${chosen ? ", chosen" : ""}${value ? `, ${figure(value, found[0])}` : ""}${legal ? "" : ", not possible now"}`;
  return h("button", { key, class: `option${chosen ? " chosen" : ""}${best ? " best" : ""}${legal ? "" : " idle"}`, "data-action": action, "aria-label": said, title: value?.error ? `± ${value.error.toFixed(1)}` : null, disabled: !legal, onclick: () => choose(action) },
    content, h("span", { class: "value" }, value ? figure(value, found[0]) : legal ? "·" : ""));
}

export function hand(study, choose) {
  const { position } = study;
  if (position.turn === null) return h("div", { class: "valued" });
  const copies = {};
  return h("div", { class: "valued", role: "group", "aria-label": `the choices of ${called(study, position.turn)}` },
    sorted(position.hands[position.turn]).map((card) => { const nth = (copies[card] = (copies[card] ?? -1) + 1); return option(study, card, `${card} ${nth}`, choose, face(card)); }),
    position.legal.filter((action) => !isCard(action)).map((action) => option(study, action, action, choose, h("span", { class: "wording" }, label(study, study.at, action)))));
}
