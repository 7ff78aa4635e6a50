// The answer: what the decision on the board cost, what would have been better, and the same decision once more.

import { h, scroller } from "../dom.js";
import { brief, called, costs, deed, label, main, percent, valuesHere } from "./words.js";

const CLOSE = "the search cannot tell them apart yet";

// A sentence about a choice, with what is known of it.
function sentence(study, action) {
  const found = valuesHere(study), value = found?.find((one) => one.action === action);
  if (!value) return study.position.legal.length > 1 ? "Not valued yet." : "The only choice there was.";
  const [best, next] = found, better = label(study, study.at, best.action);
  if (value.probability !== undefined) return `${percent(value.probability)} likely for ${main(study).by}${value === best ? ", its own choice." : `; its own choice: ${better}, ${percent(best.probability)}.`}`;
  if (value === best) return `The best found${next ? `; next, ${label(study, study.at, next.action)}: costs ${costs(next)}${isClose(study, next) ? `, ${CLOSE}` : ""}` : ""}.`;
  return `Costs ${costs(value)} points; best found: ${better}${isClose(study, value) ? `, but ${CLOSE}` : ""}.`;
}

const isClose = (study, value) => value.cost <= study.mistakeErrors * value.error;

// A choice that more worlds could tell apart from the best: a pass, or one within the error.
export function isOpen(study, action) {
  const found = valuesHere(study), value = found.find((one) => one.action === action);
  if (value.cost === undefined) return true;
  return study.decisions[study.at].phase === "pass" || isClose(study, value === found[0] ? found[1] : value);
}

function depth(study) {
  const deep = study.deeper[study.at];
  if (!deep) return study.deepening === study.at ? "Searching further, up to 4,096 worlds or 20 seconds ..." : null;
  const worlds = deep.worlds.toLocaleString("en");
  const error = Math.max(...deep.values.map((value) => value.error));
  return study.deepening === study.at ? `${worlds} worlds so far; searching further ...` : `By a search on ${worlds} worlds: differences below about ${(study.mistakeErrors * error).toFixed(1)} points are not known.`;
}

function retry(study) {
  if (study.retrying) return h("p", { role: "status" }, "Choose one of the cards; the other hands are covered.");
  if (study.tried === null) return null;
  return h("p", { role: "status", id: "answer" }, h("b", {}, `${label(study, study.at, study.tried)}. `), sentence(study, study.tried));
}

function mistakes(study, act) {
  if (!main(study)) return h("div", { class: "tools" }, h("button", { id: "find", class: "main", onclick: () => act.analyse(study.search) }, "Find the mistakes"));
  const { at, who, names, own, running } = study, all = main(study).verdict[who]?.mistakes ?? [];
  const place = all.indexOf(at), next = all.find((one) => one > at), back = all.findLast((one) => one < at);
  return h("div", { class: "tools" }, h("button", { id: "last-mistake", disabled: back === undefined, "aria-label": "the mistake before", onclick: () => act.go(back) }, "◂"),
    h("span", { class: "place" }, all.length ? `mistake${place < 0 ? "s: " : ` ${place + 1} of `}${all.length}` : `no clear mistake${own === who ? " of yours" : ""}${running ? " so far" : ""}`),
    h("button", { id: "next-mistake", disabled: next === undefined, "aria-label": "the next mistake", onclick: () => act.go(next) }, "▸"),
    valuesHere(study) ? h("button", { id: "retry", class: "main", disabled: study.retrying, onclick: act.retry }, "Retry") : null,
    valuesHere(study) && !study.deeper[at] && !study.retrying ? h("button", { id: "deepen", title: "search on up to 4,096 worlds or 20 seconds", disabled: study.deepening === at, onclick: act.deepen }, "Further") : null,
    h("button", { id: "share-here", title: "a link to this position", onclick: act.share }, "Share"),
    h("label", {}, "mistakes of ", h("select", { id: "who", "aria-label": "mistakes of", value: who, onchange: (event) => act.look(Number(event.target.value)) }, names.map((_, one) => h("option", { value: one }, called(study, one))))));
}

export function answer(study, act) {
  const next = study.decisions[study.at];
  if (!next) return h("section", { id: "choices" }, h("h2", {}, "The end of the record"), mistakes(study, act));
  return h("section", { id: "choices" }, h("h2", {}, study.retrying ? `${called(study, next.seat)}: what would you do?` : deed(study, study.at)),
    retry(study) ?? h("p", { id: "cost" }, sentence(study, next.action)), study.retrying || !depth(study) ? null : h("p", { class: "small", role: "status", id: "depth" }, depth(study)),
    mistakes(study, act));
}

// --- several advisers ---------------------------------------------------------------------------

const bestOf = (adviser, place) => adviser.values[place]?.[0].action;

