"""Paths that may be another name of one file (SEMANTICS 2, One file, two names): an absolute one and one in a working
directory that nobody states, or that is mounted, linked or written otherwise (`/private/tmp/p` for `/tmp/p`, `~/p`).

Nothing here proves that two names are of one file, so no text goes from one to the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tslp_litellm.state.names import is_absolute
from tslp_litellm.state.spelling import fold

_SOMEWHERE = re.compile(r"[~$]|%\w+%(?:/|\Z)")
"""What a path begins with whose first folders are not told."""
_ASIDE = re.compile(r"/(?:dev|proc|tmp|var/tmp)(?:/|\Z)")
"""Where files of no workspace are written."""
OF_OTHERS = frozenset(["node_modules", "site-packages", "dist-packages", ".git", ".venv"])
"""Folders in which nobody's working directory lies."""
_HOME = re.compile(r"(?:[A-Za-z]:)?/(?:(?:home|Users)/[^/]+|root)(?=/|\Z)")
_OF_HOME = re.compile(r"(?:~|\$HOME|\$\{HOME\}|\$env:USERPROFILE|%USERPROFILE%)(?=/|\Z)", re.I)


def is_outside(path: str) -> bool:
    """Whether a normalised path lies in no place below the working directory, as far as its writing tells."""
    return is_absolute(path) or _SOMEWHERE.match(path) is not None


def inner_names(path: str, root: str | None) -> Iterator[str]:
    """The names that a path outside the working directory may have in it, the longest first."""
    if not is_outside(path):
        return
    parts = _parts(path)
    for n in range(0 if _SOMEWHERE.match(path) is not None else 1, len(parts)):
        if _may_be_root(path, parts[:n], root):
            yield "/".join(parts[n:])


def other_names(path: str, root: str | None, known: Iterable[str]) -> set[str]:
    """Those of the known paths that may be another name of a path: of several in the working directory the longest."""
    inner = list(inner_names(path, root))
    rank, known = {name: n for n, name in enumerate(inner)}, set(known)
    within, base = rank.keys() & known, path.rpartition("/")[2]
    ends = (other for other in known if other != path and other.endswith(base))
    beside = {other for other in ends if is_outside(other) and _is_end(path, other, root)}
    return beside | set(sorted(within, key=rank.__getitem__)[:1])


def outer_ends(path: str) -> set[str]:
    """The absolute names that an absolute path may have from further in: `/tmp/p` for `/private/tmp/p`."""
    parts = _parts(path)
    return {"/" + "/".join(parts[n:]) for n in range(1, len(parts) - 1)} if is_outside(path) else set()


def _is_end(path: str, other: str, root: str | None) -> bool:
    """Whether one of two paths, the second outside the working directory, ends as the other does."""
    if not is_outside(path):
        return path in inner_names(other, root)
    one, two = sorted((_parts(path), _parts(other)), key=len)
    return len(one) > 1 and two[-len(one) :] == one


def _parts(path: str) -> list[str]:
    """Folders and name, without a first one that is not told."""
    parts = path.split("/")
    return [part for part in (parts[1:] if _SOMEWHERE.match(path) is not None else parts) if part]


def _may_be_root(path: str, folders: list[str], root: str | None) -> bool:
    """Whether the first folders of a path may be the working directory by another name.

    Where it is stated, a folder of its own name may be; another one may only where the two have not even their first
    folder in common: a mount or a link, not a project beside it.
    """
    place = "/" + "/".join(folders)
    if not OF_OTHERS.isdisjoint(folders):
        return False
    if not root:
        return _ASIDE.fullmatch(place) is None and bool(folders or _SOMEWHERE.match(path) is not None)
    own = [part for part in root.replace("\\", "/").split("/") if part]
    home = _HOME.match(root.replace("\\", "/"))
    if home is not None and _OF_HOME.match(path):
        return [*(part for part in home[0].split("/") if part), *folders] == own
    if folders and own and fold(folders[-1]) == fold(own[-1]):
        return True
    hidden = any(part.startswith(".") for part in folders)
    return bool(folders) and not hidden and _ASIDE.match(place) is None and folders[:1] != own[:1]
