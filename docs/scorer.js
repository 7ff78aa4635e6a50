/* The order of what the search of the site finds: guides before generated pages and notes, titles before text. */
const asked = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase().split(/\W+/);
const stems = asked.filter((word) => word.length > 2).map((word) => word.slice(0, 5));

var Scorer = {
  score: ([page, title, , , score]) =>
    score +
    10 * stems.filter((stem) => title.toLowerCase().includes(stem)).length -
    (/^(made|notes)\/|CHANGELOG/.test(page) ? 25 : 0),
  objNameMatch: 41,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
