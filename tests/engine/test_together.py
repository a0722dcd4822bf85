"""Second visits that are recorded together: one transaction, and each as if it came alone."""

from __future__ import annotations

from typing import Any

import pytest

from tslp_litellm.engine import Engine, Episode, Request
from tslp_litellm.engine.record import Recorder
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify
from tslp_litellm.wire.openai_chat import OpenAIChat
from tslp_litellm.wire.turn import Answer

from .helpers import make_engine

CHAT = OpenAIChat()


def asked(engine: Engine, workspace: str, prompt: str) -> Episode:
    turn = CHAT.parse({"messages": [{"role": "user", "content": prompt}]})
    return engine.preflight(Request("local", workspace, "acompletion", "m", turn))


def said(text: str) -> Answer:
    answer: Answer = CHAT.whole({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
    return answer


def fence(n: int) -> str:
    return f"Done.\n\nsrc/a.py\n```python\ndef value():\n    return {n}\n```\n"


def episodes(database: Database, workspace: str) -> list[Any]:
    with database.reading() as connection:
        return list(queries.recent(connection, "local", workspace, 50)["episodes"])


def text_of(database: Database, workspace: str) -> str:
    from ..store.helpers import known

    return known(database, "src/a.py", space=workspace).text() or ""


def test_answers_of_one_workspace_apply_in_their_order(database: Database) -> None:
    engine = make_engine(database)
    visits = [(asked(engine, f"w{n % 2}", f"Version {n}"), said(fence(n))) for n in range(6)]
    assert engine.record_all(visits) == [[]] * 6
    assert ("return 4" in text_of(database, "w0"), "return 5" in text_of(database, "w1")) == (True, True)
    assert len(episodes(database, "w0")) == len(episodes(database, "w1")) == 3
    assert verify(database) == []


def test_one_that_fails_takes_no_other_along(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(database)
    visits = [(asked(engine, "w", f"Version {n}"), said(fence(n))) for n in range(3)]
    write = Recorder._write

    def failing(self: Recorder, opened: Any, draft: Any) -> Any:
        if draft.episode.id == visits[1][0].id:
            write(self, opened, draft)
            raise RuntimeError("a fault of ours")
        return write(self, opened, draft)

    monkeypatch.setattr(Recorder, "_write", failing)
    done = engine.record_all(visits)
    assert [type(d).__name__ for d in done] == ["list", "RuntimeError", "list"]
    assert [e["episode_id"] for e in episodes(database, "w")] == [visits[2][0].id, visits[0][0].id]
    assert "return 2" in text_of(database, "w")
    assert verify(database) == []


def test_what_was_recorded_without_our_being_told_is_not_recorded_twice(database: Database) -> None:
    engine = make_engine(database)
    visits = [(asked(engine, "w", f"Version {n}"), said(fence(n))) for n in range(2)]
    engine.record_all(visits[:1])
    assert engine.record_all(visits, again=True) == [[], []]
    assert [e["episode_id"] for e in episodes(database, "w")] == [visits[1][0].id, visits[0][0].id]


def test_prose_between_leaves_a_judgement_standing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(database)
    visits = [(asked(engine, "w", "Hello"), said("Well.")), (asked(engine, "w", "Write it"), said(fence(1)))]
    engine.record_all([(asked(engine, "w", "First"), said("Yes."))])
    judged: list[str] = []
    judge = Recorder._judge
    monkeypatch.setattr(
        Recorder, "_judge", lambda self, store, d, s: (judged.append(d.episode.id), judge(self, store, d, s))[1]
    )
    engine.record_all(visits)
    assert judged == [visits[1][0].id]
    assert "return 1" in text_of(database, "w")
