"""What a user's prompt asks for by name: removals, renames, further changes. The verbs are data (`data/verbs.json`)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tslp_litellm.syntax.languages import language_of_path

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|[。！？；]")
_CLAUSE = re.compile(r"[,:—]|\band then\b|\bthen\b|\bbut\b|\baber\b|\bmais\b|\bpero\b|，")


PROMPT_CHARS_MAX = 20_000


@cache
def _verbs(kind: str) -> re.Pattern[str]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "verbs.json").read_text("utf-8"))
    return re.compile(
        "|".join(rf"(?<!\w){verb}(?!\w)" if verb.isascii() or verb[-1] == ")" else verb for verb in data[kind]), re.I
    )


def names(text: str, name: str) -> bool:
    """Whether a text contains a name as a word of its own, letter for letter."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None


@dataclass(frozen=True, slots=True)
class Intent:
    """A prompt, to be asked about symbols. Of a very long one the end is heard: that is where users ask."""

    prompt: str = ""

    def __post_init__(self) -> None:
        if len(self.prompt) > PROMPT_CHARS_MAX:
            object.__setattr__(self, "prompt", self.prompt[-PROMPT_CHARS_MAX:])

    def mentions(self, symbol: str) -> bool:
        """Whether the prompt names a symbol: in full, or by its last part."""
        bare = symbol.partition("#")[0]
        return names(self.prompt, bare) or names(self.prompt, bare.rsplit(".", 1)[-1]) or self._dotted(bare)

    def _dotted(self, symbol: str) -> bool:
        leaf = re.escape(symbol.rsplit(".", 1)[-1])
        return re.search(rf"[\w)\]`](?:\.|::|#){leaf}(?!\w)", self.prompt) is not None

    def asks_to_lose(self, symbol: str) -> bool:
        """Whether the prompt asks by name for a symbol to be removed or renamed, and doesn't say the contrary."""
        return any(self._asks(sentence, symbol) for sentence in _SENTENCE.split(self.prompt))

    def _asks(self, sentence: str, symbol: str) -> bool:
        if not Intent(sentence).mentions(symbol):
            return False
        for clause in _CLAUSE.split(sentence):
            verb = _verbs("remove").search(clause) or _verbs("rename").search(clause)
            if verb is not None and not _verbs("not").search(clause[: verb.start()]):
                return Intent(clause).mentions(symbol) or not _names_other_code(clause)
        return False

    def asks_to_rename(self, old: str, new: str) -> bool:
        """Whether the prompt names both the old and the new name of a symbol."""
        return self.mentions(old) and self.mentions(new)

    def asks_for_change(self, *written: str) -> bool:
        """Whether the prompt asks for a (further) change to a symbol or file, by one of the names it is written with.

        In doubt it doesn't: a prompt that finds fault or looks back asks for something else, and a verb counts only
        where a request begins (`Add …`, `Now please make …`, `Can you rename …?`).
        """
        if _verbs("doubt").search(self.prompt):
            return False
        return any(_asks_to_change(s, name) for s in _SENTENCE.split(self.prompt) for name in written)


def _asks_to_change(sentence: str, name: str) -> bool:
    if not (Intent(sentence).mentions(name) or names(sentence, name)) or _verbs("not").search(sentence):
        return False
    if _names_other_file(sentence, name) or _begins("question", sentence.strip()):
        return False
    if sentence.rstrip().endswith("?") and _verbs("polite").search(sentence) is None:
        return False
    return any(_begins("change", _without_lead(clause, name)) for clause in _CLAUSE.split(sentence))


def _begins(kind: str, text: str) -> bool:
    return _verbs(kind).match(text) is not None


def _without_lead(clause: str, name: str) -> str:
    """A clause without the words that only lead into a request: politeness, `now`, `in NAME`."""
    place = re.compile(rf"(?:in|for|to|with|on)\s+[`'\"]?{re.escape(name)}[`'\"]?(?!\w)", re.I)
    while True:
        clause = clause.lstrip(" \t\n-*>!.,:")
        lead = _verbs("lead").match(clause) or place.match(clause)
        if lead is None or not lead.group():
            return clause
        clause = clause[lead.end() :]


def _names_other_file(sentence: str, name: str) -> bool:
    """Whether a sentence also names another file, so that it may ask for a change to that one."""
    words = re.findall(r"(?:[\w.@-]+[/\\])*[\w@-]*\.\w+(?:\.\w+)*", sentence)
    return any(word != name and language_of_path(word) is not None for word in words)


def _names_other_code(clause: str) -> bool:
    """Whether a clause names code of its own, so that its verb is not about what another clause names."""
    return re.search(r"`[^`]+`|\w+_\w+|\w+\(\)|[a-z]+[A-Z]\w*", clause) is not None
