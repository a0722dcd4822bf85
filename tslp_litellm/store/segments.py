"""The whole Ledger, whether its events are in the database or in segments (SEMANTICS 12). Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from sqlalchemy import Connection, select

from tslp_litellm.history import snapshots
from tslp_litellm.history.segments import LISTED, Contents, Segment, SegmentError, unpacked
from tslp_litellm.state.events import Entry, Event, EventKind, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Freshness, StateMap
from tslp_litellm.store import vault
from tslp_litellm.store.database import StoreError
from tslp_litellm.store.folders import folder
from tslp_litellm.store.schema import events, texts_gone
from tslp_litellm.store.statements import batches

BASES_MAX = 16
_bases: dict[str, StateMap] = {}  # by the hashes of their checkpoints


class ArchivedError(StoreError):
    """What is asked for lies in a segment that can't be read."""

    def __init__(self, segment: Segment, cause: object) -> None:
        super().__init__(
            f"What was asked for is in the archive ({segment}), and that can't be read: {cause} Put the file back, or "
            "bring it back from where it is now by `tslp restore`."
        )
        self.segment = segment

    @property
    def missing(self) -> str:
        """What an answer lacks."""
        return f"Events up to {self.segment.last} are in the archive ({self.segment.file}), which can't be read."


def recorded(connection: Connection, workspace: int | None) -> list[tuple[int, Segment]]:
    """Every segment that a Ledger records, the newest first, each with the place of its event."""
    query = select(events).where(events.c.workspace_id == workspace, events.c.kind == EventKind.ARCHIVED.value)
    rows = connection.execute(query.order_by(events.c.seq.desc()))
    return [(entry.seq, Segment.of(entry)) for entry in (Entry(*row) for row in rows)]


def out(connection: Connection, workspace: int | None) -> list[Segment]:
    """The segments whose events are not in the database, in order: the last one that was written of each piece. What
    each begins with tells, as that always leaves: a checkpoint, or the opening of the workspace."""
    found = list[Segment]()
    for _, one in recorded(connection, workspace):
        if not any(one.first <= other.last and other.first <= one.last for other in found):
            found.append(one)
    firsts = select(events.c.seq).where(
        events.c.workspace_id == workspace, events.c.seq.in_([one.first for one in found])
    )
    here = set(connection.execute(firsts).scalars()) if found else set[int]()
    return sorted((one for one in found if one.first not in here), key=lambda one: one.first)


@lru_cache(maxsize=2)
def loaded(segment: Segment) -> Contents:
    """What a segment holds; ArchivedError where it can't be reached, or is not what was written."""
    try:
        return unpacked(folder(segment.folder).read(segment.file), segment)
    except (StoreError, SegmentError) as error:
        raise ArchivedError(segment, f"{str(error).rstrip('.')}.") from None


def walk(
    connection: Connection, workspace: int | None, after: int = 0, last: int | None = None
) -> Iterator[Entry | ArchivedError]:
    """Events behind a place, up to another and with it, in order; for a segment that can't be read, why."""
    for segment in out(connection, workspace):
        if segment.last <= after or (last is not None and segment.first > last):
            continue
        yield from stored(connection, workspace, after, segment.first - 1)
        try:
            entries = loaded(segment).entries
        except ArchivedError as error:
            yield error
        else:
            yield from (e for e in entries if e.seq > after and (last is None or e.seq <= last))
        after = segment.last
    yield from stored(connection, workspace, after, last)


def entries(connection: Connection, workspace: int | None, after: int = 0, last: int | None = None) -> Iterator[Entry]:
    """Events behind a place, up to another and with it, in order; ArchivedError where one can't be had."""
    return sure(walk(connection, workspace, after, last))


