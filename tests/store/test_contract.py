"""What every store does alike: Vault, Ledger, projection, conversations."""

import hashlib

import pytest
from sqlalchemy.exc import DatabaseError

from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.state.values import Conversation, Flag, Slice
from tslp_litellm.store import queries, vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import rebuild, verify
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT, delete, known, show, spoil, write

TEXT = "import re\n\n\ndef clean(s):\n    return s\n\n\nclass Cart:\n    def total(self):\n        return 1\n"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class TestVault:
    @pytest.mark.parametrize("text", ["", "x", "é✓😀\r\n", "line\n" * 1000, "\x00"])
    def test_texts_come_back_byte_for_byte(self, database: Database, text: str) -> None:
        with database.writing() as connection:
            vault.put(connection, {sha(text): text})
            vault.put(connection, {sha(text): text})
            assert vault.get(connection, [sha(text), "0" * 64]) == {sha(text): text}

    def test_slices_are_cut_by_bytes(self, database: Database) -> None:
        whole, part = "é" * 600 + "abc", "é" * 10
        with database.writing() as connection:
            vault.put(connection, {sha(part): Slice(sha(whole), 0, 20), sha(whole): whole})
            assert vault.get(connection, [sha(part)]) == {sha(part): part}

    def test_repetitive_text_is_packed(self) -> None:
        assert vault.encoded("line\n" * 1000)[0] == "zlib"
        assert vault.encoded("short")[0] == "utf-8"

    def test_many_hashes_at_once(self, database: Database) -> None:
        texts = {sha(str(n)): str(n) for n in range(1200)}
        with database.writing() as connection:
            vault.put(connection, texts)
            assert vault.get(connection, texts) == texts


