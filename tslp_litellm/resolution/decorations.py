"""What stands in front of a definition and belongs to it: decorators, attributes, `export`."""

from __future__ import annotations

import re

import regex

from tslp_litellm.parser import outline
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.twins import named_as_in
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.words.sentences import PART_MIN

_BINDING = frozenset({"const", "let", "var", "async", "="})
"""Words in front of a definition that may change without loss."""
_MARKED = {"@": "decorator", "#": "attribute"}
"""The words for what a mark begins."""
_BINDINGS_BEHIND = regex.compile(r"(?r)(?:(?:const|let|var|async|=)\s*)*\Z")
"""Read from the end (`(?r)`), so that it is found in one pass."""


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
        if are_spoken_of(front, intent.prompt):
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


def are_spoken_of(front: str, prompt: str) -> bool:
    """Whether a prompt speaks of something that stands in front of a definition."""
    said = "|".join(map(re.escape, sorted(words_for(front))))
    return bool(said) and re.search(rf"(?<!\w)(?:{said})(?:s|d|ed)?(?!\w)", prompt, re.I) is not None


def words_for(front: str) -> set[str]:
    """What people call what stands in front of a definition: its names, their parts (`cache`), and what it is."""
    parts = {part for name in names_of(front) for part in name.split("_") if len(part) >= PART_MIN}
    return {*names_of(front), *parts, *(word for mark, word in _MARKED.items() if mark in front)}


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
