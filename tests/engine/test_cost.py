"""What a visit does no more than once, and what it never does: counted, not timed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tslp_litellm.conversation.user_text import Reading, read_user_text
from tslp_litellm.engine import talk
from tslp_litellm.engine.preflight import Preflight
from tslp_litellm.engine.record import Draft, Recorder
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.resolution.going_back import Retold
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import Item, ItemKind, Role

from .helpers import Session

FILE = "Here is cart.py:\n\ncart.py\n```python\ndef total(a):\n    return a\n```\n"


@pytest.fixture
def statements(database: Database) -> Iterator[list[str]]:
    """What SQLite is told, values filled in."""
    seen: list[str] = []
    with database.writing() as connection:  # the test's database has one connection
        driver = connection.connection.dbapi_connection
    driver.set_trace_callback(seen.append)
    yield seen
    driver.set_trace_callback(None)


def test_a_known_history_is_neither_read_again_nor_written(
    session: Session, statements: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = {"r1": {"name": "Read", "arguments": {"file_path": "other.py"}}}
    session.ask(FILE).ask("Read other.py", "", calls).ask(
        None, "ok", results={"r1": "     1\tdef x():\n     2\t    pass"}
    )
    statements.clear()
    monkeypatch.setattr(talk, "read", lambda *_: pytest.fail("a known result was read again"))
    session.request([*session.messages, {"role": "user", "content": "Change `total` in cart.py"}], None)
    assert session.hydrated == []  # it stands in the request already
    session.request([{"role": "user", "content": "Change `total` in cart.py"}], None)
    assert session.hydrated == ["cart.py::total"]
    assert not [s for s in statements if not s.startswith(("BEGIN", "SELECT", "COMMIT", "ROLLBACK"))]


def test_the_number_of_statements_does_not_grow_with_the_history(session: Session, statements: list[str]) -> None:
    counts = []
    session.ask(FILE)
    for n in range(12):
        statements.clear()
        session.ask(f"Question {n} about `total`")
        counts.append(len(statements))
    assert counts[1] == counts[-1]


def test_a_regenerated_answer_costs_what_is_new(
    session: Session, statements: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many answers were given before it, and however long the file's history is."""
    heard: list[int] = []
    hear = Retold.hear
    monkeypatch.setattr(Retold, "hear", lambda self, *entry: (heard.append(1), hear(self, *entry))[1])
    session.ask(FILE + "Keep it in mind for what I am going to ask you.", "I keep it in mind, whatever you ask me.")
    session.ask("Let `total` add up what it is given.", FILE.replace("return a", "return sum(a)"))
    told, asked = [], []
    for n in range(10):
        before, sent = len(heard), len(statements)
        session.messages = session.messages[:-1]
        session.ask(None, f"Once more, in the {n}th way.\n\n" + FILE.replace("return a", f"return sum(a) + {n}"))
        told.append(len(heard) - before)
        asked.append(len(statements) - sent)
    assert told[0] > 0
    assert len(set(told[1:])) == 1, told
    assert len(set(asked[1:])) == 1, asked
    assert session.holds("cart.py", "def total(a):\n    return sum(a) + 9\n")


def test_conversations_are_found_by_digest(session: Session, database: Database, statements: list[str]) -> None:
    session.ask(FILE)
    statements.clear()
    session.ask("Go on")
    found = next(s for s in statements if "conversation_items" in s and "digest IN" in s and "LIMIT" in s)
    with database.reading() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {found}").all()
    assert "ix_conversation_items_digest" in str(plan[0])


def test_an_answer_is_judged_again_only_where_the_ledger_has_grown(
    session: Session, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine: list[str] = []
    between: list[Session] = []
    judge, writing = Recorder._judge, database.writing

    def judged(self: Recorder, store: WorkspaceReader, draft: Draft) -> object:
        mine.append(draft.episode.id)
        return judge(self, store, draft)

    def in_between() -> object:
        if between:
            between.pop().ask("cart.py\n```python\ndef total(a, b):\n    return a + b\n```\n")
        return writing()

    session.ask(FILE)
    monkeypatch.setattr(Recorder, "_judge", judged)
    monkeypatch.setattr(database, "writing", in_between)
    session.ask("Go on", "Well.")
    assert mine == []
    session.ask("Go on", "cart.py\n```python\ndef total(a):\n    return a * 3\n```\n")
    assert session.episode is not None
    assert mine.count(session.episode.id) == 1
    between.append(Session(session.engine, database))
    session.ask("Go on again", "cart.py\n```python\ndef total(a):\n    return a * 2\n```\n")
    assert mine.count(session.episode.id) == 2


def test_a_request_is_judged_again_only_where_the_ledger_has_grown(
    session: Session, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    between: list[Session] = []
    judge, writing = Preflight._judged, database.writing

    def counted(self: Preflight, store: WorkspaceReader, *rest: Any) -> object:
        judged.append(store.name)
        return judge(self, store, *rest)

    def in_between() -> object:
        if between:
            between.pop().ask("cart.py\n```python\ndef total(a, b):\n    return a + b\n```\n")
        return writing()

    monkeypatch.setattr(Preflight, "_judged", counted)
    monkeypatch.setattr(database, "writing", in_between)
    session.ask(FILE)
    assert len(judged) == 1, "the first of its workspace, too"
    session.ask(FILE)
    assert len(judged) == 2
    between.append(Session(session.engine, database))
    session.ask(FILE)
    assert len(judged) == 5, "ours, the other's, and ours on what the other left"


def test_the_readings_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "READINGS_CHARS_MAX", 10_000)
    cache = ReadingCache()
    for n in range(50):
        cache.get(Item(Role.USER, ItemKind.TEXT, f"{n} " + "x" * 400), n.to_bytes(16, "big"), {})
    assert len(cache._kept) <= 11
    assert cache._chars == sum(chars for _, chars in cache._kept.values()) <= 10_000
    large: dict[bytes, Reading] = {}
    cache.get(Item(Role.USER, ItemKind.TEXT, "x" * 9_000), b"large", large)
    assert b"large" not in cache._kept
    assert list(large) == [b"large"], "it is kept for the visit"


def test_what_is_too_large_to_be_kept_is_read_once_a_visit(monkeypatch: pytest.MonkeyPatch, session: Session) -> None:
    read: list[str] = []
    monkeypatch.setattr(talk, "READINGS_CHARS_MAX", 1_000)
    monkeypatch.setattr(talk, "read_user_text", lambda text: read.append(text) or read_user_text(text))
    session.ask(f"a.py\n```python\nX = '{'x' * 2_000}'\n```\nWhat does `X` hold?", None)
    assert len(read) == 1
    assert "a.py::X" in session.state()
