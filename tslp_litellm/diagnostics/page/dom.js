// Building elements. Whatever comes from the gateway becomes a text node or an attribute's value, never markup.

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) element.append(child);
  }
  return element;
}

function svg(tag, attributes, children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...(children || []));
  return element;
}

// Put new children into a place, and the focus and the scrolling back to where they were.
function fill(place, ...children) {
  const held = place.contains(document.activeElement) ? document.activeElement.closest("[data-key]") : null;
  const key = held ? held.dataset.key : null;
  const scrolled = new Map();
  for (const box of place.querySelectorAll("[data-scroll]")) scrolled.set(box.dataset.scroll, [box.scrollTop, box.scrollLeft]);
  const open = new Map();
  for (const box of place.querySelectorAll("details[data-key]")) open.set(box.dataset.key, box.open);
  place.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  for (const box of place.querySelectorAll("details[data-key]")) {
    if (open.has(box.dataset.key)) box.open = open.get(box.dataset.key);
  }
  for (const box of place.querySelectorAll("[data-scroll]")) {
    const at = scrolled.get(box.dataset.scroll);
    if (at) [box.scrollTop, box.scrollLeft] = at;
  }
  if (key !== null) {
    const again = [...place.querySelectorAll("[data-key]")].find((element) => element.dataset.key === key);
    if (again) again.focus({ preventScroll: true });
  }
}

// -- time: ages by the gateway's clock, and kept true without drawing anew

let clockOffset = 0;

function age(at) {
  const seconds = Math.max(0, Math.round((Date.now() + clockOffset - Date.parse(at)) / 1000));
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

function when(at) {
  return h("time", { datetime: at, title: new Date(at).toLocaleString() }, age(at));
}

setInterval(() => {
  if (document.hidden) return;
  for (const element of document.querySelectorAll("time[datetime]")) {
    const now = age(element.getAttribute("datetime"));
    if (element.textContent !== now) element.textContent = now;
  }
}, 5000);

// -- small parts

function badge(word, kind, title) {
  return h("span", { class: `badge ${kind || ""}`, title }, word);
}

function short(hash) {
  return hash ? h("code", { class: "hash", title: hash }, hash.slice(0, 12)) : null;
}

function count(n, one, many) {
  return `${n.toLocaleString()} ${n === 1 ? one : many || `${one}s`}`;
}

// `path::symbol`, the path in a quieter tone. Hostile names are bounded by the style, and isolated from their surroundings.
function entityName(entity) {
  const [path, symbol] = split(entity);
  if (symbol === null) return h("bdi", { class: "name" }, path);
  return h("bdi", { class: "name" }, h("span", { class: "quiet" }, `${path}::`), symbol);
}

function split(entity) {
  const at = entity.indexOf("::");
  return at < 0 ? [entity, null] : [entity.slice(0, at), entity.slice(at + 2)];
}

function code(text, label, key) {
  return h("pre", { class: "code", tabindex: "0", role: "region", "aria-label": label, "data-scroll": key, "data-key": key }, h("code", null, text));
}

function copyButton(text, what) {
  const button = h("button", { type: "button", class: "small", "data-key": `copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`${what} copied.`);
    } catch {
      announce("The browser does not let this page copy.");
    }
  });
  button.setAttribute("aria-label", `Copy ${what}`);
  return button;
}

function notice(kind, title, ...children) {
  return h("section", { class: `notice ${kind}` }, h("h2", null, title), children);
}

// Said once, quietly; a screen reader hears it, everybody else reads it in the footer.
function announce(text) {
  const place = document.getElementById("status");
  if (place.textContent !== text) place.textContent = text;
}
