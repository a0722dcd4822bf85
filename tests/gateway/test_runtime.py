"""The runtime: the order of the wire, and faults that are logged once."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tslp_litellm.engine import Episode, Question, Request
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.runtime import Runtime, now, use_patterns
from tslp_litellm.parser import outline
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.state.values import Conversation
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.wire.turn import Answer, Turn


@pytest.fixture
def runtime() -> Runtime:
    return Runtime(Settings(database_url="sqlite://"), len)


def episode(workspace: str, name: str = "e") -> Episode:
    request = Request("local", workspace, "acompletion", "m", Turn(()))
    return Episode(name, now(), request, False, Conversation("c"))


def test_a_request_waits_for_the_answers_of_its_workspace_only(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    release = threading.Event()

    def record(visits: list[tuple[Episode, Answer]], again: bool = False) -> list[list[Question]]:
        release.wait(5)
        time.sleep(0.05)
        done.extend(made.id for made, _ in visits)
        return [[] for _ in visits]

    monkeypatch.setattr(runtime.engine, "record_all", record)
    monkeypatch.setattr(runtime.engine, "preflight", lambda request: done.append(f"ask {request.workspace}"))

    async def play() -> None:
        runtime.record(episode("a", "first"), Answer())
        runtime.record(episode("a", "second"), Answer())
        await runtime.preflight(episode("b").request)
        asking = asyncio.ensure_future(runtime.preflight(episode("a").request))
        await asyncio.sleep(0.05)
        release.set()
        await asking
        await runtime.drain()

    asyncio.run(play())
    assert done == ["ask b", "first", "second", "ask a"]


def test_a_recording_that_fails_does_not_hold_up_the_next(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def record(visits: list[tuple[Episode, Answer]], again: bool = False) -> list[list[Question]]:
        calls.extend(made.id for made, _ in visits)
        if calls[-1] == "bad":
            raise RuntimeError("disk full")
        return [[] for _ in visits]

    monkeypatch.setattr(runtime.engine, "record_all", record)

    async def play(*names: str) -> None:
        for name in names:
            runtime.record(episode("a", name), Answer())
        await runtime.drain()

    asyncio.run(play("bad"))
    assert runtime.faults.open == {"recording": "RuntimeError: disk full"}
    asyncio.run(play("good"))
    assert runtime.faults.open == {}
    assert calls == ["bad", "good"]


def test_a_fault_is_logged_once_until_it_heals(caplog: pytest.LogCaptureFixture) -> None:
    faults = Faults()
    with caplog.at_level(logging.WARNING, logger="tslp_litellm"):
        for _ in range(3):
            faults.note("pre-flight", ValueError("x"))
        faults.healed("pre-flight")
        faults.healed("pre-flight")
        faults.note("pre-flight", ValueError("x"))
    assert [r.levelname for r in caplog.records] == ["ERROR", "WARNING", "ERROR"]
    assert faults.total == 4


def test_times_are_rfc_3339_with_milliseconds() -> None:
    import re

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now())


def test_one_runtime_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    import tslp_litellm.gateway.runtime as module

    monkeypatch.setattr(module, "_runtime", None)
    settings: dict[str, Any] = {"database_url": "sqlite://"}
    first = module.the_runtime(Settings(**settings), len)
    assert module.the_runtime(Settings(**settings), len) is first
    with pytest.raises(SettingsError, match="registered twice"):
        module.the_runtime(Settings(**settings, debug=True), len)


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
    monkeypatch.setattr(runtime.engine, "preflight", lambda request: done.append("pre-flight"))
    monkeypatch.setattr(runtime.engine.auditing, "is_open", lambda question: True)
    monkeypatch.setattr(runtime.engine.auditing, "visit", conclude)

    async def play() -> None:
        runtime.record(episode("a"), Answer())
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


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            '{"perl": {"definitions": {"sub": {"pattern": "^sub (", "kind": "function", "end": "braces"}}}}',
            ["perl.sub"],
        ),
        ("{", ["JSON"]),
        (None, ["read"]),
    ],
)
def test_bad_patterns_stop_the_start_with_their_name(tmp_path: Path, content: str | None, words: list[str]) -> None:
    file = tmp_path / "mine.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SettingsError) as error:
        Runtime(Settings(database_url="sqlite://", symbols_file=file), len)
    for word in ("symbols_file", str(file), *words):
        assert word in str(error.value)


def test_ones_own_patterns_are_used(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"perl": {"definitions": {}}}))
    try:
        Runtime(Settings(database_url="sqlite://", symbols_file=file), len)
        assert outline(language_named("perl"), "sub f {\n}\n").symbols == ()
    finally:
        use_patterns(None)
    assert outline(language_named("perl"), "sub f {\n}\n").symbols
