// One's own results by variant and opponents, and everybody's ratings.

import { h, request, show } from "./dom.js";

function table(caption, head, rows) {
  return h("div", { class: "scroll" }, h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))));
}

export async function results() {
  const { results: played, ratings } = await request("/api/results");
  if (!ratings.length) {
    show(h("div", { class: "text" }, h("h1", {}, "Results"), h("p", {}, "No match has been finished yet.")));
    return;
  }
  show(h("div", { class: "text" }, h("h1", {}, "Results"),
    table("Matches by variant and opponents. Margin: own points minus the mean of the opponents, per deal, with the sign reversed where the highest total wins: lower is better in every game", ["player", "variant", "against", "matches", "won", "deals", "margin"],
      played.map((row) => [row.name, row.variant, JSON.parse(row.others).join(", "), row.matches, row.won, row.deals, row.margin.toFixed(2)])),
    table("Ratings (Plackett-Luce): skill minus three standard deviations first", ["variant", "player", "rating", "skill", "±", "matches"],
      ratings.map((row) => [row.variant, row.name, row.ordinal.toFixed(1), row.mu.toFixed(1), row.sigma.toFixed(1), row.matches])),
    h("p", {}, h("a", { href: "/api/export.parquet" }, "All actions as Parquet"))));
}
