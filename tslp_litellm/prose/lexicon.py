"""The words of requests, by language (`data/requests.json`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.prose.tokens import Token

_NEVER = re.compile(r"(?!)")


class Phrases:
    """A set of phrases, to be found at a place in a run of tokens."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._phrases = {tuple(phrase.split()) for phrase in phrases}
        self._longest = max((len(phrase) for phrase in self._phrases), default=0)

    def __contains__(self, word: str) -> bool:
        return (word,) in self._phrases

    def length(self, tokens: Sequence[Token], at: int) -> int:
        """How many tokens the longest phrase takes that begins at a place; 0 where none does."""
        words = tuple(token.low for token in tokens[at : at + self._longest])
        return next((n for n in range(len(words), 0, -1) if words[:n] in self._phrases), 0)


_NONE = Phrases(())


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language: phrases by their part in a sentence, nouns by what they name, patterns of known clauses."""

    phrases: Mapping[str, Phrases]
    nouns: Mapping[str, Phrases]
    patterns: Mapping[str, re.Pattern[str]]
    beginnings: frozenset[str]

    def of(self, part: str) -> Phrases:
        """The phrases of a part; none where the language has no such part."""
        return self.phrases.get(part, _NONE)

    def pattern(self, name: str) -> re.Pattern[str]:
        """The pattern of a kind of clause, for words joined by spaces, names being `@`."""
        return self.patterns.get(name, _NEVER)

    def may_hold(self, tokens: Sequence[Token]) -> bool:
        """A quick look: whether a run of tokens has a word that can begin a request."""
        return any(token.low in self.beginnings for token in tokens)

    def is_verb(self, word: str) -> bool:
        """Whether a word can begin a request, so that it is no name there."""
        return any(word in self.of(part) for part in VERBS)


VERBS = ("lose", "fold", "move", "swap", "rename", "change", "make", "add", "other", "keep")


@dataclass(frozen=True, slots=True)
class Words:
    """All languages, and the words that mean the same to the grammar in each of them."""

    languages: tuple[Lexicon, ...]
    guard: Phrases
    never_names: frozenset[str]
    closed: frozenset[str]
    supposing: Phrases
    doubt: Phrases


@cache
def words() -> Words:
    """The lexicons, read once."""
    data = json.loads((resources.files("tslp_litellm") / "data" / "requests.json").read_text("utf-8"))
    rows: list[dict[str, Any]] = list(data["languages"].values())
    return Words(
        tuple(_lexicon(row) for row in rows),
        Phrases(data["guard"]),
        frozenset(data["never-names"]),
        frozenset(word for row in rows for word in row["closed"]),
        Phrases(phrase for row in rows for phrase in row.get("supposing", ())),
        Phrases(data["doubt"]),
    )


def _lexicon(row: dict[str, Any]) -> Lexicon:
    return Lexicon(
        {part: Phrases(value) for part, value in row.items() if isinstance(value, list) and part != "known"},
        {kind: Phrases(value) for kind, value in row["nouns"].items()},
        {part: re.compile(value) for part, value in row.items() if isinstance(value, str)}
        | {"known": re.compile(rf"\A(?:{'|'.join(row.get('known', ('(?!)',)))})")},
        frozenset(phrase.split()[0] for part in VERBS for phrase in row.get(part, ())),
    )