// What it costs, by the adviser that knows costs, to do what the other one would; for two networks, how far apart they are.
function difference(one, other, place) {
  const mine = one.values[place], theirs = other.values[place];
  if (!mine || !theirs || mine[0].action === theirs[0].action) return 0;
  const cost = (found, action) => found.find((value) => value.action === action)?.cost ?? 0;
  if (mine[0].cost === undefined && theirs[0].cost === undefined) return mine.reduce((sum, { action, probability }) => sum + Math.abs(probability - (theirs.find((value) => value.action === action)?.probability ?? 0)), 0) / 2;
  return Math.max(cost(mine, theirs[0].action), cost(theirs, mine[0].action));
}

const pairs = (advisers) => advisers.flatMap((one, place) => advisers.slice(place + 1).map((other) => [one, other]));

// The places where two advisers would decide otherwise, the largest difference first.
export const disagreements = (study) => study.decisions.map((_, place) => [place, Math.max(0, ...pairs(study.advisers).map(([one, other]) => difference(one, other, place)))])
  .filter(([, size]) => size > 0).sort((a, b) => b[1] - a[1]).map(([place]) => place);

function agreement([one, other]) {
  const both = Object.keys(one.values).filter((place) => other.values[place]);
  const same = both.filter((place) => bestOf(one, place) === bestOf(other, place)).length;
  return both.length ? h("li", {}, `${one.by} and ${other.by} agree on ${Math.round((100 * same) / both.length)}% of ${both.length} decisions.`) : null;
}

const cell = (value, best) => (!value ? "" : value.probability !== undefined ? percent(value.probability) : value === best ? "best" : `+${costs(value)}`);

export function opinions(study, act) {
  const { at, advisers, decisions, running } = study, deep = study.deeper[at], chosen = decisions[at]?.action;
  const columns = [...advisers.map((one) => [one, one.values[at]]), ...(deep ? [[null, deep.values]] : [])].filter(([, found]) => found);
  const actions = (columns.find(([one]) => one === main(study)) ?? columns[0])?.[1].map((value) => value.action) ?? [];
  const order = disagreements(study), place = order.indexOf(at);
  return h("section", { id: "advisers" }, h("h2", {}, "Advisers"),
    !study.retrying && columns.length ? scroller("the choices by adviser", h("table", { class: "values" }, h("caption", {}, "Points of the deal compared with the best choice (lower is better; ± is one standard error), or how likely a network is to choose it."),
      h("thead", {}, h("tr", {}, h("th", {}, "choice"), columns.map(([one]) => h("th", { scope: "col" }, one ? one.by : `${deep.worlds.toLocaleString("en")} worlds`)))),
      h("tbody", {}, actions.map((action) => h("tr", { class: action === chosen ? "chosen" : "" }, h("th", { scope: "row" }, brief(study, at, action), action === chosen ? " ◂" : ""), columns.map(([, found]) => h("td", {}, cell(found.find((value) => value.action === action), found[0])))))))) : null,
    h("ul", { class: "advisers" }, advisers.map((one) => h("li", { key: one.agent }, h("label", {}, h("input", { type: "radio", name: "leading", checked: one === main(study), onchange: () => act.lead(one.agent) }), `${one.by}: ${Object.keys(one.values).length} valued`),
      h("button", { "aria-label": `remove ${one.by}`, onclick: () => act.dismiss(one.agent) }, "✕")))),
    h("form", { class: "tools", onsubmit: (event) => { event.preventDefault(); act.analyse(event.target.elements.adviser.value); } },
      h("input", { id: "adviser", name: "adviser", list: "known-advisers", "aria-label": "an adviser: a search, a network, any agent with values", placeholder: "net:black_lady", maxlength: 200, spellcheck: "false", autocomplete: "off" }),
      h("datalist", { id: "known-advisers" }, [study.search, "net:black_lady", "net:hearts", "net+pimc(black_lady, worlds=16)"].map((spec) => h("option", { value: spec }))),
      h("button", { id: "analyse" }, "Add"),
      running ? [h("button", { id: "stop", type: "button", onclick: act.stop }, "Stop"), h("progress", { "aria-label": "the analysis goes on" })] : null,
      advisers.length ? h("a", { class: "button", id: "values", href: `/api/study/${study.key}/values.csv`, download: `${study.key}.csv` }, "Values (CSV)") : null),
    advisers.length > 1 ? [h("ul", { class: "small", id: "agreement" }, pairs(advisers).map(agreement)),
      h("div", { class: "tools" }, h("button", { id: "disagreement", disabled: !order.length, onclick: () => act.go(order[(place + 1) % order.length]) }, "Next disagreement"), h("span", { class: "small" }, order.length ? `${place < 0 ? "" : `${place + 1} of `}${order.length}, the largest first` : "none so far"))] : null);
}
