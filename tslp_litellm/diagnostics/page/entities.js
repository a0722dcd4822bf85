// The current entities by file, and one entity's text and history.

const ROWS_STEP = 150;
const PAGE = 2000; // names of the State Map that are asked for at a time: the gateway has others to serve
const OPEN_UP_TO = 40; // so few entities are all shown at once
const listed = { filter: "", sort: "path", only: "all", rows: ROWS_STEP, open: new Set(), pending: null };
const TYPED_MS = 400; // after so long without another key, the filter is in the link, too
let stateMap = null; // the last /state
let files = []; // its entities by file
let entityView = null; // the last /entity, and what was asked for
const HISTORY_STEP = 50;
const HISTORY_MAX = 200;
let historyLimit = HISTORY_STEP;
const texts = new Map(); // artifact -> text, null where it is not to be had
const TEXTS_MAX = 50;

function byFile(state) {
  const found = new Map();
  const at = (path) => {
    if (!found.has(path)) found.set(path, { path, whole: null, symbols: [], newest: "", dirty: false });
    return found.get(path);
  };
  for (const row of state.entities) {
    const [path, symbol] = split(row.entity);
    const file = at(path);
    if (symbol === null) file.whole = row;
    else file.symbols.push({ ...row, symbol });
    if (row.updated_at > file.newest) file.newest = row.updated_at;
    file.dirty ||= row.freshness === "DIRTY";
  }
  return [...found.values()];
}

// A large State Map comes in pages; the first one's ETag stands for all of them.
async function wholeState(first, whose) {
  const whole = { ...first, entities: [...first.entities], tombstones: [...first.tombstones] };
  for (let after = first.next; after; ) {
    const { body } = await ask("state", { ...whose, limit: PAGE, after });
    for (const row of body.entities) whole.entities.push(row);
    for (const row of body.tombstones) whole.tombstones.push(row);
    after = body.next;
  }
  return whole;
}

const entitiesView = {
  name: "entities",
  label: "Entities",

  async load(route) {
    const whose = scope();
    const got = await ask("state", { ...whose, limit: PAGE });
    const changed = stateMap === null || !got.same;
    if (changed) {
      const whole = await wholeState(got.body, whose);
      if (whose.workspace !== app.workspace || whose.tenant !== app.tenant) return false; // another one was chosen
      stateMap = whole;
      files = byFile(stateMap);
      offerWorkspaces(stateMap.workspaces, stateMap.alike, !stateMap.entities.length);
    }
    return (await loadEntity(route)) || changed;
  },

  draw(place, route) {
    if (stateMap === null) return;
    if (!stateMap.entities.length && !stateMap.tombstones.length) {
      fill(place, h("h1", null, "Entities"), emptyState());
      return;
    }
    if (!place.querySelector(".split")) {
      fill(place, h("h1", { class: "hidden" }, "Entities"), h("div", { class: "split" }, listPane(), h("section", { class: "detail", id: "detail", "aria-label": "Entity" })));
    }
    setControls();
    place.querySelector(".split").classList.toggle("chosen", route.entity !== null);
    drawList(route);
    if (wantsFilter) toFilter();
    fill(document.getElementById("detail"), entityDetail(route));
  },
};

// The controls as the link says, and the link as the controls say.
function setControls() {
  for (const [id, name] of [["filter", "filter"], ["only", "only"], ["sort", "sort"]]) {
    const control = document.getElementById(id);
    if (control !== document.activeElement && control.value !== listed[name]) control.value = listed[name];
  }
}

function link() {
  listed.pending = null;
  const { filter, only, sort } = listed;
  const to = address({ entity: currentRoute().entity, q: filter, only: only === "all" ? null : only, sort: sort === "path" ? null : sort });
  if (currentRoute().view === entitiesView && to !== location.hash) location.replace(to);
}

