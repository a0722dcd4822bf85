"""What stands in front of a definition and belongs to it: decorators, attributes, `export`."""

from __future__ import annotations

import re
from functools import lru_cache

from tslp_litellm.parser import outline
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.twins import named_as_in
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.words.sentences import Listed, asks_for_deed, holds, listed, mentions_word, sentences

_BINDING = frozenset({"const", "let", "var", "async", "="})
"""Words in front of a definition that may change without loss."""
PART_MIN, BEGINNING_MIN = 4, 6
"""So many letters has a part of a name that speaks of it; the word that is its beginning: `static`, and not `class`."""
_MARKED = {"@": ("decorator", "decorators"), "#": ("attribute", "attributes")}
"""The words for what a mark begins."""
_ANY = rf"(?!{listed('before_other')}\b)[\w.\-]+"
_OF_NO_DEED = rf"(?:be|use|using|any|its|{listed('article')})"
_BINDINGS_BEHIND = re.compile(r"(?:(?:const|let|var|async|=)\s*)*\Z")


def decorations(seen: Outline, symbol: Symbol) -> set[str]:
    """What stands in front of a definition and belongs to it: decorators and attributes by line, `export` by word."""
    lines = {" ".join(line.split()) for line in _front(seen, symbol).splitlines()}
    marked = {line for line in lines if line.startswith(("@", "#"))}
    return (marked | {word for line in lines - marked for word in line.split()}) - _BINDING


def redecorated(seen: Outline, base: Outline | None, language: Language | None, intent: Intent) -> Outline:
    """A part by the model, each definition that lacks all that stands in front of it in its file with that in front.

    Small models show the bare function, and people put its body where the old one stood. What the prompt names is left
    as it is: it may have been asked to go.
    """
    text, pairs = seen.text, [(s, base.by_name[s.name]) for s in seen.symbols if base and s.name in base.by_name]
    for symbol, before in sorted(pairs, key=lambda pair: -pair[0].node_start):
        if base is None or decorations(seen, symbol) or not decorations(base, before):
            continue
        front = _BINDINGS_BEHIND.sub("", _front(base, before).lstrip())
        if are_spoken_of(front, intent) or asked_to_go(front, symbol, base, intent):
            continue
        at = _begins(seen, symbol)
        margin = seen.text[seen.text.rfind(b"\n", 0, at) + 1 : at].decode()
        old_margin = base.slice(before)[: -len(base.slice(before).lstrip(" \t"))]
        head, *rest = front.split("\n")
        lines = [head, *(margin + line.removeprefix(old_margin) for line in rest)]
        text = text[:at] + "\n".join(lines).encode() + text[at:]
    if base is None or text is seen.text:
        return seen
    return named_as_in(base, outline(language, text.decode()))


def are_spoken_of(front: str, intent: Intent) -> bool:
    """Whether a prompt names something that stands in front of a definition."""
    return any(mentions_word(intent.prompt, word) for word in names_of(front))


def asked_to_go(front: str, symbol: Symbol, base: Outline, intent: Intent) -> bool:
    """Whether a prompt asks for a definition without what stands in front of it: by a word for that, or by its name, or
    a part of it (`the cache` for `@lru_cache`, `exported` for `export`). A sentence about others of its file says
    nothing of it."""
    others = {other.leaf for other in base.symbols} - {symbol.leaf}
    words = "|".join(map(re.escape, sorted(_words_for(front, intent.prompt))))
    return bool(words or holds(intent.prompt, "plain")) and any(
        asks_for_deed(one) and _goes_in(one, words)
        for one in sentences(intent.prompt)
        if mentions_word(one, symbol.leaf) or not any(mentions_word(one, leaf) for leaf in others)
    )


def _goes_in(sentence: str, words: str) -> bool:
    """Whether a sentence asks for something without what one of some words speaks of."""
    if holds(sentence, "plain") or not words:
        return holds(sentence, "plain")
    lost = None if holds(sentence, "unless") else _behind("lose", _ANY, words).search(sentence)
    if lost is not None and not holds(sentence[: lost.start()], "negation"):
        return True
    return _behind("not_with", _OF_NO_DEED, words).search(sentence) is not None


def _behind(name: Listed, between: str, words: str) -> re.Pattern[str]:
    """A word of a list, at most three words `between`, and one of some words."""
    parts = r"[\s`\"'@#]+"
    return re.compile(rf"(?<!\w){listed(name)}(?:{parts}{between}){{0,3}}{parts}(?:{words})(?!\w)", re.I)


def _words_for(front: str, prompt: str) -> set[str]:
    """The words of a prompt that may speak of what stands in front of a definition."""
    parts = {part.lower() for name in names_of(front) for part in (name, *name.split("_")) if len(part) >= PART_MIN}
    kinds = {word for mark, words in _MARKED.items() if mark in front for word in words}
    return {word for word in _words_of(prompt) if word in kinds or any(_is_of(word, part) for part in parts)}


@lru_cache(maxsize=4)
def _words_of(prompt: str) -> frozenset[str]:
    return frozenset(word.lower() for word in re.findall(r"\w+", prompt))


def _is_of(word: str, part: str) -> bool:
    """Whether a word is a name, inflected (`exported`), or a long beginning of one (`static`)."""
    inflected = word.startswith(part) and len(word) - len(part) <= 2
    return inflected or (len(word) >= BEGINNING_MIN and part.startswith(word))


def names_of(front: str) -> list[str]:
    """The names in what stands in front of a definition, without arguments: `users` in `@app.get("/users")` is none."""
    lines = (line.partition("(")[0] for line in front.split("\n") if line[:1].strip())
    return [word for line in lines for word in re.findall(r"\w+", line)]


def _front(seen: Outline, symbol: Symbol) -> str:
    """What stands in front of a definition, without comments and blank lines."""
    front, at = b"", symbol.start
    for comment in seen.comments:
        if symbol.start <= comment.start < symbol.inner:
            front, at = front + seen.text[at : comment.start], comment.end
    lines = (front + seen.text[at : symbol.inner]).decode().split("\n")
    return "\n".join([*(line for line in lines[:-1] if line.strip()), lines[-1]])


def _begins(seen: Outline, symbol: Symbol) -> int:
    """Where a definition begins behind the comments that stand above it."""
    ends = [c.end for c in seen.comments if symbol.start <= c.start < symbol.inner]
    at = max([symbol.start, *ends])
    return at + len(seen.text[at:]) - len(seen.text[at:].lstrip())
