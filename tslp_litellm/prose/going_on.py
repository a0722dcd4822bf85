"""Whether a user's message only goes on behind an answer, or may say what became of what that told to do.

Nothing on the wire tells that a command which a model wrote was not run, or a change that it described not made. So it
is turned round: a message only goes on where each of its sentences is known to: it asks, requests, thanks or wishes, or
it is long and holds no word of an end. A short sentence of any other kind, in whatever language, may say that it was
done (SEMANTICS 2, Positive proof); so does a question or a request that takes it for done (`Why did it change line 5?`,
`Undo that.`), and a statement of what is so now. The words are data (`data/going_on.json`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tslp_litellm.prose.lexicon import Phrases, words
from tslp_litellm.prose.tokens import Sentence, Sort, Token, line_sentences

SHORT_WORDS = 6
"""A sentence of more words says what it is about."""
_SUPPOSING = frozenset({"if", "once", "when", "after", "before", "as", "since", "now", "wenn", "si", "se"})
LINES_MAX = 200
LINE_CHARS_MAX = 2_000
"""Of a longer line only the beginning is read."""


@dataclass(frozen=True, slots=True)
class _Words:
    did: re.Pattern[str]
    undid: re.Pattern[str]
    presumes: re.Pattern[str]
    effects: re.Pattern[str]
    goes_on: re.Pattern[str]
    asks: frozenset[str]
    undoes: frozenset[str]
    requests: frozenset[str]
    wishes: frozenset[str]
    thanks: frozenset[str]
    labels: frozenset[str]
    leads: tuple[Phrases, ...]


@cache
def _known() -> _Words:
    data = json.loads((resources.files("tslp_litellm") / "data" / "going_on.json").read_text("utf-8"))
    did, undid, presumes = (re.compile("|".join(data[name])) for name in ("did", "undid", "presumes"))
    effects, goes_on = (re.compile("|".join(data[name])) for name in ("effects", "goes_on"))
    asks, undoes, requests, wishes = (frozenset(data[name]) for name in ("asks", "undoes", "requests", "wishes"))
    thanks, labels = frozenset(data["thanks"]), frozenset(data["labels"])
    leads = tuple(row.of(part) for row in words().languages for part in ("lead", "polite", "polite-gerund"))
    return _Words(did, undid, presumes, effects, goes_on, asks, undoes, requests, wishes, thanks, labels, leads)


def is_users_label(words: str, rest: str) -> bool:
    """Whether a label, with what follows in its line, is one of a user's: `Requirements:`, `Before I run it: is it
    safe?`"""
    label = frozenset(words.lower().replace(".", "").split())
    return bool(label & _known().labels) or rest.rstrip().endswith(("?", "？"))


def only_goes_on(prose: str, spend: Callable[[], None] = lambda: None) -> bool:
    """Whether a text is known to say nothing of what became of an answer; one without words does not say.

    >>> only_goes_on("Now add a docstring to slug."), only_goes_on("I ran it."), only_goes_on("Erledigt!")
    (True, False, False)
    """
    lines = [line[:LINE_CHARS_MAX] for line in prose.split("\n")[:LINES_MAX] if line.strip()]
    for line in lines:
        spend()
        if not all(_goes_on(sentence) for sentence in line_sentences(line) if sentence.tokens):
            return False
    return bool(lines)


def tells_an_end(prose: str, spend: Callable[[], None] = lambda: None) -> bool:
    """Whether one of a text's sentences says in known words that something was run, ended or done.

    >>> tells_an_end("Ok, I ran the command that you gave me. Now what?"), tells_an_end("Why sed?")
    (True, False)
    """
    for line in prose.split("\n")[:LINES_MAX]:
        spend()
        for sentence in line_sentences(line[:LINE_CHARS_MAX]) if line.strip() else ():
            said = " ".join(token.low or "@" for token in sentence.tokens)
            if _known().did.search(said) and not _goes_on(sentence):
                return True
    return False


def _goes_on(sentence: Sentence) -> bool:
    """Whether a sentence says nothing of an end of what an answer told."""
    if sentence.hearsay:
        return True
    known, clauses = _known(), clauses_of(sentence.tokens)
    tokens = [token for clause in clauses for token in clause]
    said = " ".join(token.low or "@" for token in tokens).replace("’", "'")
    if known.undid.search(said) or all(token.low in known.thanks for token in tokens if _says(token)):
        return True
    asks = sentence.end == "?" or (bool(tokens) and tokens[0].low in known.asks)
    ended = any(map(_states_an_end, clauses[:-1]))
    if known.presumes.search(said) or (not asks and any(_undoes(clause) for clause in clauses)):
        return False
    if asks and not ended:
        return True
    requests = any(map(begins_request, clauses))
    wishes = any(token.low in known.wishes for token in tokens)
    if known.effects.search(said) and not (requests or wishes):
        return False
    if known.did.search(said):
        return requests and not ended and not _begins_with_end(tokens)
    if sentence.item or sentence.end == ":" or len(tokens) > SHORT_WORDS or not any(map(_says, tokens)):
        return True
    if len(tokens) > 1 and sentence.tokens[1].text == ":" and tokens[0].low in known.labels:
        return True  # `Files: src/cart.py`
    return requests or wishes or known.goes_on.search(said) is not None


def clauses_of(tokens: Sequence[Token]) -> list[list[Token]]:
    """The words of a sentence between its marks."""
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.sort is Sort.MARK:
            found.append([])
        else:
            found[-1].append(token)
    return [clause for clause in found if clause]


def _says(token: Token) -> bool:
    """Whether a token says anything by itself: a word or a number, and no name."""
    return bool(token.low) or token.text.isdecimal()


def begins_request(clause: Sequence[Token]) -> bool:
    """Whether a clause begins as requests do, behind what only leads into one."""
    known, first = _known(), first_word(clause)
    return first in known.requests or first in known.asks or any(row.is_verb(first) for row in words().languages)


def _undoes(clause: Sequence[Token]) -> bool:
    """Whether a clause asks to undo something, which was done then."""
    return first_word(clause) in _known().undoes


def first_word(clause: Sequence[Token]) -> str:
    """The first word of a clause behind what only leads into a request; empty where there is none."""
    at = 0
    while step := max(phrases.length(clause, at) for phrases in _known().leads):
        at += step
    return clause[at].low if at < len(clause) else ""


def _states_an_end(clause: Sequence[Token]) -> bool:
    """Whether a clause in front of another says that something ended: `I ran all of it, what next?`"""
    first = clause[0].low
    if first in _known().asks or first in _SUPPOSING or begins_request(clause):
        return False
    return _known().did.search(" ".join(token.low or "@" for token in clause)) is not None


def _begins_with_end(tokens: Sequence[Token]) -> bool:
    """Whether the first words already say that something ended: `Done, now add a test`."""
    return _known().did.search(" ".join(token.low for token in tokens[:2])) is not None
