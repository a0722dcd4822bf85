"""Paths of a disk that knows no case (SEMANTICS 2, Paths): one file however it is written, and one way to write it.

A drive letter, of the path or of the working directory, proves such a disk; nothing else does. A file is written as it
is tracked, a new one as it was written first, below a folder as that is tracked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

_DRIVE = re.compile(r"[A-Za-z]:/")


def has_drive(path: str) -> bool:
    """Whether a `/`-separated path begins at a drive."""
    return _DRIVE.match(path) is not None


def fold(path: str) -> str:
    """What two writings of one file have in common; as long as the path.

    Letter by letter, as Windows has it: no letter becomes two, and none of another script becomes an ASCII one.
    """
    return path.lower() if path.isascii() else "".join(_folded(letter) for letter in path)


def _folded(letter: str) -> str:
    if letter.isascii():
        return letter.lower()
    upper = letter.upper()
    return letter if len(upper) > 1 or upper.isascii() else upper


def fold_drive(path: str) -> str:
    """A path that begins at a drive folded; any other as it is."""
    return fold(path) if has_drive(path) else path


class Root(str):
    """The stated working directory (empty for none) as one snapshot of the workspace sees it.

    `tracked` gives the paths that the workspace tracks; it is asked for them once, and only about such disks.
    """

    def __new__(cls, folder: str | None, tracked: Callable[[], Collection[str]]) -> Root:
        """A root with `/` between its folders where it begins at a drive."""
        slashed = (folder or "").replace("\\", "/")
        return super().__new__(cls, slashed if has_drive(slashed) else folder or "")

    def __init__(self, folder: str | None, tracked: Callable[[], Collection[str]]) -> None:
        super().__init__()
        self._tracked, self._written = tracked, dict[str, str]()

    def spelled(self, path: str) -> str:
        """A normalised path as it is written; of a disk that knows case, as it is."""
        if not (has_drive(self) or has_drive(path)):
            return path
        if not self._written:
            for known in sorted(self._tracked()):
                self._learn(known)
        if fold(path) not in self._written:
            self._learn(self._below(path))
        return self._written[fold(path)]

    def _learn(self, path: str) -> None:
        """Take a path and the folders above it as they are written, but for those that are known."""
        while path and fold(path) not in self._written:
            self._written[fold(path)] = path
            path = path.rpartition("/")[0]

    def _below(self, path: str) -> str:
        """A new path with the nearest folder that is known as that is written."""
        folder, _, name = path.rpartition("/")
        rest = [name]
        while folder and fold(folder) not in self._written:
            folder, _, name = folder.rpartition("/")
            rest.append(name)
        return "/".join([self._written[fold(folder)], *reversed(rest)]) if folder else path
