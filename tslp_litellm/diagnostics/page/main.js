// The route, the key, the workspace, and reading anew while somebody looks.

const VIEWS = [overviewView, entitiesView, episodesView, resumeView, promptView, doctorView];
const EVERY_MS = 2500;
const SLOWEST_MS = 30000;
const app = { workspace: "default", tenant: "", chosen: false, workspaces: [], alike: [], phase: "starting", needsKey: false };
let generation = 0; // of what is being shown; answers for an older one are dropped
let timer = null;
let wait = EVERY_MS;

// -- the route: everything that a link must say stands behind the #

const LISTING = ["q", "only", "sort"]; // what the list of entities is narrowed to

function currentRoute() {
  const said = new URLSearchParams(location.hash.slice(1));
  const view = [...VIEWS, diffView].find((candidate) => candidate.name === said.get("view")) || (said.get("episode") ? episodesView : said.get("entity") ? entitiesView : overviewView);
  const of = (wanted, name) => (view === wanted && said.get(name)) || null;
  const entity = of(entitiesView, "entity") || of(diffView, "entity");
  const listing = Object.fromEntries(LISTING.map((name) => [name, of(entitiesView, name)]));
  return { view, entity, from: of(diffView, "from"), to: of(diffView, "to"), at: of(entitiesView, "at"), episode: of(episodesView, "episode"), workspace: said.get("workspace"), tenant: said.get("tenant"), ...listing };
}

function address(changes) {
  const next = new URLSearchParams();
  const now = currentRoute(), view = changes.view || now.view.name;
  const at = changes.at === undefined ? now.at : changes.at; // a point in time stays chosen from one entity to another
  const route = { view, entity: changes.entity, at: view === "entities" && changes.entity ? at : null, episode: changes.episode, workspace: changes.workspace || (app.chosen ? app.workspace : null), tenant: app.tenant };
  if (view === "diff") Object.assign(route, { from: changes.from, to: changes.to });
  for (const name of LISTING) route[name] = view !== "entities" ? null : changes[name] === undefined ? now[name] : changes[name];
  for (const [name, value] of Object.entries(route)) if (value) next.set(name, value);
  return `#${next}`;
}

function scope() {
  return { workspace: app.workspace, tenant: app.tenant };
}

function forget() {
  figures = stateMap = entityView = compared = episodeView = resumed = prompted = diagnosed = null;
  files = [];
  diagnosedAt = 0;
  Object.assign(told, { list: [], limit: EPISODES_STEP, full: false, loaded: false });
  Object.assign(listed, { rows: ROWS_STEP, open: new Set() });
  texts.clear();
  heard.clear();
  document.getElementById("main").replaceChildren(); // nothing of another workspace may stay in sight
}

// -- the head of the page

function drawNav(route) {
  fill(document.getElementById("views"), h("ul", null, VIEWS.map((view) => h("li", null,
    h("a", { href: address({ view: view.name, entity: null, episode: null }), "aria-current": view === route.view ? "page" : null, "data-key": `view ${view.name}` }, view.label)))));
}

function drawTools() {
  const names = [...new Set([...app.workspaces, app.workspace])].sort();
  const view = currentRoute().view === diffView ? entitiesView : currentRoute().view; // a pair of texts is of one workspace
  const choose = ({ target, type }) => {
    if (target.value === app.workspace || (type === "input" && !names.includes(target.value))) return;
    if (names.includes(target.value)) location.hash = address({ view: view.name, workspace: target.value });
    else if (target.value) announce(`There is no workspace ${target.value} here.`);
  };
  fill(document.getElementById("tools"),
    app.phase === "locked" ? null : h("label", { class: "workspace" }, h("span", null, "Workspace"),
      h("input", { list: "workspaces", value: app.workspace, autocomplete: "off", spellcheck: "false", placeholder: app.workspace, "data-key": "workspace", oninput: choose, onchange: choose,
        onfocus: (event) => (event.target.value = ""), onblur: (event) => (event.target.value = app.workspace) })),
    h("datalist", { id: "workspaces" }, names.map((name) => h("option", { value: name }))),
    app.alike.length ? badge(`looks like ${app.alike[0]}`, "wait", `There is an older workspace of nearly that name: ${app.alike.join(", ")}`) : null,
    app.tenant ? badge(app.tenant, "", "The tenant that you look at, as the proxy's admin") : null,
    liveSign(),
    storedKey() && app.phase !== "locked" ? h("button", { type: "button", class: "small", "data-key": "forget", onclick: () => lock("") }, "Forget key") : null);
}

function liveSign() {
  const [kind, words] = { live: ["good", "Live"], down: ["bad", "Offline"], fault: ["wait", "Fault"], starting: ["", "…"], locked: ["", "Locked"] }[app.phase];
  return h("span", { class: `live ${kind}` }, h("span", { class: "dot", "aria-hidden": "true" }), words);
}

// `names`: the first is the one to look at where the usual one is `empty`.
function offerWorkspaces(names, alike, empty) {
  const named = () => [...app.workspaces, "", ...app.alike].join("\n");
  const before = named();
  app.workspaces = names || [];
  app.alike = alike || [];
  if (!app.chosen && empty && app.workspaces.length && !app.workspaces.includes(app.workspace)) {
    location.replace(address({ view: currentRoute().view.name, workspace: app.workspaces[0] }));
  }
  if (before !== named()) drawTools();
}

function setPhase(phase) {
  if (app.phase === phase) return;
  const before = app.phase;
  app.phase = phase;
  document.body.dataset.phase = phase;
  if (phase === "live" && before !== "starting") announce("The gateway answers again.");
  drawTools();
}

