// The keyboard: a few single keys, which leave alone whoever types, and can be switched off.

const KEYS = [["/", "Search the entities"], ["j", "The next row"], ["k", "The row before"], ["?", "These keys"]];
const KEYS_OFF = "tslp.keys";
let wantsFilter = false; // `/` was pressed where there was no filter yet

function keysOff(off) {
  try {
    if (off === true) sessionStorage.setItem(KEYS_OFF, "off");
    if (off === false) sessionStorage.removeItem(KEYS_OFF);
    return sessionStorage.getItem(KEYS_OFF) !== null;
  } catch {
    return false;
  }
}

function toFilter() {
  const filter = document.getElementById("filter");
  wantsFilter = filter === null || filter.offsetParent === null;
  if (wantsFilter) location.hash = address({ view: "entities", entity: null, episode: null });
  else {
    filter.focus();
    filter.select();
  }
}

// From row to row of what has the focus: the list, or the entity beside it.
function step(by) {
  const active = document.activeElement;
  const within = (active && active.closest(".list, .detail")) || document.querySelector(".list") || document.getElementById("main");
  const seen = (places) => [...places].filter((element) => element.offsetParent !== null);
  const all = seen(within.querySelectorAll("[data-row]"));
  const rows = all.length ? all : seen(document.querySelectorAll("main [data-row], main a, main summary"));
  const at = rows.findIndex((row) => row === active);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  if (next) next.focus();
}

function showKeys() {
  const box = h("dialog", { class: "keys", "aria-labelledby": "keys-title", onclose: () => box.remove() },
    h("h2", { id: "keys-title" }, "Keys"),
    h("dl", null, KEYS.map(([key, words]) => [h("dt", null, h("kbd", null, key)), h("dd", { class: "prose" }, words)])),
    h("p", null, h("label", null, h("input", { type: "checkbox", checked: !keysOff(), onchange: (event) => keysOff(!event.target.checked) }), " Use these keys in this tab")),
    h("form", { method: "dialog" }, h("button", { type: "submit" }, "Close")));
  document.body.append(box);
  box.showModal();
}

window.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=range]), select, textarea, dialog");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || app.phase === "locked" || keysOff()) return;
  const act = { "/": toFilter, j: () => step(1), k: () => step(-1), "?": showKeys }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
document.getElementById("keys").addEventListener("click", showKeys);
