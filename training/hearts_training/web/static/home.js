// Choosing a game, its players and one's seat.

import { PREPARING, build as h, complain, request } from "./dom.js";
import { score } from "./cards.js";
import { openTable } from "./people.js";
import { rulesPage } from "./rules.js";

export const ownName = () => localStorage.getItem("name") ?? "";

function agentChoices(menu) {
  const plain = menu.agents.filter((agent) => ["rule", "shooter", "guard", "random"].includes(agent.name)).map((agent) => agent.name);
  return [...new Set(["rule", ...menu.networks, menu.search, ...plain, "ismcts(rollouts=1000)"])];
}

// The opponent that a new table has: the second of the levels.
const usual = (levels) => levels[1].name;

// One opponent: a level, a friend, or any agent by its spec, which the server checks while it is typed.
function opponent(seat, local, changed) {
  const level = h("select", { id: `level-${seat}`, "data-seat": seat, onchange: () => { other.hidden = level.value !== "other"; check(); } });
  const spec = h("input", { id: `spec-${seat}`, list: "agent-list", placeholder: "rule, net:black_lady, ...", maxlength: 200, spellcheck: "false", autocomplete: "off", "aria-label": "agent", oninput: () => later() });
  const line = h("span", { class: "small", role: "status" });
  const other = h("span", { class: "other", hidden: true }, spec);
  const caption = h("span", {});
  let waiting = 0, asked = 0, good = true, known = [];

  function later() { clearTimeout(waiting); waiting = setTimeout(check, 250); }

  async function check() {
    const mine = ++asked;
    let found = "";
    if (level.value === "other") {
      try { await request("/api/agent", { agent: spec.value.trim() || " " }); } catch (error) { found = spec.value.trim() ? error.message : "Name an agent."; }
    }
    if (mine !== asked) return;
    good = !found;
    describe(found);
    spec.setAttribute("aria-invalid", String(!good));
    changed();
  }

  function offer(levels, name) {
    const before = level.value || usual(levels);
    caption.textContent = name;
    known = levels;
    level.replaceChildren(...levels.map((one) => h("option", { value: one.name, title: one.spec }, one.name)), h("option", { value: "friend" }, "Friend"), h("option", { value: "other" }, "Other ..."));
    level.value = before;
    describe("");
  }

  // What is wrong with a spec, or a line about the opponent.
  function describe(wrong) {
    const friend = `You get a link to send.${local ? " It opens on this computer only: for friends elsewhere, start hearts web --host 0.0.0.0." : ""}`;
    line.textContent = wrong || (level.value === "friend" ? friend : known.find((one) => one.name === level.value)?.line ?? "");
    line.classList.toggle("bad", Boolean(wrong));
  }

  function restore([name, typed]) {
    if ([...level.options].every((one) => one.value !== name)) return;
    level.value = name;
    spec.value = typed;
    level.dispatchEvent(new Event("change"));
  }

  return { element: h("label", {}, caption, level, other, line), offer, restore, chosen: () => [level.value, spec.value], isGood: () => good, who: () => (level.value === "other" ? spec.value.trim() : known.find((one) => one.name === level.value)?.spec ?? "friend") };
}

// A line that goes once the server has compiled what tables need; who sits down before waits for it.
function preparation(menu) {
  const line = h("p", { id: "preparing", role: "status", hidden: menu.ready }, PREPARING);
  async function ask() {
    try { line.hidden = (await request("/api/ready")).ready; } catch { /* the server has ended; the next click says so */ }
    if (!line.hidden) setTimeout(ask, 1000);
  }
  if (!menu.ready) setTimeout(ask, 1000);
  return line;
}

// Every game, kind by kind, with a line about each. A click closes the list; arrow keys go from game to game.
function gameList(games, first, choose) {
  return [...new Set(games.map((one) => one.kind))].map((kind) => h("fieldset", {}, h("legend", {}, kind), games.filter((one) => one.kind === kind).map((one) =>
    h("label", { onclick: ({ detail, currentTarget }) => { if (detail) currentTarget.closest("details").open = false; } },
      h("input", { type: "radio", name: "game", value: one.name, checked: one.name === first, "aria-describedby": `about ${one.name}`, onchange: () => choose(one.name) }), one.title, h("span", { id: `about ${one.name}` }, one.line)))));
}

