// Who sits at a table: one's own name, the link for friends, who has left, and another match of the same.

import { announce, complain, h, request } from "./dom.js";

// Open a table and go to one's seat, or, where that is null, watch it. The browser keeps the link for friends.
export async function openTable(order, seat) {
  const table = await request("/api/tables", order);
  if (table.invite) localStorage.setItem(`friends ${table.key}`, table.invite);
  location.href = seat === null ? table.watch : table.links[seat];
}

export function again(table) {
  const own = `person ${table.named ? localStorage.getItem("name") ?? "" : ""}`.trim();
  const seats = table.specs.map((spec, seat) => spec ?? (seat === table.seat ? own : "person"));
  const open = () => openTable({ rules: table.rules, seats, pace: table.pace, hints: table.hints }, table.seat).catch((error) => complain(error.message));
  return h("button", { id: "play-again", class: "main", onclick: open }, table.seat === null ? "Watch another match" : "Play again");
}

// One link gives every friend the next free seat.
export function friends(key, table) {
  const link = localStorage.getItem(`friends ${key}`);
  if (!link || table.over || !table.away.length) return null;
  async function copy({ target }) {
    const box = target.previousElementSibling;
    box.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(box.value);
    else document.execCommand("copy"); // an address without https has no clipboard
    target.textContent = "Copied";
    announce("Copied");
  }
  return h("span", { class: "links" }, "For friends: ", h("input", { id: "friends", readonly: true, value: location.origin + link, "aria-label": "link for friends", onfocus: (event) => event.target.select() }),
    h("button", { id: "copy", onclick: (event) => copy(event).catch((error) => complain(error.message)) }, "Copy"));
}

// A seat's own person gives its name, or would rather not.
export function naming(key, table, send, draw) {
  if (table.named || table.over || sessionStorage.getItem(`unnamed ${key}`)) return null;
  const named = (event) => { event.preventDefault(); const name = event.target.elements.own.value.trim(); localStorage.setItem("name", name); if (name) send({ do: "name", name }); };
  const dismiss = () => { sessionStorage.setItem(`unnamed ${key}`, "on"); draw(); };
  return h("form", { class: "tools", id: "naming", onsubmit: named }, h("label", {}, "Your name ", h("input", { name: "own", maxlength: 40, defaultValue: localStorage.getItem("name") ?? "", autocomplete: "nickname" })),
    h("button", { class: "main" }, "Say who I am"), h("button", { id: "unnamed", type: "button", onclick: dismiss }, "Not now"));
}

// Who has left, and an agent that may play for them until they come back.
export function left(table, send) {
  if (table.over || table.seat === null || !table.away.length) return null;
  return h("span", { id: "left" }, table.away.map((seat) => h("span", { key: seat }, table.stand_ins[seat] ? `${table.names[seat]} is not here; an agent plays for them.` : [`${table.names[seat]} is not here. `,
    h("button", { onclick: () => send({ do: "stand in", seat }) }, "Let an agent play")])));
}
