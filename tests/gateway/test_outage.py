"""What the log says of a database that is away: that it is, once with its cause, and that it works again (SEMANTICS 9)."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import Counter
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from tests.gateway.test_attendant import MakeAttendant, answer, caller, make, request
from tests.gateway.test_recording import episode
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.deliveries import Deliveries
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.store.marks import Marks

__all__ = ["make"]

CAUSES = ("the server closed the connection", "connection refused", "the database system is starting up")


def told(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    """How often something is said: that a kind of work failed, and that it works again."""
    lines = (
        record.getMessage().removeprefix("TSLP: ").splitlines()[0]
        for record in caplog.records
        if record.name == "tslp_litellm"
    )
    return Counter(line.partition(";")[0] for line in lines)


class Away:
    """Stands in for a method of the engine's; the database is away while it says so, for one reason after another."""

    def __init__(self, work: Any) -> None:
        self.work, self.away, self._causes = work, True, itertools.cycle(CAUSES)

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        if self.away:
            raise OperationalError("", None, Exception(next(self._causes)))
        return self.work(*arguments, **more)


def test_requests_and_answers_of_several_workspaces(
    make: MakeAttendant, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attendant = make()
    engine = attendant.runtime.engine
    broken = [Away(engine.preflight), Away(engine.record_all)]
    monkeypatch.setattr(engine, "preflight", broken[0])
    monkeypatch.setattr(engine, "record_all", broken[1])

    async def say(workspace: str) -> None:
        data = request("Write it.", tslp_workspace=workspace)
        await attendant.pre_call(caller("a"), data, "acompletion")
        await attendant.success(data, answer("x"))
        await asyncio.sleep(0.01)

    async def play() -> None:
        for workspace in "abab":
            await say(workspace)
            bypassed = {**request(), "proxy_server_request": {"headers": {"x-tslp-bypass": "true"}}}
            await attendant.pre_call(caller("a"), bypassed, "acompletion")
        for one in broken:
            one.away = False
        for workspace in "cab":
            await say(workspace)
        await attendant.runtime.drain()
        await say("c")
        await attendant.runtime.drain()

    with caplog.at_level(logging.WARNING, logger="tslp_litellm"):
        asyncio.run(play())
    assert len(attendant.runtime.recording.backlog) == 0
    both = ("pre-flight", "recording")
    assert told(caplog) == {f"{name} {what}": 1 for name in both for what in ("failed", "works again.")}


class FarMarks(Marks):
    """Of a server that is away."""

    def _set(self, _key: Any) -> None:
        raise ConnectionError

    _unset = _is_set_elsewhere = _set  # type: ignore[assignment]


def test_marks(make: MakeAttendant, caplog: pytest.LogCaptureFixture) -> None:
    """A mark that failed is told then, and not when its answer is recorded, between others that were marked since."""
    runtime = make().runtime
    faults, marks = Faults(), [FarMarks(), runtime.database.marks]
    deliveries = Deliveries(lambda: marks[0], runtime.visits, faults)

    async def play() -> None:
        answers = [Delivered(episode(workspace)) for workspace in "abab"]
        for one in answers[:2]:
            await deliveries.begin(one)
        assert set(faults.open) == {"marking an answer"}
        marks.pop(0)
        for one in answers[2:]:
            await deliveries.begin(one)
        for one in (answers[2], *answers[:2], answers[3]):
            await deliveries.end([one])

    with caplog.at_level(logging.WARNING, logger="tslp_litellm"):
        asyncio.run(play())
    assert told(caplog) == {"marking an answer failed": 1, "marking an answer works again.": 1}
