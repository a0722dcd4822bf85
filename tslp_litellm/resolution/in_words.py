"""What an answer told its reader to change, of which the reader's words may mean that it was done.

Nobody knows how it was done: what was named is of unknown text. A file that holds already what the answer shows for it
is as it was (a text of the answer that was promoted).
"""

from __future__ import annotations

from collections.abc import Iterable

from tslp_litellm.dialects.values import Drift
from tslp_litellm.resolution.common import Context, snippet_outline
from tslp_litellm.resolution.files import dirty, with_holders
from tslp_litellm.resolution.operations import About, drift_paths, fitting, twins_drifted
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import FileState


def brought_names(drift: Drift) -> set[str]:
    """The definitions that a change's texts have, where it names no file."""
    if drift.paths:
        return set()
    return {symbol.name for piece in drift.brings for symbol in snippet_outline(piece).symbols}


def perhaps_done(unit: UnitOfWork, drift: Drift, context: Context, about: About) -> None:
    """A change that was told in words, and perhaps made."""
    twins_drifted(unit, drift, context, about)
    paths = drift_paths(drift, context) or []
    if not (paths and all(unit.file(path).tracked for path in paths)):  # short for a longer one
        paths += fitting(unit.files, drift, context, unit.files)
    for path in dict.fromkeys(paths):
        state = unit.file(path)
        if state.tracked and not _is_as_told(state, drift):
            unit.change(dirty(state, "told-in-words"), **about)
    for path, names in _holders(unit, {*drift.symbols, *brought_names(drift)}).items():
        state = unit.file(path)
        if path not in paths and not _is_as_told(state, drift):
            unit.change(dirty(state, "told-in-words", with_holders(names)), **about)


def _holders(unit: UnitOfWork, names: Iterable[str]) -> dict[str, set[str]]:
    """The files that have some definitions, each with those that it has."""
    found: dict[str, set[str]] = {}
    for name in sorted(names):
        for path in sorted(unit.holders.get(name, ())):
            found.setdefault(path, set()).add(name)
    return found


def _is_as_told(state: FileState, drift: Drift) -> bool:
    """Whether a file's text is known, and holds what the change would bring."""
    text = state.text()
    if text is None or not drift.brings:
        return False
    if any(piece.text.strip("\n") == text.strip("\n") for piece in drift.brings):
        return True
    return not drift.exact and all(stands_in(text, piece.text) for piece in drift.brings)
