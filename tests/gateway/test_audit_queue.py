"""The audit's queue: bounded, one at a time, and what goes wrong stays in it."""

from __future__ import annotations

import asyncio

import pytest

from tslp_litellm.engine import Question
from tslp_litellm.gateway.audit_queue import WAITING_MAX, AuditQueue


def question(entity: str) -> Question:
    return Question("local", "w", "c", "e", entity, "0" * 64, True, "?", "m")


class Model:
    """Answers at once, or as it is told; `concluded` is what came of it."""

    def __init__(self) -> None:
        self.asking = self.most = 0
        self.concluded: list[tuple[str, str | None, str | None]] = []
        self.closed: set[str] = set()

    async def ask(self, q: Question) -> str:
        self.asking += 1
        self.most = max(self.most, self.asking)
        try:
            if q.entity == "never":
                await asyncio.sleep(3600)
            if q.entity == "broken":
                raise ConnectionError("refused")
            await asyncio.sleep(0)
            return f"about {q.entity}"
        finally:
            self.asking -= 1

    async def conclude(self, q: Question, reply: str | None, fault: str | None) -> str:
        self.concluded.append((q.entity, reply, fault))
        return "recorded" if reply else "unanswered"

    async def is_open(self, q: Question) -> bool:
        return q.entity not in self.closed


@pytest.fixture
def model() -> Model:
    return Model()


def queue(model: Model) -> AuditQueue:
    return AuditQueue(model.ask, model.conclude, model.is_open, timeout_s=0.05)


def test_one_at_a_time_and_in_order(model: Model) -> None:
    async def play() -> None:
        made = queue(model)
        for n in range(5):
            made.submit(question(f"f{n}"))
        assert model.concluded == [], "submitting waits for nothing"
        await made.idle()
        made.submit(question("later"))
        await made.idle()
        assert made.report().counts == {"recorded": 6}
        assert made.report().last == "later recorded"

    asyncio.run(play())
    assert [entity for entity, _, _ in model.concluded] == ["f0", "f1", "f2", "f3", "f4", "later"]
    assert model.most == 1


def test_it_is_bounded(model: Model) -> None:
    async def play() -> None:
        made = queue(model)
        for n in range(WAITING_MAX + 10):
            made.submit(question(f"f{n}"))
        assert made.report().waiting == WAITING_MAX
        await made.idle()
        assert made.report().counts == {"recorded": WAITING_MAX, "dropped": 10}

    asyncio.run(play())


def test_faults_and_time_outs_are_concluded_and_shown_until_the_next_reply(model: Model) -> None:
    async def play() -> None:
        made = queue(model)
        made.submit(question("broken"))
        await made.idle()
        assert made.report().fault == "ConnectionError: refused"
        made.submit(question("never"))
        await made.idle()
        assert made.report().fault == "no reply within 0.05 s"
        made.submit(question("good"))
        await made.idle()
        assert made.report().fault is None

    asyncio.run(play())
    assert model.concluded == [
        ("broken", None, "ConnectionError: refused"),
        ("never", None, "no reply within 0.05 s"),
        ("good", "about good", None),
    ]


def test_what_has_been_overtaken_is_not_asked(model: Model) -> None:
    model.closed = {"old"}

    async def play() -> None:
        made = queue(model)
        made.submit(question("old"))
        made.submit(question("new"))
        await made.idle()
        assert made.report().counts == {"overtaken": 1, "recorded": 1}

    asyncio.run(play())
    assert [entity for entity, _, _ in model.concluded] == ["new"]


def test_what_waits_at_the_end_is_dropped(model: Model) -> None:
    async def play() -> None:
        made = AuditQueue(model.ask, model.conclude, model.is_open, timeout_s=3600)
        made.submit(question("never"))
        made.submit(question("after"))
        await asyncio.sleep(0.01)
        made.close()
        await made.idle()

    asyncio.run(play())
    assert model.concluded == []