export async function home() {
  const menu = await request("/api/menu");
  let variant = menu.games[0].name;
  const find = () => menu.games.find((one) => one.name === variant);
  const chosen = h("span", {});
  const games = h("details", { id: "games" }, h("summary", {}, h("span", {}, "Game: ", chosen)), h("div", {}, gameList(menu.games, variant, (name) => { variant = name; choose(); })));
  const options = h("input", { id: "options", placeholder: "end.target=50, moon.mode=old", spellcheck: "false", autocomplete: "off", maxlength: 400 });
  const verdict = h("p", { id: "verdict", role: "status" });
  const summary = h("p", { class: "summary" });
  const seats = h("div", { class: "opponents", id: "seats" });
  const rules = h("div", { class: "rules", id: "rules", tabindex: 0, role: "region", "aria-label": "the rules" });
  const players = h("select", { id: "players" });
  const own = h("select", { id: "own" });
  const known = h("select", { id: "known" }, h("option", { value: "" }, "-"), menu.known.map((one, place) => h("option", { value: place }, one.title)));
  const name = h("input", { id: "name", maxlength: 40, value: ownName(), autocomplete: "nickname", placeholder: "without a name, nothing is rated" });
  const hints = h("input", { type: "checkbox", id: "hints", checked: true });
  const seed = h("input", { id: "seed", inputmode: "numeric", maxlength: 15, placeholder: "random" });
  const start = h("button", { class: "main", id: "start", type: "submit" }, "Sit down");
  const watch = h("button", { id: "watch", type: "button", onclick: () => open(null) }, "Watch");
  const controls = menu.controls.map(({ path, choices }) => (choices.length ? h("select", { id: path }, h("option", { value: "" }, "as usual"), choices.map(([value, words]) => h("option", { value }, words)))
    : h("input", { id: path, inputmode: "numeric", maxlength: 6, placeholder: "as usual" })));
  const list = h("datalist", { id: "agent-list" }, agentChoices(menu).map((spec) => h("option", { value: spec })));
  let opponents = [], levels = [], teams = [], places = [], checked = "", asked = 0;

  function text() {
    const set = controls.map((one, place) => (one.value.trim() ? `${menu.controls[place].path}=${one.value.trim()}` : ""));
    const changes = [Number(players.value) === find().default ? "" : `players=${players.value}`, ...set, options.value.trim()].filter(Boolean);
    return changes.length ? `${variant}(${changes.join(", ")})` : variant;
  }
  const ready = () => { start.disabled = watch.disabled = !checked || !opponents.every((one) => one.isGood()); };

  // The seats of the opponents, from the one on the left of one's own.
  function others() {
    const count = opponents.length + 1;
    return opponents.map((_, place) => (Number(own.value) + 1 + place) % count);
  }

  function nameOpponents() {
    const team = teams.find((seats) => seats.includes(Number(own.value))) ?? [];
    others().forEach((seat, place) => opponents[place].offer(levels, `${places[own.value][place + 1]}${team.includes(seat) ? ", your partner" : ""}`));
  }

  function fillSeats(count) {
    if (count !== opponents.length + 1) {
      opponents = [...Array(count - 1).keys()].map((place) => opponents[place] ?? opponent(place + 1, menu.local, ready));
      own.replaceChildren(...[...Array(count).keys()].map((seat) => h("option", { value: seat }, String(seat))));
      seats.replaceChildren(...opponents.map((one) => one.element));
    }
    nameOpponents();
  }

  async function check() {
    const mine = ++asked;
    checked = ""; // no table opens under the rules from before
    ready();
    summary.textContent = find().summary;
    try {
      const found = await request("/api/rules", { rules: text() });
      if (mine !== asked) return;
      ({ rules: checked, levels, teams, places } = found);
      verdict.textContent = `✓ ${found.rules}, ${found.players} players`;
      verdict.className = "good";
      rules.replaceChildren(h("h2", {}, find().title), ...rulesPage(found.page));
      fillSeats(found.players);
    } catch (error) {
      if (mine !== asked) return;
      verdict.textContent = error.message;
      verdict.className = "bad";
    }
    ready();
  }

  // Open a table, with a seat of one's own or, where that is null, to watch agents.
  async function open(seat) {
    if (!/^\d*$/.test(seed.value.trim())) { complain("The seed is a whole number."); return; }
    localStorage.setItem("name", name.value.trim());
    const player = ownName();
    const solid = levels[1].spec;
    const wanted = Array(opponents.length + 1).fill(solid);
    others().forEach((other, place) => { wanted[other] = opponents[place].who(); });
    const words = wanted.map((word, other) => (other === seat ? `person ${player}`.trim() : word !== "friend" ? word : seat === null ? solid : "person"));
    start.disabled = watch.disabled = true;
    try {
      const order = { rules: checked, seats: words, seed: seed.value.trim() ? Number(seed.value) : null, pace: seat === null ? 0.3 : 0.7, hints: hints.checked };
      localStorage.setItem("form", JSON.stringify({ variant, players: players.value, own: own.value, hints: hints.checked, options: options.value, controls: controls.map((one) => one.value), opponents: opponents.map((one) => one.chosen()) }));
      await openTable(order, seat);
    } catch (error) {
      complain(error.message);
      ready();
    }
  }

  function choose(count = find().default) {
    chosen.textContent = find().title;
    players.replaceChildren(...find().players.map((count) => h("option", { value: count }, String(count))));
    players.value = count;
    return check();
  }

  // The form as it was when this browser opened its last table.
  async function restore() {
    const last = JSON.parse(localStorage.getItem("form"));
    if (!last || menu.games.every((one) => one.name !== last.variant)) return choose();
    variant = last.variant;
    games.querySelector(`input[value="${variant}"]`).checked = true;
    [hints.checked, options.value] = [last.hints, last.options];
    controls.forEach((one, place) => { one.value = last.controls[place] ?? ""; });
    await choose(last.players);
    own.value = last.own;
    nameOpponents();
    opponents.forEach((one, place) => one.restore(last.opponents[place] ?? []));
  }

  known.addEventListener("change", () => {
    const one = menu.known[known.value];
    if (!one) return;
    variant = one.variant;
    games.querySelector(`input[value="${variant}"]`).checked = true;
    options.value = one.options;
    for (const control of controls) control.value = "";
    choose(one.players);
  });
  players.addEventListener("change", check);
  for (const one of [options, ...controls]) one.addEventListener("input", check);
  own.addEventListener("change", nameOpponents);
  const form = h("form", { class: "choose", onsubmit: (event) => { event.preventDefault(); open(Number(own.value)); } },
    h("h1", {}, "Sit down at a table"),
    games, summary, seats, list,
    h("label", {}, "Your name ", name),
    h("div", { class: "go" }, start, watch), preparation(menu),
    h("details", { id: "more" }, h("summary", {}, "More: players, options, seat, seed"),
      h("label", {}, "As played at ", known), h("label", {}, "Players ", players), menu.controls.map(({ label }, place) => h("label", {}, `${label} `, controls[place])), h("label", {}, "Other options ", options), verdict,
      h("label", {}, "Hints allowed ", hints), h("label", {}, "Your seat ", own), h("label", {}, "Seed ", seed),
      h("p", { class: "small" }, "Options change the rules: the name of a field, = and its value. The same seed deals the same cards, so the match is not rated.")));
  const tables = h("section", {});
  document.getElementById("page").replaceChildren(h("div", { class: "home" }, form, h("aside", {}, tables, h("details", { open: innerWidth > 960 }, h("summary", {}, "The rules"), rules), menu.shown ? h("p", {}, h("a", { class: "button", href: `/${menu.shown}` }, menu.shown === "run" ? "The training run" : "The games kept")) : [], h("p", {}, h("a", { class: "button", id: "advise", href: "/advise" }, "Advise me"), " beside a real table."), studyBox())));
  await restore();
  tables.replaceChildren(...(await tableList()));
}

