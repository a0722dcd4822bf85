"""Left-out code: comments, and bare `...`, that stand for code the model did not write out (SEMANTICS 3, gate A).

A comment is told from a string by the syntax tree. Code that always had the phrase is no placeholder, so every
finding is compared with the text that is replaced. The phrases are data (`data/left_out.json`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import pairwise

from tslp_litellm.state.markers import left_out_at
from tslp_litellm.syntax.comment_marks import marked
from tslp_litellm.syntax.outline import Outline, Symbol

_MARKERS = re.compile(
    r"^[\s{]*+(?://+|#+|/\*+|<!--+|--+|;+|%+|\"{3}|'{3}|\*+)[!/]?|(?:(?<!\*)\*++/|(?<!-)--++>)[\s}]*+$"
)
_DOTS_ONLY = re.compile(r"\A[\s(\[{<]*(?:\.{3}|…)[\s)\]}>.,;]*")
_DOTS_FIRST = re.compile(r"\A[\s(\[{<]*(?:\.{3,}|…)(?=[\s(\[<])")
_GOES_ON = re.compile(
    r"\A\W*(?:=|(?:and|or|but|then|so|except|because|which|if|when|where|unless|followed|you)\b(?! (?:on|forth)\b))"
)
"""Dots that take up the sentence of another comment."""
_CLOSING = " )]}>.,;:"
"""What may stand behind the dots at a comment's end."""
_DRAWN = re.compile(r"^(?: {4}|\t)|^\.{4,}\s*$")
"""In prose: dots in an indented example, or a line of them under a heading."""
COMMENT_CHARS_MAX = 300
"""A placeholder is short; what is longer says something."""
GAPS_MAX = 1000
OVERLOADS_MAX = 64
"""So many definitions of one name are looked at."""
_ENDS = " \t\r\n()[]{}<>.…,;:!-*="
_COMMENT_LINE = re.compile(r"^\s*(?://|#|--|/\*|<!--|\{/\*|\*|;|%|REM\b|').*$")


@cache
def _phrases() -> tuple[re.Pattern[str], re.Pattern[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "left_out.json").read_text("utf-8"))
    return (
        re.compile("|".join(f"(?:{w})" for w in data["words"])),
        re.compile(r"\A(?:" + "|".join(f"(?:{p})" for p in data["phrases"]) + ")"),
    )


def bare(comment: str) -> str:
    """A comment without its markers, lower-cased, white space folded; a long one is only itself."""
    if len(comment) > COMMENT_CHARS_MAX:
        return comment
    return " ".join(_MARKERS.sub("", _MARKERS.sub("", comment.strip())).split()).lower()


def is_placeholder(comment: str) -> bool:
    """Whether a comment (with or without its markers) says that code was left out."""
    if len(comment) > COMMENT_CHARS_MAX:
        return False
    said = bare(comment)
    if not said or said.startswith("todo"):
        return False
    if _DOTS_ONLY.fullmatch(said):
        return True
    words, phrases = _phrases()
    if _DOTS_FIRST.match(said) and (not _GOES_ON.match(said) or words.search(said)):
        return True
    if _ends_in_dots(said) and words.search(said):
        return True
    return phrases.fullmatch(said.strip(_ENDS).rstrip(_ENDS)) is not None


def _ends_in_dots(said: str) -> bool:
    """Whether dots are the last that a comment says."""
    end = len(said.rstrip(_CLOSING))
    return "..." in said[end:] or said.endswith("…", 0, end)


def comments_of(outline: Outline) -> list[tuple[int, str]]:
    """Comments with their byte offsets; where no syntax tree tells them, by the language's marks, and bare dots."""
    if has_comments(outline):
        return [(span.start, outline.text[span.start : span.end].decode()) for span in outline.comments]
    text = outline.text.decode()
    dots = [(at, line) for at, line in _stripped(text) if _DOTS_ONLY.fullmatch(line.strip())]
    bare = {at: line.strip() for at, line in dots if not (outline.prose and _DRAWN.match(line))}
    return _in_bytes(text, {**bare, **dict(marked(outline.language, text))})


def has_comments(outline: Outline) -> bool:
    """Whether a syntax tree tells a text's comments."""
    return outline.parsed and bool(outline.comments or outline.symbols or outline.loose)


def _suspects(outline: Outline) -> list[tuple[int, str]]:
    """Comments, and where no syntax tree tells them, whatever line would be one in some language."""
    known = comments_of(outline)
    if has_comments(outline):
        return known
    text = outline.text.decode()
    lines = {at: line.strip() for at, line in _stripped(text) if _COMMENT_LINE.match(line)}
    return sorted({**dict(_in_bytes(text, lines)), **dict(known)}.items())


