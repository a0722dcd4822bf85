"""An operator's word that a text is no longer known (`tslp forget`): what is named becomes DIRTY, with what stands in
it and what it stands in. Nothing is removed; whoever shows the text makes it known again."""

from __future__ import annotations

from tslp_litellm.resolution.files import dirty
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import Entity, WorkspaceKey
from tslp_litellm.state.values import FileState, Origin
from tslp_litellm.store.database import Database
from tslp_litellm.store.writing import WorkspaceWriter


def forget(database: Database, key: WorkspaceKey, name: Entity, at: str) -> list[str] | None:
    """The entities that became DIRTY; empty where they were, None where the workspace does not know the name."""
    with database.writing() as connection:
        store = WorkspaceWriter(connection, key.tenant, key.workspace, at)
        known = store.files([name.path]).get(name.path)
        if known is None or (name.symbol is not None and name.symbol not in known.symbols):
            return None
        unit = UnitOfWork({name.path: known})
        unit.change(dirty(known, "forgotten", _with_parts(known, name.symbol)), origin=Origin.USER, carrier="forget")
        store.append(unit.events, None, at)
    return [move.entity for event in unit.events for move in event.moves if move.entity is not None]


def _with_parts(known: FileState, symbol: str | None) -> bool | set[str]:
    """A symbol with its members, and what it is a member of."""
    if symbol is None:
        return True
    return {one for one in known.symbols if f"{one}.".startswith(f"{symbol}.") or symbol.startswith(f"{one}.")}
