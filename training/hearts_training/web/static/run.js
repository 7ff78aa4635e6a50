// A training run as it goes on: its learning curve, and its networks against each other.

import { complain, h, request, scroller, show } from "./dom.js";
import { openTable } from "./people.js";

const WIDE = 480, HIGH = 150, LEFT = 44, SECONDS = 5;
const fixed = (digits) => (value) => (value === null ? "" : value.toFixed(digits).replace(/^-(?=.*[1-9])/, "−").replace("-", ""));
const percent = (value) => (value === null ? "" : `${(100 * value).toFixed(1)}%`);

// Lines over the deals of a run, each with a band of two standard errors where it has them.
function chart(title, points, lines, format) {
  const known = lines.map(({ read, error }) => points.map((point) => [point.deals, read(point), error ? 2 * error(point) : 0]).filter(([, value]) => value !== null));
  const values = known.flat().flatMap(([, value, error]) => [value - error, value + error]);
  if (!values.length) return null;
  const low = Math.min(0, ...values), top = Math.max(...values, low + 1e-9), end = Math.max(1, points.at(-1).deals);
  const x = (deals) => (LEFT + ((WIDE - LEFT - 4) * deals) / end).toFixed(1), y = (value) => (4 + (HIGH - 8) * (1 - (value - low) / (top - low))).toFixed(1);
  return h("figure", {}, h("figcaption", {}, title, ": ", lines.map(({ name }, place) => h("span", {}, h("i", { class: `key seat-${place}` }), name, " "))),
    h("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "curve", role: "img", "aria-label": title }, h("path", { d: `M${LEFT} 4V${HIGH - 4}M${LEFT} ${y(0)}H${WIDE - 4}`, class: "axes" }),
      h("text", { x: LEFT - 3, y: 12 }, format(top)), h("text", { x: LEFT - 3, y: HIGH - 4 }, format(low)),
      known.map((line, place) => [h("path", { class: `band seat-${place}`, d: `M${[...line.map(([deals, value, error]) => `${x(deals)} ${y(value + error)}`), ...line.toReversed().map(([deals, value, error]) => `${x(deals)} ${y(value - error)}`)].join("L")}Z` }),
        h("polyline", { class: `line seat-${place}`, points: line.map(([deals, value]) => `${x(deals)},${y(value)}`).join(" ") })])));
}

export async function run() {
  let found = await request("/api/run");

  async function watch(event) {
    event.preventDefault();
    const { one, two, seed } = event.target.elements, agents = [found.agents[one.value], found.agents[two.value]];
    try {
      const { rules, players } = await request("/api/rules", { rules: event.target.elements.rules.value });
      await openTable({ rules, seats: [...Array(players).keys()].map((seat) => agents[seat % 2]), seed: Number(seed.value), pace: 0.5 }, null);
    } catch (error) { complain(error.message); }
  }

  const choice = (name, chosen) => h("select", { name, id: name, defaultValue: chosen }, Object.keys(found.agents).map((number) => h("option", { value: number, selected: number === chosen }, number)));

  function draw() {
    const { folder, variant, curve, over, agents } = found, rivals = Object.keys(curve[0]?.margins ?? {}), first = Object.keys(agents)[0];
    const heads = ["evaluation", "deals", ...rivals.map((rival) => `margin against ${rival}`), "entropy", "moons attempted", "shot"];
    show(h("div", { class: "text" }, h("h1", {}, `Run ${folder}`), h("p", { role: "status", id: "state" }, `${variant}, ${(curve.at(-1)?.deals ?? 0).toLocaleString("en")} deals. ${over ? "The run is over." : `It trains, or was stopped; this page looks again every ${SECONDS} seconds, and the run writes once a minute.`}`),
      h("div", { class: "charts" }, curve.length ? [
        chart("Margin in points a deal, lower is better, against", curve, rivals.map((name) => ({ name, read: (point) => point.margins[name], error: (point) => point.errors[name] })), fixed(1)),
        chart("Moons among random players", curve, [{ name: "attempted", read: (point) => point.attempted }, { name: "shot", read: (point) => point.shot }], percent),
        chart("Entropy", curve, [{ name: "of the policy, in nats", read: (point) => point.entropy }], fixed(2)),
        chart("Score over rules never seen, 1 is rule", curve, [{ name: "mean", read: (point) => point.unseen?.[0] ?? null, error: (point) => point.unseen?.[1] ?? 0 }], fixed(2))] : null),
      h("section", {}, h("h2", {}, "Watch its networks"), h("form", { class: "tools", id: "watch-run", onsubmit: watch },
        h("label", {}, "checkpoint ", choice("one", first)), h("label", {}, " against ", choice("two", "now")), h("label", {}, " in ", h("input", { name: "rules", id: "rules", defaultValue: variant, maxlength: 2000, spellcheck: "false" })),
        h("label", {}, " deal ", h("input", { name: "seed", type: "number", min: 0, max: 2 ** 50, defaultValue: 1, required: true })), h("button", { class: "main", type: "submit" }, "Watch")),
      h("p", { class: "small" }, "They sit in turn. Evaluations are numbered from 0, before training; some ten networks are kept, and now is the last one written. The same deal number deals the same cards.")),
      curve.length ? scroller("the evaluations", h("table", { id: "evaluations" }, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, curve.map((point, place) => h("tr", {}, [place, point.deals.toLocaleString("en"), ...rivals.map((rival) => `${fixed(2)(point.margins[rival])} ± ${fixed(2)(point.errors[rival])}`), fixed(2)(point.entropy), percent(point.attempted), percent(point.shot)].map((cell) => h("td", {}, cell))))))) : h("p", { id: "none" }, "No evaluation is written yet.")));
  }

  async function again() {
    try {
      found = await request("/api/run");
      draw();
    } catch (error) { complain(error.message); }
    if (!found.over) setTimeout(again, 1000 * SECONDS);
  }
  draw();
  if (!found.over) setTimeout(again, 1000 * SECONDS);
}