class TestProjection:
    def test_a_shown_file_is_found_by_everything_it_is_called(self, database: Database) -> None:
        show(database, "src/a.py", TEXT)
        state = known(database, "src/a.py")
        assert state.text() == TEXT
        assert set(state.symbols) == {"clean", "Cart", "Cart.total"}
        with database.reading() as connection:
            store = WorkspaceReader(connection, TENANT, SPACE)
            assert {t.entity for t in store.named(["total"])[0]} == {"src/a.py::Cart.total"}
            assert {t.entity for t in store.tracked(store.with_tails(["a.py", "nope.py"]))} == {
                "src/a.py",
                "src/a.py::clean",
                "src/a.py::Cart",
                "src/a.py::Cart.total",
            }
            assert store.holders(["clean", "Cart.total", "nope"]) == {
                "clean": frozenset({"src/a.py"}),
                "Cart.total": frozenset({"src/a.py"}),
            }
            ((row,), _) = store.named(["clean"])
            assert store.texts([row.artifact]) == {row.artifact: "def clean(s):\n    return s"}

    def test_dirt_and_tombstones(self, database: Database) -> None:
        show(database, "a.py", TEXT)
        spoil(database, "a.py")
        state = known(database, "a.py")
        assert state.text() is None
        assert state.symbols["clean"].text == "def clean(s):\n    return s", "unknown texts keep the last known ones"
        delete(database, "a.py")
        assert not known(database, "a.py").tracked
        with database.reading() as connection:
            found = queries.state(connection, TENANT, SPACE)
        assert found["entities"] == []
        assert {t["entity"] for t in found["tombstones"]} == {"a.py", "a.py::clean", "a.py::Cart", "a.py::Cart.total"}

    def test_tombstones_expire(self, database: Database) -> None:
        show(database, "a.py", TEXT)
        delete(database, "a.py")
        with database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, SPACE, AT)
            assert store.expired(10) == []
            store.append([Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m")))] * 10, "e", AT)
            gone = store.expired(10)
            assert len(gone) == 4
            store.append([Event(EventKind.EXPIRY, tuple(Move(Op.EXPIRE, e) for e in gone))], None, AT)
            assert store.expired(10) == []
        assert verify(database) == []

    def test_workspaces_and_tenants_do_not_mix(self, database: Database) -> None:
        show(database, "a.py", "x = 1\n", space="one")
        show(database, "a.py", "x = 2\n", space="two")
        show(database, "a.py", "x = 3\n", space="one", tenant="team:t")
        assert known(database, "a.py", space="one").text() == "x = 1\n"
        assert known(database, "a.py", space="two").text() == "x = 2\n"
        assert known(database, "a.py", space="one", tenant="team:t").text() == "x = 3\n"
        with database.reading() as connection:
            assert queries.workspaces_of(connection, "local") == ["one", "two"]
            assert queries.state(connection, "team:t", "two")["entities"] == []

    def test_a_workspace_that_does_not_exist_is_empty(self, database: Database) -> None:
        with database.reading() as connection:
            store = WorkspaceReader(connection, TENANT, "nowhere")
            assert (store.files(["a.py"]), store.tracked(["a.py"]), store.related([b"x"]), store.expired(0)) == (
                {},
                [],
                [],
                [],
            )
            assert queries.recent(connection, TENANT, "nowhere", 5)["episodes"] == []


class TestLedger:
    def test_the_last_episodes_with_what_they_did(self, database: Database) -> None:
        show(database, "a.py", "x = 1\n", episode="first")
        show(database, "a.py", "x = 2\n", episode="second")
        with database.reading() as connection:
            newest, oldest = queries.recent(connection, TENANT, SPACE, 5)["episodes"]
            assert len(queries.recent(connection, TENANT, SPACE, 1)["episodes"]) == 1
        assert (newest["episode_id"], oldest["episode_id"]) == ("second", "first")
        assert newest["entities"] == ["a.py", "a.py::x"]
        states = {(s["entity"], s["artifact"], s["state"]) for s in newest["artifact_states"]}
        assert ("a.py", sha("x = 2\n"), "AUTHORITATIVE") in states
        assert ("a.py", sha("x = 1\n"), "SUPERSEDED") in states

    def test_a_failed_transaction_leaves_nothing(self, database: Database) -> None:
        show(database, "a.py", "x = 1\n")
        with pytest.raises(RuntimeError), database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, SPACE, AT)
            store.append([Event(EventKind.EVIDENCE, (Move(Op.DIRTY, "a.py"),))], "e", AT)
            raise RuntimeError
        assert known(database, "a.py").text() == "x = 1\n"
        assert verify(database) == []

    def test_rebuilding_gives_the_same_state(self, database: Database) -> None:
        show(database, "a.py", TEXT)
        show(database, "b.py", "y = 1\n", space="other")
        spoil(database, "a.py")
        delete(database, "b.py", space="other")

        def everything() -> list[object]:
            with database.reading() as connection:
                return [queries.state(connection, TENANT, space) for space in (SPACE, "other")]

        before = everything()
        assert rebuild(database) > 0
        assert everything() == before
        assert verify(database) == []

    @pytest.mark.parametrize(
        "event",
        [
            Event(EventKind.EVIDENCE, (Move(Op.REJECT, "a.py", sha("never kept")),)),
            Event(EventKind.EVIDENCE, (Move(Op.PROPOSE, "a.py", sha("x = 1\n"), replaces=sha("never kept")),)),
            Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m"), ("prompt", sha("never kept")))),
            Event(EventKind.AUDIT, (), (("entity", "a.py"), ("artifact", sha("never kept")))),
        ],
    )
    def test_an_artifact_that_an_event_names_and_nobody_kept_is_found(self, database: Database, event: Event) -> None:
        show(database, "a.py", "x = 1\n")
        assert verify(database) == []
        write(database, UnitOfWork(), event)
        (problem,) = verify(database)
        assert problem.where == "vault" and sha("never kept") in problem.detail


class TestSuccession:
    """SEMANTICS 12: a promotion replaces what was current just before."""

    @pytest.mark.parametrize("replaces", [None, sha("x = 1\n"), sha("x = 3\n")])
    def test_one_that_replaces_another_text_is_found(self, database: Database, replaces: str | None) -> None:
        for text in ("x = 1\n", "x = 3\n", "x = 2\n"):
            show(database, "a.py", text)
        move = Move(Op.PROMOTE, "a.py", sha("x = 1\n"), "CONFIRMED", "user-write-head", "AST", replaces)
        write(database, UnitOfWork(), Event(EventKind.EVIDENCE, (move,)))
        assert [p.where for p in verify(database) if "replaces another text" in p.detail] == ["succession"]

    def test_a_text_that_comes_back_is_lawful(self, database: Database) -> None:
        for text in ("x = 1\n", "x = 2\n", "x = 1\n"):
            show(database, "a.py", text)
        delete(database, "a.py")
        show(database, "a.py", "x = 1\n")
        assert verify(database) == []


class TestAppendOnly:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE vault SET body = 'x'",
            "DELETE FROM vault",
            "UPDATE events SET body = '{}'",
            "DELETE FROM events",
            "INSERT OR REPLACE INTO events SELECT workspace_id, seq, episode_id, at, kind, '{}', prev_hash, hash FROM events",
            "TRUNCATE vault",
            "TRUNCATE events",
            "INSERT INTO vault SELECT hash, encoding, 'x', crc FROM vault ON CONFLICT (hash) DO UPDATE SET body = 'x'",
        ],
    )
    def test_vault_and_ledger_refuse(self, database: Database, statement: str) -> None:
        if ("TRUNCATE" in statement and database.sqlite) or ("OR REPLACE" in statement and not database.sqlite):
            pytest.skip(f"{database.url.get_backend_name()} has no such statement")
        if "ON CONFLICT" in statement and database.sqlite:
            pytest.skip("a trigger makes it do nothing, which has its own test")
        show(database, "a.py", TEXT)
        with pytest.raises(DatabaseError, match="append-only"), database.writing() as connection:
            connection.exec_driver_sql(statement)
        assert verify(database) == []

    def test_replacing_a_text_does_nothing(self, database: Database) -> None:
        if not database.sqlite:
            pytest.skip("PostgreSQL has no INSERT OR REPLACE")
        show(database, "a.py", TEXT)
        with database.writing() as connection:
            connection.exec_driver_sql("INSERT OR REPLACE INTO vault SELECT hash, encoding, 'x', crc FROM vault")
        assert verify(database) == []


