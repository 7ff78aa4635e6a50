// A seat at a table, or a place beside it.

import { PREPARING, announce, complain, connect, h, preparing, request, scroller, show } from "./dom.js";
import { face, isCard, score, short, sorted, suitOf, words } from "./cards.js";
import { dealEnd, drag, felt, scores, trickList } from "./felt.js";
import { again, friends, left, naming } from "./people.js";
import { rulesHere } from "./rules.js";

export function sit(key, token) {
  const picked = new Map(); // the cards chosen for a pass: key -> card
  let table = null, hint = null, viewer = 0, focus = null;
  let belief = null, believing = false, awaited = false;
  let dismissed = 0, told = 0, later = null, adviser = null, dragged = null;
  const recordLink = `/api/table/${key}/${token}/record`;
  const send = connect(`/socket/table/${key}/${token}`, receive);

  function receive(message) {
    if (message.is === "error") { complain(message.line); busy(false); awaited = false; }
    else if (message.is === "preparing") preparing();
    else if (message.is === "wait") complain(PREPARING);
    else if (message.is === "hint") { busy(false); if (message.at === table.at) { hint = message; draw(); } }
    else if (message.is === "belief") { awaited = false; belief = message; believe(); draw(); }
    else if (message.is === "table" && later) later.message = message;
    else if (message.is === "table") take(message);
  }

  function take(message) {
    const before = table;
    if (before && endOf(message) > endOf(before) && hold(before, message)) return;
    if (!before) dismissed = message.deal_end?.fresh ? endOf(message) - 1 : endOf(message);
    dismissed = Math.min(dismissed, endOf(message)); // a deal may have been taken back
    table = message;
    viewer = table.seat ?? 0;
    if (before?.at !== table.at) { picked.clear(); hint = null; complain(""); believe(); }
    else { awaited = false; believe(); } // the connection may have been lost, and the answer with it
    if (table.trouble) complain(table.trouble);
    if (before?.status !== table.status && !(ended() && ended().deal === told)) announce(news(before)); // the end of a deal is read out first
    draw();
  }

  const endOf = (one) => one.deal_end?.deal ?? 0;

  // The last trick of a deal lies on the table for a while, at the table's pace.
  function hold(before, message) {
    const wait = Math.min(2, 2 * message.pace) * 1000;
    if (!wait) return false;
    const { deal_end } = message;
    table = { ...before, deal_end, tricks: deal_end.tricks, result: deal_end.result, trick: [], widget: null, turn: null, legal: [], hand: [], hands: before.hands?.map(() => []) ?? null, cards_left: before.cards_left.map(() => 0), status: `Deal ${endOf(message)} has ended`, labels: {} };
    later = { message };
    draw();
    setTimeout(() => { const newest = later.message; later = null; take(newest); }, wait);
    return true;
  }

  // The end of a deal stays until it is dismissed; for somebody who watches, until the next deal begins.
  function ended() {
    const end = later ? null : table.deal_end;
    return end && (end.over || (table.seat === null ? end.fresh : end.deal > dismissed)) ? end : null;
  }

  function nextDeal() { dismissed = endOf(table); announce(table.status); draw(); }

  function news(before) {
    const read = (tricks) => `${tricks.at(-1).cards.map(([, card]) => words(card)).join(", ")}. `;
    const won = before && table.tricks.length && before.tricks.length !== table.tricks.length;
    const trick = won ? `${table.result} ${read(table.tricks)}` : "";
    const end = ended();
    const deal = end && end.deal !== told ? `${end.moon.join(" ")} ${end.result} ${read(end.tricks)}Deal ${end.deal}: ${table.names.map((name, seat) => `${name} ${score(end.points[seat])}, total ${score(end.totals[seat])}`).join("; ")}. ${end.lines.join(" ")} ` : "";
    told = end?.deal ?? told;
    return trick + deal + table.status;
  }

  const act = (...actions) => send({ do: "act", actions, at: table.at });
  const busy = (on) => document.body.classList.toggle("busy", on);
  const mine = () => table.seat !== null && table.turn === table.seat && !ended();
  const ask = () => { busy(true); send({ do: "hint", agent: adviser || table.search }); };

  // The table of who may hold what is asked for again after every change, one request at a time.
  function believe() {
    if (!believing || awaited || table.over || belief?.at === table.at) return;
    awaited = true;
    send({ do: "belief" });
  }

  function toggleBelief() {
    believing = !believing;
    if (!believing) belief = null;
    believe();
    draw();
  }

  function choose(card, key) {
    if (!mine()) { complain("It is not your turn."); return; }
    if (table.widget !== "pick") { act(card); return; }
    if (!table.legal.includes(card)) { act(card); return; } // the server says why not
    if (picked.has(key)) picked.delete(key);
    else if (picked.size < table.picks_left) picked.set(key, card);
    else complain(`You have chosen ${table.picks_left === 1 ? "a card" : `${table.picks_left} cards`}; put one back first.`);
    focus = card;
    draw();
  }

  // What the hint says of an action: how much worse than the best it is, or how likely the network is to choose it.
  function advice(action) {
    const found = hint?.values.find((value) => value.action === action);
    if (!found) return null;
    const proposed = hint.proposal.includes(action);
    if (found.probability !== undefined) return { text: `${Math.round(100 * found.probability)}%`, best: proposed };
    const worse = found.cost.toFixed(1);
    if (hint.proposal.length > 1 && proposed) return { text: "pass", best: true };
    return { text: Number(worse) ? `+${worse}` : "best", best: hint.proposal.length === 1 && !Number(worse), error: found.error };
  }

  function badge(action) {
    const found = advice(action);
    return found ? h("span", { class: `badge${found.best ? " best" : ""}`, title: found.error ? `± ${found.error.toFixed(1)}` : "" }, found.text) : null;
  }

  function hintLine() {
    if (!hint) return "";
    if (hint.values[0].probability !== undefined) return `${hint.by}: how likely it is to choose each; green is what it would do.`;
    const pass = hint.proposal.length > 1 ? `pass ${hint.proposal.map(short).join(" ")}. ` : "";
    return `${hint.by}: ${pass}The numbers are points worse than the best choice: lower is better.`;
  }

  function hand() {
    const copies = {};
    return h("div", { class: "hand", "--cards": table.hand.length, role: "group", "aria-label": table.seat === null ? `the hand of ${table.names[table.look]}` : "your hand", onkeydown: walk }, sorted(table.hand).map((card) => {
      const nth = (copies[card] = (copies[card] ?? -1) + 1);
      const legal = mine() && table.legal.includes(card);
      const key = `${card} ${nth}`, up = picked.has(key);
      const hinted = advice(card);
      const said = `${words(card)}${legal ? "" : mine() ? ", not possible now" : ""}${up ? ", chosen" : ""}${hinted ? `, hint: ${hinted.text}` : ""}`;
      return h("button", { key, class: `${legal ? "legal" : "idle"}${up ? " up" : ""}${table.received.includes(card) && !table.result ? " new" : ""}`, "data-card": card, "aria-label": said, "aria-pressed": table.widget === "pick" && mine() ? String(up) : null, onclick: () => choose(card, key), onpointerdown: (event) => drag(event, () => choose(card, key)) }, face(card), badge(card));
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
    const others = mine() ? table.legal.filter((action) => !isCard(action)) : [];
    const pass = mine() && table.widget === "pick"
      ? h("button", { class: "main", id: "pass", disabled: picked.size !== table.picks_left, onclick: () => act(...picked.values()) }, `Pass ${[...picked.values()].map(short).join(" ") || (table.picks_left === 1 ? "1 card" : `${table.picks_left} cards`)}`) : null;
    return h("div", { class: "decisions", role: "group", "aria-label": "decisions" }, pass, others.map((action) => h("button", { class: "main", "data-action": action, onclick: () => act(action) }, table.labels[action], badge(action))));
  }

  function tools() {
    const seated = table.seat !== null && !table.over;
    const agents = table.agents.some(Boolean) && !table.over;
    const alone = table.agents.filter((agent) => !agent).length === 1;
    const pace = h("input", { type: "range", min: -3, max: 0, step: 0.1, value: dragged ?? -table.pace, "aria-label": "pace of the agents, from slow to fast",
      oninput: ({ target }) => { dragged = target.value; }, onchange: ({ target }) => { dragged = null; table.pace = -Number(target.value); send({ do: "pace", seconds: table.pace }); } });
    return h("div", { class: "tools" },
      seated && table.hints ? h("button", { id: "hint", disabled: !mine(), onclick: ask }, "Hint (h)") : null,
      seated && alone ? h("button", { id: "undo", disabled: !table.undo, onclick: () => send({ do: "undo" }) }, "Take back (u)") : null,
      agents ? h("button", { id: "pause", onclick: () => send({ do: "pause", on: !table.paused }) }, table.paused ? "Go on (p)" : "Pause (p)") : null,
      seated && table.hints ? h("button", { id: "belief", "aria-expanded": String(believing), onclick: toggleBelief }, believing ? "Hide who may hold what" : "Who may hold what") : null,
      table.seat === null ? looks() : null,
      agents ? h("label", { class: "pace" }, "slow ", pace, " fast") : null,
      table.may_record ? [h("button", { id: "study", onclick: studyNow }, table.over ? "Study the match" : "Study so far"), h("a", { class: "button", id: "record", href: recordLink, onclick: (event) => { if (!mayOpen()) event.preventDefault(); } }, "Record")] : null,
      seated && table.hints ? h("details", { id: "expert" }, h("summary", {}, "Hints by another agent"), h("input", { id: "adviser", "aria-label": "the agent that gives hints: a search, or a network", value: adviser ?? table.search, oninput: ({ target }) => { adviser = target.value; }, spellcheck: "false" })) : null);
  }

  function looks() {
    return h("select", { id: "look", "aria-label": "whose cards are shown", value: table.look === null ? "all" : String(table.look), onchange: ({ target }) => send({ do: "look", seat: target.value === "all" ? null : Number(target.value) }) },
      h("option", { value: "all" }, "all hands"), table.names.map((name, seat) => h("option", { value: String(seat) }, `only ${name}`)));
  }

  // A record shows every hand: somebody who is still playing has to want that.
  const mayOpen = () => table.over || table.seat === null || confirm("This shows every hand of the deal in progress, and the match is not rated then. Open it?");

  async function studyNow() {
    if (!mayOpen()) return;
    try {
      const response = await fetch(recordLink), record = await response.text();
      if (!response.ok) throw new Error(record.trim() || response.statusText);
      location.href = (await request("/api/studies", { record, names: table.names, seat: table.seat })).study;
    } catch (error) { complain(error.message); }
  }

  function draw() {
    const end = ended();
    const absent = [friends(key, table), left(table, send)];
    document.title = `${mine() ? "Your turn · " : ""}${table.title}`;
    const more = end?.over ? h("p", {}, again(table), " ", h("a", { class: "button", href: "/" }, "New table")) : null;
    const middle = end ? dealEnd(table, end, end.over || table.seat === null ? null : nextDeal, more)
      : [felt(table, viewer), table.look === null ? null : [h("p", { class: "hint-line" }, hintLine()), decisions(), hand()]];
    show(h("div", { key: "table", class: "play", "data-at": table.at },
      h("div", { class: `board${table.hands ? " tall" : ""}` }, table.missing ? h("p", { class: "bad", role: "status", id: "missing" }, table.missing) : null, naming(key, table, send, draw), absent.some(Boolean) ? h("div", { class: "tools" }, absent) : null, h("div", { key: "middle", class: "game" }, middle)),
      tools(),
      h("aside", { class: "side" }, rulesHere(table), scores(table), trickList(table, (end ?? table).tricks), belief ? beliefTable(belief, table.names, table) : null)));
    if (table.seat !== null) restore();
  }

  // Where a card was played or a button went away, its focus goes on to what is decided next.
  function restore() {
    if (document.activeElement && document.activeElement !== document.body) return;
    const choices = [`[data-card="${focus}"].legal`, ".hand .legal", ".decisions button:enabled"].map((one) => document.querySelector(one));
    const next = document.getElementById("next-deal") ?? (mine() ? choices.find(Boolean) : null);
    next?.focus({ preventScroll: true });
  }

  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || !table) return;
    const wanted = { h: "hint", u: "undo", p: "pause", Enter: event.target.closest("button, a, summary") ? null : "next-deal" }[event.key];
    if (wanted) document.getElementById(wanted)?.click();
    if (/^\d$/.test(event.key)) document.querySelectorAll(".hand .legal, .decisions button:not(#pass)")[(Number(event.key) || 10) - 1]?.click(); // the nth that is possible
  });
}

// Who else may hold what, as a seat can know. `own` has the seat of the reader and the cards that it passed.
export function beliefTable(belief, names, own = { seat: null, passed: [] }) {
  const others = names.map((_, seat) => seat).filter((seat) => seat !== belief.seat);
  const rows = Object.entries(belief.cards).map(([card, shares]) => h("tr", {}, h("th", { scope: "row", class: `suit-${suitOf(card) || "J"}` }, short(card), own.passed.includes(card) ? h("small", {}, " you passed it") : null),
    others.map((seat) => h("td", { "--share": shares[seat] }, shares[seat] ? `${Math.round(100 * shares[seat])}%` : ""))));
  const knower = belief.seat === own.seat ? "you" : names[belief.seat];
  return scroller("who may hold what", h("table", { class: `belief${names.length > 5 ? " many" : ""}` }, h("caption", {}, `Who may hold what, as far as ${knower} can know`),
    h("thead", {}, h("tr", {}, h("th", {}, "card"), others.map((seat) => h("th", { scope: "col", title: names[seat] }, h("span", {}, names[seat]))))), h("tbody", {}, rows)));
}
