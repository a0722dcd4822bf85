"""A whole prompt as requests: what each sentence asks for, unless another one makes it something else.

A request stands where nothing in the prompt may take it back: no question and no sentence that begins like an
objection behind it, no supposition and no unknown words that introduce it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from tslp_litellm.prose.clauses import Read, Request, read
from tslp_litellm.prose.lexicon import words
from tslp_litellm.prose.reading import Named
from tslp_litellm.prose.tokens import Sentence, Sort, Token, sentences

PROMPT_CHARS_MAX = 20_000
"""Of a very long prompt the end is read: that is where users ask."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a prompt asks for. `doubtful`: the texts of sentences that were not understood and may be about what they
    name. `looks_back`: a word in it may mean that what was done was wrong (data: `doubt`)."""

    requests: tuple[Request, ...] = ()
    doubtful: tuple[str, ...] = ()
    looks_back: bool = False


@lru_cache(maxsize=64)
def asked(prompt: str) -> Prompt:
    """The requests in a user's own prose."""
    if len(prompt) > PROMPT_CHARS_MAX:
        prompt = prompt[-PROMPT_CHARS_MAX:].partition("\n")[2]
    every = list(_read_all(_lists_joined(sentences(prompt))))
    looks_back = any(_looks_back(sentence) for sentence, _ in every)
    first = next((n for n, (_, found) in enumerate(every) if found is not None and found.requests), len(every))
    doubtful = tuple(
        " ".join(token.text for token in sentence.tokens)
        for n, (sentence, found) in enumerate(every)
        if found is None and sentence.tokens and (n > first or _governs(sentence))
    )
    return Prompt(tuple(_standing(every)), doubtful, looks_back)


def _standing(every: list[tuple[Sentence, Read | None]]) -> list[Request]:
    """The requests that nothing takes back."""
    last_objection = max((n for n, one in enumerate(every) if _objects(*one)), default=-1)
    out: list[Request] = []
    introduced, places = True, tuple[str, ...]()
    for n, (sentence, found) in enumerate(every):
        if found is None and words().supposing.length(sentence.tokens, 0):
            break
        if sentence.end == ":" and not (found is not None and found.requests):
            introduced, places = _introduces(sentence)
            continue
        if found is None and _may_go_on(sentence):
            introduced = False
            continue
        if introduced and n > last_objection and found is not None:
            out += [replace(one, places=one.places + places) for one in found.requests]
        if not sentence.item:
            introduced, places = True, ()
    return out


def _objects(sentence: Sentence, found: Read | None) -> bool:
    """Whether a sentence that is not understood may take back what was asked before it: a question, one that begins
    with a word of a closed class (a negation, a pronoun, a conjunction), or one with a pronoun that may mean it."""
    if found is not None or sentence.hearsay or not sentence.tokens:
        return False
    at = 0
    for language in words().languages:
        while n := language.of("lead").length(sentence.tokens, at):
            at += n
    begins = sentence.tokens[min(at, len(sentence.tokens) - 1)].low
    about = any(
        token.low in language.of("object-pronouns") for token in sentence.tokens for language in words().languages
    )
    return about or sentence.end == "?" or begins in words().closed or sentence.tokens[0].low in words().closed


def _may_go_on(sentence: Sentence) -> bool:
    """Whether what ends in a full stop may be no sentence but an abbreviation that leads into the next one: `E.g.
    delete …`, `z. B.`."""
    if sentence.end != "." or not 0 < len(sentence.tokens) <= ABBREVIATED_WORDS:
        return False
    last = sentence.tokens[-1].text
    return "." in last or len(last) <= ABBREVIATION_CHARS - len(sentence.tokens)


ABBREVIATED_WORDS, ABBREVIATION_CHARS = 2, 4


def _introduces(sentence: Sentence) -> tuple[bool, tuple[str, ...]]:
    """Whether a line that ends in a colon introduces requests; and of which files."""
    said = " ".join("@" if token.sort is Sort.NAME else token.low or "¤" for token in sentence.tokens)
    known = any(language.pattern("intro").fullmatch(said) for language in words().languages)
    return known, tuple(token.text for token in sentence.tokens if token.sort is Sort.NAME) if known else ()


def _governs(sentence: Sentence) -> bool:
    governing = [language.of("governing") for language in words().languages]
    return sentence.end == "?" or any(token.low in one for token in sentence.tokens for one in governing)


def _looks_back(sentence: Sentence) -> bool:
    return any(words().doubt.length(sentence.tokens, at) for at in range(len(sentence.tokens)))


def _lists_joined(found: list[Sentence]) -> list[Sentence]:
    """Sentences, with a line that leads to a list put before each item of it, where that makes it a request: `Remove
    these functions:` and `- a`."""
    out: list[Sentence] = []
    head: Sentence | None = None
    for n, sentence in enumerate(found):
        if not sentence.item:
            head = sentence if sentence.end == ":" and _leads(sentence, found[n + 1 : n + 2]) else None
            out += [sentence] if head is None else []
        elif head is not None and _leads(head, [sentence]):
            out.append(_joined(head, sentence))
        else:
            out.append(sentence)
    return out


def _leads(head: Sentence, items: list[Sentence]) -> bool:
    joined = [_joined(head, item) for item in items if item.item]
    found = (read(one, language, ()) for one in joined for language in words().languages)
    return any(one is not None and one.requests for one in found)


def _joined(head: Sentence, item: Sentence) -> Sentence:
    return replace(item, tokens=(*head.tokens, Token(Sort.MARK, ":"), *item.tokens), item=False)


def _read_all(sentences: list[Sentence]) -> Iterator[tuple[Sentence, Read | None]]:
    """Each sentence as it is read, in the first language that understands it."""
    subject: tuple[Named, ...] = ()
    for sentence in sentences:
        english, *others = words().languages
        languages = [english, *(one for one in others if one.may_hold(sentence.tokens))] if sentence.tokens else []
        tried = (read(sentence, language, subject) for language in languages)
        found = next((one for one in tried if one is not None), None)
        subject = found.subject if found is not None else ()
        yield sentence, found
