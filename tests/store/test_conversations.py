"""Conversations: found by their rarer items, the last used one first, forgotten by number and age."""

from __future__ import annotations

import pytest

from tslp_litellm.state.values import Conversation
from tslp_litellm.store import conversations
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.statements import Statement
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT

BEGINNING = [b"system".ljust(16), b"hello".ljust(16), b"hi there".ljust(16)]
LATER = "2026-06-01T00:00:00.000Z"


def digest(n: int) -> bytes:
    return n.to_bytes(16, "big")


def remember(database: Database, name: str, *digests: bytes, at: str = AT, items: int = 0) -> None:
    with database.writing() as connection:
        WorkspaceWriter(connection, TENANT, SPACE, at).remember(Conversation(name, items), digests)


def related(database: Database, *digests: bytes) -> list[str]:
    with database.reading() as connection:
        return WorkspaceReader(connection, TENANT, SPACE).related(digests)


@pytest.mark.parametrize("order", [("a", "z"), ("z", "a")])
def test_of_equals_the_one_used_last_comes_first(database: Database, order: tuple[str, str]) -> None:
    for name in order:
        remember(database, name, *BEGINNING)
    assert related(database, *BEGINNING) == list(order)[::-1]
    remember(database, order[0], items=3)
    assert related(database, *BEGINNING) == list(order), "used again, without a new item"


def test_a_common_beginning_hides_no_conversation(database: Database) -> None:
    with database.writing() as connection:
        store = WorkspaceWriter(connection, TENANT, SPACE, AT)
        for n in range(200):
            store.remember(Conversation(f"c{n:03}"), [*BEGINNING, digest(n)])
    assert related(database, *BEGINNING, digest(7))[0] == "c007"
    assert related(database, *BEGINNING, digest(10_000))[0] == "c199", "nothing tells them apart: the newest"
    assert related(database, *BEGINNING, *map(digest, range(1000, 1600)), digest(3))[0] == "c003"


def test_what_is_looked_at_does_not_grow_with_those_who_share_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[int] = []
    execute = Statement._execute

    def counted(self: Statement, *arguments: object) -> list[tuple[object, ...]]:
        rows = execute(self, *arguments)  # type: ignore[arg-type]
        fetched.append(len(rows))
        return rows

    def looked_at() -> int:
        fetched.clear()
        related(database, *BEGINNING, digest(7))
        return sum(fetched)

    made = 0
    counts = []
    for number in (100, 1000):
        with database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, SPACE, AT)
            for n in range(made, number):
                store.remember(Conversation(f"c{n:04}"), [*BEGINNING, digest(n)])
        made = number
        monkeypatch.setattr(Statement, "_execute", counted)
        counts.append(looked_at())
        monkeypatch.setattr(Statement, "_execute", execute)
    assert counts[1] <= counts[0] + 16


def test_the_longest_unused_go_when_there_are_too_many(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = conversations._C
    query = conversations.select(kept.used).where(kept.workspace_id == conversations._W)
    monkeypatch.setattr(conversations, "_OLDEST_KEPT", Statement(query.order_by(kept.used.desc()).offset(4).limit(1)))
    for n in range(5):
        remember(database, f"c{n}", digest(n), digest(100 + n))
    remember(database, "c0", items=2)
    for n in range(5, 8):
        remember(database, f"c{n}", digest(n))
    with database.reading() as connection:
        store = WorkspaceReader(connection, TENANT, SPACE)
        there = [n for n in range(8) if store.conversation(f"c{n}") is not None]
        assert there == [0, 4, 5, 6, 7], "the five used last"
        assert [n for n in range(8) if store.was_said(digest(n))] == there, "and their items"


def test_one_that_nobody_used_for_months_goes(database: Database) -> None:
    remember(database, "old", digest(1))
    remember(database, "used", digest(2))
    remember(database, "used", digest(3), items=1, at=LATER)
    remember(database, "new", digest(4), at=LATER)
    with database.reading() as connection:
        store = WorkspaceReader(connection, TENANT, SPACE)
        assert store.conversation("old") is None
        assert store.conversation("used") is not None
        assert not store.was_said(digest(1))
