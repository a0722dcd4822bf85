// Codes in words. The sentences come from the same table as the documentation (MEANINGS).

const STATE_KINDS = { AUTHORITATIVE: "good", PROPOSED: "wait", SUPERSEDED: "", TOMBSTONED: "bad" };

// "client-confirmation:collapse" is a grant and what the gates would have said; both have a sentence.
function reasonWords(reason) {
  if (!reason) return "";
  return reason
    .split(":")
    .map((code) => MEANINGS[code.trim()] || code.trim())
    .join(" ");
}

function reasonLine(reason) {
  if (!reason) return null;
  return h("p", { class: "reason" }, h("code", null, reason), " ", h("span", null, reasonWords(reason)));
}

function freshness(word) {
  return word === "DIRTY"
    ? badge("DIRTY", "bad", "Known to have changed, but not into what: never given to a model")
    : badge("CLEAN", "good", "The current text is known");
}

function stateBadge(state) {
  return badge(state, STATE_KINDS[state] || "", MEANINGS[state]);
}

// What a gate compared, as a list of names and values; nothing is left out, whatever its shape.
function witness(found, key) {
  if (!found || typeof found !== "object") return null;
  const rows = Object.entries(found).map(([name, value]) => [
    h("dt", null, name),
    h("dd", null, typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)),
  ]);
  return h("details", { class: "witness", "data-key": key }, h("summary", { "data-key": `${key} summary` }, "What was compared"), h("dl", null, rows));
}