def of_kind(
    connection: Connection,
    workspace: int | None,
    kind: EventKind,
    after: int = 0,
    *,
    oldest_first: bool = False,
    what: str = "",
) -> Iterator[Entry | ArchivedError]:
    """Events of a kind behind a place, the newest first or the oldest, as they are asked for; for a segment that can't
    be read, why. `what`: what a segment has to hold to be opened, if not the kind."""
    spans, first = list[tuple[int, int | None, Segment | None]](), after + 1
    for segment in out(connection, workspace):
        if segment.last > after:
            spans += [(first, segment.first - 1, None), (max(first, segment.first), segment.last, segment)]
            first = segment.last + 1
    spans.append((first, None, None))
    for begin, last, away in spans if oldest_first else reversed(spans):
        if away is None:
            query = select(events).where(events.c.workspace_id == workspace, events.c.kind == kind.value)
            query = query.where(events.c.seq >= begin, *([] if last is None else [events.c.seq <= last]))
            ordered = query.order_by(events.c.seq if oldest_first else events.c.seq.desc())
            yield from (Entry(*row) for row in connection.execute(ordered.execution_options(yield_per=100)))
        elif away.number(what or kind) != 0:
            try:
                found = _inside(connection, workspace, kind, away)
            except ArchivedError as error:
                yield error
            else:
                yield from (e for e in (found if oldest_first else reversed(found)) if e.seq >= begin)


def _inside(connection: Connection, workspace: int | None, kind: EventKind, segment: Segment) -> list[Entry]:
    """A segment's events of a kind, in order: from the database, where all of them stayed."""
    if (number := segment.number(kind)) is not None:
        query = select(events).where(events.c.workspace_id == workspace, events.c.kind == kind.value)
        query = query.where(events.c.seq.between(segment.first, segment.last)).order_by(events.c.seq)
        found = [Entry(*row) for row in connection.execute(query)]
        if len(found) == number:
            return found
    return [e for e in (_listed(segment) if kind in LISTED else loaded(segment).entries) if e.kind == kind]


@lru_cache(maxsize=32)
def _listed(segment: Segment) -> tuple[Entry, ...]:
    """A segment's events of the kinds in LISTED, which are few and small."""
    return tuple(entry for entry in loaded(segment).entries if entry.kind in LISTED)


def readable(found: Iterable[Entry | ArchivedError], missing: list[str]) -> Iterator[Entry]:
    """What can be read; `missing` takes what can't."""
    for one in found:
        if isinstance(one, ArchivedError):
            missing.append(one.missing)
        else:
            yield one


def sure(found: Iterable[Entry | ArchivedError]) -> Iterator[Entry]:
    """What there is; ArchivedError where it can't be read."""
    for one in found:
        if isinstance(one, ArchivedError):
            raise one
        yield one


def stored(connection: Connection, workspace: int | None, after: int, last: int | None = None) -> Iterator[Entry]:
    """Those in the database, in order, as they are read."""
    query = select(events).where(events.c.workspace_id == workspace, events.c.seq > after)
    query = query if last is None else query.where(events.c.seq <= last)
    ordered = query.order_by(events.c.seq).execution_options(yield_per=500)
    return (Entry(*row) for row in connection.execute(ordered))


def at(connection: Connection, workspace: int | None, places: Iterable[int]) -> Iterator[Entry]:
    """Events by their places, in the order of these, as far as there are such; ArchivedError where one can't be had."""
    wanted = list(places)
    query = select(events).where(events.c.workspace_id == workspace)
    for batch in batches(wanted):
        found = {row.seq: Entry(*row) for row in connection.execute(query.where(events.c.seq.in_(batch)))}
        away = out(connection, workspace) if len(found) < len(set(batch)) else []
        for seq in batch:
            if seq in found:
                yield found[seq]
            elif (segment := next((one for one in away if one.first <= seq <= one.last), None)) is not None:
                yield loaded(segment).entries[seq - segment.first]


def of_episodes(connection: Connection, workspace: int | None, episode_ids: Iterable[str]) -> list[Entry]:
    """The events of some episodes, in order; ArchivedError where some can't be read. The newest segments are looked at
    first, and none that ended before the episodes began."""
    wanted, found = set(episode_ids), list[Entry]()
    query = select(events).where(events.c.workspace_id == workspace)
    for batch in batches(sorted(wanted)):
        found += [Entry(*row) for row in connection.execute(query.where(events.c.episode_id.in_(batch)))]
    for segment in reversed(out(connection, workspace)) if wanted else ():
        end = next((entry.at for entry in at(connection, workspace, [segment.last + 1])), "")
        if end and all((_begun(found, one) or "") > end for one in wanted):
            break
        found += [entry for entry in loaded(segment).entries if entry.episode_id in wanted]
    return [entry for _, entry in sorted({entry.seq: entry for entry in found}.items())]


