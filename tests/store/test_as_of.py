"""Checkpoints, and the State Map as it was at every point of its Ledger (SEMANTICS 12)."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from sqlalchemy import Connection, insert, update

from tslp_litellm.history import points, snapshots
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Entry, Event, EventKind
from tslp_litellm.state.fold import fold
from tslp_litellm.store import as_of, vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import rebuild, verify
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.schema import events, state_map, workspaces
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT, delete, show, spoil, write

RECORDED = Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m")))


def entries(database: Database) -> list[Entry]:
    with database.reading() as connection:
        return list(WorkspaceReader(connection, TENANT, SPACE).entries_after(0))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> int:
    """Checkpoints at each seventh place."""
    monkeypatch.setattr(snapshots, "EVERY", 7)
    return 7


def lived(database: Database) -> None:
    for n in range(6):
        show(database, "a.py", f"def f():\n    return {n}\n")
        show(database, f"b{n}.py", "def g():\n    return 1\n")
    delete(database, "b3.py")
    spoil(database, "a.py")
    write(database, UnitOfWork(), *[RECORDED] * 30)


class TestCheckpoints:
    def test_they_take_their_places_whatever_is_appended_at_once(self, database: Database, short: int) -> None:
        lived(database)
        made = [e.seq for e in entries(database) if e.kind == EventKind.CHECKPOINT]
        assert made == list(range(short, len(entries(database)) + 1, short))
        assert not verify(database)

    def test_every_point_is_the_fold_of_all_before_it(self, database: Database, short: int) -> None:
        lived(database)
        all_of_them = entries(database)
        with database.reading() as connection:
            for seq in range(len(all_of_them) + 1):
                want = fold(all_of_them[:seq])
                assert as_of.state_at(connection, 1, seq) == want
                held = as_of.state_at(connection, 1, seq, "a.py")
                assert held.entities.get("a.py::f") == want.entities.get("a.py::f")

    @pytest.mark.parametrize("damaged", [1, 2])
    @pytest.mark.parametrize("missing", [True, False])
    def test_a_damaged_snapshot_is_passed_over(
        self, database: Database, short: int, monkeypatch: pytest.MonkeyPatch, damaged: int, missing: bool
    ) -> None:
        """What is recorded goes on, and the past is asked of the Ledger."""
        lived(database)
        roots = {snapshots.root(e) for e in [e for e in entries(database) if e.kind == EventKind.CHECKPOINT][-damaged:]}
        kept = vault.get

        def get(connection: Connection, hashes: Iterable[str]) -> dict[str, str]:
            asked = set(hashes)
            if asked & roots and not missing:
                raise vault.AlteredError(min(asked & roots))
            return kept(connection, asked - roots)

        monkeypatch.setattr(vault, "get", get)
        lived(database)
        all_of_them = entries(database)
        with database.reading() as connection:
            for seq in range(0, len(all_of_them) + 1, 5):
                assert as_of.state_at(connection, 1, seq) == fold(all_of_them[:seq])

    def test_one_that_says_something_else_is_found(self, database: Database, short: int) -> None:
        lived(database)
        body = next(e for e in entries(database) if e.kind == EventKind.CHECKPOINT).body
        write(database, UnitOfWork(), Event(EventKind.CHECKPOINT, (), tuple(json.loads(body).items())))
        assert ["no checkpoint of the State Map there" in p.detail for p in verify(database)] == [True]

    @pytest.mark.parametrize("far", [1, 1000])
    def test_a_damaged_state_map_makes_no_false_one(
        self, database: Database, monkeypatch: pytest.MonkeyPatch, far: int
    ) -> None:
        show(database, "a.py", "def f():\n    return 1\n")
        monkeypatch.setattr(snapshots, "EVERY", far)
        with database.writing() as connection:
            connection.execute(update(state_map).values(artifact="0" * 64))
        with database.writing() as connection:
            WorkspaceWriter(connection, TENANT, SPACE, AT).checkpoint(AT)
        rebuild(database)
        assert not verify(database)

    def test_the_first_of_an_older_ledger_is_made_of_its_state_map(
        self, database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lived(database)
        monkeypatch.setattr(snapshots, "EVERY", 7)
        with monkeypatch.context() as patched:
            patched.setattr(as_of, "grown", lambda *_: pytest.fail("its whole Ledger was folded"))
            write(database, UnitOfWork(), *[RECORDED] * 7)
        assert not verify(database)

    def test_a_ledger_that_knows_none_yet_is_folded_whole(self, database: Database) -> None:
        lived(database)
        want = fold(entries(database)[:10])
        with database.reading() as connection:
            assert as_of.checkpoint(connection, 1, 10)[0] == 0
            assert as_of.state_at(connection, 1, 10) == want


class TestPoints:
    def test_an_episode_ends_where_another_begins(self, database: Database) -> None:
        """An audit that reports later is no part of it."""
        for episode in ("e1", "e2"):
            write(database, UnitOfWork(), RECORDED, episode=episode)
        late = Event(EventKind.AUDIT, (), (("entity", "a.py"), ("artifact", "x"), ("conclusion", "late")))
        with database.writing() as connection:
            WorkspaceWriter(connection, TENANT, SPACE, AT).append([late], "e1", AT)
        with database.reading() as connection:
            ends = [as_of.seq_of(connection, 1, points.parse(episode)) for episode in ("e1", "e2", "e3")]
        assert ends == [2, 3, None]

    def test_a_time_is_found_among_many(self, database: Database) -> None:
        write(database, UnitOfWork(), RECORDED)
        hours = [{"at": f"2026-01-02T{n:02}:00:00.000Z"} for n in range(20)]
        row = {"workspace_id": 1, "kind": "x", "body": "{}", "prev_hash": "", "hash": "", "episode_id": None}
        with database.writing() as connection:
            connection.execute(insert(events), [{**row, **at, "seq": 3 + n} for n, at in enumerate(hours)])
            connection.execute(update(workspaces).values(head_seq=22))
        with database.reading() as connection:
            for said, seq in (("2025-12-31", 0), ("2026-01-01", 2), ("2026-01-02T04:30", 7), ("2027-01-01", 22)):
                assert as_of.seq_of(connection, 1, points.parse(said)) == seq
