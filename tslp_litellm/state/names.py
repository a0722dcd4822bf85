"""Names of entities: `path` for a whole file, `path::symbol` for a definition in it (SEMANTICS 1).

Owns the one way in which a path is written; refuses what is no path at all.
"""

from __future__ import annotations

import functools
import posixpath
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.spelling import Root, fold_drive, has_drive

SEPARATOR = "::"
MAX_PATH_CHARS = 1024


class WorkspaceKey(NamedTuple):
    """Whose State Map it is."""

    tenant: str
    workspace: str


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """A file, or a definition in it. `str()` gives the name used everywhere else."""

    path: str
    symbol: str | None = None

    def __str__(self) -> str:
        return f"{self.path}{SEPARATOR}{self.symbol}" if self.symbol else self.path

    @classmethod
    def parse(cls, name: str) -> Entity:
        """The entity of a name; the reverse of `str()`."""
        path, separator, symbol = name.partition(SEPARATOR)
        return cls(path, symbol if separator else None)

    @property
    def leaf(self) -> str | None:
        """The last part of the symbol, without the number of a repeated name."""
        return self.symbol.rsplit(".", 1)[-1].partition("#")[0] if self.symbol else None


def is_absolute(path: str) -> bool:
    """Whether a `/`-separated path begins at a root or a drive."""
    return path.startswith("/") or has_drive(path)


def normalise_path(raw: str, root: str | None = None) -> str | None:
    """A path as the State Map writes it, relative to `root` where it lies below; None for what is no path.

    `/`-separated, no `./`, no `a/..`; an absolute path outside a known root stays absolute. On a disk that knows no
    case (`Root`) a file that is tracked is written as it is tracked.
    """
    short = len(raw) <= 2 * MAX_PATH_CHARS and (root is None or len(root) <= MAX_PATH_CHARS)
    path = (_normalised if short else _normalised.__wrapped__)(raw, None if root is None else str.__str__(root))
    return root.spelled(path) if isinstance(root, Root) and path is not None else path


@functools.lru_cache(maxsize=8192)  # each request says anew what the chat before it said
def _normalised(raw: str, root: str | None) -> str | None:
    path = _slashes(raw)
    if not path or len(path) > MAX_PATH_CHARS or SEPARATOR in path or any(ord(c) < 32 or ord(c) == 127 for c in path):
        return None
    if len(path.splitlines()) > 1 or holds_marker(path):  # it stands on a line of a block, between our marks
        return None
    try:
        path.encode()
    except UnicodeEncodeError:
        return None
    if path.endswith("/"):
        return None
    base = _slashes(root) if root else ""
    if base and not is_absolute(path) and path.startswith("../"):
        path = posixpath.join(base, path)
    path = posixpath.normpath(path)
    if path.startswith("//"):
        path = path[1:]
    if base and is_absolute(path):
        base = posixpath.normpath(base).rstrip("/") + "/"
        if fold_drive(path).startswith(fold_drive(base)):
            path = path[len(base) :]
    return None if path in (".", "..", "/") else path


def ends(name: str, separator: str, counts: Collection[int]) -> Iterator[str]:
    """The last so many parts of a name, for each of some counts that it has; by `/` in a path, by `.` in a symbol.

    >>> list(ends("src/shop/cart.py", "/", [1, 2, 9]))
    ['cart.py', 'shop/cart.py']
    """
    parts = name.split(separator)
    return (separator.join(parts[-count:]) for count in counts if 0 < count <= len(parts))


def holders(symbol: str) -> list[str]:
    """The names of what a symbol is a member of, the outermost first.

    >>> holders("Cart.Line.total")
    ['Cart', 'Cart.Line']
    """
    parts = symbol.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]


def part_counts(names: Iterable[str], separator: str) -> frozenset[int]:
    """How many parts names have, each number once: what `ends` has to look at so that they are found."""
    return frozenset(name.count(separator) + 1 for name in names)


_QUOTES = "\"'`"
_HERE = ("$PWD/", "${PWD}/", "$(pwd)/")


def _slashes(raw: str) -> str:
    path = raw.strip()
    if len(path) > 2 and path[0] == path[-1] and path[0] in _QUOTES:
        path = path[1:-1]
    here = next((folder for folder in _HERE if path.startswith(folder)), "")
    path = path[len(here) :]
    if not path.isascii():
        path = unicodedata.normalize("NFC", path)  # what some file systems make of a name is no other name
    if path.startswith("file://"):
        path = unquote(urlsplit(path).path)
        if has_drive(path[1:]):
            path = path[1:]
    return path.replace("\\", "/")
