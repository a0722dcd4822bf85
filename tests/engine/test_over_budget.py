"""A visit that takes too long: the request goes on unhydrated, what it would have shown is DIRTY, and it is over with."""

from __future__ import annotations

from typing import Any

import pytest

from tslp_litellm import engine as engine_module
from tslp_litellm.engine import preflight, record, talk
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import Item, ItemKind, Role

from .helpers import Session, make_engine, sha

A, B = "def a():\n    return 1\n", "def b():\n    return 2\n"
SLOW = "slow.py\n```python\ndef slow():\n    return 'snail'\n```\n"


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


@pytest.fixture
def session(database: Database) -> Session:
    return (
        Session(make_engine(database), database)
        .ask(fence("a.py", A))
        .ask(fence("b.py", B))
        .ask(fence("slow.py", "def slow():\n    return 1\n"))
    )


def outruns(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, word: str) -> list[int]:
    """A function that takes too long for what holds a word. Counts how often it was tried."""
    real, tried = getattr(owner, name), list[int]()

    def slow(*args: Any, **kwargs: Any) -> Any:
        if word in str(args):
            tried.append(1)
            raise OverBudgetError
        return real(*args, **kwargs)

    monkeypatch.setattr(owner, name, slow)
    return tried


def reasons(session: Session) -> set[str]:
    """Of what the last event that changed anything did."""
    with session.database.reading() as connection:
        entries = WorkspaceReader(connection, "local", "w").entries_after(0)
        return {str(move.reason) for move in [entry for entry in entries if entry.moves()][-1].moves()}


def test_what_it_names_by_proven_paths_is_dirty(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    outruns(monkeypatch, preflight, "judge_user", "snail")
    session.ask(f"Look at `a` in a.py.\n\n{SLOW}")
    assert (session.hydrated, session.prompt) == ([], f"Look at `a` in a.py.\n\n{SLOW}")
    assert session.state()["a.py"] == sha(A)
    assert session.state()["slow.py"] == session.state()["slow.py::slow"] == "DIRTY"
    assert reasons(session) == {"over-budget"}
    assert verify(session.database) == []


def test_where_that_is_unknown_all_is_dirty(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    outruns(monkeypatch, talk, "read_user_text", "snail")
    session.ask(SLOW)
    assert set(session.state().values()) == {"DIRTY"}
    assert verify(session.database) == []


def test_it_is_never_tried_again_and_a_normal_turn_works(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = outruns(monkeypatch, talk, "read_user_text", "snail")
    session.ask(SLOW)
    Session(session.engine, session.database).ask(fence("a.py", A.replace("1", "3")))
    session.ask("What does `a` do?")
    assert (session.hydrated, len(tried)) == (["a.py::a"], 1)


def test_the_same_words_in_another_conversation_are_dirt_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text that nobody could read may show anything, whenever it is said anew."""
    tried = outruns(monkeypatch, talk, "read_user_text", "snail")
    session.ask(SLOW).forget().ask(fence("a.py", A)).forget().ask(SLOW)
    assert set(session.state().values()) == {"DIRTY"}
    assert len(tried) == 1


def test_more_than_any_window_holds_is_not_read(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = outruns(monkeypatch, talk, "read_user_text", "snail")
    monkeypatch.setattr(engine_module, "VISIT_CHARS_MAX", 500)
    session.forget().ask("snail " * 100)
    assert set(session.state().values()) == {"DIRTY"}
    assert not tried
    session.forget().ask(fence("a.py", A))
    assert session.state()["a.py"] == sha(A)


class TestAnAnswer:
    def test_what_it_names_is_dirty(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        outruns(monkeypatch, record, "judge_model", "snail")
        session.ask("Change it.", SLOW)
        assert session.state()["a.py"] == sha(A)
        assert session.state()["slow.py"] == "DIRTY"
        assert reasons(session) == {"over-budget"}
        session.ask(SLOW, "Fine.").ask("What does `slow` do?")
        assert session.state()["slow.py"] != "DIRTY"
        assert verify(session.database) == []

    def test_where_that_is_unknown_all_is_dirty(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        outruns(monkeypatch, record, "read_answer", "snail")
        session.ask("Change it.", SLOW)
        assert set(session.state().values()) == {"DIRTY"}

    def test_more_than_any_window_holds_is_not_read(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        tried = outruns(monkeypatch, record, "read_answer", "snail")
        monkeypatch.setattr(record, "VISIT_CHARS_MAX", 500)
        session.ask("Say it.", "snail " * 100)
        assert set(session.state().values()) == {"DIRTY"}
        assert not tried

    def test_it_is_recorded_with_others_and_takes_none_along(
        self, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        outruns(monkeypatch, record, "read_answer", "snail")
        other = Session(session.engine, session.database, "other").ask(fence("a.py", A))
        episodes = [s.request([{"role": "user", "content": "Go."}], None) for s in (session, other)]
        answers = [record.Answer((_text(said),), True, "stop") for said in (SLOW, fence("a.py", A.replace("1", "3")))]
        done = session.engine.record_all(list(zip(episodes, answers, strict=True)))
        assert not any(isinstance(one, Exception) for one in done)
        assert set(session.state().values()) == {"DIRTY"}
        assert other.state()["a.py"] == sha(A.replace("1", "3"))


def _text(said: str) -> Any:
    return Item(Role.ASSISTANT, ItemKind.TEXT, said)


def test_nobody_waits_for_a_slow_parse_to_write(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is new is judged before the write transaction begins, and not once more in it."""
    writing = {"now": False}
    judged: list[bool] = []
    real_writing, real_judge = session.database.writing, preflight.judge_user

    def noting(*args: Any, **kwargs: Any) -> Any:
        judged.append(writing["now"])
        return real_judge(*args, **kwargs)

    def entered() -> Any:
        writing["now"] = True
        return real_writing()

    monkeypatch.setattr(session.database, "writing", entered)
    monkeypatch.setattr(preflight, "judge_user", noting)
    session.request([{"role": "user", "content": fence("new.py", A)}], None)
    assert judged == [False]
    assert session.state()["new.py"] == sha(A)
