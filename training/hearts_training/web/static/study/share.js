// A record in a link: compressed into the fragment, which no server is sent, so that any server of the suite opens it.

import { build, complain, h, request } from "../dom.js";
import { studyBox } from "../home.js";

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function packed(data) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(data)), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

// Open what a link or a text holds: a record, lines of games, or the fragment of a link.
async function open(text) {
  const [, content, address] = text.trim().match(/^(?:\S*#)?=([\w-]+)@([\w.-]+)$/) ?? [];
  let message = { record: text };
  try { if (content) message = await unpacked(content); } catch { throw new Error("the link was cut when it was copied: ask for it again"); }
  location.replace((await request("/api/studies", message)).study + (address ? `#${address}` : ""));
}

// The page that opens links, texts and files.
export async function shared() {
  const text = build("textarea", { id: "text", rows: 6, spellcheck: "false", "aria-label": "a link of a study, a record, or a line of a file of games" });
  const attempt = (content) => open(content).catch((error) => complain(error.message));
  document.getElementById("page").replaceChildren(build("div", { class: "text" }, build("h1", {}, "Study"), studyBox(),
    build("p", {}, "Or paste a link of a study, a record, or a line of a file of games:"), text, build("p", {}, build("button", { id: "open", class: "main", onclick: () => attempt(text.value) }, "Open"))));
  const linked = () => (location.hash.startsWith("#=") ? attempt(location.hash) : null);
  addEventListener("hashchange", linked);
  await linked();
}

// A link to the position on the board, and its picture.
export function share(study, act) {
  const copy = () => navigator.clipboard?.writeText(study.link).catch(() => complain("Select the link and copy it."));
  return h("section", { id: "share" }, h("h2", {}, "Share"), h("div", { class: "tools" },
    h("button", { id: "share-link", onclick: act.share }, "Link to this position"),
    h("a", { class: "button", href: `/api/study/${study.key}/picture.svg?at=${study.at}`, download: `${study.addresses.names[study.at]}.svg` }, "Picture (SVG)"), h("button", { id: "png", onclick: () => png(study) }, "Picture (PNG)")),
    study.link ? h("div", { class: "tools" }, h("input", { id: "link", readonly: true, value: study.link, "aria-label": "the link", onfocus: (event) => event.target.select() }), h("button", { onclick: copy }, "Copy")) : null,
    study.link ? h("p", { class: "small" }, "It holds the whole record, and opens on every server of the suite: press it, or paste it on the page ", h("a", { href: "/study" }, "Study"), ".") : null);
}

export const linkOf = async ({ record, givenNames: names, own: seat, addresses, at }) => `${location.origin}/study#=${await packed({ record, names, seat })}@${addresses.names[at]}`;

function png({ key, at, addresses }) {
  const picture = new Image(1920, 1200);
  picture.onload = () => {
    const canvas = build("canvas", { width: 1920, height: 1200 });
    canvas.getContext("2d").drawImage(picture, 0, 0, 1920, 1200);
    build("a", { href: canvas.toDataURL("image/png"), download: `${addresses.names[at]}.png` }).click();
  };
  picture.src = `/api/study/${key}/picture.svg?at=${at}`;
}
