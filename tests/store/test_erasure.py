"""Erasure: texts and words go for good, the chain stays, and damage is still told from it (SEMANTICS 12)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from tslp_litellm.history import points, snapshots
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.state.values import Conversation, artifact_hash
from tslp_litellm.store import archive, as_of, history, segments
from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.erasure import Scope, erase
from tslp_litellm.store.folders import folder
from tslp_litellm.store.maintenance import rebuild, verify
from tslp_litellm.store.schema import conversations, events, state_map, vault
from tslp_litellm.store.upkeep import maintain
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT, show, write
from .test_archive import read_for_uses

SHARED = "def shared():\n    return 1\n"
MINE = Scope(WorkspaceKey(TENANT, SPACE))


@pytest.fixture
def lived(database: Database) -> Iterator[Database]:
    """Anna and Ben, in `w`; Anna alone in `other`. `shared.py` is shown by both."""
    for n, (user, space) in enumerate([("anna", SPACE), ("ben", SPACE), ("anna", "other")]):
        episode, prompt = f"e{n}", f"This is the prompt of {user} in {space}."
        show(database, f"{user}.py", f"def {user}():\n    return '{user}'\n", space=space, episode=episode)
        if space == SPACE:
            show(database, f"of_{user}.py", SHARED, space=space, episode=episode)
        with database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, space, AT)
            store.put({artifact_hash(prompt): prompt})
            about = {"started_at": AT, "model": "m", "by": {"user": user}, "prompt": artifact_hash(prompt)}
            about["conversation"] = f"c{n}"
            store.append([Event(EventKind.STATED, (), (("says", f"{user} decides"),))], episode, AT)
            store.append([Event(EventKind.EPISODE, (), tuple(about.items()))], episode, AT)
            store.remember(Conversation(f"c{n}", 0, episode), [bytes([n]) * 16])
    yield database


def texts(database: Database) -> str:
    """All that the database holds of anybody's words."""
    with database.reading() as connection:
        hashes = list(connection.execute(select(vault.c.hash)).scalars())
        bodies = list(connection.execute(select(events.c.body)).scalars())
        return "\n".join([*segments.texts(connection, hashes).values(), *bodies])


def entities(database: Database) -> set[str]:
    with database.reading() as connection:
        return set(connection.execute(select(state_map.c.entity)).scalars())


def chain(database: Database) -> list[str]:
    with database.reading() as connection:
        return list(connection.execute(select(events.c.hash).order_by(events.c.workspace_id, events.c.seq)).scalars())


class TestErase:
    def test_a_user_s_texts_prompts_and_words_are_gone(self, lived: Database) -> None:
        before = chain(lived)
        done = erase(lived, Scope(user="anna"), AT)
        said = texts(lived)
        assert "return 'anna'" not in said
        assert "prompt of anna" not in said
        assert "anna decides" not in said
        assert all(word in said for word in ("return 'ben'", "prompt of ben", "ben decides", SHARED))
        assert (done.words, done.files) == (2, [])
        assert entities(lived) == {
            "ben.py",
            "ben.py::ben",
            "of_anna.py",
            "of_anna.py::shared",
            "of_ben.py",
            "of_ben.py::shared",
        }
        assert set(before) <= set(chain(lived)), "the chain's hashes stay"
        assert verify(lived) == []
        assert maintain(lived).problems == ()
        rebuild(lived)
        assert verify(lived) == []

    def test_a_workspace_s_are_gone_and_another_s_are_not(self, lived: Database) -> None:
        show(lived, "same.py", SHARED, space="other", episode="e2")
        erase(lived, MINE, AT)
        said = texts(lived)
        assert "return 'ben'" not in said
        assert "decides" in said, "in the other workspace"
        assert SHARED in said, "the other workspace names it"
        assert entities(lived) == {"anna.py", "anna.py::anna", "same.py", "same.py::shared"}
        with lived.reading() as connection:
            assert list(connection.execute(select(conversations.c.id)).scalars()) == ["c2"]
        assert verify(lived) == []

    def test_what_is_remembered_of_a_conversation_that_somebody_else_went_on_with_is_gone_too(
        self, lived: Database
    ) -> None:
        with lived.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, SPACE, AT)
            about = (("started_at", AT), ("by", {"user": "ben"}), ("conversation", "c0"))
            store.append([Event(EventKind.EPISODE, (), about)], "e3", AT)
            store.remember(Conversation("c0", 0, "e3", left_out="a block of anna's"), [])
        erase(lived, Scope(user="anna"), AT)
        with lived.reading() as connection:
            assert list(connection.execute(select(conversations.c.id)).scalars()) == ["c1"]

    def test_the_file_itself_holds_nothing_of_it(self, lived: Database, tmp_path: Path) -> None:
        if not lived.sqlite or lived.memory:
            pytest.skip("a server's files are its own")
        assert any(b"ben decides" in file.read_bytes() for file in tmp_path.iterdir())
        erase(lived, MINE, AT)
        assert not any(b"ben decides" in file.read_bytes() for file in tmp_path.iterdir())

    def test_it_is_an_event_that_names_nobody(self, lived: Database) -> None:
        erase(lived, Scope(user="anna"), AT)
        with lived.reading() as connection:
            (entry,) = as_of.last(connection, 1, EventKind.ERASED, 5)
        assert entry.content()["user"] == artifact_hash("anna")
        assert "anna" not in str({key: said for key, said in entry.content().items() if key != "moves"})

    def test_the_past_is_told_without_its_texts(self, lived: Database) -> None:
        erase(lived, Scope(user="anna"), AT)
        with lived.reading() as connection:
            found = history.as_of(connection, TENANT, SPACE, "anna.py", points.parse("e0"), 5)
            assert found is not None
            assert history.texts_of(connection, [found["current"]["artifact"]]) == {}

    def test_who_is_not_there_has_nothing(self, lived: Database) -> None:
        before = chain(lived)
        assert erase(lived, Scope(user="carl"), AT).texts == 0
        assert chain(lived) == before

    def test_twice_is_as_good_as_once(self, lived: Database) -> None:
        erase(lived, MINE, AT)
        assert erase(lived, MINE, AT).texts == 0
        assert verify(lived) == []

    def test_what_comes_again_is_kept(self, lived: Database) -> None:
        erase(lived, MINE, AT)
        show(lived, "ben.py", "def ben():\n    return 'ben'\n")
        assert "ben.py" in entities(lived)
        assert verify(lived) == []


