"""What an answer tells its reader in words to change: `Delete shout from util.py.`, `You can rename it with F2.`

The generous side, because nothing comes of it until the reader says what may mean that it was done: whatever is put as
an imperative, or as what one can or has to do, may be a change, unless its verb is known to leave files as they are.
The words are data (`instructions` in `data/going_on.json`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tslp_litellm.prose.going_on import begins_request, clauses_of, first_word
from tslp_litellm.prose.lexicon import words
from tslp_litellm.prose.tokens import Sentence, Sort, Token, line_sentences

LINE_CHARS_MAX = 4_000
LINES_MAX = 1_000
_ENDINGS = ("ed", "ing", "ly", "s")
"""How words of English end that are no imperative."""
_OF_GRAMMAR = ("determiners", "in", "and", "because", "quantifiers")
_PRONOUNS = frozenset({"it", "them", "this", "that", "these", "those"})
_PERSONS = frozenset({"i", "you", "we", "one", "me", "us"})
_OBJECTS = _PRONOUNS | {"all", "every", "each", "both", "its", "a", "an"}


@dataclass(frozen=True, slots=True)
class Instructed:
    """A sentence that tells to change something. `names`: all that it names; `leads`: what stands below it is what it
    speaks of; `loses`: something is to go."""

    names: tuple[str, ...]
    leads: bool = False
    loses: bool = False


@dataclass(frozen=True, slots=True)
class _Words:
    harmless: frozenset[str]
    usage: frozenset[str]
    modal: re.Pattern[str]
    raw: re.Pattern[str]
    line: re.Pattern[str]


@cache
def _known() -> _Words:
    data = json.loads((resources.files("tslp_litellm") / "data" / "going_on.json").read_text("utf-8"))
    known = data["instructions"]
    modal, raw, line = (re.compile("|".join(known[name])) for name in ("modal", "raw", "line"))
    return _Words(frozenset(known["harmless"]), frozenset(known["usage"]), modal, raw, line)


def instructed(prose: str, spend: Callable[[], None] = lambda: None) -> list[Instructed]:
    """What a model's prose tells its reader to change.

    >>> [one.names for one in instructed("`shout` is unused. Delete `shout` from util.py.")]
    [('shout', 'util.py')]
    >>> instructed("`slug` in util.py lowers its argument. See `shout`.")
    []
    """
    found: list[Instructed] = []
    for line in prose.split("\n")[:LINES_MAX]:
        spend()
        if not line.strip() or len(line) > LINE_CHARS_MAX:
            continue
        if _known().line.search(line):
            found.append(Instructed((), leads=True))
        found += [one for said in line_sentences(line) if (one := _instructed(said, line)) is not None]
    return found


def _instructed(said: Sentence, line: str) -> Instructed | None:
    """A sentence as what it tells to change; None where it tells nothing of the kind."""
    if said.end == "?" or not said.tokens:
        return None
    names = tuple(token.text for token in said.tokens if token.sort is Sort.NAME)
    leads = said.end == ":"
    if not (_tells(said, leads) or _known().raw.search(line)):
        return None
    verbs = [verb for clause in clauses_of(said.tokens) for verb in clause[:_VERB_MAX]]
    loses = any(token.low in row.of("lose") for token in verbs for row in words().languages)
    return Instructed(names, leads, loses) if names or leads or _has_object(said) or _orders(said) else None


_VERB_MAX = 8


def _tells(said: Sentence, leads: bool) -> bool:
    """Whether one of a sentence's clauses tells to do something that may change a file."""
    harmless, modal = _known().harmless | (_known().usage if leads else frozenset()), _known().modal
    for clause in clauses_of(said.tokens):
        begun = _behind_place(clause)
        if begun and (begins_request(begun) or _is_imperative(begun)) and first_word(begun) not in harmless:
            return True
        spoken = " ".join("@" if token.sort is Sort.NAME else token.low for token in clause)
        match = modal.search(spoken)
        if match is not None and next(filter(None, match.groups()), "") not in harmless:
            return True
    return False


def _behind_place(clause: Sequence[Token]) -> Sequence[Token]:
    """A clause without the place in front of it: `In util.py`, `At the top of util.py`."""
    if not clause or not any(clause[0].low in row.of("in") for row in words().languages):
        return clause
    named = next((n for n, token in enumerate(clause[:_VERB_MAX]) if token.sort is Sort.NAME), -1)
    return clause[named + 1 :]


def _is_imperative(clause: Sequence[Token]) -> bool:
    """Whether a clause begins as an imperative does, whatever its verb: with a plain word that is no article, noun or
    word of grammar, and its object right behind."""
    while clause and any(clause[0].low in row.of("lead") for row in words().languages):
        clause = clause[1:]
    if len(clause) < 2 or clause[0].sort is not Sort.WORD:
        return False
    verb, then = clause[0].low, clause[1]
    known = words()
    grammar = verb in known.closed or any(verb in row.of(part) for row in known.languages for part in _OF_GRAMMAR)
    noun = any(verb in nouns for row in known.languages for nouns in row.nouns.values())
    if grammar or noun or verb in _OBJECTS or verb.endswith(_ENDINGS):
        return False
    article = then.low in _OBJECTS or any(then.low in row.of("determiners") for row in known.languages)
    return then.sort is Sort.NAME or article


def _has_object(said: Sentence) -> bool:
    """Whether a sentence speaks of something by a pronoun, which an earlier one named."""
    return any(token.low in _PRONOUNS for token in said.tokens)


def _orders(said: Sentence) -> bool:
    """Whether a clause is a plain imperative of a known verb of changing: `Add the import at the top.`"""
    clauses = [_behind_place(clause) for clause in clauses_of(said.tokens)]
    plain = [clause for clause in clauses if _PERSONS.isdisjoint(token.low for token in clause[:2])]
    return any(_is_verb(verb) and verb not in _known().harmless for verb in map(first_word, plain))


def _is_verb(word: str) -> bool:
    return any(row.is_verb(word) for row in words().languages)
