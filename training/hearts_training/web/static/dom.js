// Elements from data. Text is always text: nothing a server or a file says becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (["value", "defaultValue", "checked"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export function show(...elements) {
  const page = document.getElementById("page");
  page.replaceChildren(...elements);
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

// A socket that reconnects by itself. Returns a function that sends.
export function connect(path, receive) {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  let socket, wait = 250, left = false;
  function open() {
    socket = new WebSocket(address);
    socket.onopen = () => { wait = 250; complain(""); document.body.classList.remove("offline"); };
    socket.onmessage = (event) => receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (left) return;
      if (event.code === 4404) { complain(event.reason); return; }
      document.body.classList.add("offline");
      complain("The server cannot be reached; trying again ...");
      setTimeout(open, wait);
      wait = Math.min(2 * wait, 4000);
    };
  }
  addEventListener("pagehide", () => { left = true; socket.close(); });
  open();
  return (message) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    else complain("The server cannot be reached; trying again ...");
  };
}
