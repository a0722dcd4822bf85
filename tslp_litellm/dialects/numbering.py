"""Line numbers in front of a file's lines, as readers print them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBERED = re.compile(r"^\s*(?P<n>\d{1,9})(?P<gap> ?)(?P<mark>[|→\t:#])(?P<line>.*)$", re.S)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A numbered text. `first`: its first line's number; `lines`: without the numbers; `mark`: what stands behind
    them; `all`: there is nothing but these lines; `padded`: the numbers are set to one width. `glued`: something
    stands right behind a colon, as in no reader's frame: it may be more than the line, such as an anchor."""

    first: int
    lines: tuple[str, ...]
    mark: str
    all: bool
    padded: bool = False
    glued: bool = False

    @property
    def numbers_what_follows(self) -> bool:
        """Whether readers with this mark number what stands behind the last newline too."""
        return self.mark in "\t→"


OWN_LINES_MAX = 8
"""So many lines of its own a reader may put around those that it numbers, even where these are fewer."""


def numbered(text: str) -> Numbered | None:
    """The one run of numbered lines that a text is there for; None where there is none, or more than one.

    A few in a long text are its own: `0: f failed` in what a test expects to be printed.
    """
    lines = text.strip("\n").split("\n")
    found = [_NUMBERED.match(line) for line in lines]
    start = next((n for n, match in enumerate(found) if match), None)
    if start is None or (first := found[start]) is None:
        return None
    mark, count = first["mark"], 0
    for match in found[start:]:
        if match is None or match["mark"] != mark or int(match["n"]) != int(first["n"]) + count:
            break
        count += 1
    run = [match["line"] for match in found[start : start + count] if match]
    if start + count < len(lines) and lines[start + count].strip() == str(int(first["n"]) + count):
        run.append("")  # the number of an empty last line, trimmed
        count += 1
    whole = start == 0 and count == len(lines)
    if len(lines) - count > max(count, OWN_LINES_MAX):
        return None
    if not whole and any(m and int(m["n"]) == int(first["n"]) + count for m in found[start + count :]):
        return None
    glued = mark == "#" or (mark == ":" and any(line and not line.startswith(" ") for line in run))
    return Numbered(int(first["n"]), tuple(_unpadded(run, first)), mark, whole, first.start("n") > 0, glued)


def _unpadded(lines: list[str], first: re.Match[str]) -> list[str]:
    """Lines without the blank between the number's mark and each of them, where there is one."""
    mark = first["mark"]
    glued = mark == "|" and not first["gap"] and not first["n"].startswith("0")
    padded = mark in ":|" and not glued and all(line.startswith(" ") or not line for line in lines)
    return [line[1:] for line in lines] if padded else lines