// -- the key

function lock(why) {
  generation += 1;
  clearTimeout(timer);
  storeKey("");
  forget();
  setPhase("locked");
  announce("");
  const route = currentRoute();
  const input = h("input", { id: "key", type: "password", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": why ? "key-error" : "key-help", "aria-invalid": why ? "true" : null });
  const tenant = h("input", { id: "tenant", type: "text", autocomplete: "off", spellcheck: "false", value: route.tenant || "" });
  const open = (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (!key) return;
    storeKey(key);
    const wanted = tenant.value.trim();
    if (wanted !== app.tenant) {
      app.tenant = wanted;
      history.replaceState(null, "", address({ view: route.view.name, entity: route.entity, episode: route.episode }));
    }
    start(true);
  };
  fill(document.getElementById("main"), h("form", { class: "key notice", onsubmit: open },
    h("h1", null, "Key"),
    why ? h("p", { class: "error", id: "key-error", role: "alert" }, why) : null,
    h("label", { for: "key" }, "Your key for this gateway"),
    input,
    h("p", { class: "quiet", id: "key-help" }, "Where ", h("code", null, "tslp run"), " started the gateway, it is in ", h("code", null, ".tslp/master.key"), ". It stays in this tab, and is sent to this gateway only."),
    h("details", { "data-key": "admin" }, h("summary", null, "Look at another tenant"), h("label", { for: "tenant" }, "Tenant, for the proxy's admin: ", h("code", null, "team:…"), " or ", h("code", null, "key:…")), tenant),
    h("button", { type: "submit", class: "primary" }, "Open")));
  input.focus();
}

// -- showing and reading anew

function show(moved) {
  const route = currentRoute();
  const workspace = route.workspace || "default";
  app.chosen = route.workspace !== null;
  if (workspace !== app.workspace || (route.tenant || "") !== app.tenant) {
    app.workspace = workspace;
    app.tenant = route.tenant || "";
    forget();
  }
  Object.assign(listed, { filter: listed.pending === null ? route.q || "" : listed.filter, only: route.only || "all", sort: route.sort || "path" });
  generation += 1;
  document.title = `${route.entity || route.view.label} · TSLP`;
  document.body.dataset.view = route.view.name;
  if (app.phase === "locked") return;
  drawNav(route);
  drawTools();
  const place = document.getElementById("main");
  if (!(route.view === entitiesView && place.querySelector(".split"))) fill(place, h("h1", null, route.view.label), h("p", { class: "quiet" }, "Reading…"));
  route.view.draw(place, route);
  refresh(moved);
}

async function refresh(moved) {
  clearTimeout(timer);
  const mine = ++generation;
  const route = currentRoute();
  const place = document.getElementById("main");
  const began = performance.now();
  try {
    const changed = await route.view.load(route);
    if (mine !== generation) return;
    const back = app.phase !== "live";
    setPhase("live");
    wait = Math.min(SLOWEST_MS, Math.max(EVERY_MS, 10 * (performance.now() - began))); // what is large is asked for seldom
    if (changed || back) route.view.draw(place, route);
    if (moved === true) moveFocus(route);
  } catch (error) {
    if (mine !== generation) return;
    if (!trouble(error, place, route)) return;
  }
  if (!document.hidden) timer = setTimeout(refresh, wait);
}

// Where the focus was on something that is gone now, or hidden, it goes to what was asked for.
function moveFocus(route) {
  const active = document.activeElement;
  if (active && active !== document.body && active.offsetParent !== null) return;
  const title = route.entity === null ? null : document.getElementById("entity-title");
  (title || document.getElementById("main")).focus();
}

// Says what is wrong; false where there is no sense in asking again.
function trouble(error, place, route) {
  if (error instanceof Refused) {
    const had = storedKey();
    lock(had ? `The gateway refused this key. It said: ${error.message}` : "");
    return false;
  }
  const down = error instanceof Down;
  wait = Math.min(SLOWEST_MS, wait * 2);
  setPhase(down ? "down" : "fault");
  const seconds = Math.round(wait / 1000);
  announce(down ? `The gateway does not answer (${error.message}). Trying again every ${seconds} s; what is shown may be old.` : `The gateway can't say. ${error.message}`);
  if (!place.querySelector(".split, article, .checks, .messages, .tiles, .diff")) {
    fill(place, h("h1", null, route.view.label), notice("bad", down ? "The gateway does not answer" : "The gateway can't say",
      h("p", null, down ? "It may be starting. This page tries again by itself." : error.message),
      h("p", null, h("button", { type: "button", "data-key": "retry", onclick: () => ((wait = EVERY_MS), refresh()) }, "Try now"))));
  }
  return true;
}

// LiteLLM answers a missing or wrong key in several ways, so the first question is the one that needs nothing but a key.
async function start(moved) {
  if (!storedKey() && document.body.dataset.open === undefined) return lock("");
  setPhase("starting");
  try {
    await ask("health");
  } catch (error) {
    if (error instanceof Fault || error instanceof Refused) {
      lock(storedKey() ? `The gateway refused this key. It said: ${error.message}` : "");
      return;
    }
  }
  show(moved);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
window.addEventListener("hashchange", () => show(true));
document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden && app.phase !== "locked" && app.phase !== "starting") {
    wait = EVERY_MS;
    refresh();
  }
});
app.workspace = currentRoute().workspace || "default";
app.chosen = currentRoute().workspace !== null;
app.tenant = currentRoute().tenant || "";
drawNav(currentRoute());
start();
