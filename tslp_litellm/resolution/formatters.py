"""Formatters change nothing twice: which files a run of one leaves as they are (SEMANTICS 2, Formatters).

What a file held when it was first seen after a run is what that run left. A run of the same program with the same
options leaves a file of that text alone, unless something changed meanwhile that says how it formats. The Ledger holds
it all: the event of a run names its formatter.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tslp_litellm.dialects.values import Carrier, Drift
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.shell.commands import tables
from tslp_litellm.state.events import Entry, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Grant, Origin

FORMATTER = "formatter"
"""Under what an event names the formatter that ran."""
_CHANGES = (Op.PROMOTE, Op.TOMBSTONE, Op.DIRTY)


@cache
def _settings() -> re.Pattern[str]:
    names = (re.escape(name).replace("%", ".*") for name in tables().formatter_settings)
    return re.compile(f"(?:{'|'.join(names)})", re.S)


def left_by(entries: Iterable[Entry], formatter: str) -> dict[str, str]:
    """The files that a formatter left with a text that is known since, as artifacts; `entries` in order."""
    ran, left = set[str](), dict[str, str]()
    for entry in entries:
        content, moves = entry.content(), entry.moves()
        touched = {Entity.parse(m.entity).path: m for m in moves if m.op in _CHANGES and m.entity is not None}
        if content.get(FORMATTER) == formatter:
            ran |= touched.keys()
            for path in touched:
                left.pop(path, None)
            continue
        if _sets(content, moves):
            ran, left = set(), {}
        for path in touched.keys() & ran:
            ran.discard(path)
            if (artifact := _seen(content, moves, path)) is not None:
                left[path] = artifact
    return left


def _seen(about: Mapping[str, Any], moves: Sequence[Move], path: str) -> str | None:
    """The text of a file, where an event shows what stands on the disk, and nothing else happened to it."""
    listed = about.get("carrier") == Carrier.LISTING
    read = about.get("origin") == Origin.TOOL and about.get("carrier") in (Carrier.READ, Carrier.SHELL)
    if about.get("grant") != Grant.WRITE_HEAD or not (read or listed) or any(move.op is Op.DIRTY for move in moves):
        return None
    return next((move.artifact for move in moves if move.op is Op.PROMOTE and move.entity == path), None)


def _sets(about: Mapping[str, Any], moves: Sequence[Move]) -> bool:
    """Whether an event may have changed how formatters format: all but the first sight of a file that says so."""
    known = about.get("grant") == Grant.WRITE_HEAD
    return any(
        move.entity is not None
        and move.op is not Op.CONFIRM
        and _settings().fullmatch(posixpath.basename(Entity.parse(move.entity).path)) is not None
        and not (move.op is Op.PROMOTE and known and move.replaces in (None, move.artifact))
        for move in moves
    )


def may_have_changed(unit: UnitOfWork, drift: Drift, paths: Iterable[str]) -> list[str]:
    """Those of some files that a drift may have changed: all, but for what a formatter has formatted already."""
    left = unit.formatted.get(drift.formatter, {}) if drift.formatter else {}
    if not left or any(_sets(dict(event.about), event.moves) for event in unit.events):
        return list(paths)
    return [path for path in paths if not _is_left(unit, path, left)]


def _is_left(unit: UnitOfWork, path: str, left: Mapping[str, str]) -> bool:
    known = unit.file(path).file
    return known is not None and known.clean and left.get(path) == known.artifact
