// What the last prompt was given, and the doctor.

let prompted = null;
const literally = (text) => text.replace(/[[\]]/g, "\\$&");
const FRAMED = new RegExp(`(${FRAMES.map(([from, to]) => `^${literally(from)}$[^]*?^${literally(to)}$`).join("|")})`, "m");

const promptView = {
  name: "prompt",
  label: "Last prompt",

  async load() {
    const before = JSON.stringify(prompted);
    try {
      prompted = (await ask("debug/last-prompt", scope())).body;
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      prompted = { missing: true };
    }
    return JSON.stringify(prompted) !== before;
  },

  draw(place) {
    if (prompted === null) return;
    if (prompted.missing) {
      fill(place, h("h1", null, "Last prompt"), notice("", "Nothing to show",
        h("p", null, "The gateway keeps the last prompt of a workspace only where its settings say ", h("code", null, "debug: true"), ", only in memory, and only since it started."),
        h("p", null, "If debug is on, no prompt of this workspace has crossed the gateway yet.")));
      return;
    }
    const messages = Array.isArray(prompted.messages) ? prompted.messages : [{ role: "user", content: prompted.messages }];
    fill(place, h("h1", null, "Last prompt"),
      h("p", { class: "facts" }, h("span", null, prompted.model),
        h("a", { href: address({ view: "episodes", episode: prompted.episode_id }), "data-key": "prompt episode" }, "episode ", h("code", { class: "hash" }, String(prompted.episode_id).slice(0, 8)))),
      h("section", { class: "given" }, h("h2", null, "Given to the model"), prompted.hydrated.length ? names(prompted.hydrated, "given") : h("p", { class: "quiet" }, "No current text was put in front of it.")),
      prompted.notices.length ? h("section", { class: "given" }, h("h2", null, "Notices"), prompted.notices.map((text) => h("pre", { class: "plain card" }, typeof text === "string" ? text : JSON.stringify(text)))) : null,
      h("section", null, h("h2", null, "Messages as sent"), h("p", { class: "quiet" }, `${count(messages.length, "message")}, the last first.`),
        h("ol", { class: "messages" }, messages.map((message, n) => messageCard(message, n, n === messages.length - 1)).reverse())));
  },
};

function messageCard(message, n, open) {
  const key = `message ${n}`;
  const text = messageText(message);
  return h("li", null, h("details", { class: "card", "data-key": key, open },
    h("summary", { "data-key": `${key} summary` }, h("span", { class: "badge" }, String(message.role || message.type || "message")), h("span", { class: "quiet" }, `${text.length.toLocaleString()} characters`)),
    h("pre", { class: "code", tabindex: "0", role: "region", "aria-label": `Message ${n + 1}`, "data-scroll": key, "data-key": `${key} code` }, h("code", null, marked(text)))));
}

// What TSLP put there, told from what was there: its blocks and notices have a frame of their own.
function marked(text) {
  return text.split(FRAMED).map((part, n) => (n % 2 ? h("mark", null, part) : part));
}

function messageText(message) {
  const parts = typeof message.content === "string" ? [message.content] : (Array.isArray(message.content) ? message.content : [message]).map((part) => (typeof part.text === "string" ? part.text : JSON.stringify(part, null, 1)));
  if (message.tool_calls) parts.push(JSON.stringify(message.tool_calls, null, 1));
  return parts.filter((part) => part !== undefined && part !== null).join("\n");
}

// -- doctor: it looks at model endpoints too, so it is asked seldom

const DOCTOR_EVERY_MS = 30000;
let diagnosed = null;
let diagnosedAt = 0;

const doctorView = {
  name: "doctor",
  label: "Doctor",

  async load() {
    if (Date.now() - diagnosedAt < DOCTOR_EVERY_MS) return false;
    const before = JSON.stringify(diagnosed);
    diagnosed = (await ask("doctor")).body;
    diagnosedAt = Date.now();
    return JSON.stringify(diagnosed) !== before;
  },

  draw(place) {
    if (diagnosed === null) return;
    const kinds = { ok: "good", warn: "wait", fail: "bad", degraded: "wait", failed: "bad" };
    const order = { fail: 0, warn: 1, ok: 2 };
    const checks = [...(diagnosed.checks || [])].sort((a, b) => order[a.status] - order[b.status]);
    fill(place, h("h1", null, "Doctor"),
      h("p", { class: "facts" }, badge(diagnosed.status.toUpperCase(), kinds[diagnosed.status]), h("span", null, { ok: "All is well.", degraded: "It works, but something is amiss.", failed: "Something is broken." }[diagnosed.status] || ""),
        h("button", { type: "button", class: "small", "data-key": "again", onclick: () => ((diagnosedAt = 0), refresh()) }, "Check again")),
      h("ul", { class: "checks" }, checks.map((check) => h("li", null, badge(check.status.toUpperCase(), kinds[check.status]), h("div", null, h("h2", null, check.name), h("p", { class: "quiet" }, check.detail))))));
  },
};
