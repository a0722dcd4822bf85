// The last episodes: what each did to the state, and why.

const EPISODES_STEP = 30;
const EPISODES_MAX = 200;
const told = { list: [], decisions: [], limit: EPISODES_STEP, full: false, loaded: false };
let episodeView = null;

const episodesView = {
  name: "episodes",
  label: "Episodes",

  async load(route) {
    const newest = told.list.length ? told.list[0].episode_id : null;
    const got = await ask("recent", { ...scope(), limit: told.limit });
    const decisions = got.same ? told.decisions : got.body.decisions || [];
    const changed = !told.loaded || JSON.stringify(decisions) !== JSON.stringify(told.decisions) || (!got.same && JSON.stringify(got.body.episodes) !== JSON.stringify(told.list));
    if (changed) {
      told.decisions = decisions;
      const fresh = newest === null ? 0 : got.body.episodes.findIndex((episode) => episode.episode_id === newest);
      told.list = got.body.episodes;
      told.full = told.list.length < told.limit || told.limit >= EPISODES_MAX;
      if (told.loaded && fresh > 0) announce(`${count(fresh, "new episode")}.`);
      told.loaded = true;
    }
    return (await loadEpisode(route)) || changed;
  },

  draw(place, route) {
    if (!told.loaded) return;
    if (route.episode !== null) {
      fill(place, h("a", { class: "back always", href: address({ view: "episodes", episode: null }), "data-key": "back" }, "← All episodes"), oneEpisode(route.episode));
      return;
    }
    fill(place, h("h1", null, "Episodes"), decisionsList(),
      told.list.length
        ? [h("p", { class: "quiet" }, "One call each, newest first: what it made of which text, and why."), h("ol", { class: "episodes" }, told.list.map((episode) => h("li", null, episodeCard(episode))))]
        : emptyState(),
      told.full || !told.list.length ? null : h("button", { type: "button", class: "more", "data-key": "more", onclick: () => ((told.limit = Math.min(EPISODES_MAX, told.limit * 2)), refresh()) }, "Show more"));
  },
};

// What only the user can settle: open questions, then what was decided.
function decisionsList() {
  if (!told.decisions.length) return null;
  const open = told.decisions.filter((one) => one.state === "open").length;
  return h("details", { class: "card", "data-key": "decisions", open: open > 0 },
    h("summary", { "data-key": "decisions summary" }, `Decisions: ${open} open, ${told.decisions.length - open} made`),
    h("ul", { class: "states" }, told.decisions.map((one, n) => h("li", null,
      h("div", { class: "facts" }, badge(one.state === "open" ? "OPEN" : "MADE", one.state === "open" ? "wait" : "good"), h("code", { class: "hash" }, one.id), names(one.about, `decision ${n}`), one.at ? when(one.at) : null),
      h("p", { class: "reason" }, one.says),
      one.options ? h("ol", null, one.options.map((option) => h("li", null, option))) : h("p", { class: "reason" }, `${one.option}: ${one.chosen}`),
      one.options ? h("p", { class: "quiet" }, "Answered in its conversation by the line ", h("code", null, `decision ${one.id}: 1`)) : null))));
}

async function loadEpisode(route) {
  if (route.episode === null) {
    const had = episodeView !== null;
    episodeView = null;
    return had;
  }
  const before = JSON.stringify(episodeView);
  try {
    episodeView = (await ask(`episode/${encodeURIComponent(route.episode)}`, scope())).body;
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    episodeView = { episode_id: route.episode, missing: true };
  }
  return JSON.stringify(episodeView) !== before;
}

