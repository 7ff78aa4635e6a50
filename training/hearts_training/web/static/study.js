// A record: its positions, what each decision cost by several advisers, and playing on.

import { announce, complain, connect, h, preparing, request, show } from "./dom.js";
import { felt, scores } from "./felt.js";
import { ownName } from "./home.js";
import { rulesHere } from "./rules.js";
import { addresses } from "./study/address.js";
import { answer, isOpen, opinions } from "./study/answer.js";
import { branch, lines } from "./study/branch.js";
import { beliefs } from "./study/belief.js";
import { curve } from "./study/curve.js";
import { hand } from "./study/hand.js";
import { picture } from "./study/picture.js";
import { linkOf, share } from "./study/share.js";
import { strip } from "./study/strip.js";
import { verdict } from "./study/verdict.js";
import { called } from "./study/words.js";

export function studyRecord(key) {
  // `leading` is the adviser whose values lie on the cards, `tried` what was chosen when a decision was made again.
  const study = { key, decisions: [], labels: {}, names: [], own: null, who: 0, at: 0, position: null, advisers: [], leading: null, running: false, deeper: {}, deepening: null, retrying: false, tried: null, belief: null, link: null, outlooks: {}, notes: [], branch: null };
  let begun = false, waiting = 0;
  const send = connect(`/socket/study/${key}`, receive);
  const find = (agent) => study.advisers.find((one) => one.agent === agent);

  const receivers = {
    error: ({ line }) => { complain(line); study.deepening = null; },
    preparing,
    study: open,
    adviser: ({ running, ...one }) => { study.running = running; study.advisers = find(one.agent) ? study.advisers.map((other) => (other.agent === one.agent ? one : other)) : [...study.advisers, one]; },
    dismissed: ({ agent }) => { study.advisers = study.advisers.filter((one) => one.agent !== agent); },
    position: (message) => { if (message.at === study.at) study.position = { ...message, names: study.names, brief: true }; },
    deeper: (message) => { study.deeper[message.at] = message; },
    deepest: () => { study.deepening = null; },
    done: () => { study.running = false; },
    outlook: ({ deal, seat, at, by, ...found }) => { (study.outlooks[`${deal} ${seat}`] ??= { by, found: {} }).found[at] = found; },
    weighed: (message) => { if (study.belief?.at === message.at && study.belief.seat === message.seat) study.weighed = message; },
    notes: ({ notes }) => { study.notes = notes; },
    line: ({ position, ...line }) => { study.branch = { ...line, position: { ...position, legal: line.ended ? [] : position.legal, names: study.names, brief: true }, before: study.branch?.at === line.at ? study.branch : null }; },
    belief: (message) => { Object.assign(study, { belief: message, weighed: null }); },
  };

  function receive(message) {
    if (message.is === "value") { take(message); return; }
    receivers[message.is](message);
    if (message.is !== "preparing") draw();
  }

  function open(message) {
    const { decisions, labels, names, seat, advisers, search, mistake_errors: mistakeErrors, record, running, notes, deals } = message;
    const fresh = !study.addresses;
    Object.assign(study, { decisions, labels, own: seat, givenNames: names, notes, deals, advisers, search, mistakeErrors, record, running, addresses: addresses(decisions) });
    study.names = names.map((name, one) => (one === seat ? `${name} (you)` : name));
    go(named() ?? Math.min(study.at, decisions.length));
    if (fresh) study.who = seat ?? decisions[study.at]?.seat ?? 0;
    if ((seat !== null || study.at) && !begun && !running && !advisers.length) act.analyse(search); // for a player's verdict, and a link's answer
  }

  function take({ agent, at, values, cost, verdict: found }) {
    const one = find(agent);
    if (!one) return;
    one.values[at] = values;
    if (cost !== null) one.costs[at] = cost;
    one.verdict = found;
    if (!waiting) waiting = setTimeout(() => { waiting = 0; draw(); }, 250);
  }

  const named = () => study.addresses.places.get(location.hash.slice(1));

  function go(place) {
    Object.assign(study, { at: Math.max(0, Math.min(study.decisions.length, place)), belief: null, link: null, branch: null, retrying: false, tried: null });
    history.replaceState(null, "", `#${study.addresses.names[study.at]}`);
    send({ do: "position", at: study.at });
  }

  const act = {
    go,
    analyse: (agent) => { begun = true; send({ do: "analyse", agent: agent.trim() || study.search, at: study.at }); },
    dismiss: (agent) => send({ do: "dismiss", agent }),
    lead: (agent) => { study.leading = agent; draw(); },
    stop: () => { study.running = false; send({ do: "stop" }); draw(); },
    retry: () => { Object.assign(study, { retrying: true, tried: null }); draw(); },
    outlook: (deal, seat, agent) => send({ do: "outlook", deal, seat, agent: agent ?? null }),
    line: (at, actions, agent) => { if (at !== study.at) go(at); study.branch = null; send({ do: "try", at, actions, agent }); document.querySelector(".side").scrollTop = 0; },
    undo: () => { study.branch = study.branch.before; draw(); },
    note: (at, actions, text) => send({ do: "note", at, actions, agent: study.branch?.agent ?? "rule", text }),
    share: async () => { study.link = await linkOf(study); draw(); document.getElementById("link").focus(); },
    look: (who) => { study.who = who; draw(); },
    deepen: () => { study.deepening = study.at; send({ do: "deepen", at: study.at }); draw(); },
  };

  function choose(action) {
    if (study.branch) { const { at, actions, agent } = study.branch; send({ do: "try", at, actions: [...actions, action], agent }); return; }
    if (!study.retrying) return;
    Object.assign(study, { tried: action, retrying: false });
    if (isOpen(study, action) && !study.deeper[study.at]) act.deepen();
    draw();
    announce(document.getElementById("answer").textContent);
  }

  async function playOn() {
    const seats = study.names.map((_, seat) => (seat === study.who ? `person ${ownName()}`.trim() : "rule"));
    try {
      location.href = (await request("/api/tables", { seats, record: study.record, at: study.at })).links[study.who];
    } catch (error) { complain(error.message); }
  }

  function fromHere() {
    const seat = called(study, study.who);
    return study.position.over ? null : h("section", {}, h("h2", {}, "From this position"), h("div", { class: "tools" },
      h("button", { id: "play-on", onclick: playOn }, `Play on as ${seat} against solid players`),
      h("button", { id: "believe", onclick: () => send({ do: "belief", at: study.at, seat: study.who }) }, `Which cards may the others hold, as far as ${seat} can know?`)));
  }

  // The hand of the seat that decides lies below the table; while it decides again, the other hands are covered.
  function board() {
    const { position, retrying } = study.branch ?? study;
    return { ...position, legal: [], hands: position.hands.map((cards, seat) => (seat === position.turn ? [] : retrying ? null : cards)) };
  }

  function draw() {
    const { position, at, decisions } = study;
    if (!position) return;
    const slider = h("input", { type: "range", id: "slider", min: 0, max: decisions.length, value: at, "aria-label": "place in the record", oninput: (event) => go(Number(event.target.value)) });
    show(h("div", { class: "study", "data-address": study.addresses.names[position.at] },
      h("div", { class: "tools where" }, h("button", { id: "back", "aria-label": "back", onclick: () => go(at - 1) }, "◂"), slider, h("button", { id: "next", "aria-label": "next", onclick: () => go(at + 1) }, "▸"), h("span", { class: "place" }, `${at} of ${decisions.length}`)),
      h("div", { class: "game", tabindex: 0, role: "region", "aria-label": "the table" }, felt(board(), study.own ?? 0)),
      hand(study.branch ? { ...study, ...study.branch, retrying: true, labels: { [at]: study.branch.labels } } : study, choose), strip(study, go),
      h("aside", { class: "side", "aria-label": "the answer" }, study.branch ? branch(study, act) : [answer(study, act), opinions(study, act), picture(study, act), curve(study, act), verdict(study)], lines(study, act), share(study, act), fromHere(), beliefs(study),
        rulesHere(position), scores(position))));
  }

  addEventListener("hashchange", () => { const place = study.decisions.length ? named() : undefined; if (place !== undefined && place !== study.at) go(place); });
  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea")) return;
    if (event.key === "ArrowLeft") go(study.at - 1);
    if (event.key === "ArrowRight") go(study.at + 1);
  });
}
