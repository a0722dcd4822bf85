"""An episode from its request to its last chunk, as LiteLLM calls the hooks; no proxy around them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import HTTPException

from tests.engine.helpers import sha
from tslp_litellm.gateway import attendant as module
from tslp_litellm.gateway.attendant import Attendant
from tslp_litellm.gateway.metrics import Metrics
from tslp_litellm.gateway.open_episodes import FIELD, OpenEpisodes, stamped
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.gateway.telemetry import Telemetry
from tslp_litellm.gateway.weight import LARGE_CHARS
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.settings import Settings
from tslp_litellm.store import queries
from tslp_litellm.wire.openai_chat import ChatStream, OpenAIChat

MakeAttendant = Callable[..., Attendant]


@pytest.fixture
def make() -> Iterator[MakeAttendant]:
    made: list[Attendant] = []

    def attendant(**settings: Any) -> Attendant:
        runtime = Runtime(Settings(**{"database_url": "sqlite://", "audit": False, **settings}), len)
        made.append(Attendant(runtime, Telemetry(Metrics())))
        return made[-1]

    yield attendant
    for one in made:
        asyncio.run(one.runtime.close())


def caller(team: str) -> Any:
    return SimpleNamespace(team_id=team, api_key=None, user_id=None, user_role=None, metadata={})


def code(word: str) -> str:
    return f"def shared():\n    return '{word}'\n"


def request(prompt: str = "Write it.", call_id: str = "id", **more: Any) -> dict[str, Any]:
    metadata = {"tslp_workspace": "w", **more}
    return {"messages": [{"role": "user", "content": prompt}], "metadata": metadata, "litellm_call_id": call_id}


def answer(word: str) -> dict[str, Any]:
    said = f"Done.\n\nshared.py\n```python\n{code(word)}```\n"
    return {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": said}}]}


def chunks(word: str) -> list[dict[str, Any]]:
    text = answer(word)["choices"][0]["message"]["content"]
    parts = [{"choices": [{"index": 0, "delta": {"content": text[n : n + 7]}}]} for n in range(0, len(text), 7)]
    return [*parts, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]


def held(attendant: Attendant, tenant: str = "team:a") -> dict[str, str]:
    with attendant.runtime.database.reading() as connection:
        rows = queries.state(connection, tenant, "w")["entities"]
    return {row["entity"]: row["artifact"] if row["freshness"] == "CLEAN" else "DIRTY" for row in rows}


async def passed(attendant: Attendant, data: dict[str, Any], said: list[Any]) -> list[Any]:
    async def upstream() -> AsyncIterator[Any]:
        for chunk in said:
            yield chunk

    return [chunk async for chunk in attendant.stream(data, upstream())]


async def turn(attendant: Attendant, prompt: str = "Write it.", said: Any = None) -> dict[str, Any]:
    data = request(prompt)
    await attendant.pre_call(caller("a"), data, "acompletion")
    await attendant.success(data, said or {"choices": []})
    await attendant.runtime.drain()
    return data


@pytest.mark.parametrize("streamed", [True, False])
def test_two_tenants_with_one_call_id_keep_their_own_answers(make: MakeAttendant, streamed: bool) -> None:
    attendant = make()

    async def play() -> None:
        first, second = request(), request()
        await attendant.pre_call(caller("a"), first, "acompletion")
        await attendant.pre_call(caller("b"), second, "acompletion")
        for data, word in ((second, "b"), (first, "a")):
            if streamed:
                assert await passed(attendant, data, chunks(word)) == chunks(word)
            else:
                await attendant.success(data, answer(word))
        await attendant.runtime.drain()

    asyncio.run(play())
    for tenant in "ab":
        assert held(attendant, f"team:{tenant}")["shared.py"] == sha(code(tenant))


def test_a_keys_metadata_says_whose_word_counts(make: MakeAttendant) -> None:
    attendant = make(trust="client")

    async def play(prompt: str, word: str, **metadata: Any) -> None:
        data = request(prompt)
        key = SimpleNamespace(**{**vars(caller("a")), "metadata": metadata})
        await attendant.pre_call(key, data, "acompletion", Trust(attendant.runtime.settings.trust))
        await attendant.success(data, answer(word))
        await attendant.runtime.drain()

    asyncio.run(play("Write it.", "model"))
    asyncio.run(play("Write it all.", "model", tslp_access="read", tslp_trust="proof"))
    assert held(attendant) == {}
    asyncio.run(play("Write all of it.", "model", tslp_trust="proof"))
    assert held(attendant)["shared.py"] == sha(code("model"))
    assert attendant.runtime.faults.open == {}
    asyncio.run(play("Write it anew.", "other", tslp_trust="prof"))
    assert held(attendant)["shared.py"] == sha(code("model"))
    assert "tslp_trust" in next(iter(attendant.runtime.faults.open.values()))


def test_a_mistyped_key_is_told_whatever_other_keys_of_its_team_ask(
    make: MakeAttendant, monkeypatch: pytest.MonkeyPatch
) -> None:
    attendant = make()
    monkeypatch.setattr(module, "KEYS_TOLD_MAX", 2)

    async def ask(key: str, trust: str | None = None) -> list[str]:
        of = {**vars(caller("team")), "api_key": key * 64, "via_virtual_key": True, "metadata": {"tslp_trust": trust}}
        await attendant.pre_call(SimpleNamespace(**of), request(), "acompletion")
        return list(attendant.runtime.faults.open)

    async def play() -> None:
        bad = "metadata of key aaaaaaaaaaaaaaaa"
        assert await ask("a", "prof") == await ask("b") == [bad]
        assert await ask("c", "hunam") == await ask("d", "x") == [bad, "metadata of key cccccccccccccccc"]
        assert len(await ask("a", "proof")) == 1
        assert "metadata of key dddddddddddddddd" in await ask("d", "x")

    asyncio.run(play())


def test_what_names_no_workspace_is_in_that_of_its_face(make: MakeAttendant) -> None:
    attendant = make()

    async def play() -> None:
        data = request()
        del data["metadata"]["tslp_workspace"]
        await attendant.pre_call(caller("a"), data, "acompletion", Trust.PROOF, "w")
        await attendant.success(data, answer("face"))
        await attendant.runtime.drain()

    asyncio.run(play())
    assert held(attendant)["shared.py"] == sha(code("face"))


def test_nobody_names_anothers_episode(make: MakeAttendant) -> None:
    """Not even a client who knows the key; and what LiteLLM gives to neither of us is passed over."""
    attendant = make()

    async def play() -> None:
        theirs = request()
        await attendant.pre_call(caller("a"), theirs, "acompletion")
        for call_type in ("acompletion", "aembedding"):
            forged = request(**{FIELD: ["guess"]})
            await attendant.pre_call(caller("b"), forged, call_type)
            await attendant.success(forged, answer("b"))
        await attendant.success({"metadata": {FIELD: ["guess"]}}, answer("b"))
        await attendant.success(theirs, answer("a"))
        await attendant.runtime.drain()

    asyncio.run(play())
    assert (held(attendant)["shared.py"], held(attendant, "team:b")["shared.py"]) == (sha(code("a")), sha(code("b")))


def test_two_faces_attend_to_a_request_once(make: MakeAttendant) -> None:
    attendant = make()

    async def play() -> None:
        data = request()
        for _ in range(2):
            await attendant.pre_call(caller("a"), data, "acompletion")
        assert len(attendant.open) == 1
        for _ in range(2):
            await attendant.success(data, answer("a"))
        await attendant.runtime.drain()

    asyncio.run(play())
    with attendant.runtime.database.reading() as connection:
        assert len(queries.recent(connection, "team:a", "w", 10)["episodes"]) == 1


def test_the_answer_of_an_episode_that_was_dropped_leaves_its_workspace_dirty(make: MakeAttendant) -> None:
    attendant = make()
    attendant.open = OpenEpisodes(episodes_max=1)

    async def play() -> None:
        await turn(attendant, f"shared.py\n```python\n{code('shown')}```\n")
        data = [request(), request()]
        for one in data:
            await attendant.pre_call(caller("a"), one, "acompletion")
        assert await passed(attendant, data[0], chunks("a")) == chunks("a")
        await attendant.runtime.drain()
        assert set(held(attendant).values()) == {"DIRTY"}
        await turn(attendant, f"shared.py\n```python\n{code('shown')}```\n")
        attendant.abandon(data[1])
        await attendant.runtime.drain()

    asyncio.run(play())
    assert held(attendant)["shared.py"] == sha(code("shown"))


def test_one_that_was_dropped_and_never_answered_changes_nothing(make: MakeAttendant) -> None:
    attendant = make()
    attendant.open = OpenEpisodes(episodes_max=1)

    async def play() -> None:
        await turn(attendant, f"shared.py\n```python\n{code('shown')}```\n")
        data = [request(), request()]
        for one in data:
            await attendant.pre_call(caller("a"), one, "acompletion")
        attendant.abandon(data[0])
        await attendant.runtime.drain()

    asyncio.run(play())
    assert held(attendant)["shared.py"] == sha(code("shown"))


@pytest.mark.parametrize("size", [100, 2 * LARGE_CHARS])
def test_what_grows_with_a_request_is_done_in_a_thread(
    make: MakeAttendant, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    attendant, where = make(), []
    names = {(OpenAIChat, "parse"), (OpenAIChat, "insert"), (OpenAIChat, "whole"), (ChatStream, "answer")}
    for owner, name in names:
        real = getattr(owner, name)

        def noted(*args: Any, real: Any = real, name: str = name) -> Any:
            where.append((name, threading.current_thread() is threading.main_thread()))
            return real(*args)

        monkeypatch.setattr(owner, name, noted)
    real_directory = module.working_directory
    monkeypatch.setattr(
        module,
        "working_directory",
        lambda turn: (
            where.append(("directory", threading.current_thread() is threading.main_thread())) or real_directory(turn)
        ),
    )

    async def play() -> None:
        await turn(attendant, f"shared.py\n```python\n{code('a')}```\n")
        where.clear()
        data = request("What does `shared` in shared.py do? " + "x" * size)
        await attendant.pre_call(caller("a"), data, "acompletion")
        assert code("a") in data["messages"][0]["content"]
        await attendant.success(data, {"choices": [{"message": {"content": "y" * size}, "finish_reason": "stop"}]})
        data = request("Go on.")
        await attendant.pre_call(caller("a"), data, "acompletion")
        await passed(attendant, data, chunks("b"))
        await attendant.runtime.drain()

    asyncio.run(play())
    small = size < LARGE_CHARS
    assert where[:4] == [("parse", small), ("directory", small), ("insert", small), ("whole", small)]
    assert ("answer", False) in where, "a stream is put together behind its end"
    assert [name for name, _ in where].count("directory") == 2, "once a request"


def test_a_stream_that_can_not_be_read_leaves_its_workspace_dirty(
    make: MakeAttendant, monkeypatch: pytest.MonkeyPatch
) -> None:
    attendant = make()

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    async def play() -> None:
        await turn(attendant, f"shared.py\n```python\n{code('a')}```\n")
        monkeypatch.setattr(ChatStream, "feed", broken)
        data = request()
        await attendant.pre_call(caller("a"), data, "acompletion")
        assert await passed(attendant, data, chunks("b")) == chunks("b")
        await attendant.runtime.drain()

    asyncio.run(play())
    assert set(held(attendant).values()) == {"DIRTY"}
    assert attendant.runtime.faults.open == {"reading an answer": "RuntimeError: broken"}


def test_an_answer_that_waited_opens_a_database_that_was_damaged(make: MakeAttendant, tmp_path: Path) -> None:
    file = tmp_path / "tslp.db"
    file.write_bytes(b"no database" * 100)
    attendant = make(database_url=f"sqlite:///{file}")

    async def play() -> None:
        data = request()
        await attendant.pre_call(caller("a"), data, "acompletion")
        assert "opening the database" in attendant.runtime.faults.open
        file.unlink()
        await attendant.success(data, answer("a"))
        await attendant.runtime.drain()

    asyncio.run(play())
    assert attendant.runtime.faults.open == {}


@pytest.mark.parametrize("on_error", ["pass", "block"])
def test_a_damaged_database_takes_nobody_down(
    make: MakeAttendant, tmp_path: Path, caplog: pytest.LogCaptureFixture, on_error: str
) -> None:
    """TSLP is off and says so once; it is on again when the database can be opened."""
    file = tmp_path / "tslp.db"
    file.write_bytes(b"no database" * 100)
    attendant = make(database_url=f"sqlite:///{file}", on_error=on_error)

    async def play() -> None:
        for n in range(3):
            data = request(call_id=str(n))
            if on_error == "block":
                with pytest.raises(HTTPException) as refused:
                    await attendant.pre_call(caller("a"), data, "acompletion")
                assert refused.value.status_code == 503
            else:
                await attendant.pre_call(caller("a"), data, "acompletion")
                assert data["messages"] == request()["messages"]
                await attendant.success(data, answer("a"))
        trouble = attendant.runtime.presence.trouble()
        assert "not a database" in str(trouble)
        file.unlink()
        await turn(attendant, f"other.py\n```python\n{code('b')}```\n")
        await attendant.runtime.drain()

    asyncio.run(play())
    said = [r for r in caplog.records if "opening the database" in r.getMessage() and r.levelname == "ERROR"]
    assert len(said) == 1
    assert attendant.runtime.presence.trouble() is None
    assert "opening the database" not in attendant.runtime.faults.open
    assert held(attendant)["other.py"] == sha(code("b"))


def test_the_audits_own_calls_and_bypassed_ones_are_let_alone(make: MakeAttendant) -> None:
    attendant = make()
    data = request()
    data["proxy_server_request"] = {"headers": {"X-TSLP-Bypass": "true"}}
    asyncio.run(attendant.pre_call(caller("a"), data, "acompletion"))
    assert (len(attendant.open), stamped(data), data["metadata"]) == (0, None, {})


def talk(*said: str) -> dict[str, Any]:
    roles = ("user", "assistant")
    return {**request(), "messages": [{"role": roles[n % 2], "content": text} for n, text in enumerate(said)]}


def told(attendant: Attendant, data: dict[str, Any]) -> dict[str, str] | None:
    async def play() -> dict[str, str] | None:
        await attendant.pre_call(caller("a"), data, "acompletion")
        found = attendant.headers(data)
        await attendant.success(data, answer("one"))
        assert attendant.headers(data) == found, "asked for before and after the answer"
        await attendant.runtime.drain()
        return found

    return asyncio.run(play())


def test_a_request_that_is_too_long_is_made_to_fit_and_its_response_says_so(make: MakeAttendant) -> None:
    """The window counts characters here."""
    said = ["First. " * 200, "Yes. " * 200, "Second. " * 200, "Yes. " * 200, "The task."]
    fitted, left, unknown = make(window_tokens=4_000), make(window_tokens=4_000, window="leave"), make()
    data = talk(*said)
    headers = told(fitted, data)
    assert headers is not None
    assert headers["x-tslp-window"].startswith("fitted; removed=")
    assert int(headers["x-tslp-injected"]) > 0, "the notice of what was left out"
    assert [message["content"] for message in data["messages"][:-1]] == said[2:-1]
    assert data["messages"][-1]["content"].endswith("\n\nThe task.")
    for other in (left, unknown):
        data = talk(*said)
        assert told(other, data) == {"x-tslp-injected": "0"}
        assert data["messages"] == talk(*said)["messages"]
    assert told(fitted, talk("Hello.")) == {"x-tslp-injected": "0", "x-tslp-window": "fits"}
    assert (told(fitted, talk("The task. " * 500)) or {})["x-tslp-window"] == "over"


def test_at_the_tail_the_block_stands_behind_the_last_message(make: MakeAttendant) -> None:
    attendant = make(placement="tail")
    told(attendant, talk(f"shared.py\n```python\n{code('one')}```\n"))
    data = talk("What does `shared` do?")
    headers = told(attendant, data)
    own, block = data["messages"][0]["content"]
    assert own == {"type": "text", "text": "What does `shared` do?"}
    assert block["text"].startswith("\n\n[CURRENT STATE: AUTHORITATIVE]\n")
    assert block["text"].endswith("[END CURRENT STATE]")
    assert headers == {"x-tslp-injected": str(len(block["text"]) - 2)}
    with attendant.runtime.database.reading() as connection:
        newest = queries.recent(connection, "team:a", "w", 1)["episodes"][0]
    assert newest["injected"] == len(block["text"]) - 2


def test_where_blocks_stay_the_request_before_is_the_beginning_of_the_next(make: MakeAttendant) -> None:
    attendant = make(placement="stay", window_tokens=4_000)
    told(attendant, talk(f"shared.py\n```python\n{code('one')}```\n"))
    first = talk("What does `shared` do?")
    told(attendant, first)
    said = answer("one")["choices"][0]["message"]["content"]
    after = talk("What does `shared` do?", said, "Thanks.")
    told(attendant, after)
    assert first["messages"][0]["content"].startswith("[CURRENT STATE: AUTHORITATIVE]\n")
    assert after["messages"][0] == first["messages"][0]


def test_a_bypassed_request_has_no_headers_of_ours(make: MakeAttendant) -> None:
    attendant = make()
    data = {**talk("Hello."), "proxy_server_request": {"headers": {"x-tslp-bypass": "true"}}}
    assert told(attendant, data) is None
