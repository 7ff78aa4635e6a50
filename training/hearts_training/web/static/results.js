// One's own results by game and opponents, and everybody's ratings.

import { h, request, scroller, show } from "./dom.js";

function table(id, title, text, head, rows) {
  return rows.length ? h("section", { id }, h("h2", {}, title), h("p", { class: "small" }, text), scroller(title, h("table", {},
    h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))))) : null;
}

const MARGIN = "A line for each game and set of opponents. Margin: your points minus the mean of your opponents, per deal. Lower is better in every game: where the highest total wins, the sign is reversed.";
const RATINGS = "How well everybody plays a game, from who came before whom in finished matches (the Plackett-Luce model). Everybody begins with a strength of 25 ± 8.3. The rating is the strength minus three times its ±, a conservative estimate: it begins at 0, and as matches make the ± smaller, it comes closer to the strength. Higher is better. Persons without a name are not rated, nor are matches with hints, take-backs, a chosen seed, a study, an agent in somebody's place or a start in the middle.";

export async function results() {
  const { results: played, ratings } = await request("/api/results");
  show(h("div", { class: "text" }, h("h1", {}, "Results"),
    played.length ? null : h("p", { id: "none" }, "There are no results of a person with a name yet. ", h("a", { href: "/" }, "Sit down at a table"), ", give your name and play a match to its end: then its result and your rating stand here. A match that you leave can be finished later; the first page lists it."),
    table("played", "Your matches", MARGIN, ["player", "game", "against", "matches", "won", "deals", "margin"],
      played.map((row) => [row.name, row.title, row.others.join(", "), row.matches, row.won, row.deals, row.margin.toFixed(2).replace("-", "−")])),
    table("ratings", "Ratings", RATINGS, ["game", "player", "rating", "strength", "±", "matches"],
      ratings.map((row) => [row.title, row.name, row.ordinal.toFixed(1).replace("-", "−"), row.mu.toFixed(1), row.sigma.toFixed(1), row.matches])),
    ratings.length ? h("p", {}, h("a", { href: "/api/export.parquet" }, "Every action of the finished matches as a Parquet file")) : null));
}
