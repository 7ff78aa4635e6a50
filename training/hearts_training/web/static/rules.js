// The page of rules, which the server writes as Markdown of three kinds: a title, sections and items.

import { build as h, complain, h as element, request } from "./dom.js";

function items(lines) {
  const found = [];
  for (const line of lines) {
    if (line.startsWith("- ")) found.push(line.slice(2));
    else found.push(`${found.pop() ?? ""} ${line.trim()}`.trim()); // a long item goes on here
  }
  return h("ul", {}, found.map((item) => h("li", {}, item)));
}

export function rulesPage(text) {
  return text.trim().split("\n\n").map((block) => {
    const [first, ...rest] = block.split("\n");
    if (first.startsWith("## ")) return h("section", {}, h("h3", {}, first.slice(3)), items(rest));
    if (first.startsWith("# ")) return h("p", { class: "small" }, first.slice(2));
    return h("p", {}, [first, ...rest].join(" "));
  });
}

// The name of a table's game as a heading; a press shows its rules.
export function rulesHere({ title, changed, rules }) {
  async function open({ currentTarget: details }) {
    const page = details.querySelector(".rules");
    if (!details.open || page.childNodes.length) return;
    try { page.replaceChildren(...rulesPage((await request("/api/rules", { rules })).page)); } catch (error) { complain(error.message); }
  }
  return [element("details", { id: "game-rules", ontoggle: open }, element("summary", {}, element("h1", {}, title)), element("div", { class: "rules", tabindex: 0, role: "region", "aria-label": "the rules" })),
    changed ? element("p", { class: "small" }, `Changed: ${changed}`) : null];
}
