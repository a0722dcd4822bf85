"""Segments: what leaves, that nothing is lost or doubled, and that the whole Ledger can still be asked (SEMANTICS 12)."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert, select
from sqlalchemy.exc import DatabaseError

from tslp_litellm.history import points, snapshots
from tslp_litellm.state.events import Entry, Event, EventKind
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.state.values import Conversation
from tslp_litellm.store import archive, as_of, history, maintenance, outbox, projection, segments, uses, vault
from tslp_litellm.store.archive import restore
from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.folders import folder
from tslp_litellm.store.maintenance import rebuild, verify
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.schema import events, texts_gone, uses_heads, workspaces
from tslp_litellm.store.schema import vault as vault_table
from tslp_litellm.store.statements import Statement
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT, delete, show, spoil

NOW = points.Point(seq=10**9)
RECORDED = Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m")))


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints at each seventh place, segments of fourteen events."""
    monkeypatch.setattr(snapshots, "EVERY", 7)
    monkeypatch.setattr(archive, "EVENTS_MAX", 14)
    segments.loaded.cache_clear()


def lived(database: Database) -> None:
    for n in range(8):
        show(database, "a.py", f"def f():\n    return {n}\n\n\ndef same():\n    return 0\n", episode=f"a{n}")
        show(database, f"b{n}.py", "def g():\n    return 1\n", episode=f"b{n}")
        show(database, "a.py", f"def f():\n    return {n}\n\n\ndef same():\n    return 0\n", space="other")
    delete(database, "b3.py")
    spoil(database, "a.py")
    read_for_uses(database)


def read_for_uses(database: Database) -> None:
    """As if what entities use had been read up to each head."""
    with database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM uses_heads")
        rows = connection.execute(select(workspaces.c.id, workspaces.c.head_seq)).all()
        connection.execute(insert(uses_heads), [{"workspace_id": row.id, "seq": row.head_seq} for row in rows])


def everything(database: Database) -> tuple[list[Entry], dict[str, str]]:
    """All events and all texts, wherever they are."""
    with database.reading() as connection:
        known = connection.execute(select(workspaces.c.id).order_by(workspaces.c.id)).scalars().all()
        found = [entry for one in known for entry in segments.entries(connection, one)]
        named = {artifact for entry in found for artifact in archive.named(connection, entry)}
        return found, segments.texts(connection, sorted(named))


def stored(database: Database) -> tuple[set[Any], dict[str, str]]:
    """What is in the database itself, but for what says where segments are."""
    with database.reading() as connection:
        rows = {tuple(row) for row in connection.execute(select(events)) if row.kind != EventKind.ARCHIVED}
        hashes = list(connection.execute(select(vault_table.c.hash)).scalars())
        return rows, vault.get(connection, hashes)


def decided(database: Database) -> list[Entry]:
    """What a prompt finds that was decided about a file."""
    with database.reading() as connection:
        return WorkspaceReader(connection, TENANT, SPACE).decisions_about("a.py")


def archived(database: Database, to: Path, before: points.Point = NOW) -> list[Any]:
    return [segment for _, segment in archive.archive(database, folder(str(to)), AT, before)]


