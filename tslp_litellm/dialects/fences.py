"""Markdown fences: backticks and tildes of any length, nested ones, and the prose around them.

CommonMark's rules, and two habits of models: fences may be indented as deep as they like (lists), and a fence of
the same length that opens with an info string inside another one is nested, not a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.paths import hint_in_line
from tslp_litellm.parser.budget import spend

FENCES_MAX = 10_000
"""What stands behind so many fences of a text is not read: `Fence.beyond`."""
_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$")
_STOP_TOKEN = re.compile(r"\s*+(?:<[|｜][^<>\n]{1,40}[|｜]>|</s>|<eos>|<end_of_turn>|\[/INST\])\s*+")
"""What ends a model's turn in its template, and servers leave at its end."""
_PROSE_FENCES = frozenset({"markdown", "md", "mdx", "rst", "adoc", "text", "txt", "plaintext", ""})


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block. Lines are counted from 0; `body` has its newlines, `first` is the opening line's number.

    `closed`: False where the text ends inside it. `doubtful`: prose in which a bare inner fence may have been taken
    for its end. `beyond`: no fence, but all that stands behind the last one that is read. `bare`: code
    that stands in no fence and below no path.
    """

    info: str
    body: str
    first: int
    last: int
    closed: bool
    doubtful: bool = False
    beyond: bool = False
    bare: bool = False


def fences(text: str) -> list[Fence]:
    """The outermost fenced blocks of a text, in order; behind FENCES_MAX of them, the rest of the text as one."""
    if "```" not in text and "~~~" not in text:
        return []
    lines = split_lines(text)
    marks = _marks(lines)
    found: list[Fence] = []
    for first, opening in marks:
        spend()
        if len(found) == FENCES_MAX:
            behind = found[-1].last + 1
            found.append(Fence("", join_lines(lines[behind:]), behind, len(lines), closed=False, beyond=True))
            break
        last = _end(marks, opening, len(lines))
        body = _body(lines[first + 1 : last], opening["indent"])
        found.append(Fence(opening["info"].strip(), body, first, last, last < len(lines)))
    return _with_doubts(found, lines)


def is_fence_line(line: str) -> bool:
    """Whether a line opens or closes a fence."""
    return _opening(line) is not None


def prose_lines(text: str, blocks: list[Fence]) -> list[str]:
    """The text's lines, those inside and of fences blanked."""
    lines = split_lines(text)
    for block in blocks:
        end = min(block.last + 1, len(lines))
        lines[block.first : end] = [""] * (end - block.first)
    return lines


def _marks(lines: list[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines that open or close a fence, by their numbers."""
    for n, line in enumerate(lines):
        if ("```" in line or "~~~" in line) and (opening := _opening(line)) is not None:
            yield n, opening


def _opening(line: str) -> re.Match[str] | None:
    if not line.lstrip(" \t").startswith(("```", "~~~")):
        return None
    match = _FENCE.match(line.rstrip("\r"))
    if match is None or (match["marks"][0] == "`" and "`" in match["info"]):
        return None
    return match


def _end(marks: Iterator[tuple[int, re.Match[str]]], opening: re.Match[str], lines: int) -> int:
    """The number of the closing line, the marks up to it taken; the number of lines where there is none."""
    opened, indent, depth = opening["marks"], _width(opening["indent"]), 1
    for n, match in marks:
        kind, info = match["marks"], match["info"]
        if kind[0] != opened[0] or len(kind) < len(opened):
            continue
        if _width(match["indent"]) > indent + INDENT_MAX:
            continue
        if info and not info.isspace() and not _STOP_TOKEN.fullmatch(info):
            depth += len(kind) == len(opened)
        else:
            depth -= 1
            if depth == 0:
                return n
    return lines


INDENT_MAX = 3
"""A line that is indented by more than its fence's opening and so much closes it not: it is code."""


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))


def _body(lines: list[str], indent: str) -> str:
    """The lines between the fences, less the opening's indentation where all of them have it."""
    if indent and all(line.startswith(indent) or not line.strip() for line in lines):
        lines = [line[len(indent) :] if line.startswith(indent) else line.lstrip(" \t") for line in lines]
    return join_lines(lines) + "\n" if lines else ""


def _with_doubts(found: list[Fence], lines: list[str]) -> list[Fence]:
    """Prose fences that are followed by a bare one: an inner bare fence may have ended them too early."""
    bare_after, listing = False, True
    out: list[Fence] = []
    for n in reversed(range(len(found))):
        spend()
        block = found[n]
        out.append(replace(block, doubtful=True) if bare_after and not listing and _is_prose(block) else block)
        bare_after = bare_after or not block.info
        listing = listing and n > 0 and block.closed and _stands_apart(found[n - 1], block, lines)
    return out[::-1]


def _is_prose(block: Fence) -> bool:
    language = re.split(r"[\s:{]", block.info.lower(), maxsplit=1)[0]
    return language in _PROSE_FENCES or language.endswith((".md", ".mdx", ".rst", ".txt"))


def _stands_apart(before: Fence, block: Fence, lines: list[str]) -> bool:
    """Whether a fence stands apart from the one before, below a path: a listing of files."""
    between = lines[before.last + 1 : block.first]
    if not between or between[0].strip():
        return False
    said = [line for line in between if line.strip()]
    hint = hint_in_line(said[0]) if len(said) == 1 else None
    return hint is not None and hint.sure
