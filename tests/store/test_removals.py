"""What a prompt asks of what was removed, however long the Ledger is."""

from __future__ import annotations

from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.store import removals
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT


def tell(database: Database, episode: str, *moves: tuple[Op, str]) -> None:
    made = [Move(op, entity, "0" * 64, "CONFIRMED", "user-write-head", "AST") for op, entity in moves]
    with database.writing() as connection:
        events = [Event(EventKind.EVIDENCE, (move,)) for move in made]
        WorkspaceWriter(connection, TENANT, SPACE, AT).append(events, episode, AT)


def test_what_was_removed_where_a_file_came_from(database: Database) -> None:
    tell(database, "e0", (Op.PROMOTE, "old.py"), (Op.PROMOTE, "other.py"))
    tell(database, "e1", (Op.PROMOTE, "new.py"), (Op.TOMBSTONE, "old.py"))
    for n in range(removals.BACK + 1):
        tell(database, f"f{n}", (Op.PROMOTE, "new.py"))
    with database.reading() as connection:
        store = WorkspaceReader(connection, TENANT, SPACE)
        assert store.removed_with("new.py") == ["old.py"]
        assert store.removed_with("other.py") == []
        assert [entry.episode_id for entry in store.removals("old.py")] == ["e1"]
        assert store.once_there(["old.py", "new.py", "never.py"]) == {"old.py"}


def test_of_many_events_the_last_are_looked_at(database: Database) -> None:
    tell(database, "e0", (Op.PROMOTE, "a.py"), (Op.TOMBSTONE, "a.py::f"))
    tell(database, "e1", *[(Op.PROMOTE, "a.py")] * removals.BACK)
    with database.reading() as connection:
        assert WorkspaceReader(connection, TENANT, SPACE).removals("a.py") == []
