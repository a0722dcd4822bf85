// Where the workspace stands: for people who come back to it.

let resumed = null; // the last /resume
const DONE = { promote: "changed", tombstone: "removed", dirty: "DIRTY" };

const resumeView = {
  name: "resume",
  label: "Resume",

  async load() {
    const before = JSON.stringify(resumed);
    resumed = (await ask("resume", scope())).body;
    return JSON.stringify(resumed) !== before;
  },

  draw(place) {
    if (resumed === null) return;
    const at = resumed.checkpoint;
    const changed = resumed.changed.map((row) => [entityLink(row.path, row.path), h("span", { class: "quiet" }, DONE[row.event] || row.event), when(row.at)]);
    fill(place, h("h1", null, "Resume"),
      resumed.head.at ? h("p", { class: "facts" }, h("span", null, `After event ${resumed.head.seq.toLocaleString()}`), when(resumed.head.at)) : h("p", { class: "quiet" }, "Nothing is known in this workspace yet."),
      standing("Tests and checks", resumed.reported.map((row) => [badge(row.verdict.toUpperCase(), row.verdict === "green" ? "good" : "bad"), h("span", null, row.tool),
        h("span", { class: "quiet" }, Object.entries(row.counts).map(([name, n]) => `${n} ${name}`).join(", ")), when(row.at)]),
        resumed.green ? h("p", null, "Tests were last green after event ", h("code", null, String(resumed.green.seq)), ", ", when(resumed.green.at), ".") : null),
      standing(["Changed ", at ? ["since the checkpoint, ", when(at.at)] : "lately"], changed),
      standing("Waits for authority", resumed.waiting.map((name) => [entityLink(name, name)])),
      standing("Text unknown (DIRTY)", resumed.dirty.map((name) => [entityLink(name, name)])),
      standing("Stale, or pending, by what it uses", resumed.stale.map((name) => [entityLink(name, name)])),
      standing("To be decided", resumed.decisions.map((row) => [h("span", null, row.says), h("code", null, `decision ${row.id}: 1`)])),
      standing("Decided", resumed.stated.map((row) => [h("span", null, row.says), when(row.at)])),
      standing("Failed since", resumed.errors.map((row) => [h("span", null, row.tool), h("span", { class: "quiet" }, row.paths.join(", ")), h("span", null, row.says || ""), when(row.at)])));
  },
};

function standing(title, rows, more) {
  if (!rows.length) return null;
  return h("section", null, h("h2", null, title), h("ul", { class: "history" }, rows.map((row) => h("li", null, h("div", { class: "facts" }, row)))), more);
}
