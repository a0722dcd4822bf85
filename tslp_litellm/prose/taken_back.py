"""Whether users say in so many words that what the model changed last is not on their disk: `I rejected it.`, `I didn't
apply your change.`, `I've restored the previous version.`

Closed forms, of a clause of the user's own: a verb of undoing with the model's change as its object, a negated verb of
applying with it, or that the text before was kept or put back. The words are data (`taken_back` in `data/told.json`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from tslp_litellm.prose.tokens import Sentence, Sort, line_sentences
from tslp_litellm.prose.told import LINE_CHARS_MAX, data


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    words: dict[str, str] = data()["taken_back"]["words"]

    def filled(pattern: str) -> str:
        return re.sub(r"\{([a-z_]+)\}", lambda m: filled(words[m[1]]), pattern)

    return tuple(re.compile(filled(form)) for form in data()["taken_back"]["forms"])


@cache
def _sign() -> re.Pattern[str]:
    return re.compile(data()["taken_back"]["sign"])


def takes_back(prose: str, spend: Callable[[], None] = lambda: None) -> bool:
    """Whether a user's own prose says that the model's last change is not on the disk."""
    for line in prose.split("\n"):
        spend()
        if len(line) <= LINE_CHARS_MAX and _sign().search(line.lower()) and any(map(_says, line_sentences(line))):
            return True
    return False


def _says(sentence: Sentence) -> bool:
    if sentence.hearsay or sentence.end == "?":
        return False
    words = " ".join("@" if t.sort is Sort.NAME else t.low or "¤" for t in sentence.tokens).replace("’", "'")
    return any(form.search(words) for form in _forms())
