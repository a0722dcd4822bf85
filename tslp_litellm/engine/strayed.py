"""Shells that did not keep their folder, though they are known to: what a command did in it says so.

A client may reset the folder without a word (of a sub-agent's shell, of one that it had to restart). Then a path that
was written as it is seen from the working directory would be taken for one below the folder of an earlier call.
"""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Iterable

from tslp_litellm.clients.outcomes import shell_outcome
from tslp_litellm.clients.tools import arguments_of
from tslp_litellm.dialects.values import Drift, Outcome, Report, Snippet, Told
from tslp_litellm.engine.talk import Piece, ReadingCache, Talk
from tslp_litellm.resolution.common import paths_of
from tslp_litellm.shell import Outcome as ShellOutcome
from tslp_litellm.state.names import normalise_path
from tslp_litellm.store.reading import WorkspaceReader


def evidence(store: WorkspaceReader, talk: Talk, n: int, root: str | None, readings: ReadingCache) -> list[Piece]:
    """What a new item is evidence of."""
    if _has_strayed(store, talk, n, root, readings):
        talk.strayed.add(n)
    return readings.evidence(talk, n, root)


def _has_strayed(store: WorkspaceReader, talk: Talk, n: int, root: str | None, readings: ReadingCache) -> bool:
    """Whether the shell call that a result answers may have begun elsewhere than where the calls before it left it.

    It succeeded; where it would have been, no known file stands, and no folder that is known; where it is seen from the
    working directory there is one.
    """
    kept, call = talk.folder(n, root), talk.call(n)
    if not kept or call is None or shell_outcome(talk.items[n], call.name, arguments_of(call)) is ShellOutcome.FAILURE:
        return False
    there, here = (_places(readings.of_result(talk, n, folder), root) for folder in (kept, ""))
    there, here = there - here, here - there
    if not there or there & (known := store.paths(None)):
        return False
    if _is_doubled(kept) and not _holds(kept, known):
        return True
    folders = [posixpath.dirname(place) for place in here]
    return not all(_is_known(posixpath.dirname(place), kept, known) for place in there) and any(
        _is_known(folder, kept, known) for folder in folders if folder
    )


def _places(pieces: Iterable[Piece], root: str | None) -> set[str]:
    """The paths that some evidence is about; of a pattern, one in its folder."""
    changes = itertools.chain(*(p.attempt.changes if isinstance(p, Outcome) else (p,) for p in pieces))
    found = set[str]()
    for change in changes:
        if not isinstance(change, (Snippet, Report, Told)):
            found |= {*paths_of(change)}
        if isinstance(change, Drift):
            found |= {*change.scripts, *(f"{like.folder}/*" for like in change.like if like.folder)}
    return {path for raw in found if (path := normalise_path(raw.rstrip("/"), root)) is not None}


def _is_known(folder: str, kept: str, known: Iterable[str]) -> bool:
    """Whether there is such a folder: it is the kept one, holds it, or holds a tracked file."""
    return f"{kept}/".startswith(f"{folder}/") or _holds(folder, known)


def _holds(folder: str, known: Iterable[str]) -> bool:
    return any(path.startswith(f"{folder}/") for path in known)


def _is_doubled(folder: str) -> bool:
    """Whether a folder ends in the same names twice: whoever went there twice may have begun anew each time."""
    names = folder.split("/")
    return any(names[-size:] == names[-2 * size : -size] for size in range(1, len(names) // 2 + 1))
