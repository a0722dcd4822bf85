// What became of a text, in a word; the sentences come with the answers.

const VERDICT_KINDS = { adopted: "good", refused: "bad", waiting: "wait", dirty: "bad", removed: "bad" };

function verdictBadge(verdict) {
  return badge(verdict.toUpperCase(), VERDICT_KINDS[verdict]);
}

function freshness(word) {
  return word === "DIRTY"
    ? badge("DIRTY", "bad", "Known to have changed, but not into what: never given to a model")
    : badge("CLEAN", "good", "The current text is known");
}