def _begun(entries: Iterable[Entry], episode_id: str) -> str | None:
    """When an episode began, by some of its events; an audit's report may come long after it."""
    own = [entry for entry in entries if entry.episode_id == episode_id and entry.kind != EventKind.AUDIT]
    recorded = (entry.content()["started_at"] for entry in own if entry.kind == EventKind.EPISODE)
    return next(recorded, min((entry.at for entry in own), default=None))


def gone(connection: Connection, hashes: Iterable[str]) -> dict[str, list[tuple[int, int, str]]]:
    """Of texts that have left the database: workspace, place and kind of the events that say so, the newest first."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    where = (events.c.workspace_id == texts_gone.c.workspace_id) & (events.c.seq == texts_gone.c.seq)
    query = select(texts_gone.c.hash, events.c.workspace_id, events.c.seq, events.c.kind).join(events, where)
    for batch in batches(hashes):
        rows = connection.execute(query.where(texts_gone.c.hash.in_(batch)).order_by(events.c.seq.desc()))
        for artifact, *said in rows:
            found.setdefault(artifact, []).append((said[0], said[1], said[2]))
    return found


def texts(connection: Connection, hashes: Iterable[str]) -> dict[str, str]:
    """Texts by hash, from the Vault or a segment; those that are kept. ArchivedError, vault.AlteredError."""
    wanted = list(hashes)
    found = vault.get(connection, wanted)
    for artifact, places in gone(connection, set(wanted) - found.keys()).items():
        if all(kind == EventKind.ARCHIVED for _, _, kind in places):
            found |= _archived(connection, artifact, [(w, seq) for w, seq, _ in places])
    return found


def _archived(connection: Connection, artifact: str, places: Iterable[tuple[int, int]]) -> dict[str, str]:
    """A text that one or more segments hold: where one can't be read, another may do."""
    cause: ArchivedError | None = None
    for workspace, seq in places:
        try:
            text = loaded(Segment.of(next(at(connection, workspace, [seq])))).text(artifact)
        except ArchivedError as error:
            cause = error
        else:
            if text is not None:
                return {artifact: text}
    if cause is not None:
        raise cause
    return {}


# -- what later points are answered from, without a segment


def base(connection: Connection, workspace: int | None) -> tuple[Entry, StateMap] | None:
    """The checkpoint behind all that has left the database, and the State Map there, which is not to be changed; None
    where nothing has left."""
    gone_by = out(connection, workspace)
    if not gone_by:
        return None
    found = next(at(connection, workspace, [gone_by[-1].last + 1]), None)
    if found is None or found.kind != EventKind.CHECKPOINT:
        raise ArchivedError(gone_by[-1], "The checkpoint behind it is missing.")
    if found.hash not in _bases:
        while len(_bases) >= BASES_MAX:
            _bases.pop(next(iter(_bases), ""), None)
        _bases[found.hash] = snapshot(connection, found)
    return found, _bases[found.hash]


def snapshot(connection: Connection, checkpoint: Entry) -> StateMap:
    """The State Map at a checkpoint."""
    root = snapshots.root(checkpoint)
    kept = texts(connection, [root])
    if root not in kept:
        raise vault.AlteredError(root)
    return snapshots.restored(checkpoint, kept[root])


def as_events(checkpoint: Entry, state: StateMap, path: str) -> list[Entry]:
    """What a checkpoint says of a file, as if that had been shown there: a history begins with it."""
    moves = list[Move]()
    for name, held in sorted(state.entities.items()):
        if Entity.parse(name).path == path:
            moves.append(Move(Op.PROMOTE, name, held.artifact, source=held.source))
            moves += [Move(Op.DIRTY, name)] if held.freshness is Freshness.DIRTY else []
    said = Event(EventKind.EVIDENCE, tuple(moves)).body()
    return [replace(checkpoint, kind=EventKind.EVIDENCE, body=said)] if moves else []
