"""Folders and the files that a word names: exactly, by a pattern, or any at all.

A folder that is not known makes no path: what is named in it may be any file of that name, wherever it stands.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache

ESCAPED = re.compile(r"([\\*?])")
_PIECE = re.compile(r"\\(.)|(\*\*)|(\*)|(\?)|([^\\*?]+)|(\\)", re.S)
WILD_MAX = 6


@dataclass(frozen=True, slots=True)
class At:
    """One path: absolute, or as seen from the working directory."""

    path: str


@dataclass(frozen=True, slots=True)
class Like:
    """Paths below `folder` (None: any folder) whose rest fits `tail`; and everything below those.

    In a tail `*` and `?` stand for characters other than `/`, `**` for any, and a backslash takes their meaning away.
    `alone`: only where one file fits, and no other.
    """

    folder: str | None
    tail: str
    alone: bool = False

    def matches(self, path: str) -> bool:
        """Whether a tracked path may be meant."""
        if self.folder is None:
            return _expression("(?:.*/)?" + translated(self.tail)).fullmatch(path) is not None
        base = self.folder.rstrip("/") + "/" if self.folder else ""
        return path.startswith(base) and _expression(translated(self.tail)).fullmatch(path[len(base) :]) is not None


ANYWHERE = Like(None, "**")
Target = At | Like


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern + "(?:/.*)?", re.S)


def translated(tail: str) -> str:
    """A tail as a regular expression; one with many wild cards stands for anything that ends like it."""
    pieces = list(_PIECE.finditer(tail))
    wild = [n for n, piece in enumerate(pieces) if piece[2] or piece[3] or piece[4]]
    if len(wild) > WILD_MAX:
        return ".*" + "".join(re.escape(piece[1] or piece[5] or piece[6]) for piece in pieces[wild[-1] + 1 :])
    return "".join(
        ".*"
        if piece[2]
        else "[^/]*"
        if piece[3]
        else "[^/]"
        if piece[4]
        else re.escape(piece[1] or piece[5] or piece[6])
        for piece in pieces
    )


def escaped(text: str) -> str:
    """A text that stands for itself in a tail."""
    return ESCAPED.sub(r"\\\1", text)


def widened(target: Target) -> Target:
    """The target; any file where it is a folder that holds the working directory."""
    place = target.path if isinstance(target, At) else target.folder
    if not place or set(place.split("/")) != {".."}:
        return target
    return ANYWHERE if isinstance(target, At) else Like(None, target.tail)


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a command runs. `path` is None where that is not known; empty for the working directory."""

    path: str | None = ""

    def joined(self, other: Folder) -> Folder:
        """What is known where one of two ways was taken."""
        return self if self == other else UNKNOWN

    def at(self, path: str) -> Target:
        """The file of that path, seen from here; `...` at its end is Go's word for all that is below."""
        path = path.removesuffix("...") or "." if path.rpartition("/")[2] == "..." else path
        if path.startswith("/"):
            return At(posixpath.normpath(path))
        if self.path is not None:
            return At(posixpath.normpath(posixpath.join(self.path, path)))
        rest = posixpath.normpath(path)
        while rest.startswith("../"):
            rest = rest[3:]
        return ANYWHERE if rest in (".", "..") else Like(None, escaped(rest))

    def like(self, head: str, tail: str) -> Target:
        """Files that fit a pattern; `head`: what stands before its first wild segment, with the `/` at its end."""
        segments = [segment for segment in tail.split("/") if segment not in ("", ".")]
        if not segments or ".." in segments:
            return ANYWHERE
        rest = "/".join(segments)
        if head.startswith("/"):
            return Like(posixpath.normpath(head), rest)
        if self.path is None:
            return Like(None, rest)
        folder = posixpath.normpath(posixpath.join(self.path, head))
        return Like("" if folder == "." else folder, rest)

    def entered(self, target: Target) -> Folder:
        """The folder that `cd` goes to."""
        if isinstance(target, Like):
            return UNKNOWN
        return Folder("" if target.path == "." else target.path)


HERE, UNKNOWN = Folder(), Folder(None)