def _stripped(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with the offset of its first character that is no white space."""
    at = 0
    for line in text.splitlines(keepends=True):
        yield at + len(line) - len(line.lstrip()), line
        at += len(line)


def _in_bytes(text: str, found: dict[int, str]) -> list[tuple[int, str]]:
    """Offsets of characters as those of bytes, in order."""
    out, at, size = [], 0, 0
    for start in sorted(found):
        size, at = size + len(text[at:start].encode()), start
        out.append((size, found[start]))
    return out


def placeholders(outline: Outline, base: Outline | None) -> tuple[int, ...]:
    """Byte offsets of what stands for left-out code in a text, given the text that it replaces.

    A block comment counts by its lines, so that a placeholder inside one is seen. Our own mark of what was left out of
    a request stands for code wherever it stands, also in a string or in prose (SEMANTICS 4, The window).
    """
    known = {bare(line) for _, comment in _suspects(base) for line in comment.splitlines()} if base else set()
    found = [
        at
        for at, comment in _suspects(outline)
        if any(bare(line) not in known and is_placeholder(line) for line in _sayings(outline.text, at, comment))
    ]
    found += [gap.start for gap in outline.gaps[:GAPS_MAX] if _hides_code(outline, gap.start, gap.whole, base)]
    return tuple(sorted({*found, *_our_lines(outline, base), *_in_strings(outline, base)}))


def _in_strings(outline: Outline, base: Outline | None) -> list[int]:
    """Byte offsets of lines within a string (a docstring) that read as such a comment, where lines gave way to them."""
    if base is None or not has_comments(outline):
        return []
    text, words = outline.text.decode(), _phrases()[0]
    lines = [(at, said) for at, line in _stripped(text) if (said := line.strip())]
    marks = [
        (above, at, said, below)
        for (_, above), (at, said), (_, below) in zip(lines, lines[1:], lines[2:], strict=False)
        if _COMMENT_LINE.match(said) and is_placeholder(said) and words.search(bare(said))
    ]
    if not marks:
        return []
    before = [said for line in base.text.decode().splitlines() if (said := line.strip())]
    there, pairs = set(before), set(pairwise(before))
    found = {
        at: ""
        for above, at, said, below in marks
        if said not in there and above in there and below in there and (above, below) not in pairs
    }
    return [at for at, _ in _in_bytes(text, found) if not any(c.start <= at < c.end for c in outline.comments)]


def _our_lines(outline: Outline, base: Outline | None) -> list[int]:
    """Byte offsets of our marks on lines that do not stand in the replaced text."""
    if b"[" not in outline.text and outline.text.isascii():
        return []
    text = outline.text.decode()
    at = left_out_at(text)
    known = {line.strip() for line in base.text.decode().splitlines()} if at and base is not None else set()
    new = {place: "" for place in at if _line_around(text, place) not in known}
    return [place for place, _ in _in_bytes(text, new)]


def _line_around(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)].strip()


def _sayings(text: bytes, at: int, comment: str) -> list[str]:
    """A comment's lines that can stand for code.

    Documentation shows `...` in its examples, and stands for none; nor does the end of a sentence that began above.
    """
    if comment.startswith(("///", "//!")):
        return []
    lines = comment.splitlines()
    above = _comment_above(text, at, comment) if len(lines) == 1 else ""
    block = len(lines) > 1
    pairs = zip([above, *lines], lines, strict=False)
    said = [line for before, line in pairs if not _ends_sentence(before, line, block)]
    if block:
        return [line for line in said if not _is_drawn(bare(line))]
    return [line for line in said if not (above and _DRAWN_DOTS.match(line))]


_LINE_MARKER = re.compile(r"//|#|--")
_DRAWN_DOTS = re.compile(r"(?://|#|--)\s{3,}[\W_]*$")
_FULL_STOP = re.compile(r"[.!?:;…=\-*/]\s*$")
WRAPPED_COLUMN_MIN = 72
"""Prose is broken where the next word would have passed this column, or a later one."""


def _is_drawn(said: str) -> bool:
    """Whether a line of a block comment begins with dots, and says nothing of code that is elsewhere."""
    if _DOTS_ONLY.fullmatch(said):
        return True
    return _DOTS_FIRST.match(said) is not None and not _phrases()[0].search(said)


def _comment_above(text: bytes, at: int, comment: str) -> str:
    """The line above a comment that has a line to itself, if it is a comment of the same kind; else nothing."""
    marker, start = _LINE_MARKER.match(comment), text.rfind(b"\n", 0, at) + 1
    if marker is None or text[start:at].strip() or not start:
        return ""
    above = text[text.rfind(b"\n", 0, start - 1) + 1 : start - 1].decode(errors="replace")
    return above if above.lstrip().startswith(marker.group()) else ""


def _ends_sentence(above: str, line: str, block: bool) -> bool:
    """Whether a line of a comment only ends the sentence of the line above it, which is full."""
    if "..." in line or "…" in line or _FULL_STOP.search(above) or not (block or line.rstrip().endswith(".")):
        return False
    words = _MARKERS.sub("", line.strip()).split()
    return bool(words) and len(above.rstrip()) + 1 + len(words[0]) >= WRAPPED_COLUMN_MIN


def _hides_code(outline: Outline, at: int, whole: bool, base: Outline | None) -> bool:
    """Whether a bare `...` stands where the replaced text has code: beside statements, or in place of a body."""
    holder = innermost(outline, at)
    before = base.by_name.get(holder.name) if base and holder and not behind(outline, holder, base) else None
    had = base is not None and any(not before or before.start <= gap.start < before.end for gap in base.gaps)
    return not had and (not whole or before is not None)


def behind(outline: Outline, symbol: Symbol, base: Outline) -> list[Symbol]:
    """The definitions of its name behind one that are new: it may declare an overload of theirs."""
    holder, dot, leaf = symbol.name.rpartition(".")
    name, _, number = leaf.rpartition("#")
    name, first = (name, int(number)) if name and number.isdecimal() else (leaf, 1)  # `#secret` is a name
    names = (f"{holder}{dot}{name}#{n}" for n in range(first + 1, OVERLOADS_MAX))
    found = (outline.by_name.get(one) for one in names if one not in base.by_name)
    return [one for one in found if one is not None]


def innermost(outline: Outline, at: int) -> Symbol | None:
    """The smallest symbol that holds an offset."""
    holders = [s for s in outline.symbols if s.start <= at < max(s.end, s.start + 1)]
    return min(holders, key=lambda s: s.end - s.start, default=None)
