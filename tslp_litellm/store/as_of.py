"""The State Map as it was at a point of its Ledger: the last checkpoint's, and what came since folded (SEMANTICS 12).

Reads only.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from tslp_litellm.history.points import GREEN, Point
from tslp_litellm.history.segments import TESTS, is_of_tests
from tslp_litellm.state.events import Entry, EventKind
from tslp_litellm.state.fold import apply
from tslp_litellm.state.values import StateMap
from tslp_litellm.store import segments, vault
from tslp_litellm.store.queries import head, workspace_id, workspaces_of
from tslp_litellm.store.schema import event_paths, events


def seq_of(connection: Connection, workspace: int | None, point: Point) -> int | None:
    """The last event of a point; 0 before the first; None where the Ledger knows no such one."""
    if point.green:
        return green(connection, workspace)
    if point.until is not None:
        return _seq_until(connection, workspace, point.until)
    if point.episode is not None:
        return _end_of(connection, workspace, point.episode)
    return min(point.seq or 0, head(connection, workspace))


def _seq_until(connection: Connection, workspace: int | None, until: str) -> int:
    """Bisected: the events are in the order of their times, and no index is kept of these."""

    def at(seq: int) -> str:
        return next(segments.at(connection, workspace, [seq])).at

    away = max((one.last for one in segments.out(connection, workspace)), default=0)  # asked only if need be
    behind = bisect.bisect_right(range(away + 1, head(connection, workspace) + 1), until, key=at)
    return away + behind if behind else bisect.bisect_right(range(1, away + 1), until, key=at)


def _end_of(connection: Connection, workspace: int | None, episode: str) -> int | None:
    """The last event before another episode's, counted from where this one was recorded: an audit may report later."""
    own = segments.of_episodes(connection, workspace, [episode])
    if not own:
        return None
    recorded = next((entry.seq for entry in own if entry.kind == EventKind.EPISODE), own[-1].seq)
    later = segments.entries(connection, workspace, recorded)
    following = next((entry.seq for entry in later if entry.episode_id not in (None, episode)), None)
    return following - 1 if following is not None else head(connection, workspace)


def last(
    connection: Connection,
    workspace: int | None,
    kind: EventKind,
    limit: int,
    after: int = 0,
    missing: list[str] | None = None,
) -> list[Entry]:
    """The newest events of a kind behind a place, newest first. `missing`: takes what is in segments that can't be
    read; without it that is an ArchivedError."""
    found = segments.of_kind(connection, workspace, kind, after)
    return [*itertools.islice(segments.sure(found) if missing is None else segments.readable(found, missing), limit)]


def green(connection: Connection, workspace: int | None) -> int | None:
    """The last point at which tests were green: a request that reported a green run of tests, and no red one.
    ArchivedError where it may lie in a segment that can't be read."""
    return green_and_read(connection, workspace)[0]


def green_and_read(connection: Connection, workspace: int | None) -> tuple[int | None, int | None]:
    """What `green` says, and the oldest report of tests that had to be read for it; None where there is none."""
    oldest: int | None = None

    def reports() -> Iterator[Entry]:
        nonlocal oldest
        for entry in segments.sure(segments.of_kind(connection, workspace, EventKind.REPORTED, what=TESTS)):
            if is_of_tests(entry):
                oldest = entry.seq
                yield entry

    for _, group in itertools.groupby(reports(), key=lambda entry: entry.episode_id):
        said = [*group]
        if all(entry.content()["verdict"] == GREEN for entry in said):
            return said[0].seq, oldest
    return None, oldest


def checkpoint(connection: Connection, workspace: int | None, seq: int) -> tuple[int, StateMap]:
    """The last checkpoint at or before a place, and the State Map there; an empty one at 0 where there is none. One
    whose snapshot is damaged is passed over: the Ledger says the same, and `verify` names it."""
    for entry in _checkpoints(connection, workspace, seq):
        with contextlib.suppress(vault.AlteredError):
            return entry.seq, segments.snapshot(connection, entry)
    return 0, StateMap()


def _checkpoints(connection: Connection, workspace: int | None, seq: int) -> Iterator[Entry]:
    """The checkpoints at or before a place, the newest first."""
    away = next((one for one in segments.out(connection, workspace) if one.first <= seq <= one.last), None)
    if away is not None:
        found = reversed(segments.loaded(away).entries)
        yield from (entry for entry in found if entry.kind == EventKind.CHECKPOINT and entry.seq <= seq)
    made = select(events).where(events.c.workspace_id == workspace, events.c.kind == EventKind.CHECKPOINT)
    newest = made.order_by(events.c.seq.desc()).limit(1)
    while (row := connection.execute(newest.where(events.c.seq <= seq)).one_or_none()) is not None:
        yield Entry(*row)
        seq = row.seq - 1


def state_at(connection: Connection, workspace: int | None, seq: int, path: str | None = None) -> StateMap:
    """The State Map after an event; with `path` only what it says of that file is right, for less."""
    after, state = checkpoint(connection, workspace, seq)
    return grown(connection, workspace, state, after, seq, path)


def grown(
    connection: Connection, workspace: int | None, state: StateMap, after: int, seq: int, path: str | None = None
) -> StateMap:
    """A State Map, in place, with the events behind a place up to another and with it."""
    for entry in between(connection, workspace, after, seq, path):
        apply(state, entry)
    return state


def between(
    connection: Connection, workspace: int | None, after: int, last: int, path: str | None = None
) -> Iterator[Entry]:
    """The events behind a place up to another and with it, in order; with `path` only those about that file."""
    if path is None:
        return segments.entries(connection, workspace, after, last)
    p = event_paths.c
    query = select(p.seq).where(p.workspace_id == workspace, p.path == path, p.seq > after, p.seq <= last)
    return segments.at(connection, workspace, connection.execute(query.order_by(p.seq)).scalars().all())


def place(connection: Connection, workspace: int | None, seq: int) -> dict[str, Any]:
    """A point as it is told: its event, when that was recorded, and in which episode."""
    entry = next(segments.at(connection, workspace, [seq]), None)
    return {"seq": seq, "at": entry and entry.at, "episode_id": entry and entry.episode_id}


def state(connection: Connection, tenant: str, name: str, point: Point) -> dict[str, Any] | None:
    """The State Map of a workspace as it was, in the shape of `queries.state`; None where there is no such point."""
    found = workspace_id(connection, tenant, name)
    seq = seq_of(connection, found, point)
    if seq is None:
        return None
    then = state_at(connection, found, seq)
    return {
        "tenant": tenant,
        "workspace": name,
        "workspaces": workspaces_of(connection, tenant),
        "as_of": place(connection, found, seq),
        "entities": [
            {"entity": e, "artifact": h.artifact, "freshness": str(h.freshness), "source": str(h.source)}
            | {"updated_at": h.updated_at}
            for e, h in sorted(then.entities.items())
        ],
        "tombstones": [
            {"entity": e, "artifact": t.artifact, "since": t.since} for e, t in sorted(then.tombstones.items())
        ],
    }
