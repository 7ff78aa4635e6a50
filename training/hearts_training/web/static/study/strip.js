// The decisions along the deals: a mark for each that cost something, as large as what it cost, and a link to each deal.

import { h } from "../dom.js";
import { called, deed, main } from "./words.js";

export function strip(study, go) {
  const { decisions, at, who, addresses, own } = study, adviser = main(study);
  const costs = adviser?.costs ?? {}, clear = new Set(adviser?.verdict[who]?.mistakes), top = Math.max(1, ...Object.values(costs));
  const deals = [...new Set(decisions.map((one) => one.deal))];
  return h("section", { class: "strip", tabindex: 0, role: "region", "aria-label": `what the decisions of ${who === own ? "you" : called(study, who)} cost, along the deals` }, h("ol", {}, deals.map((deal) => {
    const first = decisions.findIndex((one) => one.deal === deal), count = decisions.filter((one) => one.deal === deal).length;
    const mine = Object.entries(costs).map(([place, cost]) => [Number(place), cost]).filter(([place, cost]) => decisions[place].deal === deal && decisions[place].seat === who && cost > 0.05);
    const worst = mine.reduce((most, one) => (one[1] > (most?.[1] ?? 0) ? one : most), null)?.[0] ?? first;
    const here = at >= first && at < first + count, lost = adviser?.verdict[who]?.deals[deal];
    const nearest = (x, width) => { const place = first + (x / width) * count; return mine.map(([one]) => one).sort((a, b) => Math.abs(a - place) - Math.abs(b - place)).find((one) => Math.abs(one - place) < (12 * count) / width) ?? Math.floor(place); };
    return h("li", { key: deal, "--count": count },
      h("div", { class: "marks", onclick: ({ clientX, currentTarget }) => { const { left, width } = currentTarget.getBoundingClientRect(); go(nearest(clientX - left, width)); } },
        mine.map(([place, cost]) => h("i", { key: place, class: clear.has(place) ? "clear" : "", "--place": (place - first + 0.5) / count, "--size": `${(4 + 16 * Math.sqrt(cost / top)).toFixed(1)}px`, title: `${deed(study, place)}: ${cost.toFixed(1)}` })),
        here ? h("b", { class: "now", "--place": (at - first + 0.5) / count }) : null),
      h("a", { href: `#${addresses.names[worst]}`, class: here ? "chosen" : "", "aria-current": here ? "true" : null }, lost === undefined ? `deal ${deal}` : `deal ${deal}, ${lost.toFixed(1)}`));
  })));
}