class TestArchive:
    def test_all_but_what_stands_leaves_and_nothing_is_lost(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        entries, texts = everything(database)
        done = archived(database, tmp_path / "a")
        assert len(done) > 3
        after, still = everything(database)
        assert [e for e in after if e.kind not in (EventKind.ARCHIVED, EventKind.CHECKPOINT)] == [
            e for e in entries if e.kind != EventKind.CHECKPOINT
        ]
        assert texts.items() <= still.items()
        rows, kept = stored(database)
        assert len(rows) < 8
        assert len(kept) < len(texts)
        assert verify(database) == []

    def test_what_is_written_is_what_was_there(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        with database.reading() as connection:
            then = {e.seq: e for e in segments.stored(connection, 1, 0)}
        for segment in archived(database, tmp_path / "a"):
            contents = segments.loaded(segment)
            if contents.entries[0].workspace_id == 1:
                assert all(then[e.seq] == e for e in contents.entries if e.seq in then)

    def test_a_text_leaves_with_the_last_event_that_names_it(self, database: Database, tmp_path: Path) -> None:
        """`same` is in every version of `a.py`, in two workspaces; `g` stands."""
        lived(database)
        archived(database, tmp_path / "a")
        kept = [text for text in stored(database)[1].values() if "def same" in text]
        assert len(kept) == 2, "the newest version of the file, and the part of it that is in every one"
        assert verify(database) == []

    def test_before_a_point(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        with database.reading() as connection:
            marks = as_of.last(connection, 1, EventKind.CHECKPOINT, 9)
        (*_, mark, _) = [e.seq for e in marks][::-1]
        done = archived(database, tmp_path / "a", points.before(str(mark + 3)))
        assert max(one.last for one in done if one.file.startswith("w1-")) == mark - 1
        assert archived(database, tmp_path / "a", points.before(str(mark + 3))) == []
        assert verify(database) == []

    def test_a_second_time_goes_on_where_the_first_ended(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        first = archived(database, tmp_path / "a")
        assert archived(database, tmp_path / "a") == [], "that segments were written is no reason for another one"
        show(database, "new.py", "def n():\n    return 1\n")
        read_for_uses(database)
        second = archived(database, tmp_path / "a")
        assert [one.first for one in second] == [max(one.last for one in first if one.file.startswith("w1-")) + 1]
        assert verify(database) == []

    def test_what_is_still_to_be_read_for_the_uses_stays(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        with database.writing() as connection:
            connection.exec_driver_sql("UPDATE uses_heads SET seq = 20")
        assert max(one.last for one in archived(database, tmp_path / "a")) <= 20

    @pytest.mark.parametrize("hooks", [["hook"], None])
    def test_what_a_webhook_has_not_heard_stays(
        self, database: Database, tmp_path: Path, hooks: list[str] | None
    ) -> None:
        lived(database)
        with database.writing() as connection:
            outbox.know(connection, "hook")
            connection.exec_driver_sql("UPDATE webhook_cursors SET seq = 20 WHERE workspace_id = 1")
        steps = archive.archive(database, folder(str(tmp_path / "a")), AT, NOW, None, lambda key: hooks)
        assert max(one.last for key, one in steps if key.workspace == SPACE) <= 20

    def test_an_open_conversation_keeps_its_last_turn(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        with database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, SPACE, "2026-02-01T00:00:00.000Z")
            store.remember(Conversation("c", 0, "a4"), [b"x" * 16])
        archived(database, tmp_path / "a")
        with database.reading() as connection:
            assert WorkspaceReader(connection, TENANT, SPACE).entries_of("a4")

    def test_decisions_stay_and_hold_nothing_back(self, database: Database, tmp_path: Path) -> None:
        """As a question is answered by what was decided of the same texts, however long ago, in any conversation."""
        for n in range(12):
            show(database, "a.py", f"def f():\n    return {n}\n", episode=f"a{n}")
            with database.writing() as connection:
                said = {"entity": "a.py", "signature": f"{n:064}", "option": 1}
                store = WorkspaceWriter(connection, TENANT, SPACE, AT)
                store.append([Event(EventKind.DECISION, (), tuple(said.items()))], f"a{n}", AT)
        read_for_uses(database)
        want = decided(database)
        assert len(want) == 12
        assert archived(database, tmp_path / "a")
        assert (decided(database), verify(database)) == (want, [])
        with database.writing() as connection:  # the conversation goes on, whose last turn left
            store = WorkspaceWriter(connection, TENANT, SPACE, "2026-02-01T00:00:00.000Z")
            store.remember(Conversation("c3", 0, "a3"), [b"y" * 16])
        for n in range(3):
            show(database, "a.py", f"def f():\n    return {n} + 1\n", episode=f"b{n}")
        read_for_uses(database)
        assert archived(database, tmp_path / "a")
        rebuild(database)
        assert (decided(database), verify(database)) == (want, [])
        (tmp_path / "a").rename(tmp_path / "b")
        segments.loaded.cache_clear()
        assert decided(database) == want, "no prompt needs a segment"
        assert [*restore(database, folder(str(tmp_path / "b")))]
        assert (decided(database), verify(database)) == (want, [])

    def test_the_newest_events_stay_if_nobody_says_how_many(
        self, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lived(database)
        to = folder(str(tmp_path / "a"))
        assert [*archive.archive(database, to, AT)] == []
        monkeypatch.setattr(archive, "EVENTS_BACK", 10)
        assert [*archive.archive(database, to, AT)]
        assert len(stored(database)[0]) >= 20

    def test_another_workspace_is_left_alone(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        done = archive.archive(database, folder(str(tmp_path / "a")), AT, NOW, WorkspaceKey(TENANT, "other"))
        assert {key.workspace for key, _ in done} == {"other"}

    def test_a_file_that_does_not_give_back_what_was_written(
        self, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lived(database)
        before = stored(database)
        monkeypatch.setattr(Path, "read_bytes", lambda _: b"something else")
        with pytest.raises(StoreError, match="is not what was written"):
            archived(database, tmp_path / "a")
        assert before[1].items() <= stored(database)[1].items()
        assert verify(database) == []

    def test_what_comes_to_be_named_meanwhile_stays(self, database: Database, tmp_path: Path) -> None:
        """A text that was to leave is the truth again before its row goes."""
        lived(database)
        old = "def f():\n    return 2\n\n\ndef same():\n    return 0\n"
        steps = archive.archive(database, folder(str(tmp_path / "a")), AT, NOW)
        next(steps)
        show(database, "again.py", old)
        assert [*steps]
        assert old in stored(database)[1].values()
        assert verify(database) == []

    @pytest.mark.parametrize("statement", ["DELETE FROM events", "DELETE FROM vault", "UPDATE events SET body = ''"])
    def test_triggers_let_nothing_else_go(self, database: Database, tmp_path: Path, statement: str) -> None:
        lived(database)
        archived(database, tmp_path / "a")
        for table in ("texts_gone", "events"):
            with pytest.raises(DatabaseError, match="append-only"), database.writing() as connection:
                connection.exec_driver_sql(f"DELETE FROM {table} WHERE workspace_id = 1")
        with pytest.raises(DatabaseError, match="append-only"), database.writing() as connection:
            connection.exec_driver_sql(statement)
        with pytest.raises(DatabaseError, match="append-only"), database.writing() as connection:
            connection.execute(insert(texts_gone).values(hash="0" * 64, workspace_id=1, seq=10**6))


class TestReach:
    """What is asked is answered as if nothing had left."""

    def test_every_point(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        with database.reading() as connection:
            last = WorkspaceReader(connection, TENANT, SPACE).head[0]  # type: ignore[index]
            want = [as_of.state_at(connection, 1, seq) for seq in range(last + 1)]
        archived(database, tmp_path / "a")
        with database.reading() as connection:
            for seq, state in enumerate(want):
                assert as_of.state_at(connection, 1, seq) == state
                held = as_of.state_at(connection, 1, seq, "a.py")
                assert held.entities.get("a.py::f") == state.entities.get("a.py::f")

    def test_points_by_name_histories_and_texts(self, database: Database, tmp_path: Path) -> None:
        lived(database)

        def asked() -> list[Any]:
            with database.reading() as connection:
                point = points.parse("a2")
                return [
                    as_of.seq_of(connection, 1, point),
                    as_of.seq_of(connection, 1, points.parse(AT)) > 30,  # type: ignore[operator]
                    history.as_of(connection, TENANT, SPACE, "a.py::f", point, 50)["current"],  # type: ignore[index]
                    history.entity(connection, TENANT, SPACE, "a.py::f", 200)["history"],  # type: ignore[index]
                    history.episode(connection, TENANT, SPACE, "a2"),
                    [
                        history.text_of(connection, TENANT, SPACE, row["artifact"], "a.py")
                        for row in history.entity(connection, TENANT, SPACE, "a.py", 200)["history"]  # type: ignore[index]
                    ],
                ]

        want = asked()
        archived(database, tmp_path / "a")
        assert asked() == want

    def test_a_rebuild_makes_the_same_state(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        archived(database, tmp_path / "a")
        rebuild(database)
        assert verify(database) == []

    def test_going_back_has_a_history_to_begin_with(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        archived(database, tmp_path / "a")
        show(database, "b1.py", "def g():\n    return 2\n")
        with database.reading() as connection:
            found = WorkspaceReader(connection, TENANT, SPACE).entries_about(["b1.py", "b3.py"])
        assert [m.entity for m in found["b1.py"][0].moves()] == ["b1.py", "b1.py::g"]
        assert len(found["b1.py"]) == 2
        assert found["b3.py"] == []

    def test_without_the_archive_later_points_are_answered_and_the_rest_says_so(
        self, database: Database, tmp_path: Path
    ) -> None:
        lived(database)
        archived(database, tmp_path / "a")
        show(database, "a.py", "def f():\n    return 99\n")
        (tmp_path / "a").rename(tmp_path / "elsewhere")
        segments.loaded.cache_clear()
        with database.reading() as connection:
            last = WorkspaceReader(connection, TENANT, SPACE).head[0]  # type: ignore[index]
            then = as_of.state_at(connection, 1, last)
            assert history.texts_of(connection, [h.artifact for h in then.entities.values()])
            with pytest.raises(segments.ArchivedError, match="can't be read"):
                as_of.state_at(connection, 1, 10)
            shown = history.entity(connection, TENANT, SPACE, "a.py::f", 200)
            assert shown is not None
            assert "archive" in shown["missing"]
            assert len(shown["history"]) == 1
            assert as_of.seq_of(connection, 1, points.parse(AT)) == last
        problems = verify(database)
        assert {p.where for p in problems} == {"archive"}
        assert all("were not checked" in p.detail for p in problems)
        assert [*restore(database, folder(str(tmp_path / "elsewhere")))]
        assert verify(database) == []


class TestRestore:
    def test_it_is_what_it_was(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        before = stored(database)
        archived(database, tmp_path / "a")
        then = everything(database)
        came = [*restore(database, folder(str(tmp_path / "a")))]
        assert came
        rows, texts = stored(database)
        assert before[0] <= rows
        assert before[1].items() <= texts.items()
        assert everything(database) == then
        assert [*restore(database, folder(str(tmp_path / "a")))] == []
        assert verify(database) == []
        with database.reading() as connection:
            assert all(projection.is_sound(connection, one) for one in (1, 2))

    def test_out_and_back_and_out(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        archived(database, tmp_path / "a")
        (file, *_) = sorted((tmp_path / "a").glob("w1-*"))
        (tmp_path / "one").mkdir()
        (tmp_path / "one" / file.name).write_bytes(file.read_bytes())
        then = everything(database)[1]
        assert len([*restore(database, folder(str(tmp_path / "one")))]) == 1
        assert verify(database) == []
        read_for_uses(database)
        assert archived(database, tmp_path / "b")
        assert then.items() <= everything(database)[1].items()
        assert verify(database) == []

    def test_every_flipped_byte_is_found_and_nothing_comes_back(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        archived(database, tmp_path / "a")
        before = stored(database)
        files = sorted((tmp_path / "a").iterdir())
        draw = random.Random(7)
        for _ in range(100 if database.memory else 10):
            file = draw.choice(files)
            whole = file.read_bytes()
            place, bit = draw.randrange(len(whole)), 1 << draw.randrange(8)
            file.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
            segments.loaded.cache_clear()
            with pytest.raises(StoreError, match="is not what was written"):
                list(restore(database, folder(str(tmp_path / "a"))))
            with database.reading() as connection:
                assert {p.where for p in maintenance._archive(connection)} == {"archive"}
            assert stored(database) == before
            file.write_bytes(whole)
        segments.loaded.cache_clear()
        assert verify(database) == []

    def test_files_of_another_database_stay_away(self, database: Database, tmp_path: Path) -> None:
        lived(database)
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "w1-1-6-0123456789abcdef.jsonl.xz").write_bytes(b"")
        assert [*restore(database, folder(str(tmp_path / "a")))] == []
        with pytest.raises(StoreError, match="can't be read"):
            list(restore(database, folder(str(tmp_path / "nowhere"))))


class Died(BaseException):
    """The process ends here."""


class Deadly:
    """While it is on, the process dies at the n-th boundary: a statement that writes, a commit, a step of a file's
    write. `passed`: how many there were."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self._at, self.passed = 0, 0
        event.listen(database._engine, "before_cursor_execute", self._statement)
        event.listen(database._engine, "commit", self._one)
        for owner, name in ((Path, "replace"), (os, "fsync"), (Statement, "run")):
            monkeypatch.setattr(owner, name, self._around(getattr(owner, name)))

    def dies(self, at: int, step: Callable[[], Any]) -> bool:
        """Whether a step dies at a boundary; it has fewer if not."""
        self._at, self.passed = at, 0
        try:
            step()
        except Died:
            return True
        finally:
            self._at = 0
        return False

    def _one(self, *_: Any) -> None:
        self.passed += 1
        if self.passed == self._at:
            raise Died

    def _statement(self, _connection: Any, _cursor: Any, sql: str, *_: Any) -> None:
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            self._one()

    def _around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **more: Any) -> Any:
            self._one()
            done = call(*arguments, **more)
            self._one()
            return done

        return wrapped


class TestDeath:
    def test_at_no_boundary_anything_is_lost_or_doubled(
        self, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if database.memory:
            pytest.skip("what is in memory dies with the process")
        for n in range(4):
            show(database, "a.py", f"def f():\n    return {n}\n")
        read_for_uses(database)
        monkeypatch.setattr(uses, "follow", lambda *_: None)  # what a round brings stays, so that all are of one length
        rows, texts = stored(database)
        deadly, to, deaths = Deadly(database, monkeypatch), tmp_path / "a", 0

        def whole() -> None:
            entries, kept = everything(database)
            assert [e.seq for e in entries] == list(range(1, len(entries) + 1))
            assert rows <= {tuple(row) for row in map(astuple, entries)}
            assert texts.items() <= kept.items()
            assert verify(database) == []

        for at in itertools.count(1, 1 if database.sqlite else 9):
            died = deadly.dies(at, lambda: archived(database, to))
            whole()
            archived(database, to)
            died |= deadly.dies(at, lambda: list(restore(database, folder(str(to)))))
            whole()
            list(restore(database, folder(str(to))))
            assert rows <= stored(database)[0]
            assert texts.items() <= stored(database)[1].items()
            deaths += died
            if not died:
                break
        assert deaths > (20 if database.sqlite else 3)

    @pytest.mark.slow
    def test_fifty_kills_lose_and_double_nothing(self, tmp_path: Path) -> None:
        """Real ones, at drawn instants: processes that archive and restore in turn, each killed."""
        database = Database(f"sqlite:///{tmp_path / 'tslp.db'}")
        database.migrate()
        lived(database)
        rows, texts = stored(database)
        draw, kills = random.Random(33), 0
        while kills < 50:
            worker = subprocess.Popen(
                [sys.executable, "-c", WORKER, str(database.url.database), str(tmp_path / "a")],
                stdout=subprocess.PIPE,
            )
            assert worker.stdout is not None
            worker.stdout.readline()  # it has begun
            time.sleep(draw.random())
            kills += worker.poll() is None
            worker.kill()
            worker.wait()
            entries, kept = everything(database)
            assert [e.seq for e in entries if e.workspace_id == 1] == list(
                range(1, sum(e.workspace_id == 1 for e in entries) + 1)
            )
            assert rows <= {astuple(entry) for entry in entries}
            assert texts.items() <= kept.items()
            assert verify(database) == []
        list(restore(database, folder(str(tmp_path / "a"))))
        assert rows <= stored(database)[0]
        database.close()


WORKER = """
import sys
from tslp_litellm.history import points, snapshots
from tslp_litellm.store import archive
from tslp_litellm.store.database import Database
from tslp_litellm.store.folders import folder
snapshots.EVERY, archive.EVENTS_MAX = 7, 14
database, to = Database("sqlite:///" + sys.argv[1]), folder(sys.argv[2])
print("begun", flush=True)
while True:
    list(archive.archive(database, to, "2026-01-01T00:00:00.000Z", points.Point(seq=10**9)))
    list(archive.restore(database, to))
"""
