"""What users say that they did to files themselves: `I edited util.py by hand`, `I did git checkout main`.

The generous side of the grammar: a clause in the past and of the first person that names a file tells of a change of
it, whatever its verb, unless the verb is known to leave files as they are (SEMANTICS 2, Positive proof: what may mean
that our text is not what the disk holds makes it DIRTY). Whoever else is said to have done it, the verb must be one of
changing. The words are data (`data/told.json`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.prose.tokens import Sentence, Sort, Token, sentences

LINE_CHARS_MAX = 4_000
"""Longer lines are nobody's sentences."""
_MARKS = frozenset(",;:—–()[]{}.")
_ARTICLES = frozenset({"a", "an", "the", "another", "my", "our", "some", "all"})
_NO_COMMANDS = frozenset({"it", "that", "this", "them", "so", "tests", "test", "unit", "suite", "linter", ""})
_NEVER = "(?!)"
_PRONOUNS = frozenset(
    {"i", "we", "it", "he", "she", "they", "you", "the", "a", "an", "this", "that", "my", "got", "i've"}
)


_SPEAKERS = frozenset({"i", "we", "i've", "i’ve", "we've", "we’ve", "i'd", "i’d", "we'd", "we’d"})
"""Who tells of what names no file: what was run, or that anything may have changed."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a text tells of. `names`: files that were changed; `commands`: what was run, as written; `everything`:
    any file may have changed. `leading`: those of the names that nothing tells of but a line which ends in a
    colon, so that what it leads to may be the change."""

    names: tuple[str, ...] = ()
    leading: frozenset[str] = frozenset()
    commands: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class _Language:
    sign: re.Pattern[str]
    says: re.Pattern[str]
    goes_on: re.Pattern[str]
    breaks: frozenset[str]
    joins: frozenset[str]
    aside: frozenset[str]
    harmless: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Forms:
    languages: tuple[_Language, ...]
    raw: tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]
    by_anybody: tuple[re.Pattern[str], ...]
    notice: re.Pattern[str]
    everything: tuple[re.Pattern[str], ...]
    changing: re.Pattern[str]
    runs: re.Pattern[str]


@cache
def _forms() -> _Forms:
    data: dict[str, Any] = json.loads((resources.files("tslp_litellm") / "data" / "told.json").read_text("utf-8"))

    def filled(pattern: str, row: dict[str, Any]) -> re.Pattern[str]:
        return re.compile(re.sub(r"\{([a-z_]+)\}", lambda m: str(row.get(m[1]) or data[m[1]]), pattern))

    languages = tuple(
        _Language(
            filled(row["sign"], row),
            filled(row["says"], row),
            filled(row.get("goes_on", _NEVER), row),
            *(frozenset(row[part]) for part in ("breaks", "joins", "aside", "harmless")),
        )
        for row in data["languages"].values()
    )
    return _Forms(
        languages,
        tuple((row["sign"], re.compile(row["says"]), tuple(row["harmless"])) for row in data["raw"]),
        tuple(filled(data[name], {}) for name in ("passive", "by_others", "alone")),
        filled(data["notice"], {}),
        tuple(re.compile(pattern) for pattern in data["everything"]),
        filled("{changing}", {}),
        filled("{runs}", {}),
    )


def is_change(word: str) -> bool:
    """Whether a word is a verb that says that something was changed."""
    return _forms().changing.fullmatch(word.lower()) is not None


def told(prose: str, is_path: Callable[[str], bool], spend: Callable[[], None] = lambda: None) -> Told:
    """What a user's own prose tells of. `is_path`: whether a word may name a file."""
    names: dict[str, None] = {}
    firmly: set[str] = set()
    commands: list[str] = []
    everything, listing = False, False
    for line in prose.split("\n"):
        spend()
        if len(line) > LINE_CHARS_MAX or not line.strip():
            continue
        low = line.lower()
        spoken = [language for language in _forms().languages if language.sign.search(low)]
        for sentence in sentences(line) if listing or spoken else ():
            if listing and sentence.item:  # below `These files were changed:`
                names |= dict.fromkeys(_paths(sentence.tokens, is_path))
                firmly |= names.keys()
                continue
            listing = sentence.end == ":" and _is_notice(sentence)
            found = _read(sentence, spoken, is_path)
            names |= dict.fromkeys(found.names)
            firmly |= set(found.names) if sentence.end != ":" else set()
            commands += found.commands
            everything = everything or found.everything
        names |= dict.fromkeys(_raw(line, is_path))
    return Told(tuple(names), frozenset(names) - firmly, tuple(commands), everything)


