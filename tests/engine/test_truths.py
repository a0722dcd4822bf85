"""What files ever held, told on from visit to visit: the same as read anew, and each event is read once."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pytest

from tests.store.helpers import SPACE, TENANT, show, spoil
from tslp_litellm.engine import truths
from tslp_litellm.engine.truths import Truths
from tslp_litellm.state.events import Entry
from tslp_litellm.state.values import artifact_hash
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader


def module(word: str) -> str:
    return f"def f():\n    return '{word}'\n"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The places of the events that were read, behind one another."""
    read, plain = list[int](), WorkspaceReader.entries_about

    def entries_about(self: WorkspaceReader, paths: Collection[str], after: int = 0) -> dict[str, list[Entry]]:
        found = plain(self, paths, after)
        read.extend(entry.seq for entries in found.values() for entry in entries)
        return found

    monkeypatch.setattr(WorkspaceReader, "entries_about", entries_about)
    return read


@pytest.fixture
def other() -> Iterator[Database]:
    made = Database("sqlite://")
    made.migrate()
    yield made
    made.close()


def once(database: Database, known: Truths, *paths: str) -> dict[str, set[str]]:
    with database.reading() as connection:
        return dict(known.once(WorkspaceReader(connection, TENANT, SPACE), paths))


def test_it_tells_what_is_read_anew_and_reads_each_event_once(database: Database, counted: list[int]) -> None:
    known = Truths()
    for n in range(6):
        show(database, "a.py", module(f"a{n}"))
        show(database, f"b{n % 2}.py", module(f"b{n}"))
        if n == 3:
            spoil(database, "a.py")
        paths = ("a.py", "b0.py") if n % 3 else ("a.py", "b1.py")
        counted.clear()
        told, read = once(database, known, *paths), list(counted)
        assert told == once(database, Truths(), *paths)
        assert artifact_hash(module(f"a{n}")) in told["a.py"]
        assert n < 3 or len(read) <= 4, "of all that stands there only what is new"
    assert told["a.py"] == {artifact_hash(module(f"a{n}")) for n in range(6)}


def test_another_database_s_ledger_is_read_anew(database: Database, other: Database) -> None:
    known = Truths()
    for n in range(3):
        show(database, "a.py", module(f"here {n}"))
        show(other, "a.py", module(f"there {n}"))
    once(database, known, "a.py")
    assert once(other, known, "a.py") == once(other, Truths(), "a.py")
    show(database, "a.py", module("here 3"))
    assert once(database, known, "a.py") == once(database, Truths(), "a.py")


def test_an_older_snapshot_is_told_what_it_holds(database: Database) -> None:
    known = Truths()
    show(database, "a.py", module("one"))
    with database.reading() as connection:
        before = WorkspaceReader(connection, TENANT, SPACE)
    show(database, "a.py", module("two"))
    once(database, known, "a.py")
    with database.reading() as connection:
        before.connection = connection
        assert artifact_hash(module("one")) in known.once(before, ["a.py"])["a.py"]
    assert once(database, known, "a.py") == once(database, Truths(), "a.py")


def test_it_begins_anew_where_too_many_files_were_asked_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(truths, "FILES_MAX", 2)
    known = Truths()
    for n in range(5):
        show(database, f"f{n}.py", module(str(n)))
        assert once(database, known, f"f{n}.py") == once(database, Truths(), f"f{n}.py")
    assert once(database, known, "f0.py") == once(database, Truths(), "f0.py")


def test_a_workspace_without_a_ledger_has_none(database: Database) -> None:
    assert once(database, Truths(), "a.py") == {}
