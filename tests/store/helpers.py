"""Short ways to write to a store."""

from __future__ import annotations

from tslp_litellm.resolution.bench import Bench
from tslp_litellm.resolution.files import FileState, adopt, dirty, remove
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.model import Source
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import Reading
from tslp_litellm.store.writing import Writing

AT = "2026-01-01T00:00:00.000Z"
TENANT, SPACE = "local", "w"


def write(
    database: Database, bench: Bench, *more: Event, space: str = SPACE, tenant: str = TENANT, episode: str = "e1"
) -> None:
    with database.writing() as connection:
        store = Writing(connection, tenant, space, AT)
        store.put(bench.contents)
        store.append([*bench.events, *more], episode, AT)


def show(database: Database, path: str, text: str, **where: str) -> None:
    """The user shows a file."""
    bench = Bench({path: known(database, path, **where)})
    bench.change(adopt(bench.file(path), text, Source.AST, "user-write-head"), origin="user")
    write(database, bench, Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m"))), **where)


def spoil(database: Database, path: str, **where: str) -> None:
    bench = Bench({path: known(database, path, **where)})
    bench.change(dirty(bench.file(path), "drift"), origin="tool")
    write(database, bench, **where)


def delete(database: Database, path: str, **where: str) -> None:
    bench = Bench({path: known(database, path, **where)})
    bench.change(remove(bench.file(path), "deleted"), origin="tool")
    write(database, bench, **where)


def known(database: Database, path: str, space: str = SPACE, tenant: str = TENANT, **_: str) -> FileState:
    with database.reading() as connection:
        return Reading(connection, tenant, space).files([path]).get(path) or FileState(path)
