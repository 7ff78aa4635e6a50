// Choosing a game, its players and one's seat.

import { complain, h, request, show } from "./dom.js";

const remembered = (key, otherwise) => localStorage.getItem(key) ?? otherwise;

function agentChoices(menu) {
  const plain = menu.agents.filter((agent) => ["rule", "shooter", "guard", "random"].includes(agent.name)).map((agent) => agent.name);
  return [...new Set(["rule", ...menu.networks, "pimc(worlds=64)", ...plain, "ismcts(rollouts=1000)"])];
}

export async function home() {
  const menu = await request("/api/menu");
  const variant = h("select", { id: "variant" }, menu.variants.map((one) => h("option", { value: one.name }, one.name.replaceAll("_", " "))));
  const options = h("input", { id: "options", placeholder: "options, such as target=50, moon.mode=old", spellcheck: "false", autocomplete: "off", maxlength: 400 });
  const verdict = h("p", { id: "verdict", role: "status" });
  const summary = h("p", { class: "summary" });
  const seats = h("div", { class: "seats", id: "seats" });
  const rules = h("pre", { class: "rules", id: "rules" });
  const name = h("input", { id: "name", maxlength: 40, value: remembered("name", "you"), autocomplete: "nickname" });
  const seed = h("input", { id: "seed", inputmode: "numeric", placeholder: "random" });
  const start = h("button", { class: "main", id: "start", type: "submit" }, "Sit down");
  const list = h("datalist", { id: "agent-list" }, agentChoices(menu).map((spec) => h("option", { value: spec })));
  let players = 0, checked = "", asked = 0;

  const text = () => (options.value.trim() ? `${variant.value}(${options.value.trim()})` : variant.value);

  function fillSeats(count, opponent) {
    const untouched = [...seats.querySelectorAll("input")].every((input) => input.value === input.defaultValue);
    if (count === players && !untouched) return;
    players = count;
    seats.replaceChildren(...[...Array(count).keys()].map((seat) => h("label", {}, `seat ${seat} `,
      h("input", { list: "agent-list", defaultValue: seat ? opponent : "me", id: `seat-${seat}`, spellcheck: "false", autocomplete: "off", "aria-label": `who sits on seat ${seat}: me, friend or an agent` }))));
  }

  async function check() {
    const mine = ++asked;
    summary.textContent = menu.variants.find((one) => one.name === variant.value).summary;
    try {
      const found = await request("/api/rules", { rules: text() });
      if (mine !== asked) return;
      checked = found.rules;
      verdict.textContent = `✓ ${found.rules}, ${found.players} players`;
      verdict.className = "good";
      rules.textContent = found.page;
      fillSeats(found.players, found.opponent);
      start.disabled = false;
    } catch (error) {
      if (mine !== asked) return;
      verdict.textContent = error.message;
      verdict.className = "bad";
      start.disabled = true;
    }
  }

  async function sit(event) {
    event.preventDefault();
    const own = name.value.trim() || "you";
    localStorage.setItem("name", own);
    const chosen = [...seats.querySelectorAll("input")].map((input) => input.value.trim() || "rule");
    const words = chosen.map((word) => (word === "me" ? `person ${own}` : word === "friend" ? "person friend" : word));
    start.disabled = true;
    try {
      const order = { rules: checked, seats: words, seed: seed.value.trim() ? Number(seed.value) : null, pace: chosen.includes("me") ? 0.7 : 0.3 };
      const table = await request("/api/tables", order);
      const friends = table.links.filter((link, seat) => link && chosen[seat] === "friend");
      sessionStorage.setItem(`friends ${table.key}`, JSON.stringify(friends));
      location.href = table.links.find((link, seat) => link && chosen[seat] === "me") ?? table.watch ?? table.links.find(Boolean);
    } catch (error) {
      complain(error.message);
      start.disabled = false;
    }
  }

  variant.addEventListener("change", check);
  options.addEventListener("input", check);
  const form = h("form", { class: "choose", onsubmit: sit },
    h("h1", {}, "Sit down at a table"),
    h("label", {}, "Game ", variant), summary,
    h("label", {}, "Options ", options), verdict,
    h("fieldset", {}, h("legend", {}, "Seats"), h("p", { class: "small" }, "Write me, friend (they get a link), or an agent such as rule, net:black_lady or pimc(worlds=64). Without me you watch."), seats, list),
    h("label", {}, "Your name ", name), h("label", {}, "Seed ", seed), start);
  show(h("div", { class: "home" }, form,
    h("aside", {}, h("details", { open: innerWidth > 900 }, h("summary", {}, "The rules"), rules), studyBox(), await tableList())));
  await check();
}

export function studyBox() {
  const file = h("input", { type: "file", id: "record", accept: ".txt,text/plain", onchange: () => file.files[0] && study(file.files[0]) });
  return h("section", { class: "drop" }, h("h2", {}, "Study a record"), h("p", {}, "Drop a file that a table, hearts play or the arena wrote anywhere on this page, or choose it: "), file);
}

export async function study(file) {
  try {
    location.href = (await request("/api/studies", { record: await file.text() })).study;
  } catch (error) {
    complain(error.message);
  }
}

async function tableList() {
  const tables = await request("/api/tables");
  if (!tables.length) return null;
  return h("section", {}, h("h2", {}, "Your tables"), h("ul", { class: "tables" }, tables.slice(0, 12).map((table) => {
    const seat = table.tokens.findIndex(Boolean);
    const link = `/table/${table.key}/${seat >= 0 ? table.tokens[seat] : "watch"}`;
    return h("li", {}, h("a", { href: link }, table.rules), ` with ${table.names.join(", ")}${table.over ? ", finished" : ""}`);
  })));
}