class TestConversations:
    def test_items_flags_and_episodes_come_back(self, database: Database) -> None:
        one, two, three = (bytes([n]) * 16 for n in (1, 2, 3))
        flags = (Flag("rename", ("a.py::x", "a.py::y"), "é"),)
        with database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, SPACE, AT)
            store.remember(Conversation("c1", 0, "e1", b"turn", flags, ()), [one, two, one])
            store.remember(Conversation("c2", 0, "e2"), [two])
            store.remember(Conversation("c1", 3, "e3", b"next", (), flags), [three])
        with database.reading() as connection:
            store = WorkspaceReader(connection, TENANT, SPACE)
            assert store.conversation("c1") == Conversation("c1", 4, "e3", b"next", (), flags)
            assert store.conversation("nope") is None
            assert store.related([one, two, three]) == ["c1", "c2"]
            assert store.memory("c1", [one, three]) == {one: [0, 2], three: [3]}
            assert store.memory("c2", [one]) == {}

    def test_conversations_of_another_workspace_are_not_related(self, database: Database) -> None:
        with database.writing() as connection:
            WorkspaceWriter(connection, TENANT, "other", AT).remember(Conversation("c1"), [b"x" * 16])
            WorkspaceWriter(connection, TENANT, SPACE, AT)
        with database.reading() as connection:
            assert WorkspaceReader(connection, TENANT, SPACE).related([b"x" * 16]) == []
