"""Short ways to write to a store."""

from __future__ import annotations

from tslp_litellm.resolution.files import adopt, dirty, remove
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.values import FileState, Source
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter

AT = "2026-01-01T00:00:00.000Z"
TENANT, SPACE = "local", "w"


def write(
    database: Database, unit: UnitOfWork, *more: Event, space: str = SPACE, tenant: str = TENANT, episode: str = "e1"
) -> None:
    with database.writing() as connection:
        store = WorkspaceWriter(connection, tenant, space, AT)
        store.put(unit.contents)
        store.append([*unit.events, *more], episode, AT)


def show(database: Database, path: str, text: str, **where: str) -> None:
    """The user shows a file."""
    unit = UnitOfWork({path: known(database, path, **where)})
    unit.change(adopt(unit.file(path), text, Source.AST, "user-write-head"), origin="user")
    write(database, unit, Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m"))), **where)


def spoil(database: Database, path: str, **where: str) -> None:
    unit = UnitOfWork({path: known(database, path, **where)})
    unit.change(dirty(unit.file(path), "drift"), origin="tool")
    write(database, unit, **where)


def delete(database: Database, path: str, **where: str) -> None:
    unit = UnitOfWork({path: known(database, path, **where)})
    unit.change(remove(unit.file(path), "deleted"), origin="tool")
    write(database, unit, **where)


def known(database: Database, path: str, space: str = SPACE, tenant: str = TENANT, **_: str) -> FileState:
    with database.reading() as connection:
        return WorkspaceReader(connection, tenant, space).files([path]).get(path) or FileState(path)
