// What each player lost compared with the best choices, and where to go on from the position.

import { h, scroller } from "../dom.js";
import { called, main } from "./words.js";

const points = (value) => `${value.toFixed(1)} points`;

export function verdict(study) {
  const { who, own, names, decisions } = study, rows = main(study)?.verdict, mine = rows?.[who];
  if (!mine || !Object.keys(main(study).costs).length) return null;
  const { passing, play, clear, mistakes } = mine, deals = [...new Set(decisions.map((one) => one.deal))];
  const row = (title, cell) => h("tr", {}, h("th", { scope: "row" }, title), rows.map((one, seat) => h("td", { class: seat === who ? "chosen" : "" }, cell(one).toFixed(1))));
  return h("section", { class: "verdict", id: "verdict", "aria-label": "verdict" },
    h("h2", {}, who === own ? "Your verdict" : `The verdict on ${called(study, who)}`),
    h("p", {}, `${who === own ? "You" : called(study, who)} lost ${points(passing + play)} compared with the best choices: ${passing.toFixed(1)} in passing, ${play.toFixed(1)} in play. ${points(clear)} of them in ${mistakes.length} clear mistake${mistakes.length === 1 ? "" : "s"}.`),
    h("p", { class: "small" }, "A clear mistake costs more than two standard errors; smaller costs may be chance, and add up."),
    scroller("points lost", h("table", { class: `lost${names.length > 4 ? " many" : ""}` }, h("caption", {}, "Points lost"), h("thead", {}, h("tr", {}, h("th", {}, ""), names.map((_, seat) => h("th", { scope: "col", title: called(study, seat) }, h("span", {}, seat === own ? "you" : names[seat]))))),
      h("tbody", {}, row("passing", (one) => one.passing), row("play", (one) => one.play), deals.map((deal) => row(`deal ${deal}`, (one) => one.deals[deal] ?? 0)), row("all", (one) => one.passing + one.play)))));
}
