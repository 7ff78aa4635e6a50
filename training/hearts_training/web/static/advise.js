// Beside a real table: the cards as they fall, a line at a time, and the advice after each.

import { announce, complain, h, request, show } from "./dom.js";

const EMPTY = { rules: "black_lady", seat: 0, lines: [] };

export async function advise() {
  let notes = JSON.parse(sessionStorage.getItem("advise")) ?? EMPTY, answer = { prompt: "", text: "" }, busy = false;

  // Ask with other notes; where they cannot be, the ones before stay.
  async function ask(next) {
    if (busy) return false;
    busy = true;
    try {
      answer = await request("/api/advice", next);
      notes = next;
      sessionStorage.setItem("advise", JSON.stringify(notes));
      complain("");
      announce(answer.prompt);
      return true;
    } catch (error) {
      complain(error.message);
      return false;
    } finally {
      busy = false;
      draw();
    }
  }

  async function add(event) {
    event.preventDefault();
    const box = event.target.elements.entry;
    if (await ask({ ...notes, lines: [...notes.lines, box.value] })) box.value = "";
    box.focus();
  }

  const begin = (change) => ask({ ...notes, lines: [], ...change });

  function draw() {
    show(h("div", { class: "text" }, h("h1", {}, "Advise me"),
      h("p", {}, "Beside a real table: type your hand, then the cards as they fall, in any spelling. A number before a card is its seat; seats are numbered in the order of play."),
      h("p", { class: "tools" }, h("label", {}, "Rules ", h("input", { id: "rules", value: notes.rules, spellcheck: "false", maxlength: 2000, onchange: (event) => begin({ rules: event.target.value }) })),
        h("label", {}, "Your seat ", h("input", { id: "seat", type: "number", min: 0, max: 10, value: notes.seat, onchange: (event) => begin({ seat: Number(event.target.value) }) }))),
      h("form", { class: "tools", onsubmit: add }, h("label", {}, h("span", { id: "prompt" }, answer.prompt), " ", h("input", { id: "entry", name: "entry", autocomplete: "off", spellcheck: "false", maxlength: 300 })),
        h("button", { class: "main", id: "enter", type: "submit" }, "Enter"),
        h("button", { id: "undo", type: "button", disabled: !notes.lines.length, onclick: () => ask({ ...notes, lines: notes.lines.slice(0, -1) }) }, "Undo"),
        h("button", { id: "again", type: "button", onclick: () => begin({}) }, "New deal")),
      notes.lines.length ? h("p", { class: "small", id: "typed" }, notes.lines.join(" · ")) : null,
      h("pre", { id: "advice", role: "region", "aria-label": "the advice", tabindex: 0 }, answer.text)));
  }

  if (!(await ask(notes))) await ask(EMPTY);
}