function oneEpisode(id) {
  if (episodeView === null || episodeView.episode_id !== id) return h("p", { class: "quiet" }, "Reading…");
  if (episodeView.missing) return h("p", { class: "notice" }, "This workspace knows no such episode.");
  const one = episodeView;
  const facts = [
    ["Began", one.started_at ? when(one.started_at) : null],
    ["Recorded", one.at ? when(one.at) : "its answer is still under way"],
    ["Call", one.call_type],
    ["Answer", one.complete === null ? null : one.complete ? `whole${one.finish ? ` (${one.finish})` : ""}` : "cut short: no evidence"],
    ["Errand of the client", one.side ? "yes: only its diffs count" : null],
    ["By", byWhom(one.by) || null],
    ["Notices", one.notices || null],
    ["Tokens injected", one.injected || null],
    ["Given to the model", one.hydrated.length ? names(one.hydrated, "hydrated") : "nothing"],
    ["In view besides", one.in_view.length ? names(one.in_view, "in view") : null],
    ["Prompt", one.prompt ? textOf(one.prompt, "prompt text") : null],
    ["Episode", h("code", null, one.episode_id)],
  ];
  return [
    h("h1", null, one.model || "Episode"),
    h("dl", { class: "pairs" }, facts.filter(([, value]) => value !== null).map(([name, value]) => [h("dt", null, name), h("dd", { class: "prose" }, value)])),
    h("h2", null, "What it did"),
    one.events.length ? h("ul", { class: "card states" }, grouped(one.events).map((rows, n) => eventGroup(rows, `event ${n}`))) : h("p", { class: "quiet" }, "No code was changed."),
  ];
}

function eventGroup(rows, key) {
  const [first] = rows;
  return h("li", null,
    h("div", { class: "facts" }, eventBadge(first), names(rows.map((row) => row.entity), key)),
    h("p", { class: "reason" }, first.says, first.reason ? [" ", h("code", null, first.reason)] : null));
}

// Neighbours that say the same, together.
function grouped(rows) {
  const groups = [];
  let last = null;
  for (const row of rows) {
    const same = `${row.verdict} ${row.event} ${row.says}`;
    if (same === last) groups[groups.length - 1].push(row);
    else groups.push([row]);
    last = same;
  }
  return groups;
}

const NAMES_MAX = 12;

function names(entities, key) {
  const link = (entity, n) => entity
    ? h("a", { class: "name", href: address({ view: "entities", entity, episode: null }), "data-key": `${key} ${n}` }, entityName(entity))
    : h("span", { class: "quiet" }, "no entity");
  const all = [...new Set(entities)];
  if (all.length <= NAMES_MAX) return h("span", { class: "names" }, all.map(link));
  return [h("span", { class: "names" }, all.slice(0, NAMES_MAX).map(link)),
    h("details", { "data-key": `${key} more` }, h("summary", { "data-key": `${key} more summary` }, `and ${(all.length - NAMES_MAX).toLocaleString()} more`), h("span", { class: "names" }, all.slice(NAMES_MAX).map((entity, n) => link(entity, n + NAMES_MAX))))];
}

function episodeCard(episode) {
  const rows = [...episode.artifact_states.filter((row) => row.verdict !== "replaced"), ...episode.dirtied.map((row) => ({ ...row, verdict: "dirty", entity: row.path }))];
  return h("article", { class: "card" },
    h("header", null,
      h("h2", null, h("a", { href: address({ view: "episodes", episode: episode.episode_id }), "data-key": `episode ${episode.episode_id}` }, cardTitle(episode, rows))),
      h("span", { class: "quiet" }, when(episode.started_at)),
      h("span", { class: "quiet" }, episode.model),
      byWhom(episode.by) ? h("span", { class: "quiet" }, byWhom(episode.by)) : null,
      episode.injected ? h("span", { class: "quiet" }, count(episode.injected, "token") + " injected") : null,
      h("code", { class: "hash", title: episode.episode_id }, episode.episode_id.slice(0, 8))),
    rows.length ? h("ul", { class: "states" }, grouped(rows).map((group, n) => eventGroup(group, `${episode.episode_id} ${n}`))) : h("p", { class: "quiet" }, "No code was changed."));
}

// What an episode is called: by what it did.
function cardTitle(episode, rows) {
  if (!rows.length) return "A question";
  const [first] = rows;
  const others = new Set(rows.map((row) => row.entity)).size - 1;
  const word = first.verdict[0].toUpperCase() + first.verdict.slice(1);
  return `${word}: ${first.entity || "code of no known file"}${others > 0 ? ` and ${others} more` : ""}`;
}

// Who made an episode, in words. A gateway of an older release does not say.
function byWhom(by) {
  if (!by) return "";
  return [by.user, by.team ? `team ${by.team}` : null, by.key ? `key ${by.key.length === 64 ? by.key.slice(0, 12) : by.key}` : null, by.client, by.model].filter(Boolean).join(", ");
}
