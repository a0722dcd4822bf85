// Two texts of an entity side by side: any version against any, a refused one against the current.

let compared = null; // the last /diff, with the versions that there are
const SAME_AROUND = 3; // unchanged lines that stay in sight around a change
const ROWS_MAX = 1000; // drawn at once
const LINE_MAX = 2000; // characters of a line that are drawn
const UNSEEN = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;
const shown = { first: 0, open: new Set() }; // of the rows: the first that is drawn, and the folds that are open

const diffView = {
  name: "diff",
  label: "Compare",

  async load(route) {
    const had = compared;
    const left = () => JSON.stringify(currentRoute()) !== JSON.stringify(route); // another pair was chosen meanwhile
    try {
      const about = (await ask("entity", { ...scope(), entity: route.entity, limit: HISTORY_MAX })).body;
      const known = versions(about);
      const to = route.to || (known[0] || {}).artifact, from = route.from || (known.find((one) => one.artifact !== to) || {}).artifact || to;
      const again = had !== null && had.entity === route.entity && had.from === from && had.to === to; // texts do not change
      const diff = again ? had.diff : (await ask("diff", { ...scope(), entity: route.entity, before_artifact: from, after_artifact: to })).body;
      if (left()) return false;
      if (!again) Object.assign(shown, { first: 0, open: new Set() });
      compared = { entity: route.entity, versions: known, from, to, diff };
      return !again || JSON.stringify(had.versions) !== JSON.stringify(known);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      if (left()) return false;
      compared = { entity: route.entity, missing: true };
      return had === null || had.entity !== route.entity || !had.missing;
    }
  },

  draw(place, route) {
    const back = h("a", { class: "back always", href: address({ view: "entities", entity: route.entity }), "data-key": "back" }, "← The entity");
    const title = h("h1", { class: "title" }, entityName(route.entity || ""));
    if (compared === null || compared.entity !== route.entity) return;
    if (compared.missing) return fill(place, back, title, h("p", { class: "notice" }, "There is no such pair of texts here. Texts are shown only where the gateway's settings say ", h("code", null, "debug: true"), ", and not once they are erased."));
    const { from, to, diff } = compared;
    fill(place, back, title,
      h("p", { class: "facts" }, versionChoice("Before", "from", from, to), versionChoice("After", "to", to, from),
        h("a", { href: address({ view: "diff", entity: route.entity, from: to, to: from }), "data-key": "swap" }, "Swap")),
      leftOut(diff),
      diff.hunks.length ? diffTable(diff, () => diffView.draw(place, route)) : h("p", { class: "notice" }, from === to ? "It is the same text twice." : "No line differs."));
  },
};

// The texts that an entity had or was offered, newest first, each with what became of it last.
function versions(about) {
  const found = new Map();
  const current = (about.current || {}).artifact;
  if (current) found.set(current, { artifact: current, verdict: about.current.freshness === "DIRTY" ? "last known" : "current", at: about.current.updated_at });
  for (const row of about.history) if (row.artifact && row.verdict && !found.has(row.artifact)) found.set(row.artifact, { artifact: row.artifact, verdict: row.verdict, at: row.at });
  return [...found.values()];
}

function versionChoice(label, name, chosen, other) {
  const known = compared.versions.some((one) => one.artifact === chosen) ? compared.versions : [{ artifact: chosen, verdict: "older", at: "" }, ...compared.versions];
  const go = (event) => (location.hash = address({ view: "diff", entity: compared.entity, [name]: event.target.value, [name === "from" ? "to" : "from"]: other }));
  return h("label", null, h("span", { class: "quiet" }, `${label} `), h("select", { "data-key": name, onchange: go },
    known.map((one) => h("option", { value: one.artifact, selected: one.artifact === chosen }, `${one.verdict} ${one.at ? age(one.at) : ""} ${one.artifact.slice(0, 8)}`))));
}

