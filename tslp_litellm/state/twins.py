"""Paths that may be other names of one file: by a link (`/private/tmp/p` for `/tmp/p`), by another way to write it
(`~/p`, `\\\\?\\C:\\p`, a share), or by another case on a disk that knows none.

Nothing here proves that two names are of one file, so no text ever comes from one to the other: what changes under the
one is of unknown text under the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tslp_litellm.state.names import MAX_PATH_CHARS, is_absolute
from tslp_litellm.state.spelling import fold

_PARTS_MIN = 2
"""So many parts two absolute paths must share at their ends: a file's name alone says nothing."""
_SOMEWHERE = ("~", "$", "%")
"""What a path begins with whose first folder is not told."""


def twins(paths: Iterable[str], root: str | None, known: Iterable[str]) -> set[str]:
    """The known paths, others than these, under which files of some normalised paths, or files below them, may be
    known too.

    A path outside the working directory may be one in it where it goes on behind a folder of that one's name as the
    other does, behind any where none is stated; of two outside, the one may end in the other.
    """
    own = set(paths)
    folders = {path.rstrip("/") for path in own}
    exact = {fold(name) for path in own for name in _names(path, root)}
    tails = {fold(tail) for path in own for tail in _tails(path, root)}

    def is_twin(other: str) -> bool:
        folded = fold(other)
        if folded in exact or not exact.isdisjoint(above(folded)):
            return True
        return _is_outside(other) and any(folded[at:] in tails for at in _slashes(folded))

    return {other for other in known if other not in own and is_twin(other) and folders.isdisjoint(above(other))}


def above(path: str) -> Iterator[str]:
    """The folders that a path lies in, outermost first. What is longer than a path lies in none."""
    return (path[:at] for at in _slashes(path)) if len(path) <= MAX_PATH_CHARS else iter(())


def _slashes(path: str) -> Iterator[int]:
    return (at for at, letter in enumerate(path) if letter == "/")


def rests(path: str, root: str | None) -> Iterator[str]:
    """What follows in a path outside the working directory behind each folder that may be that one: where it may be in
    it; empty where it may be that one itself. What is longer than a path is none."""
    if len(path) > MAX_PATH_CHARS:
        return iter(())
    parts, home = _parts(path), fold(_home(root))
    return ("/".join(parts[n + 1 :]) for n, part in enumerate(parts) if not home or fold(part) == home)


def _names(path: str, root: str | None) -> Iterator[str]:
    """The other names of a path that are as long or shorter."""
    yield path
    if _is_outside(path):
        parts = _parts(path)
        yield from (rest for rest in rests(path, root) if rest)
        yield from ("/" + "/".join(parts[n:]) for n in range(len(parts) - _PARTS_MIN + 1))


def _tails(path: str, root: str | None) -> Iterator[str]:
    """In what longer names of a path outside the working directory end."""
    parts = _parts(path)
    if not _is_outside(path):
        yield "/".join(("", *([home] if (home := _home(root)) else []), path))
    elif len(parts) >= _PARTS_MIN:
        yield "/" + "/".join(parts)


def _is_outside(path: str) -> bool:
    """Whether a normalised path lies in no place below the working directory, as far as its writing tells."""
    return is_absolute(path) or path.startswith(_SOMEWHERE)


def _parts(path: str) -> list[str]:
    """Folders and name, without a first one that is not told."""
    parts = path.split("/")
    return [part for part in (parts[1:] if path[:1] != "/" and _is_outside(path) else parts) if part]


def _home(root: str | None) -> str:
    """The working directory's own name."""
    return next((part for part in reversed((root or "").replace("\\", "/").split("/")) if part and ":" not in part), "")