class TestDamage:
    @pytest.mark.parametrize("what", ["text", "words", "more"])
    def test_is_told_from_erasure(self, lived: Database, what: str) -> None:
        """A text that is missing without an erasure, words likewise, and a text that no erasure spoke of."""
        if not lived.sqlite:
            pytest.skip("triggers are dropped the SQLite way here")
        statements = {
            "text": ["DROP TRIGGER vault_no_delete", f"DELETE FROM vault WHERE hash = '{artifact_hash(SHARED)}'"],
            "words": ["DROP TRIGGER events_no_update", "UPDATE events SET body = '' WHERE body LIKE '%ben decides%'"],
            "more": [
                "DROP TRIGGER vault_no_delete",
                "INSERT INTO texts_gone SELECT vault.hash, workspace_id, seq FROM vault, events "
                f"WHERE vault.hash = '{artifact_hash(SHARED)}' AND kind = 'texts.erased' AND workspace_id = 1",
                f"DELETE FROM vault WHERE hash = '{artifact_hash(SHARED)}'",
            ],
        }
        erase(lived, Scope(user="anna"), AT)
        assert verify(lived) == []
        with lived.writing() as connection:
            for statement in statements[what]:
                connection.exec_driver_sql(statement)
        wanted = {"text": "it is not there", "words": "other words are missing", "more": "erased other texts"}
        assert any(wanted[what] in problem.detail for problem in verify(lived))


class TestArchived:
    def test_what_is_in_a_segment_is_to_be_restored_first(
        self, lived: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(snapshots, "EVERY", 7)
        write(lived, UnitOfWork(), *[Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m")))] * 8)
        read_for_uses(lived)
        to = folder(str(tmp_path / "a"))
        assert [*archive.archive(lived, to, AT, points.Point(seq=10**9), WorkspaceKey(TENANT, SPACE))]
        for scope in (MINE, Scope(user="anna")):
            with pytest.raises(StoreError, match="restore"):
                erase(lived, scope, AT)
        assert [*archive.restore(lived, to)]
        done = erase(lived, MINE, AT)
        assert done.files
        assert "return 'ben'" not in texts(lived)
        assert [*archive.restore(lived, to)] == [], "nothing that is erased comes back"
        read_for_uses(lived)
        assert [*archive.archive(lived, folder(str(tmp_path / "b")), AT, points.Point(seq=10**9))]
        assert verify(lived) == []

    def test_so_is_an_episode_that_only_ended_behind_a_segment(
        self, lived: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(snapshots, "EVERY", 7)
        said = Event(EventKind.STATED, (), (("says", "cleo decides"),))
        recorded = Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m"), ("by", {"user": "cleo"})))
        with lived.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, SPACE, AT)
            store.append([said, *[Event(EventKind.ERROR, (), (("tool", "t"),))] * 8, recorded], "e9", AT)
            assert store.head is not None
            end = store.head[0] - 1
        read_for_uses(lived)
        assert [*archive.archive(lived, folder(str(tmp_path / "a")), AT, points.Point(seq=end))]
        with pytest.raises(StoreError, match="restore"):
            erase(lived, Scope(user="cleo"), AT)
