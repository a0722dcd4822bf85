"""The runtime: what it refuses to start with, one a process, and its end."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from pathlib import Path
from typing import Any

import pytest

from tslp_litellm.engine import Request, record
from tslp_litellm.gateway import runtime as module
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.runtime import Runtime, now, use_patterns
from tslp_litellm.parser import outline, report
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.state.values import artifact_hash
from tslp_litellm.store.database import StoreError
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.wire.turn import Answer, Item, ItemKind, Role, Turn


def test_times_are_rfc_3339_with_milliseconds() -> None:
    import re

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now())


def test_one_runtime_a_process(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(module, "_runtime", None)
    settings: dict[str, Any] = {"database_url": "sqlite://"}
    first = module.the_runtime(Settings(**settings), len)
    assert module.the_runtime(Settings(**settings), len) is first
    with pytest.raises(SettingsError, match="registered twice"):
        module.the_runtime(Settings(**settings, debug=True), len)


def test_guardrails_may_differ_in_what_is_a_face_s_and_a_callback_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_runtime", None)
    settings: dict[str, Any] = {"database_url": "sqlite://"}
    first = module.the_runtime(Settings(**settings), len, guardrail=True)
    assert module.the_runtime(Settings(**settings, trust="human"), len, guardrail=True) is first
    assert module.the_runtime(Settings(**settings, workspace="shop"), len, guardrail=True) is first
    with pytest.raises(SettingsError, match="registered twice"):
        module.the_runtime(Settings(**settings, trust="human", debug=True), len, guardrail=True)
    with pytest.raises(SettingsError, match="registered twice"):
        module.the_runtime(Settings(**settings), len)


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


def test_the_end_leaves_no_thread_and_no_process() -> None:
    before = set(threading.enumerate())
    runtime = Runtime(Settings(database_url="sqlite://"), len)
    runtime.rehearse()
    assert report().workers

    async def play() -> bool:
        await runtime.visits.aside("a", lambda: None)
        return await runtime.close()

    assert asyncio.run(play())
    assert not report().workers
    assert not {thread for thread in threading.enumerate() if thread.name.startswith("tslp")} - before


def test_a_folder_that_can_not_be_made_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="can't be opened"):
        Runtime(Settings(database_url=f"sqlite:///{tmp_path / 'file' / 'tslp.db'}"), len)


def test_a_request_that_is_too_long_to_read_is_a_fault_until_the_next() -> None:
    from tslp_litellm.engine import Request
    from tslp_litellm.wire.openai_chat import OpenAIChat

    def request(text: str) -> Request:
        turn = OpenAIChat().parse({"messages": [{"role": "user", "content": text}]})
        return Request("local", "w", "acompletion", "m", turn)

    runtime = Runtime(Settings(database_url="sqlite://", visit_seconds=1e-9), len)

    async def play() -> None:
        slow = await runtime.preflight(request("Hello."))
        assert (slow.over_budget, slow.preface) == (True, "")
        assert list(runtime.faults.open) == ["reading a request"]
        runtime.engine._seconds = 60.0
        assert not (await runtime.preflight(request("Hello again."))).over_budget
        assert runtime.faults.open == {}
        await runtime.close()

    asyncio.run(play())


@pytest.mark.parametrize("slow", ["read_answer", "judge_model"])
def test_an_answer_that_is_too_long_to_read_is_a_fault_until_the_next(
    slow: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether it was its text that took too long or what that does to the state."""
    runtime = Runtime(Settings(database_url="sqlite://"), len)

    def too_slow(*_: Any, **__: Any) -> None:
        raise OverBudgetError

    async def say(text: str) -> None:
        request = Request("local", "w", "acompletion", "m", Turn((Item(Role.USER, ItemKind.TEXT, "Write it."),)))
        about = await runtime.preflight(request)
        said = Item(Role.ASSISTANT, ItemKind.TEXT, f"a.py\n```python\n{text}\n```\n")
        await runtime.deliver(Delivered(about, lambda: Answer((said,), True, "stop")))
        await runtime.drain()

    async def play() -> None:
        with monkeypatch.context() as patched:
            patched.setattr(record, slow, too_slow)
            await say("x = 1")
        assert list(runtime.faults.open) == ["reading an answer"]
        assert "reading an answer failed" in caplog.text
        await say("x = 2")
        assert runtime.faults.open == {}
        await runtime.close()

    with caplog.at_level(logging.WARNING, logger="tslp_litellm"):
        asyncio.run(play())


def test_a_text_that_the_parser_refused_is_refused_by_the_next_process(tmp_path: Path) -> None:
    text, settings = "- " * 254 + "\n", Settings(database_url=f"sqlite:///{tmp_path / 'tslp.db'}")
    runtime = Runtime(settings, len)
    runtime.rehearse()
    shown = Turn((Item(Role.USER, ItemKind.TEXT, f"a.yaml\n```yaml\n{text}```\n"),))
    asyncio.run(runtime.preflight(Request("local", "w", "acompletion", "m", shown)))
    (refused,) = (one for one in report().refused if one.artifact == artifact_hash(text))
    asyncio.run(runtime.close())
    later = Runtime(settings, len)
    assert refused not in report().refused
    later.rehearse()
    assert refused in report().refused
    assert outline(language_named("yaml"), text).refused == refused.reason
    assert report().ended == 0, "no process has seen it again"
    asyncio.run(later.close())