def _paths(tokens: Sequence[Token], is_path: Callable[[str], bool]) -> list[str]:
    return [token.text for token in tokens if token.sort is Sort.NAME and is_path(token.text)]


def _words(tokens: Sequence[Token]) -> str:
    return " ".join("@" if token.sort is Sort.NAME else token.low or "¤" for token in tokens)


def _is_notice(sentence: Sentence) -> bool:
    return _forms().notice.search(_words(sentence.tokens) + " : @") is not None


def _read(sentence: Sentence, spoken: Sequence[_Language], is_path: Callable[[str], bool]) -> Told:
    """One sentence, in whichever of some languages it is."""
    tokens, forms = sentence.tokens, _forms()
    telling = any(token.sort is Sort.NAME or token.low in _SPEAKERS for token in tokens)
    if not telling or sentence.hearsay:
        return Told()
    names = _paths(tokens, is_path) if forms.notice.search(_words(tokens)) else []
    commands: list[str] = []
    english = forms.languages[0]
    for language in spoken:
        spoke = False
        for clause in _clauses(tokens, language):
            said = _words(clause)
            match = language.says.search(said) or (language.goes_on.search(said) if spoke else None)
            spoke = spoke or match is not None
            verb = _verb(match) if match is not None else ""
            if match is not None and forms.runs.fullmatch(verb) and language is english:
                commands += _command(clause, said[: match.end()].count(" ") + 1)
            elif match is not None and verb not in language.harmless:
                names += _objects(clause, language, is_path)
    everything = False
    for clause in _clauses(tokens, english):
        said = _words(clause)
        if any(form.search(said) for form in forms.by_anybody):
            names += _objects(clause, english, is_path)
        everything = everything or any(form.search(said) for form in forms.everything)
    return Told(tuple(names), commands=tuple(commands), everything=everything)


def _verb(match: re.Match[str]) -> str:
    return next(said for group, said in match.groupdict().items() if group.startswith("verb") and said)


def _clauses(tokens: Sequence[Token], language: _Language) -> Iterator[Sequence[Token]]:
    """A sentence cut at marks and conjunctions, but not between names, nor where a list of things goes on."""
    start = 0
    for n, token in enumerate(tokens):
        after = next((t for t in tokens[n + 1 : n + 3] if t.low not in language.joins), None)
        listed = n > start and after is not None and after.sort is Sort.NAME and tokens[n - 1].sort is Sort.NAME
        if token.low in language.breaks or (token.sort is Sort.MARK and token.text in _MARKS and not listed):
            ends = True
        else:
            ends = token.low in language.joins and not listed and _begins(after, language)
        if ends:
            yield tokens[start:n]
            start = n + 1
    yield tokens[start:]


def _begins(token: Token | None, language: _Language) -> bool:
    """Whether a word behind a conjunction begins another clause."""
    if token is None or language.goes_on.pattern == _NEVER:
        return True
    return token.low in _PRONOUNS or language.goes_on.match(token.low) is not None


def _objects(clause: Sequence[Token], language: _Language, is_path: Callable[[str], bool]) -> list[str]:
    """The names in a clause, but for those that stand behind a word which makes them no object: `tests for util.py`."""
    found: list[str] = []
    aside = False
    for n, token in enumerate(clause):
        if token.sort is Sort.NAME:
            found += [token.text] if not aside and is_path(token.text) else []
        elif token.low in language.aside:
            aside = True
        elif n and token.low not in language.joins and token.low not in _ARTICLES and token.text not in _MARKS:
            aside = aside and not _is_preposition(token.low)
    return found


def _is_preposition(word: str) -> bool:
    return word in ("in", "to", "on", "into", "inside", "at", "from", "of", "within", "dans", "en", "à", "auf", "aus")


def _command(clause: Sequence[Token], at: int) -> list[str]:
    """What is said to have been run, as a line of a shell; nothing where it is no command, or a file that was run."""
    while at < len(clause) and clause[at].low in _ARTICLES:
        at += 1
    if at >= len(clause) or (clause[at].low in _NO_COMMANDS and clause[at].sort is not Sort.NAME):
        return []
    first = clause[at]
    if first.marked and " " in first.text:
        return [first.text]
    if first.sort is Sort.NAME and len(clause) - at == 1 and not first.marked:
        return []
    return [" ".join(token.text for token in clause[at:])]


def _raw(line: str, is_path: Callable[[str], bool]) -> list[str]:
    """The same for languages that put no spaces between words: a sentence with a path and such a verb."""
    for sign, says, harmless in _forms().raw:
        if sign in line and (match := says.search(line)) and not match["verb"].endswith(harmless):
            return [path for sentence in sentences(line) for path in _paths(sentence.tokens, is_path)]
    return []
