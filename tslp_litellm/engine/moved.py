"""What became of an entity that is gone: where it lives since it was moved or renamed (SEMANTICS 10, 3 Rename)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

from tslp_litellm.hydration.select import Wanted
from tslp_litellm.state.events import Entry, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Source, Tracked
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader

HOPS_MAX = 4
"""So many moves and renames, one after the other, are followed."""
FILES_MAX = 8
"""So many files are asked what was once removed in them."""
_Removal = dict[str, tuple[str, str | None]]
"""What an event removed: entity -> its last artifact and the episode."""


def followed(store: WorkspaceReader, gone: Iterable[str]) -> dict[str, Tracked]:
    """Those of some removed entities that live on elsewhere, each with what it is now.

    Known by the episode that removed it alone: it brought exactly one new entity whose text is the same but for the
    name. Nothing is said of one whose text is not known.
    """
    found = dict[str, Tracked]()
    about = cache(lambda path: [_removal(entry) for entry in store.removals(path)])
    new = cache(lambda episode: [m for entry in store.entries_of(episode) for m in entry.moves() if _is_new(m)])
    for entity in gone:
        at: str | None = entity
        for _ in range(HOPS_MAX):
            at = _next(store, at, about, new) if at is not None else None
            row = _tracked(store, at) if at is not None else None
            if row is not None:
                found |= {entity: row} if row.clean else {}
                break
    return found


def once(store: WorkspaceReader, want: Wanted, named: Collection[str]) -> list[Tracked]:
    """What was removed in the files that a prompt means or names, and in those of which something is still used by a
    name in the prompt. By their events, long after their tombstones are listed no more."""
    used = uses.called(store.connection, store.workspace_id, want.leaves) if store.workspace_id is not None else ()
    files = [
        *sorted(want.paths),
        *(named if want.leaves else ()),
        *sorted(Entity.parse(entity).path for entity in used),
    ]
    found = dict[str, Tracked]()
    for path in list(dict.fromkeys(files))[:FILES_MAX]:
        for removal in map(_removal, store.removals(path)):
            for entity, (artifact, _) in removal.items():
                name = Entity.parse(entity)
                if name.path == path:
                    found.setdefault(entity, Tracked(entity, path, name.symbol, artifact, True, Source.AST))
    return list(found.values())


def _tracked(store: WorkspaceReader, entity: str) -> Tracked | None:
    return next((row for row in store.tracked([Entity.parse(entity).path]) if row.entity == entity), None)


def _next(
    store: WorkspaceReader, entity: str, about: Callable[[str], list[_Removal]], new: Callable[[str], list[Move]]
) -> str | None:
    removal = next((gone for gone in about(Entity.parse(entity).path) if entity in gone), None)
    if removal is None:
        return None
    artifact, episode = removal[entity]
    brought = [(m.entity, m.artifact) for m in new(episode) if m.entity != entity] if episode is not None else []
    texts = store.texts({artifact, *(text for _, text in brought if text is not None)} - {""})
    same = {to for to, text in brought if to and text and _same(entity, texts.get(artifact), to, texts.get(text))}
    return same.pop() if len(same) == 1 else None


def _removal(entry: Entry) -> _Removal:
    gone = (move for move in entry.moves() if move.op is Op.TOMBSTONE and move.entity is not None)
    return {move.entity or "": (move.artifact or "", entry.episode_id) for move in gone}


def _is_new(move: Move) -> bool:
    return move.op is Op.PROMOTE and move.replaces is None and move.entity is not None


def _same(entity: str, before: str | None, to: str, now: str | None) -> bool:
    """Whether a text is another's but for the name of what it defines."""
    old, new = Entity.parse(entity), Entity.parse(to)
    if before is None or now is None or (old.symbol is None) != (new.symbol is None):
        return False
    if old.leaf is None or old.leaf == new.leaf:
        return before == now
    renamed: Sequence[str] = re.split(rf"(?<![\w$]){re.escape(old.leaf)}(?![\w$])", before)
    return len(renamed) > 1 and str(new.leaf).join(renamed) == now
