// Elements from data. Text is always text: nothing a server or a file says becomes markup.
//
// `h` describes an element; `show` makes the page equal to a description and leaves alone what has not changed, so that
// a button that is held down, a focus and a caret survive. `build` makes an element at once, for forms that are built once.

import { h as element, render } from "./vendor/preact-10.24.3.js";

export function h(tag, attributes, ...children) {
  const own = {}, style = {};
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("--")) style[name] = value;
    else if (value !== undefined && value !== null && (value !== false || name.startsWith("aria-"))) own[name] = value;
  }
  if (Object.keys(style).length) own.style = style;
  return element(tag, own, ...children);
}

export function build(tag, attributes, ...children) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) one.addEventListener(name.slice(2), value);
    else if (["value", "defaultValue", "checked"].includes(name)) one[name] = value;
    else one.setAttribute(name, value === true ? "" : value);
  }
  one.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return one;
}

// A part that scrolls sideways, by the keyboard as well.
export const scroller = (label, ...children) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, ...children);

export const show = (...elements) => render(elements, document.getElementById("page"));

export const PREPARING = "Preparing: the suite compiles itself, once after an installation. That takes about a minute, on a slow computer a few.";

// What a table or a record shows until the server has compiled what it needs.
export function preparing() {
  show(h("div", { class: "text", role: "status", id: "preparing" }, h("p", {}, PREPARING), h("progress", { "aria-label": "preparing" })));
}

// What a wrong link shows.
export function lost(text) {
  show(h("div", { class: "text" }, h("h1", {}, "Nothing is here"), h("p", {}, text, " Perhaps the link was cut when it was copied: ask for it again."),
    h("p", {}, h("a", { href: "/" }, "To the first page"), ", which lists the tables that this browser has opened.")));
}

let hiding = 0;

export function complain(text) {
  const line = document.getElementById("line");
  line.textContent = text;
  line.classList.toggle("shown", Boolean(text));
  clearTimeout(hiding);
  if (text) hiding = setTimeout(() => complain(""), 8000);
}

export function announce(text) {
  document.getElementById("news").textContent = text;
}

export async function request(path, body) {
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(path, options);
  const text = await response.text();
  let answer;
  try { answer = JSON.parse(text); } catch { throw new Error(text.trim() || response.statusText); }
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

// A socket that reconnects by itself; a hint that was requested before is not answered then. Returns a function that sends.
export function connect(path, receive) {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  let socket, wait = 250, left = false;
  function open() {
    socket = new WebSocket(address);
    socket.onopen = () => { wait = 250; complain(""); document.body.classList.remove("offline", "busy"); };
    socket.onmessage = (event) => receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (left) return;
      if (event.code === 4404) { lost(`${event.reason[0].toUpperCase()}${event.reason.slice(1)}.`); return; }
      document.body.classList.add("offline");
      complain("The server cannot be reached; trying again ...");
      setTimeout(open, wait);
      wait = Math.min(2 * wait, 4000);
    };
  }
  addEventListener("pagehide", () => { left = true; socket.close(); });
  addEventListener("pageshow", (event) => { if (event.persisted) { left = false; open(); } });
  open();
  return (message) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    else complain("The server cannot be reached; trying again ...");
  };
}