export function studyBox() {
  const file = h("input", { type: "file", id: "record", "aria-label": "the record to study", accept: ".txt,.jsonl,text/plain", onchange: () => file.files[0] && study(file.files[0]) });
  return h("section", { class: "drop" }, h("h2", {}, "Study a record"), h("p", {}, "Tables and hearts play write records; hearts arena and hearts evaluate do with --records FOLDER, and hearts web FOLDER lists them; games of others are a file of lines. Drop one anywhere on this page, or choose its file: "), file, h("ol", { id: "found" }));
}

export async function study(file) {
  try {
    const found = matchesOf(await file.text());
    const open = async (record) => { location.href = (await request("/api/studies", { record })).study; };
    if (found.length === 1) return await open(found[0].record);
    document.getElementById("found").replaceChildren(...found.slice(0, 1000).map(({ record, players }) => h("li", {},
      h("button", { type: "button", onclick: () => open(record).catch((error) => complain(error.message)) }, players.join(", ") || "Study"))));
  } catch (error) {
    complain(error.message);
  }
}

// The matches of a file of games: consecutive lines with the same "match" are one. A record is one.
function matchesOf(text) {
  const found = [], whole = [{ record: text, players: [] }];
  if (!text.trimStart().startsWith("{")) return whole;
  let last;
  for (const line of text.split("\n").filter((one) => one.trim())) {
    try {
      const { match, players } = JSON.parse(line);
      if (match != null && match === last) found.at(-1).record += `\n${line}`;
      else found.push({ record: line, players: players ?? [] });
      last = match;
    } catch {
      return whole;  // the server names the line
    }
  }
  return found;
}

async function tableList() {
  const tables = await request("/api/tables");
  if (!tables.length) return [];
  return [h("h2", {}, "Your tables"), h("ul", { class: "tables" }, tables.map((table) => {
    const totals = table.names.map((name, place) => `${name} ${score(table.totals[place])}`).join(", ");
    return h("li", {}, h("a", { href: table.link, title: table.rules }, table.title), ` ${table.over ? "finished" : `deal ${table.deal}`}: ${totals}`);
  }))];
}