function diffTable(diff, redraw) {
  const old = codeLines(diff.before), now = codeLines(diff.after);
  const rows = diffRows(diff.hunks, old.length, now.length), seen = rows.slice(shown.first, shown.first + ROWS_MAX);
  const drawn = seen.map(([kind, a, b]) => (kind === "fold" ? foldRow(a, b, redraw) : h("tr", { class: kind }, diffCells(old, a, "old", "−"), diffCells(now, b, "new", "+"))));
  return [h("div", { class: "code diff", tabindex: "0", role: "region", "aria-label": "The two texts", "data-scroll": "diff", "data-key": "diff" },
    h("table", null, h("colgroup", null, ["n", "", "n", ""].map((name) => h("col", { class: name }))), h("thead", { class: "hidden" }, h("tr", null, ["Line", "Before", "Line", "After"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", null, drawn))),
    rows.length > ROWS_MAX ? rowsChoice(rows.length, redraw) : null];
}

function rowsChoice(all, redraw) {
  const end = Math.min(all, shown.first + ROWS_MAX);
  const go = (by) => {
    shown.first += by;
    redraw();
    document.querySelector(".diff").focus();
  };
  const button = (words, by, disabled) => h("button", { type: "button", class: "small", "data-key": words, disabled, onclick: () => go(by) }, words);
  return h("p", { class: "facts" }, h("span", { class: "quiet" }, `Rows ${(shown.first + 1).toLocaleString()} to ${end.toLocaleString()} of ${all.toLocaleString()}`),
    button("Earlier rows", -ROWS_MAX, shown.first === 0), button("Later rows", ROWS_MAX, end === all));
}

// The rows: a line of each text by its number, null where there is none, or so many unchanged ones behind a line.
function diffRows(hunks, olds, news) {
  const rows = [];
  const same = (a, end, b) => {
    for (; a < end; a += 1, b += 1) rows.push(["same", a, b]);
  };
  let [a, b] = [0, 0];
  for (const [from, to, start, end] of [...hunks, [olds, olds, news, news]]) {
    const first = a === 0 ? 0 : SAME_AROUND, last = from === olds && to === from ? 0 : SAME_AROUND;
    const hidden = shown.open.has(a) ? 0 : from - a - first - last;
    if (hidden > 1) {
      same(a, a + first, b);
      rows.push(["fold", a, hidden]);
      same(from - last, from, start - last);
    } else same(a, from, b);
    for (let n = 0; n < Math.max(to - from, end - start); n += 1) rows.push(["changed", from + n < to ? from + n : null, start + n < end ? start + n : null]);
    [a, b] = [to, end];
  }
  return rows;
}

function foldRow(at, hidden, redraw) {
  const unfold = () => (shown.open.add(at), redraw());
  return h("tr", { class: "fold" }, h("td", { colspan: 4 }, h("button", { type: "button", class: "small", "data-key": `fold ${at}`, onclick: unfold }, `Show ${count(hidden, "unchanged line")}`)));
}

function diffCells(lines, n, side, sign) {
  if (n === null) return [h("td", { class: `n ${side} none` }), h("td", { class: `${side} none` })];
  return [h("td", { class: `n ${side}` }, String(n + 1)), h("td", { class: side, "data-sign": sign }, h("code", null, lineNodes(lines[n])))];
}

// A text's lines, each in parts with their kinds. Where the pieces end early, the rest is plain.
function codeLines({ text, pieces }) {
  const lines = [[]];
  const put = (part, kind) => {
    for (const [n, line] of part.split("\n").entries()) {
      if (n) lines.push([]);
      if (line) lines[lines.length - 1].push([line, kind]);
    }
  };
  let at = 0;
  for (const [length, kind] of pieces) put(text.slice(at, (at += length)), kind);
  put(text.slice(at), "");
  if (!lines[lines.length - 1].length) lines.pop();
  return lines;
}

function lineNodes(parts) {
  const nodes = [];
  let left = LINE_MAX;
  for (const [part, kind] of parts) {
    if (left > 0) nodes.push(h("span", { class: kind ? `code-${kind}` : null }, spelled(part.slice(0, left))));
    left -= part.length;
  }
  return [nodes, left < 0 ? h("span", { class: "unseen" }, `${count(-left, "character")} more`) : null];
}

// What nobody can see in a text, and what turns its direction, by its number: a diff must not deceive.
function spelled(text) {
  const number = (sign) => `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return text.split(UNSEEN).map((part, n) => (n % 2 ? h("span", { class: "unseen" }, number(part)) : part));
}

// What of the two texts is not here, or not in colours.
function leftOut({ before, after }) {
  const plain = ({ text, pieces }) => pieces.length > 0 && pieces.reduce((sum, [length]) => sum + length, 0) < text.length;
  return [before.cut || after.cut ? h("p", { class: "notice" }, "These texts are long: the first 20,000 lines of each are compared, and no more than 1,000,000 characters.") : null,
    plain(before) || plain(after) ? h("p", { class: "quiet" }, "Of a long text the beginning is coloured.") : null];
}

// A link from a row of a history to what it changed: a text beside the one before it, or, refused, beside the current.
// Where the current one is not known, as in an episode, the comparison finds it.
function diffLink(row, view, key) {
  const adopted = row.verdict === "adopted";
  const from = adopted ? row.replaces : (view.current || {}).artifact;
  if (!row.artifact || !view.entity || from === row.artifact || (!from && (adopted || row.verdict !== "refused"))) return null;
  return h("a", { href: address({ view: "diff", entity: view.entity, episode: null, from: from || null, to: row.artifact }), "data-key": `${key} diff` }, adopted ? "what changed" : "against the current");
}
