"""Markdown fences: backticks and tildes of any length, nested ones, and the prose around them.

CommonMark's rules, and two habits of models: fences may be indented as deep as they like (lists), and a fence of
the same length that opens with an info string inside another one is nested, not a mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from tslp_litellm.evidence.paths import hint_in_line

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$")
_PROSE_FENCES = frozenset({"markdown", "md", "mdx", "rst", "adoc", "text", "txt", "plaintext", ""})


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block. Lines are counted from 0; `body` has its newlines, `first` is the opening line's number.

    `closed`: False where the text ends inside it. `doubtful`: prose in which a bare inner fence may have been taken
    for its end.
    """

    info: str
    body: str
    first: int
    last: int
    closed: bool
    doubtful: bool = False


def fences(text: str) -> list[Fence]:
    """The outermost fenced blocks of a text, in order."""
    lines = text.split("\n")
    found: list[Fence] = []
    at = 0
    while at < len(lines):
        opening = _opening(lines[at])
        if opening is None:
            at += 1
            continue
        end = _end(lines, at, opening)
        body = _body(lines[at + 1 : end], opening["indent"])
        found.append(Fence(opening["info"].strip(), body, at, end, end < len(lines)))
        at = end + 1
    return _with_doubts(found, lines)


def is_fence_line(line: str) -> bool:
    """Whether a line opens or closes a fence."""
    return _opening(line) is not None


def prose_lines(text: str, blocks: list[Fence]) -> list[str]:
    """The text's lines, those inside and of fences blanked."""
    lines = text.split("\n")
    for block in blocks:
        for n in range(block.first, min(block.last + 1, len(lines))):
            lines[n] = ""
    return lines


def _opening(line: str) -> re.Match[str] | None:
    match = _FENCE.match(line.rstrip("\r"))
    if match is None or (match["marks"][0] == "`" and "`" in match["info"]):
        return None
    return match


def _end(lines: list[str], first: int, opening: re.Match[str]) -> int:
    """The number of the closing line; that of the line after the last where there is none."""
    marks, depth = opening["marks"], 1
    for n in range(first + 1, len(lines)):
        match = _opening(lines[n])
        if match is None or match["marks"][0] != marks[0] or len(match["marks"]) < len(marks):
            continue
        if match["info"].strip():
            depth += len(match["marks"]) == len(marks)
        else:
            depth -= 1
            if depth == 0:
                return n
    return len(lines)


def _body(lines: list[str], indent: str) -> str:
    """The lines between the fences, less the opening's indentation where all of them have it."""
    if indent and all(line.startswith(indent) or not line.strip() for line in lines):
        lines = [line[len(indent) :] if line.startswith(indent) else line.lstrip(" \t") for line in lines]
    return "".join(line + "\n" for line in lines)


def _with_doubts(found: list[Fence], lines: list[str]) -> list[Fence]:
    """Prose fences that are followed by a bare one: an inner bare fence may have ended them too early."""
    bare_after = False
    out = []
    for n, block in reversed(list(enumerate(found))):
        language = re.split(r"[\s:{]", block.info.lower(), maxsplit=1)[0]
        prose = language in _PROSE_FENCES or language.endswith((".md", ".mdx", ".rst", ".txt"))
        doubtful = prose and bare_after and not _labelled(found, n + 1, lines)
        out.append(replace(block, doubtful=doubtful))
        bare_after = bare_after or not block.info
    return out[::-1]


def _labelled(found: list[Fence], start: int, lines: list[str]) -> bool:
    """Whether all fences from one on stand apart from the one before, each below a path: a listing of files."""
    for before, block in pairwise(found[start - 1 :]):
        between = lines[before.last + 1 : block.first]
        said = [line for line in between if line.strip()]
        hint = hint_in_line(said[-1]) if said else None
        if not between or between[0].strip() or len(said) != 1 or hint is None or not hint.sure:
            return False
    return all(block.closed for block in found[start:])
