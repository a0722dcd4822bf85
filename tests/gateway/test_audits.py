"""The shadow audit in a running proxy: in the order of the wire, and in nobody's way."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tests.gateway.test_recording import NOTHING, episode
from tslp_litellm.engine import Question
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.settings import Settings


def question() -> Question:
    return Question("local", "a", "c", "e", "a.py", "0" * 64, True, "?", "m")


def test_an_audit_is_recorded_in_the_order_of_the_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    asked = asyncio.Event()

    async def ask(_question: Question, model: str | None, _seconds: float) -> str:
        done.append(f"ask {model}")
        asked.set()
        return "said"

    def conclude(_question: Question, reply: str | None, model: str, fault: str | None) -> str:
        time.sleep(0.05)
        done.append(f"conclude {reply} by {model}, {fault}")
        return "recorded"

    runtime = Runtime(Settings(database_url="sqlite://", audit_model="small"), len, ask)
    monkeypatch.setattr(runtime.engine, "record_all", lambda visits: [[question()] for _ in visits])
    monkeypatch.setattr(runtime.engine, "preflight", lambda request: done.append("pre-flight") or NOTHING)
    monkeypatch.setattr(runtime.engine.auditing, "is_open", lambda question: True)
    monkeypatch.setattr(runtime.engine.auditing, "visit", conclude)

    async def play() -> None:
        await runtime.deliver(Delivered(episode("a")))
        await asked.wait()
        await asyncio.sleep(0.01)
        await runtime.preflight(episode("a").request)
        assert runtime.audits is not None
        await runtime.audits.idle()
        assert runtime.audits.report().last == "a.py recorded"

    asyncio.run(play())
    assert done == ["ask small", "conclude said by small, None", "pre-flight"]


def test_an_audit_that_can_not_be_recorded_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(_question: Question, _model: str | None, _seconds: float) -> str:
        return "said"

    def broken(*_: object) -> str:
        raise RuntimeError("disk full")

    runtime = Runtime(Settings(database_url="sqlite://"), len, ask)
    monkeypatch.setattr(runtime.engine.auditing, "is_open", lambda question: True)
    monkeypatch.setattr(runtime.engine.auditing, "visit", broken)

    async def play() -> None:
        assert runtime.audits is not None
        runtime.audits.submit(question())
        await runtime.audits.idle()

    asyncio.run(play())
    assert runtime.faults.open == {"recording an audit": "RuntimeError: disk full"}


@pytest.mark.parametrize("settings", [{"audit": False}, {}])
def test_without_an_audit_nobody_is_asked(settings: dict[str, Any]) -> None:
    assert Runtime(Settings(database_url="sqlite://", **settings), len).audits is None
