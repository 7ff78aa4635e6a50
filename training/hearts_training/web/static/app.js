// Which page is shown, and the settings that all share.

import { advise } from "./advise.js";
import { complain, lost, request } from "./dom.js";
import { home, study } from "./home.js";
import { game, pair, records } from "./records.js";
import { results } from "./results.js";
import { run } from "./run.js";
import { studyRecord } from "./study.js";
import { shared } from "./study/share.js";
import { sit } from "./table.js";

for (const id of ["four-colours", "still"]) {
  const box = document.getElementById(id);
  box.checked = localStorage.getItem(id) === "on";
  const apply = () => {
    document.documentElement.classList.toggle(id, box.checked);
    localStorage.setItem(id, box.checked ? "on" : "off");
  };
  box.addEventListener("change", apply);
  apply();
}

const theme = document.getElementById("theme");
theme.value = localStorage.getItem("theme") ?? "auto";
const paint = () => { document.documentElement.dataset.theme = theme.value; localStorage.setItem("theme", theme.value); };
theme.addEventListener("change", paint);
paint();

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) study(event.dataTransfer.files[0]);
});

const [, page, key, token] = location.pathname.split("/");
const join = async () => location.replace((await request("/api/join", { key, token })).link);
const pages = { "": home, table: () => sit(key, token), join, study: () => (key ? studyRecord(key) : shared()), results, advise, records, run, game: () => game(key), pair: () => pair([key, token]) };
Promise.resolve(Object.hasOwn(pages, page) ? pages[page]() : lost("There is no such page.")).catch((error) => (page === "join" ? lost(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`) : complain(error.message)));
