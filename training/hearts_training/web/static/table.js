// A seat at a table, or a place beside it.

import { announce, complain, connect, h, request, show } from "./dom.js";
import { face, isCard, label, short, sorted, words } from "./cards.js";
import { felt, scores, situation } from "./felt.js";

export function sit(key, token) {
  const picked = new Set();
  let table = null, hint = null, belief = null, viewer = 0, focus = null;
  const send = connect(`/socket/table/${key}/${token}`, receive);

  function receive(message) {
    if (message.is === "error") complain(message.line);
    else if (message.is === "hint") { hint = message; busy(false); draw(); }
    else if (message.is === "belief") { belief = message; draw(); }
    else if (message.is === "table") {
      const before = table;
      table = message;
      if (!before || before.at !== table.at) { picked.clear(); hint = null; belief = null; }
      viewer = table.look ?? 0;
      if (table.trouble) complain(table.trouble);
      if (!before || situation(before) !== situation(table)) announce(news(before));
      draw();
    }
  }

  function news(before) {
    const last = table.last_trick;
    const ended = last && before && JSON.stringify(before.last_trick) !== JSON.stringify(last);
    const trick = ended ? `${last.taker === null ? "Nobody takes the trick" : `${table.names[last.taker]} takes the trick`}: ${last.cards.map(([, card]) => words(card)).join(", ")}. ` : "";
    return trick + situation(table);
  }

  const act = (...actions) => send({ do: "act", actions, at: table.at });
  const busy = (on) => document.body.classList.toggle("busy", on);
  const ask = () => { busy(true); send({ do: "hint", agent: document.getElementById("adviser")?.value || "pimc(worlds=64)" }); };

  function choose(card) {
    if (table.turn !== table.seat) { complain("It is not your turn."); return; }
    if (table.phase !== "pass") { act(card); return; }
    if (!table.legal.includes(card)) { act(card); return; } // the server says why not
    if (picked.has(card)) picked.delete(card);
    else if (picked.size < table.picks_left) picked.add(card);
    else complain(`${table.picks_left} cards are passed; put one back first.`);
    focus = card;
    draw();
  }

  function badge(action) {
    const found = hint?.values.find((value) => value.action === action);
    if (!found) return null;
    const best = hint.values[0] === found;
    const text = found.probability === undefined ? found.margin.toFixed(1) : `${Math.round(100 * found.probability)}%`;
    return h("span", { class: `badge${best ? " best" : ""}`, title: found.error ? `± ${found.error.toFixed(1)}` : "" }, text);
  }

  function hand() {
    const copies = {};
    return h("div", { class: "hand", role: "group", "aria-label": "your hand", onkeydown: walk }, sorted(table.hand).map((card) => {
      const nth = (copies[card] = (copies[card] ?? -1) + 1);
      const mine = table.turn === table.seat;
      const legal = mine && table.legal.includes(card);
      const up = picked.has(card) && nth === 0;
      const said = `${words(card)}${legal ? "" : mine ? ", not possible now" : ""}${up ? ", chosen" : ""}`;
      return h("button", { class: `${legal ? "legal" : "idle"}${up ? " up" : ""}${table.received.includes(card) && table.cards_left[viewer] === table.hand.length ? " new" : ""}`, "data-card": card, "aria-label": said, "aria-pressed": table.phase === "pass" && mine ? String(up) : null, onclick: () => choose(card) }, face(card), badge(card));
    }));
  }

  function walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length)?.focus();
    event.preventDefault();
  }

  function decisions() {
    const mine = table.turn === table.seat && table.seat !== null;
    const others = mine ? table.legal.filter((action) => !isCard(action)) : [];
    const pass = mine && table.phase === "pass"
      ? h("button", { class: "main", id: "pass", disabled: picked.size !== table.picks_left, onclick: () => act(...picked) }, `Pass ${[...picked].map(short).join(" ") || `${table.picks_left} cards`}`) : null;
    return h("div", { class: "decisions", role: "group", "aria-label": "decisions" }, pass, others.map((action) => h("button", { class: "main", "data-action": action, onclick: () => act(action) }, label(action), badge(action))));
  }

  function tools() {
    const mine = table.turn === table.seat && table.seat !== null;
    const pace = h("input", { type: "range", min: 0, max: 3, step: 0.1, value: table.pace, "aria-label": "seconds between the agents' actions", onchange: () => send({ do: "pace", seconds: Number(pace.value) }) });
    return h("div", { class: "tools" },
      table.undo && !table.over ? h("button", { id: "undo", onclick: () => send({ do: "undo" }) }, "Take back (u)") : null,
      mine ? h("button", { id: "hint", onclick: ask }, "Hint (h)") : null,
      mine ? h("input", { id: "adviser", value: "pimc(worlds=64)", "aria-label": "agent that gives hints", spellcheck: "false" }) : null,
      table.seat !== null && !table.over ? h("button", { id: "belief", onclick: () => send({ do: "belief" }) }, "Who may hold what") : null,
      table.seat === null ? looks() : null,
      table.agents.some(Boolean) && !table.over ? [h("label", {}, "pace ", pace), h("button", { id: "pause", onclick: () => send({ do: "pause", on: !table.paused }) }, table.paused ? "Go on (p)" : "Pause (p)")] : null,
      table.over || table.seat === null || table.agents.filter((agent) => !agent).length === 1 ? h("button", { id: "study", onclick: studyNow }, table.over ? "Study the match" : "Study so far") : null,
      h("a", { class: "button", href: `/api/table/${key}/${token}/record` }, "Record"));
  }

  function looks() {
    const select = h("select", { id: "look", "aria-label": "whose cards are shown", onchange: () => send({ do: "look", seat: select.value === "all" ? null : Number(select.value) }) },
      h("option", { value: "all" }, "all hands"), table.names.map((name, seat) => h("option", { value: String(seat) }, `only ${name}, seat ${seat}`)));
    select.value = table.look === null ? "all" : String(table.look);
    return select;
  }

  async function studyNow() {
    const text = await (await fetch(`/api/table/${key}/${token}/record`)).text();
    try { location.href = (await request("/api/studies", { record: text, names: table.names, seat: table.seat })).study; } catch (error) { complain(error.message); }
  }

  function friends() {
    const links = JSON.parse(sessionStorage.getItem(`friends ${key}`) ?? "[]");
    return links.length ? h("p", { class: "links" }, "Links for your friends: ", links.map((link) => h("input", { readonly: true, value: location.origin + link, "aria-label": "link for a friend", onfocus: (event) => event.target.select() }))) : null;
  }

  function draw() {
    const active = document.activeElement?.dataset?.card ?? document.activeElement?.dataset?.action;
    const id = document.activeElement?.id;
    show(h("div", { class: "play", "data-at": table.at },
      h("div", {}, felt(table, viewer), table.look === null ? null : [decisions(), hand()], tools(), friends()),
      h("aside", {}, h("h2", {}, table.rules), scores(table), belief ? beliefTable(belief, table.names) : null)));
    if (table.seat !== null) restore(active ?? focus, id);
  }

  function restore(active, id) {
    const again = active && document.querySelector(`[data-card="${active}"], [data-action="${active}"]`);
    if (again) again.focus({ preventScroll: true });
    else if (id) document.getElementById(id)?.focus({ preventScroll: true });
    else if (table.turn === table.seat) document.querySelector(".hand .legal, .decisions button")?.focus({ preventScroll: true });
  }

  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || !table) return;
    const wanted = { h: "hint", u: "undo", p: "pause" }[event.key];
    if (wanted) document.getElementById(wanted)?.click();
  });
}

export function beliefTable(belief, names) {
  const rows = Object.entries(belief.cards).map(([card, shares]) => h("tr", {}, h("th", { scope: "row", class: `suit-${card.at(-1)}` }, short(card)),
    shares.map((share) => h("td", { "--share": share }, share ? `${Math.round(100 * share)}` : ""))));
  return h("div", { class: "scroll" }, h("table", { class: "belief" }, h("caption", {}, `Who may hold what, in per cent, as seat ${belief.seat} can know`),
    h("thead", {}, h("tr", {}, h("th", {}, "card"), names.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)));
}
