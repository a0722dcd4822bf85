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

from tslp_litellm.prose.tokens import Sentence, Sort, Token, line_sentences

LINE_CHARS_MAX = 4_000
"""Longer lines are nobody's sentences."""
_MARKS = frozenset(",;:—–()[]{}.")
_ARTICLES = frozenset({"a", "an", "the", "another", "my", "our", "some", "all"})
_NO_COMMANDS = frozenset({"it", "that", "this", "them", "so", "tests", "test", "unit", "suite", "linter", ""})
_JOINS = frozenset({"and", "both", ","})
_KINDS = frozenset({"function", "method", "class", "type", "struct", "constant", "variable", "definition", "itself"})
_DEMONSTRATIVES = frozenset({"that"})
"""Words that begin a clause, or, in front of a preposition and at the end, stand for what was said."""
_BY_HAND = frozenset({"by", "hand", "myself", "ourselves", "manually", "now", "since", "meanwhile", "again", "locally"})
_NEVER = "(?!)"
_PRONOUNS = frozenset(
    {"i", "we", "it", "he", "she", "they", "you", "the", "a", "an", "this", "that", "my", "got", "i've"}
)


_SPEAKERS = frozenset({"i", "we", "i've", "i’ve", "we've", "we’ve", "i'd", "i’d", "we'd", "we’d"})
"""Who tells of what names no file: what was run, or that anything may have changed."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a text tells of. `names`: files that were changed; `symbols`: what else a verb's own objects name;
    `commands`: what was run, as written; `everything`: any file may have changed. `leading`: those of the names that
    nothing tells of but a line which ends in a colon, so that what it leads to may be the change."""

    names: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
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
    stale: re.Pattern[str]
    folder: re.Pattern[str]
    stands_for: re.Pattern[str]
    inside: frozenset[str]
    everything: tuple[re.Pattern[str], ...]
    changing: re.Pattern[str]
    runs: re.Pattern[str]


@cache
def data() -> dict[str, Any]:
    """The words of `told.json`."""
    words: dict[str, Any] = json.loads((resources.files("tslp_litellm") / "data" / "told.json").read_text("utf-8"))
    return words


