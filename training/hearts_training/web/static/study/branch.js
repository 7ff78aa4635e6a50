// A line tried from a position against an agent, kept with a comment in the study; and comments on the record itself.

import { isCard, score, short } from "../cards.js";
import { h } from "../dom.js";
import { called } from "./words.js";

const said = (actions) => actions.map((action) => (isCard(action) ? short(action) : action)).join(" ");

function comment(study, act, at, actions) {
  const known = study.notes.find((one) => one.at === at && said(one.actions) === said(actions))?.text;
  return h("form", { key: `${at} ${actions.length}`, class: "tools", onsubmit: (event) => { event.preventDefault(); act.note(at, actions, event.target.elements.comment.value); } },
    h("input", { id: "comment", name: "comment", defaultValue: known ?? "", maxlength: 1000, autocomplete: "off", placeholder: "comment", "aria-label": actions.length ? "a comment on this line" : "a comment on this position" }), h("button", { id: "keep" }, actions.length ? "Keep line" : "Keep"));
}

// The line on the board, in place of the answer.
export function branch(study, act) {
  const { at, actions, by, seat, ended } = study.branch, deal = study.decisions[at].deal, real = study.deals[deal];
  return h("section", { id: "branch" }, h("h2", {}, `A line from ${study.addresses.names[at]}`),
    h("p", { id: "moves" }, said(actions) || `${called(study, seat)} chooses; ${by} plays the others.`),
    ended ? h("p", { id: "ended" }, h("b", {}, `The deal ends: ${study.names.map((name, one) => `${called(study, one)} ${score(ended[one])}`).join(", ")}.`), real.length ? ` In the record: ${real.map(score).join(", ")}.` : "") : null,
    h("div", { class: "tools" }, h("button", { id: "undo-line", disabled: !study.branch.before, onclick: act.undo }, "Take back"), h("button", { id: "leave-line", class: "main", onclick: () => act.go(at) }, "Back to the record")),
    actions.length ? comment(study, act, at, actions) : null);
}

// The lines and comments that are kept, and the way to a new one.
export function lines(study, act) {
  const { at, notes, addresses, decisions } = study, turn = decisions[at];
  return h("section", { id: "lines" }, h("h2", {}, "Lines and comments"),
    h("ul", {}, notes.map((one) => h("li", { key: `${one.at} ${one.actions}` }, h("button", { onclick: () => (one.actions.length ? act.line(one.at, one.actions, one.agent) : act.go(one.at)) }, addresses.names[one.at]),
      ` ${said(one.actions.slice(0, 8))}${one.actions.length > 8 ? " ..." : ""} ${one.text} `, h("button", { "aria-label": `remove the note at ${addresses.names[one.at]}`, onclick: () => act.note(one.at, one.actions, null) }, "✕")))),
    turn ? h("form", { class: "tools", onsubmit: (event) => { event.preventDefault(); act.line(at, [], event.target.elements.against.value || "rule"); } },
      h("label", {}, "Against ", h("input", { id: "against", name: "against", defaultValue: "rule", list: "known-advisers", maxlength: 200, spellcheck: "false" })), h("button", { id: "try" }, `Try a line as ${called(study, turn.seat)}`)) : null,
    turn && !study.branch ? comment(study, act, at, []) : null);
}
