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

// An episode as a story: what was asked, what stood in front of it and why, what was left out, and what came of it.
function oneEpisode(id) {
  if (episodeView === null || episodeView.episode_id !== id) return h("p", { class: "quiet" }, "Reading…");
  if (episodeView.missing) return h("p", { class: "notice" }, "This workspace knows no such episode.");
  const one = episodeView;
  const rows = one.events.filter((row) => row.verdict !== "replaced");
  const facts = [
    ["Began", one.started_at ? when(one.started_at) : null],
    ["Model", one.model],
    ["Call", one.call_type],
    ["Errand of the client", one.side ? "yes: only its diffs count" : null],
    ["By", byWhom(one.by) || null],
    ["Episode", h("code", null, one.episode_id)],
  ];
  return [
    h("h1", null, cardTitle(one, rows)),
    h("h2", null, "You asked"),
    one.words ? h("blockquote", { class: "plain card" }, one.words) : h("p", { class: "quiet" }, one.prompt ? ["Prompts are shown only where the gateway's settings say ", h("code", null, "debug: true"), "."] : "There were no words of a user's own."),
    h("h2", null, one.injected ? `In front of it: ${count(one.injected, "token")}` : "Nothing stood in front of it"),
    one.front.length ? h("ul", { class: "card states" }, one.front.map((block, n) => h("li", null, h("div", { class: "facts" }, names([block.entity], `front ${n}`), block.tokens === null ? null : h("span", { class: "quiet" }, count(block.tokens, "token")), h("span", null, block.says))))) : null,
    (one.said || []).map((text) => h("pre", { class: "plain card" }, text)),
    one.in_view.length || one.fit ? h("h2", null, "Left out") : null,
    one.in_view.length ? [h("p", null, "The request showed these already, so they were not put in front of it once more:"), h("p", null, names(one.in_view, "in view"))] : null,
    one.fit ? h("p", null, one.fit) : null,
    h("h2", null, "What came of the answer"),
    one.complete === null ? h("p", null, "It is still under way.") : one.complete ? null : h("p", null, "It was cut short, and is no evidence."),
    rows.length ? h("ul", { class: "card states" }, grouped(rows).map((group, n) => eventGroup(group, `event ${n}`))) : h("p", null, "No code was changed."),
    h("h2", null, "Details"),
    h("dl", { class: "pairs" }, facts.filter(([, value]) => value !== null).map(([name, value]) => [h("dt", null, name), h("dd", { class: "prose" }, value)])),
  ];
}

function eventGroup(rows, key) {
  const [first] = rows;
  return h("li", null,
    h("div", { class: "facts" }, eventBadge(first), names(rows.map((row) => row.entity), key), diffLink(first, first, key)),
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
      h("h2", null, h("a", { href: address({ view: "episodes", episode: episode.episode_id }), "data-key": `episode ${episode.episode_id}`, "data-row": true }, cardTitle(episode, rows))),
      h("span", { class: "quiet" }, when(episode.started_at)),
      h("span", { class: "quiet" }, episode.model),
      byWhom(episode.by) ? h("span", { class: "quiet" }, byWhom(episode.by)) : null,
      episode.injected ? h("span", { class: "quiet" }, count(episode.injected, "token") + " injected") : null,
      h("code", { class: "hash", title: episode.episode_id }, episode.episode_id.slice(0, 8))),
    episode.front.length ? h("p", { class: "facts" }, h("span", { class: "quiet" }, "In front of it:"), names(episode.front.map((block) => block.entity), `${episode.episode_id} front`)) : null,
    rows.length ? h("ul", { class: "states" }, grouped(rows).map((group, n) => eventGroup(group, `${episode.episode_id} ${n}`))) : h("p", { class: "quiet" }, "No code was changed."));
}

// What an episode is called: by the words of its prompt where they are shown, else by what it did.
function cardTitle(episode, rows) {
  const line = (episode.words || "").split("\n")[0];
  if (line) return line.length > 90 ? `${line.slice(0, 90)}…` : line;
  if (!rows.length) return "No code was changed";
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
