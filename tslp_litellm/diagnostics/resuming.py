"""Where a workspace stands (SEMANTICS 12): for people, on one screen; never in a prompt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tslp_litellm.diagnostics import decisions, dependencies
from tslp_litellm.history.segments import RESUMED, was_erased
from tslp_litellm.resolution.candidates import CANDIDATE, touched
from tslp_litellm.state.events import BESIDE, Entry, EventKind, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Flag
from tslp_litellm.store import as_of, conversations, queries
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.segments import ArchivedError

if TYPE_CHECKING:
    from sqlalchemy import Connection

SHOWN = 20
_SILENT = (*BESIDE, Op.PROPOSE, Op.REJECT, Op.EXPIRE)
BACK = 1000
"""So many of the newest events are looked at for what changed, where the last checkpoint is farther away."""


def resume(connection: Connection, tenant: str, name: str) -> dict[str, Any]:
    """Where a workspace stands, in the shape of `models.Resume`."""
    found = queries.workspace_id(connection, tenant, name)
    head = queries.head(connection, found)
    missing = list[str]()
    made = next(iter(as_of.last(connection, found, EventKind.CHECKPOINT, 1)), None)
    since = max(made.seq if made is not None else 0, head - BACK)
    green = _green(connection, found, missing)
    reported = as_of.last(connection, found, EventKind.REPORTED, RESUMED[EventKind.REPORTED], 0, missing)
    stated = as_of.last(connection, found, EventKind.STATED, RESUMED[EventKind.STATED], 0, missing)
    errors = as_of.last(connection, found, EventKind.ERROR, 5, since, missing)
    waiting = conversations.with_flags(connection, found, CANDIDATE, SHOWN) if found is not None else []
    return {
        "tenant": tenant,
        "workspace": name,
        "head": as_of.place(connection, found, head),
        "checkpoint": as_of.place(connection, found, made.seq) if made is not None else None,
        "changed": _changed(as_of.between(connection, found, since, head)),
        "waiting": _waiting(WorkspaceReader(connection, tenant, name), waiting)[:SHOWN],
        "dirty": queries.dirty_files(connection, found, SHOWN),
        "stale": dependencies.stale(connection, tenant, name)[:SHOWN],
        "decisions": decisions.of_conversations(connection, found, SHOWN)[:SHOWN] if found is not None else [],
        "stated": [_told(e, "says") for e in stated if not was_erased(e.kind, e.body)],
        "errors": [_error(e) for e in errors if not was_erased(e.kind, e.body)],
        "reported": _newest(reported),
        "green": as_of.place(connection, found, green) if green is not None else None,
        "missing": missing[0] if missing else None,
    }


def _green(connection: Connection, workspace: int | None, missing: list[str]) -> int | None:
    try:
        return as_of.green(connection, workspace)
    except ArchivedError as error:
        missing.append(error.missing)
        return None


def _waiting(store: WorkspaceReader, found: Iterable[tuple[str, list[Flag]]]) -> list[str]:
    """What waits still: a conversation that nobody takes up again carries its flags for good."""
    flags = {(entity, flag.detail) for _, flags in found for flag in flags for entity in flag.entities}
    return sorted({entity for entity, episode in flags if _is_open(store, entity, episode)})


def _is_open(store: WorkspaceReader, entity: str, episode: str) -> bool:
    """Whether the last that was said of a candidate's file was said in its own episode."""
    about = store.last_about(Entity.parse(entity).path)
    said = (e.episode_id for e in about if any(touched(entity, move, same_answer=False) for move in e.moves()))
    return next(said, episode) == episode


def _changed(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """The files of which something changed, with the last thing that was done to each; newest first."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        for path, op in _done(entry).items():
            found.pop(path, None)
            found[path] = {"path": path, "event": str(op), "at": entry.at}
    return list(found.values())[::-1][:SHOWN]


def _done(entry: Entry) -> dict[str, Op]:
    """What an event did to files: what it says of a file itself, else of what is in it. A file that lost a definition
    has changed, and is there."""
    done: dict[str, Op] = {}
    for move in entry.moves():
        if move.entity is not None and move.op not in _SILENT:
            path = Entity.parse(move.entity).path
            if move.entity == path:
                done[path] = move.op
            else:
                done.setdefault(path, Op.PROMOTE if move.op is Op.TOMBSTONE else move.op)
    return done


def _told(entry: Entry, *keys: str) -> dict[str, Any]:
    content = entry.content()
    return {**{key: content.get(key) for key in keys}, "at": entry.at, "episode_id": entry.episode_id}


def _error(entry: Entry) -> dict[str, Any]:
    said = _told(entry, "tool", "paths", "says")
    return {**said, "paths": said["paths"] or []}


def _newest(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """The last verdict of each tool, those of tests first."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        said = {**_told(entry, "tool", "verdict", "tests", "counts", "exit"), "seq": entry.seq}
        found.setdefault(said["tool"], {**said, "tests": bool(said["tests"]), "counts": said["counts"] or {}})
    return sorted(found.values(), key=lambda row: not row["tests"])
