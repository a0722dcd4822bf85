// What TSLP did in the workspace lately, in figures; each leads to where it can be looked at.

let figures = null; // the last /overview
const SPARK_DAYS = 30;

const overviewView = {
  name: "overview",
  label: "Overview",

  async load() {
    const got = await ask("overview", scope());
    if (got.same && figures !== null) return false;
    figures = got.body;
    const names = [...figures.workspaces].sort((a, b) => b.episodes - a.episodes).map((one) => one.workspace);
    offerWorkspaces(names, figures.alike, !figures.episodes && !figures.clean && !figures.dirty);
    return true;
  },

  draw(place) {
    if (figures === null) return;
    if (!figures.episodes && !figures.clean && !figures.dirty && !figures.removed) {
      fill(place, h("h1", null, "Overview"), emptyState(), workspacesTable());
      return;
    }
    const { tests } = figures;
    fill(place, h("h1", null, "Overview"),
      h("p", { class: "quiet" }, figures.since ? [figures.cut ? `The newest ${count(figures.episodes, "episode")}, since ` : `The last ${SPARK_DAYS} days, since `, when(figures.since), "; days are UTC."] : "Nothing was asked in the last 30 days."),
      h("ul", { class: "tiles" },
        tile("Episodes", figures.episodes, "episodes", address({ view: "episodes", entity: null }), `${count(figures.given, "prompt")} had current code in front`),
        tile("Tokens put in front", figures.injected, "injected", null, windowWords(figures)),
        tile("Texts refused", figures.refused.reduce((sum, row) => sum + row.count, 0), "refused", null, `kept out: ${count(figures.collapses, "collapse")}, ${count(figures.losses, "loss", "losses")}`),
        tile("Green runs of tests", tests.green, "green", address({ view: "resume", entity: null }), `and ${tests.red.toLocaleString()} red`),
        tile("Entities", figures.clean + figures.dirty, null, address({ view: "entities", entity: null }), [
          h("a", { href: address({ view: "entities", entity: null, only: "DIRTY" }), "data-key": "dirty" }, `${figures.dirty.toLocaleString()} DIRTY`), ", ",
          h("a", { href: address({ view: "resume", entity: null }), "data-key": "stale" }, `${figures.stale.toLocaleString()} stale`), ", ",
          h("a", { href: address({ view: "entities", entity: null, only: "removed" }), "data-key": "removed" }, `${figures.removed.toLocaleString()} removed`)])),
      figures.refused.length ? h("section", null, h("h2", null, "Refused, by reason"), h("ul", { class: "history" }, figures.refused.map((row) => h("li", null, h("div", { class: "facts" }, h("strong", null, row.count.toLocaleString()), h("code", { class: "quiet" }, row.reason)), h("p", { class: "reason" }, row.says))))) : null,
      figures.clients.length ? figuresTable("By client", ["Client", "Episodes", "Tokens put in front"], figures.clients.map((row) => [row.client || h("span", { class: "quiet" }, "not said"), row.episodes, row.injected])) : null,
      workspacesTable());
  },
};

function windowWords({ share, left_out: leftOut, too_long: tooLong }) {
  const taken = share === null ? [] : [`${(share * 100).toFixed(1)} % of the windows that they went into`];
  const out = leftOut || tooLong ? `${count(leftOut, "token")} left out to fit the window; ${count(tooLong, "request")} still too long` : "nothing was left out to fit the window";
  return [...taken, out].join("; ");
}

function tile(label, value, day, href, more) {
  const words = h("span", { class: "quiet" }, label);
  return h("li", { class: "card" }, h("h2", null, h("span", { class: "figure" }, value.toLocaleString()), " ", href ? h("a", { href, "data-key": `tile ${label}` }, label) : words),
    day ? spark(figures.days, day, label) : null, h("p", { class: "quiet" }, more));
}

// A bar a day. Its words say the same to who does not see it.
function spark(days, name, label) {
  const values = new Map(days.map((row) => [row.day, row[name]]));
  const today = Date.now() + clockOffset;
  const row = Array.from({ length: SPARK_DAYS }, (_, n) => values.get(new Date(today - (SPARK_DAYS - 1 - n) * 864e5).toISOString().slice(0, 10)) || 0);
  const most = Math.max(1, ...row);
  return svg("svg", { class: "spark", preserveAspectRatio: "none", viewBox: `0 0 ${SPARK_DAYS * 4} 24`, role: "img", "aria-label": `${label} a day, ${SPARK_DAYS} days: ${row.join(", ")}` },
    row.map((value, n) => svg("rect", { x: n * 4, width: 3, height: value ? Math.max(2, (value / most) * 24) : 1, y: 24 - (value ? Math.max(2, (value / most) * 24) : 1), class: value ? "" : "none" })));
}

function figuresTable(title, heads, rows) {
  return h("section", null, h("h2", null, title), h("table", { class: "figures" },
    h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", null, rows.map((row) => h("tr", null, row.map((cell, n) => (n ? h("td", null, cell.toLocaleString()) : h("th", { scope: "row" }, h("bdi", { class: "name" }, cell)))))))));
}

function workspacesTable() {
  if (figures.workspaces.length < 2) return null;
  const found = [...figures.workspaces].sort((a, b) => b.episodes - a.episodes).slice(0, 20);
  return figuresTable(found.length < figures.workspaces.length ? "Workspaces, the 20 with the most episodes" : "Workspaces", ["Workspace", "Episodes ever"],
    found.map((row) => [h("a", { href: address({ view: "overview", workspace: row.workspace }), "data-key": `workspace ${row.workspace}`, "aria-current": row.workspace === app.workspace ? "true" : null }, row.workspace), row.episodes]));
}
