// The last episodes: what each did to the state, and why.

const EPISODES_STEP = 30;
const EPISODES_MAX = 200;
const told = { list: [], limit: EPISODES_STEP, full: false, loaded: false };
let episodeView = null;

const episodesView = {
  name: "episodes",
  label: "Episodes",

  async load(route) {
    const newest = told.list.length ? told.list[0].episode_id : null;
    const got = await ask("recent", { ...scope(), limit: told.limit });
    const changed = !told.loaded || (!got.same && JSON.stringify(got.body.episodes) !== JSON.stringify(told.list));
    if (changed) {
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
    fill(place, h("h1", null, "Episodes"),
      told.list.length
        ? [h("p", { class: "quiet" }, "One call each, newest first: what it made of which text, and why."), h("ol", { class: "episodes" }, told.list.map((episode) => h("li", null, episodeCard(episode, "h2"))))]
        : emptyState(),
      told.full || !told.list.length ? null : h("button", { type: "button", class: "more", "data-key": "more", onclick: () => ((told.limit = Math.min(EPISODES_MAX, told.limit * 2)), refresh()) }, "Show more"));
  },
};

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
    episodeView = told.list.find((episode) => episode.episode_id === route.episode) || { episode_id: route.episode, missing: true };
  }
  return JSON.stringify(episodeView) !== before;
}

function oneEpisode(id) {
  if (episodeView === null || episodeView.episode_id !== id) return h("p", { class: "quiet" }, "Reading…");
  if (episodeView.missing) return h("p", { class: "notice" }, "This workspace knows no such episode.");
  return [episodeCard(episodeView, "h1"), episodeFacts(episodeView)];
}

const EPISODE_KNOWN = new Set(["episode_id", "started_at", "model", "entities", "artifact_states", "tenant", "workspace"]);

// Whatever else the gateway tells of an episode, name by name.
function episodeFacts(episode) {
  const rows = Object.entries(episode).filter(([name, value]) => !EPISODE_KNOWN.has(name) && value !== null);
  if (!rows.length) return null;
  return h("section", null, h("h2", null, "More about it"), h("dl", { class: "pairs" }, rows.map(([name, value]) => [h("dt", null, name), h("dd", null, plainValue(value))])));
}

function plainValue(value) {
  if (Array.isArray(value)) {
    if (!value.length) return "none";
    return h("ul", { class: "plain" }, value.map((part) => h("li", null, typeof part === "object" ? h("code", null, JSON.stringify(part)) : String(part))));
  }
  return typeof value === "object" ? h("code", null, JSON.stringify(value)) : String(value);
}

function episodeCard(episode, heading) {
  const states = episode.artifact_states || [];
  return h("article", { class: "card" },
    h("header", null,
      h(heading, null, h("a", { href: address({ view: "episodes", episode: episode.episode_id }), "data-key": `episode ${episode.episode_id}` }, episode.model || "a model")),
      h("span", { class: "quiet" }, when(episode.started_at)),
      h("code", { class: "hash", title: episode.episode_id }, String(episode.episode_id).slice(0, 8))),
    states.length ? h("ul", { class: "states" }, states.map((row, n) => stateRow(row, `${episode.episode_id} ${n}`))) : h("p", { class: "quiet" }, "It changed nothing."));
}

function stateRow(row, key) {
  return h("li", null,
    h("div", { class: "facts" }, stateBadge(row.state),
      row.entity ? h("a", { class: "name", href: address({ view: "entities", entity: row.entity, episode: null }), "data-key": `${key} entity` }, entityName(row.entity)) : h("span", { class: "quiet" }, "no entity"),
      row.confidence ? h("span", { class: "quiet", title: MEANINGS[row.confidence] }, row.confidence.toLowerCase()) : null,
      short(row.artifact)),
    reasonLine(row.reason),
    witness(row.witness, `${key} witness`));
}