function listPane() {
  const redraw = () => {
    listed.rows = ROWS_STEP;
    clearTimeout(listed.pending);
    listed.pending = setTimeout(link, TYPED_MS);
    drawList(currentRoute());
  };
  const choice = (label, name, options) =>
    h("label", null, h("span", { class: "hidden" }, label), h("select", { id: name, "data-key": name, onchange: (e) => ((listed[name] = e.target.value), redraw()) },
      options.map(([value, words]) => h("option", { value, selected: listed[name] === value }, words))));
  return h("section", { class: "list", "aria-label": "All entities" },
    h("div", { class: "controls", role: "search" },
      h("label", { class: "grow" }, h("span", { class: "hidden" }, "Filter by path or name"),
        h("input", { id: "filter", type: "search", placeholder: "Filter by path or name", autocomplete: "off", spellcheck: "false", "data-key": "filter", value: listed.filter,
          oninput: (e) => ((listed.filter = e.target.value), redraw()) })),
      choice("Show", "only", [["all", "All"], ["DIRTY", "Dirty"], ["removed", "Removed"]]),
      choice("Order", "sort", [["path", "By path"], ["newest", "Newest first"]])),
    h("p", { class: "quiet count", id: "found", "aria-live": "polite" }),
    h("div", { id: "rows" }));
}

function drawList(route) {
  const words = listed.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (entity) => words.every((word) => entity.toLowerCase().includes(word));
  if (listed.only === "removed") return drawRemoved(fits, route);
  const wanted = (row) => (listed.only === "all" || row.freshness === listed.only) && fits(row.entity);
  const narrowed = words.length > 0 || listed.only !== "all";
  const opening = narrowed || stateMap.entities.length <= OPEN_UP_TO;
  const found = [];
  let entities = 0;
  for (const file of files) {
    const symbols = narrowed ? file.symbols.filter(wanted) : file.symbols;
    const whole = file.whole !== null && wanted(file.whole);
    if (!whole && !symbols.length) continue;
    entities += symbols.length + (whole ? 1 : 0);
    found.push({ ...file, symbols, opened: symbols.length > 0 && (listed.open.has(file.path) || (opening && !listed.open.has(`-${file.path}`))) });
  }
  if (listed.sort === "newest") found.sort((a, b) => (a.newest < b.newest ? 1 : a.newest > b.newest ? -1 : 0));
  document.getElementById("found").textContent = `${count(entities, "entity", "entities")} in ${count(found.length, "file")}${narrowed ? " found" : ""}`;
  const rows = [];
  let left = listed.rows;
  for (const file of found) {
    if (left <= 0) break;
    const symbols = file.opened ? file.symbols.slice(0, Math.max(0, left - 1)) : [];
    left -= 1 + symbols.length;
    rows.push(fileRow(file, symbols, route));
  }
  fill(document.getElementById("rows"),
    found.length ? h("ul", { class: "files" }, rows) : h("p", { class: "quiet nothing" }, "Nothing fits the filter."),
    left <= 0 ? moreButton(route) : null);
}

function moreButton(route) {
  return h("button", { type: "button", class: "more", "data-key": "more", onclick: () => ((listed.rows += ROWS_STEP * 2), drawList(route)) }, "Show more");
}

function fileRow(file, symbols, route) {
  const toggle = () => {
    const [mine, other] = file.opened ? [`-${file.path}`, file.path] : [file.path, `-${file.path}`];
    listed.open.delete(other);
    listed.open.add(mine);
    drawList(currentRoute());
  };
  const n = file.symbols.length;
  return h("li", null,
    h("div", { class: "row" },
      n ? h("button", { type: "button", class: "toggle", "aria-expanded": String(file.opened), "aria-label": `Definitions in ${file.path}`, "data-key": `toggle ${file.path}`, onclick: toggle }, file.opened ? "▾" : "▸")
        : h("span", { class: "toggle", "aria-hidden": "true" }),
      entityLink(file.path, file.path, route, file.whole === null),
      n ? h("span", { class: "n quiet" }, n.toLocaleString(), h("span", { class: "hidden" }, n === 1 ? " definition" : " definitions")) : null,
      file.dirty ? freshness("DIRTY") : null,
      h("span", { class: "age quiet" }, when(file.newest))),
    symbols.length ? h("ul", { class: "symbols" }, symbols.map((row) => h("li", null, h("div", { class: "row" },
      entityLink(row.entity, row.symbol, route),
      row.freshness === "DIRTY" ? freshness("DIRTY") : null,
      h("span", { class: "age quiet" }, when(row.updated_at)))))) : null);
}

function entityLink(entity, words, route, plain) {
  if (plain) return h("bdi", { class: "name" }, words);
  return h("a", { class: "name", href: address({ view: "entities", entity }), "data-key": `entity ${entity}`, "data-row": route ? true : null, "aria-current": route && route.entity === entity ? "true" : null }, h("bdi", null, words));
}

