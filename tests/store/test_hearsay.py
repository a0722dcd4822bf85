"""What is remembered of texts of the model's: found by their lines, bound to a tenant, forgotten by number and age."""

from __future__ import annotations

import pytest

from tslp_litellm.state.values import Conversation, Heard, Hearsay
from tslp_litellm.store import hearsay
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT

SOON, LATER = "2026-01-01T00:00:01.000Z", "2026-06-01T00:00:00.000Z"


def text(*lines: int, heard: Heard = Heard.TOLD) -> Hearsay:
    return Hearsay(heard, frozenset(lines), frozenset(lines[:2]))


def hear(database: Database, *said: Hearsay, at: str = AT, space: str = SPACE, tenant: str = TENANT) -> None:
    with database.writing() as connection:
        WorkspaceWriter(connection, tenant, space, at).hear(said)


def found(
    database: Database, *keys: int, space: str = SPACE, tenant: str = TENANT, answers: bool = False
) -> set[tuple[Heard, frozenset[int]]]:
    with database.reading() as connection:
        return {(one.heard, one.lines) for one in WorkspaceReader(connection, tenant, space).hearsay(keys, answers)}


def one(*lines: int, heard: Heard = Heard.TOLD) -> tuple[Heard, frozenset[int]]:
    return heard, frozenset(lines)


def test_what_was_heard_is_found_by_its_anchors(database: Database) -> None:
    assert found(database, 1) == set()
    hear(database, text(1, 2, 0xFFFFFFFF), text(4, heard=Heard.CODE), text(1, 2, 0xFFFFFFFF))
    hear(database)
    assert found(database, 1) == found(database, 2, 9) == {one(1, 2, 0xFFFFFFFF)}
    assert found(database, 1, 4) == {one(1, 2, 0xFFFFFFFF), one(4, heard=Heard.CODE)}
    assert found(database, 0xFFFFFFFF) == found(database) == set()


def test_other_workspaces_of_the_tenant_hear_of_it_and_no_other_tenant(database: Database) -> None:
    hear(database, text(1))
    hear(database, text(2), tenant="other")
    assert found(database, 1, 2) == found(database, 1, 2, space="elsewhere") == {one(1)}
    assert found(database, 1, 2, tenant="other") == {one(2)}


def test_an_answer_is_of_its_workspace(database: Database) -> None:
    hear(database, text(1, 3, heard=Heard.ANSWER))
    assert found(database, 1, 3, answers=True) == {one(1, 3, heard=Heard.ANSWER)}
    assert found(database, 1, 3) == found(database, 1, 3, answers=True, space="elsewhere") == set()


def test_of_lines_that_very_many_texts_hold_the_newest_are_looked_at(database: Database) -> None:
    hear(database, *(text(1, 1000 + n) for n in range(300)))
    hear(database, text(1, 5), at=SOON)
    many = found(database, 1)
    assert one(1, 5) in many
    assert len(many) == hearsay.TEXTS_FOUND_MAX
    assert found(database, 1, 1007) >= {one(1, 1007)}


def forgotten(database: Database, at: str) -> None:
    with database.writing() as connection:
        WorkspaceWriter(connection, TENANT, SPACE, at).remember(Conversation("new"), [b"7" * 16])


def test_only_the_newest_are_kept(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearsay, "TEXTS_MAX", 3)
    for n in range(1, 6):
        hear(database, text(n, 9), at=f"2026-01-01T00:00:0{n}.000Z")
    hear(database, text(1), tenant="other")
    forgotten(database, "2026-01-01T00:00:09.000Z")
    assert found(database, 1, 2, 3, 4, 5) == {one(3, 9), one(4, 9), one(5, 9)}
    assert found(database, 9) == {one(3, 9), one(4, 9), one(5, 9)}, "its lines went with it"
    assert found(database, 1, tenant="other") == {one(1)}


def test_and_none_that_is_months_old(database: Database) -> None:
    hear(database, text(1))
    hear(database, text(2), at=LATER)
    forgotten(database, LATER)
    assert found(database, 1, 2) == {one(2)}
