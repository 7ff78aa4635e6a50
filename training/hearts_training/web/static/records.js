// The games of a folder: a list to sort, each of which opens in the study, and two plays of the same cards side by side.

import { isCard, short } from "./cards.js";
import { complain, connect, h, request, scroller, show } from "./dom.js";
import { felt } from "./felt.js";
import { addresses } from "./study/address.js";

const MORE = 100;
const signed = (value) => (value === null ? "" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`);
const ORDERS = { margin: (row) => row.margin ?? -Infinity, moons: (row) => (row.shooter === null ? 0 : 1), mistakes: (row) => row.cost ?? -Infinity };

// Who holds the seat, and who the others are: "rule against random".
function who({ players, seat }) {
  const others = [...new Set(players.filter((_, place) => place !== seat))];
  return seat === null ? others.join(", ") : [h("b", {}, players[seat]), ` against ${others.join(", ")}`];
}

export async function records() {
  const { folder, rows, more } = await request("/api/games"), known = rows.some((row) => row.cost !== null), players = [...new Set(rows.map(({ players, seat }) => players[seat]))];
  const wanted = location.hash.slice(1);
  let order = wanted in ORDERS && (known || wanted !== "mistakes") ? wanted : "margin", player = "", shown = MORE;

  const game = (row) => [h("a", { href: `/game/${row.key}#deal${row.number + 1}` }, who(row)), h("br"), h("span", { class: "small" }, `cards ${row.deal}${row.seat === null ? "" : `, seat ${row.seat}`}`)];
  const beside = (row) => { const twin = rows[row.twin]; return twin ? [h("a", { href: `/pair/${row.key}/${twin.key}` }, twin.players[row.seat ?? 0]), ` ${signed(twin.margin)}`] : null; };
  const columns = { game, margin: (row) => signed(row.margin), "same cards": beside, moon: (row) => (row.shooter === null ? "" : `seat ${row.shooter}`), points: (row) => row.points?.join(" "), ...(known ? { mistakes: (row) => signed(row.cost) } : {}) };

  function choice(id, label, value, options, set) {
    return h("label", {}, label, " ", h("select", { id, value, onchange: (event) => { set(event.target.value); shown = MORE; draw(); } }, options.map(([one, word]) => h("option", { value: one }, word))));
  }

  function draw() {
    const sorted = rows.filter((row) => !player || row.players[row.seat] === player).sort((a, b) => ORDERS[order](b) - ORDERS[order](a) || ORDERS.margin(b) - ORDERS.margin(a) || a.deal - b.deal);
    show(h("div", { class: "text" }, h("h1", {}, `Games of ${folder}`),
      h("p", { class: "small" }, "Margin: the points of the player in bold minus the mean of the others; the worst for it come first. Press a game to study it; under ", h("i", {}, "same cards"), " another player holds that seat: press its name for both side by side.",
        known ? " Mistakes: what its decisions cost by the first adviser of the study." : " The cost of mistakes is listed, and sorted by, once a study has found it.", more ? ` The file holds more: these are the first ${rows.length.toLocaleString("en")}.` : ""),
      h("p", { class: "tools" }, choice("order", "Sort by", order, Object.keys(ORDERS).filter((one) => known || one !== "mistakes").map((one) => [one, one]), (value) => { order = value; history.replaceState(null, "", `#${order}`); }),
        players.length > 1 ? choice("player", "Player", player, [["", "all"], ...players.map((one) => [one, one])], (value) => { player = value; }) : null),
      scroller("the games", h("table", { id: "games-kept" }, h("thead", {}, h("tr", {}, Object.keys(columns).map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, sorted.slice(0, shown).map((row) => h("tr", {}, Object.values(columns).map((cell) => h("td", {}, cell(row)))))))),
      shown < sorted.length ? h("p", {}, h("button", { id: "more-games", onclick: () => { shown += MORE; draw(); } }, `${MORE} more of ${sorted.length.toLocaleString("en")}`)) : null));
  }
  draw();
}

const studyOf = async (key) => (await request("/api/games", { key })).study;

export const game = async (key) => location.replace((await studyOf(key)) + location.hash);

// Two games of the same cards: the boards after the same number of decisions.
export async function pair(keys) {
  const sides = [], links = await Promise.all(keys.map(studyOf));
  let at = 0;
  links.forEach((link, place) => {
    const side = { link, send: connect(`/socket${new URL(link, location).pathname}`, (message) => receivers[message.is]?.(side, message)) };
    sides[place] = side;
  });
  const receivers = {
    study: (side, { decisions, names, seat, deals }) => { Object.assign(side, { decisions, names, seat: seat ?? 0, deals, names_of: addresses(decisions).names }); go(at); },
    position: (side, message) => { if (message.at === Math.min(at, side.decisions.length)) { side.position = message; draw(); } },
    error: (_, { line }) => complain(line),
  };
  const ready = () => sides.every((side) => side.decisions);

  function go(place) {
    if (!ready()) return;
    at = Math.max(0, Math.min(Math.max(...sides.map((side) => side.decisions.length)), place));
    for (const side of sides) side.send({ do: "position", at: Math.min(at, side.decisions.length) });
  }

  function board(side) {
    const { position, names, seat, decisions } = side, place = Math.min(at, decisions.length), { deal } = decisions[Math.min(place, decisions.length - 1)], next = decisions[place];
    return h("section", { key: side.link, "aria-label": `${names[seat]} in seat ${seat}` }, h("h2", {}, `${names[seat]} in seat ${seat}: ${side.deals[deal][seat]} points`),
      h("p", { class: "small" }, next ? `Next: ${names[next.seat]}, seat ${next.seat}, ${next.phase === "pass" ? "passes" : "chooses"} ${isCard(next.action) ? short(next.action) : next.action}. ` : "The end. ", h("a", { href: `${side.link}#${side.names_of[place]}` }, "Study this position")),
      h("div", { class: "game", tabindex: 0, role: "region", "aria-label": "the table" }, felt({ ...position, names, brief: true, legal: [] }, seat)));
  }

  function draw() {
    if (!sides.every((side) => side.position)) return;
    const [one, two] = sides.map((side) => side.decisions), last = Math.max(one.length, two.length), first = one.findIndex((decision, place) => decision.action !== two[place]?.action);
    show(h("div", { class: "study-pair" },
      h("div", { class: "tools where" }, h("button", { "aria-label": "back", onclick: () => go(at - 1) }, "◂"), h("input", { type: "range", id: "slider", min: 0, max: last, value: at, "aria-label": "place in both games", oninput: (event) => go(Number(event.target.value)) }), h("button", { "aria-label": "next", onclick: () => go(at + 1) }, "▸"),
        h("span", { class: "place" }, `${at} of ${last}`), first < 0 ? "Both games are alike." : h("button", { id: "first-difference", onclick: () => go(first) }, "First difference"), h("a", { class: "button", href: "/records" }, "All games")),
      sides.map(board)));
  }
}