@cache
def _forms() -> _Forms:
    known = data()

    def filled(pattern: str, row: dict[str, Any]) -> re.Pattern[str]:
        return re.compile(re.sub(r"\{([a-z_]+)\}", lambda m: str(row.get(m[1]) or known[m[1]]), pattern))

    languages = tuple(
        _Language(
            filled(row["sign"], row),
            filled(row["says"], row),
            filled(row.get("goes_on", _NEVER), row),
            *(frozenset(row[part]) for part in ("breaks", "joins", "aside", "harmless")),
        )
        for row in known["languages"].values()
    )
    return _Forms(
        languages,
        tuple((row["sign"], re.compile(row["says"]), tuple(row["harmless"])) for row in known["raw"]),
        tuple(filled(known[name], {}) for name in ("passive", "by_others", "alone")),
        filled(known["notice"], {}),
        filled(known["stale"], {}),
        re.compile(known["folder"]),
        re.compile(known["stands_for"]),
        frozenset(known["inside"]),
        tuple(re.compile(pattern) for pattern in known["everything"]),
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
    symbols: dict[str, None] = {}
    everything, listing = False, False
    for line in prose.split("\n"):
        spend()
        if len(line) > LINE_CHARS_MAX or not line.strip():
            continue
        low = line.lower()
        spoken = [language for language in _forms().languages if language.sign.search(low)]
        for sentence in line_sentences(line) if listing or spoken else ():
            if listing and sentence.item:  # below `These files were changed:`
                names |= dict.fromkeys(_paths(sentence.tokens, is_path))
                firmly |= names.keys()
                continue
            listing = sentence.end == ":" and _is_notice(sentence)
            found = _read(sentence, spoken, is_path, line)
            names |= dict.fromkeys(found.names)
            firmly |= set(found.names) if sentence.end != ":" else set()
            symbols |= dict.fromkeys(found.symbols)
            commands += found.commands
            everything = everything or found.everything
        names |= dict.fromkeys(_raw(line, is_path))
    return Told(tuple(names), tuple(symbols), frozenset(names) - firmly, tuple(commands), everything)


def _paths(tokens: Sequence[Token], is_path: Callable[[str], bool]) -> list[str]:
    return [token.text for token in tokens if token.sort is Sort.NAME and is_path(token.text)]


def _words(tokens: Sequence[Token]) -> str:
    return " ".join("@" if token.sort is Sort.NAME else token.low or "¤" for token in tokens)


def _is_notice(sentence: Sentence) -> bool:
    return _forms().notice.search(_words(sentence.tokens) + " : @") is not None


def _read(sentence: Sentence, spoken: Sequence[_Language], is_path: Callable[[str], bool], line: str) -> Told:
    """One sentence of a line, in whichever of some languages it is."""
    tokens, forms = sentence.tokens, _forms()
    telling = any(token.sort is Sort.NAME or token.low in _SPEAKERS for token in tokens)
    if not telling or sentence.hearsay:
        return Told()
    names = _paths(tokens, is_path) if forms.notice.search(_words(tokens)) else []
    symbols: list[str] = []
    commands: list[str] = []
    english = forms.languages[0]
    stale = forms.stale.search(_words(tokens)) is not None
    names += [path for one in line_sentences(line) for path in _paths(one.tokens, is_path)] if stale else []
    for language in spoken:
        spoke, before = False, list[Token]()
        for clause in _clauses(tokens, language):
            said = _words(clause)
            match = language.says.search(said) or (language.goes_on.search(said) if spoke else None)
            spoke = spoke or match is not None
            verb = _verb(match) if match is not None else ""
            if match is not None and forms.runs.fullmatch(verb) and language is english:
                commands += _command(clause, said[: match.end()].count(" ") + 1, line)
            elif match is not None and verb not in language.harmless:
                names += _objects(clause, language, is_path)
                behind = clause[said[: match.end()].count(" ") + 1 :]
                symbols += _changed(behind, before, is_path) if language is english else []
            before = [*clause] or before
    everything = stale and not names
    for clause in _clauses(tokens, english):
        said = _words(clause)
        if any(form.search(said) for form in forms.by_anybody):
            names += _objects(clause, english, is_path)
        everything = everything or any(form.search(said) for form in forms.everything)
    return Told(tuple(names), tuple(symbols), commands=tuple(commands), everything=everything)


def _changed(behind: Sequence[Token], before: Sequence[Token], is_path: Callable[[str], bool]) -> list[str]:
    """The definitions that a clause says were changed: the verb's objects, what something was added to or taken from
    (`a parameter to slug`), or, where its object only stands for it, the subject of the clause before."""
    forms = _forms()
    if forms.stands_for.search(_words(behind)):
        return [token.text for token in before[:1] if token.sort in (Sort.NAME, Sort.WORD)]
    places = [n for n, token in enumerate(behind[:-1]) if token.low in forms.inside]
    within = behind[-1] if places and places[-1] == len(behind) - 2 else None
    inner = [within.text] if within is not None and not is_path(within.text) else []
    return [*_own_objects(behind), *inner]


def _own_objects(behind: Sequence[Token]) -> list[str]:
    """The definitions that stand right behind a verb as its objects: `total`, `the total function`, `a and b`. A plain
    word is one where only what it is and who did it follow; with an article, both."""
    found: list[str] = []
    for n, token in enumerate(behind):
        if token.sort is Sort.NAME:
            found.append(token.text)
        elif token.low not in _ARTICLES | _JOINS and not (found and token.low in _KINDS):
            after = {other.low for other in behind[n + 1 :]}
            alone = n == 0 or not after.isdisjoint(_KINDS)
            plain = not found and alone and token.sort is Sort.WORD and token.low not in _KINDS | _BY_HAND
            renamed = [other.low for other in behind[n + 1 : n + 2]] == ["to"]
            return [token.text] if plain and (renamed or after <= _KINDS | _BY_HAND) else found
    return found


def _verb(match: re.Match[str]) -> str:
    return next(said for group, said in match.groupdict().items() if group.startswith("verb") and said)


def _clauses(tokens: Sequence[Token], language: _Language) -> Iterator[Sequence[Token]]:
    """A sentence cut at marks and conjunctions, but not between names, nor where a list of things goes on."""
    start = 0
    for n, token in enumerate(tokens):
        after = next((t for t in tokens[n + 1 : n + 3] if t.low not in language.joins), None)
        listed = n > start and after is not None and after.sort is Sort.NAME and tokens[n - 1].sort is Sort.NAME
        stands_for = token.low in _DEMONSTRATIVES and (n + 1 == len(tokens) or _is_preposition(tokens[n + 1].low))
        if (token.low in language.breaks and not stands_for) or (
            token.sort is Sort.MARK and token.text in _MARKS and not listed
        ):
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


def _command(clause: Sequence[Token], at: int, line: str) -> list[str]:
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
    command = _as_written(clause[at:], line)
    folder = _forms().folder.search(command.lower())
    return [f"{command[: folder.start()]}." if folder else command]


_COMMAND_ENDS = re.compile(
    r"(?<=\S)[.!?,;:…](?=[.!?,;:…]{0,3}(?:\s|$))|[()]|\s(?:and|or|but|because|so|which|that|when|while|where|since|until|as|then|after|before)\s"
)


def _as_written(words: Sequence[Token], line: str) -> str:
    """A command as it stands in a line, up to where prose goes on: its options are no words."""
    begins = re.search(r"[\s`'\"]{1,4}".join(re.escape(token.text) for token in words[:2]), line)
    if begins is None:
        return " ".join(token.text for token in words)
    end = _COMMAND_ENDS.search(line, begins.start())
    return line[begins.start() : end.start() if end else len(line)].replace("`", "").strip()


def _raw(line: str, is_path: Callable[[str], bool]) -> list[str]:
    """The same for languages that put no spaces between words: a sentence with a path and such a verb."""
    for sign, says, harmless in _forms().raw:
        if sign in line and (match := says.search(line)) and not match["verb"].endswith(harmless):
            return [path for sentence in line_sentences(line) for path in _paths(sentence.tokens, is_path)]
    return []