function drawRemoved(fits, route) {
  const found = stateMap.tombstones.filter((row) => fits(row.entity));
  document.getElementById("found").textContent = `${count(found.length, "entity", "entities")} removed`;
  fill(document.getElementById("rows"),
    found.length
      ? h("ul", { class: "files" }, found.slice(0, listed.rows).map((row) => h("li", null, h("div", { class: "row" },
          entityLink(row.entity, row.entity, route), verdictBadge("removed"), h("span", { class: "age quiet" }, when(row.since))))))
      : h("p", { class: "quiet nothing" }, "Nothing was removed lately."),
    found.length > listed.rows ? moreButton(route) : null);
}

// -- one entity

async function loadEntity(route) {
  if (route.entity === null) {
    const had = entityView !== null;
    entityView = null;
    return had;
  }
  let body;
  try {
    if (entityView === null || entityView.entity !== route.entity) historyLimit = HISTORY_STEP;
    body = (await ask("entity", { ...scope(), entity: route.entity, limit: historyLimit, at: route.at })).body;
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    body = { entity: route.entity, missing: true };
  }
  const before = entityView;
  entityView = body;
  return before === null || JSON.stringify(before) !== JSON.stringify(body);
}

function entityDetail(route) {
  if (route.entity === null) return h("p", { class: "quiet nothing" }, "Choose an entity to see its text and its history.");
  const back = h("a", { class: "back", href: address({ view: "entities", entity: null }), "data-key": "back" }, "← All entities");
  const title = h("h2", { class: "title", tabindex: "-1", id: "entity-title" }, entityName(route.entity));
  if (entityView === null || entityView.entity !== route.entity) return [back, title, h("p", { class: "quiet" }, "Reading…")];
  if (entityView.missing) return [back, title, h("p", { class: "notice" }, "This workspace knows nothing of that name. It may have left the list of removed entities, or belong to another workspace.")];
  const current = entityView.current;
  return [
    back,
    title,
    timeSlider(entityView, route),
    current ? currentFacts(current) : entityView.tombstone ? h("p", { class: "facts" }, verdictBadge("removed"), entityView.tombstone.since ? when(entityView.tombstone.since) : null, short(entityView.tombstone.artifact)) : null,
    whyLine(entityView),
    usesList(entityView, route),
    current ? currentText(current) : null,
    historyList(entityView.history || []),
  ];
}

function currentFacts(current) {
  return h("p", { class: "facts" }, freshness(current.freshness),
    current.source ? h("span", { class: "quiet" }, `Confirmed via ${current.source}`) : null,
    current.updated_at ? h("span", { class: "quiet" }, "since ", when(current.updated_at)) : null,
    short(current.artifact), copyButton(current.artifact, "artifact hash"));
}

function whyLine(view) {
  return view.why ? h("p", { class: "why" }, view.why) : null;
}

const USES_WORDS = { pending: "Its current text is not known", stale: "Its interface is another than when this text was last confirmed, or it is gone" };

// What it uses and what uses it. A gateway of an older release does not say.
function usesList(view, route) {
  const uses = view.uses || [], usedBy = view.used_by || [];
  if (!uses.length && !usedBy.length) return null;
  const rows = uses.map((use) => h("li", null,
    h("div", { class: "facts" }, entityLink(use.entity, use.entity, route), use.standing === "ok" ? null : badge(use.standing.toUpperCase(), "bad", USES_WORDS[use.standing]), h("span", { class: "quiet" }, use.route)),
    use.signature ? h("code", null, use.signature) : null,
    use.before ? h("p", { class: "quiet" }, "It was: ", h("code", null, use.before)) : null));
  return h("section", null, h("h3", null, "Uses"),
    uses.length ? h("ul", { class: "history" }, rows) : h("p", { class: "quiet" }, "It uses nothing known."),
    usedBy.length ? h("p", null, "Used by ", usedBy.map((name, n) => [n ? ", " : null, entityLink(name, name, route)])) : null);
}

function currentText(current) {
  if (current.freshness === "DIRTY") {
    return [h("p", { class: "notice" }, "The file is known to have changed, but not into what. This is the last text that was known; it is not given to a model."), current.text === undefined ? null : code(current.text, "Last known text", "text")];
  }
  if (typeof current.text !== "string") {
    return h("p", { class: "notice" }, "Texts are shown only where the gateway's settings say ", h("code", null, "debug: true"), ".");
  }
  const lines = current.text.split("\n").length - (current.text.endsWith("\n") ? 1 : 0);
  return h("section", null, h("div", { class: "bar" }, h("h3", null, "Current text"), h("span", { class: "quiet" }, count(lines, "line")), copyButton(current.text, "text")), code(current.text, "Current text", "text"));
}

function historyList(history) {
  if (!history.length) return null;
  const more = history.length >= historyLimit && historyLimit < HISTORY_MAX;
  return h("section", null, h("div", { class: "bar" }, h("h3", null, "History"), versions(entityView).length > 1 ? h("a", { href: address({ view: "diff", entity: entityView.entity }), "data-key": "compare" }, "Compare versions") : null), h("ol", { class: "history", reversed: true }, history.map(historyRow)),
    more ? h("button", { type: "button", class: "more", "data-key": "older", onclick: () => ((historyLimit = HISTORY_MAX), refresh()) }, "Show older") : null);
}

function eventBadge(row) {
  return verdictBadge(row.verdict || row.event);
}

function historyRow(row) {
  const key = `history ${row.seq} ${row.event} ${row.artifact || ""}`;
  return h("li", null,
    h("div", { class: "facts" }, eventBadge(row), h("a", { href: address({ entity: entityView.entity, at: row.seq }), "data-key": `${key} at`, "data-row": true, title: "As it was then" }, when(row.at)),
      row.reason ? h("code", { class: "quiet" }, row.reason) : null,
      row.episode_id ? h("a", { href: address({ view: "episodes", entity: null, episode: row.episode_id }), "data-key": `${key} episode`, "aria-label": `Episode ${row.episode_id.slice(0, 8)}` }, "episode") : null,
      diffLink(row, entityView, key),
      byWhom(row.by) ? h("span", { class: "quiet" }, byWhom(row.by)) : null),
    h("p", { class: "reason" }, row.says),
    row.artifact && row.artifact !== (entityView.current || {}).artifact ? textOf(row.artifact, `${key} text`, entityView.entity) : null);
}

// An earlier text, fetched when it is opened.
function textOf(artifact, key, entity) {
  const inside = h("div", null);
  const show = () => {
    const text = texts.get(artifact);
    if (text !== undefined) fill(inside, text === null ? h("p", { class: "quiet" }, "The gateway does not show this text (debug is off).") : code(text, `Text ${artifact.slice(0, 12)}`, `${key} code`));
  };
  const details = h("details", { class: "old", "data-key": key, ontoggle: async () => {
    if (!details.open || texts.has(artifact)) return;
    try {
      const { body } = await ask(`artifact/${encodeURIComponent(artifact)}`, { ...scope(), entity });
      keepText(artifact, body.text);
    } catch (error) {
      if (!(error instanceof Missing)) {
        fill(inside, h("p", { class: "quiet" }, `The text can't be read just now (${error.message}).`));
        return;
      }
      keepText(artifact, null);
    }
    show();
  } }, h("summary", { "data-key": `${key} summary` }, "Text ", h("code", { class: "hash" }, artifact.slice(0, 12))), inside);
  show();
  return details;
}

function keepText(artifact, text) {
  if (texts.size >= TEXTS_MAX) texts.delete(texts.keys().next().value);
  texts.set(artifact, text);
}

function emptyState() {
  const base = new URL("../v1", document.baseURI.split("#")[0]).href;
  return h("section", { class: "notice empty" },
    h("h2", null, "Nothing here yet"),
    h("p", null, "This workspace has heard no code. Point a coding client at this gateway, and what it reads and writes appears here by itself:"),
    h("dl", { class: "pairs" }, h("dt", null, "Base URL"), h("dd", null, h("code", null, base)), h("dt", null, "Key"), h("dd", { class: "prose" }, "the one that you use for this gateway")),
    h("p", null, "Or try it without a client:"),
    h("pre", { class: "code", tabindex: "0", role: "region", "aria-label": "An example request" }, h("code", null, exampleRequest(base))),
    h("p", { class: "quiet" }, "Clients that state their working directory get a workspace of that name; choose it above once it is there."));
}

function exampleRequest(base) {
  return [
    `curl ${base}/chat/completions \\`,
    `  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\`,
    `  -H "x-tslp-workspace: ${app.workspace.replace(/[^\w./-]/g, "_")}" \\`,
    `  -d '{"model": "MODEL", "messages": [{"role": "user", "content":`,
    `       "hello.py\\n\`\`\`python\\ndef hello():\\n    return 1\\n\`\`\`\\nExplain it."}]}'`,
  ].join("\n");
}
