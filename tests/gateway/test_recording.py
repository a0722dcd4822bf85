"""Second visits: in order, together, apart where they are large, and again where the database could not take them."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from tslp_litellm.engine import Draft, Episode, Question, Request
from tslp_litellm.gateway.backlog import UnrecordedError
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.runtime import Runtime, now
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.settings import Settings
from tslp_litellm.store.reading import Conversation
from tslp_litellm.wire.turn import Answer, Turn


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(Settings(database_url="sqlite://"), len)
    yield made
    asyncio.run(made.close())


NOTHING = SimpleNamespace(over_budget=False)
"""Stands for an episode whose content does not matter."""


def episode(workspace: str, name: str = "e") -> Episode:
    request = Request("local", workspace, "acompletion", "m", Turn(()))
    return Episode(name, now(), request, False, Conversation("c"))


def test_a_request_waits_for_the_answers_of_its_workspace_only(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    release = threading.Event()

    def record(visits: list[Draft], again: bool = False) -> list[list[Question]]:
        release.wait(120)
        time.sleep(0.05)
        done.extend(draft.episode.id for draft in visits)
        return [[] for _ in visits]

    monkeypatch.setattr(runtime.engine, "record_all", record)
    monkeypatch.setattr(runtime.engine, "preflight", lambda request: done.append(f"ask {request.workspace}") or NOTHING)

    async def play() -> None:
        await runtime.deliver(Delivered(episode("a", "first")))
        await runtime.deliver(Delivered(episode("a", "second")))
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

    def record(visits: list[Draft], again: bool = False) -> list[list[Question]]:
        calls.extend(draft.episode.id for draft in visits)
        if calls[-1] == "bad":
            raise RuntimeError("disk full")
        return [[] for _ in visits]

    monkeypatch.setattr(runtime.engine, "record_all", record)

    async def play(*names: str) -> None:
        for name in names:
            await runtime.deliver(Delivered(episode("a", name)))
        await runtime.drain()

    asyncio.run(play("bad"))
    assert runtime.faults.open == {"recording": "RuntimeError: disk full"}
    asyncio.run(play("good"))
    assert runtime.faults.open == {}
    assert calls == ["bad", "good"]


def test_a_large_answer_holds_up_no_other_workspace(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is judged by itself, and then recorded in its place."""
    done: list[str] = []
    release = threading.Event()

    def draft(made: Episode, answer: Answer) -> Draft:
        if made.id == "large":
            release.wait(120)
        return Draft(made, answer)

    def record(visits: Sequence[Any], again: bool = False) -> list[list[Question]]:
        done.extend((v.episode if isinstance(v, Draft) else v[0]).id for v in visits)
        return [[] for _ in visits]

    monkeypatch.setattr(runtime.engine, "draft", draft)
    monkeypatch.setattr(runtime.engine, "record_all", record)

    async def play() -> None:
        await runtime.deliver(Delivered(episode("a", "large"), large=True))
        await runtime.deliver(Delivered(episode("a", "behind it")))
        await runtime.deliver(Delivered(episode("b", "other")))
        other = runtime.recording.order.last(episode("b").request.key)
        assert other is not None
        await other
        assert done == ["other"]
        release.set()
        await runtime.drain()

    asyncio.run(play())
    assert done == ["other", "large", "behind it"]


def test_what_the_database_could_not_take_is_recorded_before_the_next_request(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    away = [True]

    def record(visits: Sequence[Any], again: bool = False) -> list[list[Question]]:
        if away[0]:
            raise OperationalError("", None, sqlite3.OperationalError("disk I/O error"))
        done.extend((v.episode if isinstance(v, Draft) else v[0]).id for v in visits)
        return [[] for _ in visits]

    monkeypatch.setattr(runtime.engine, "record_all", record)
    monkeypatch.setattr(runtime.engine, "preflight", lambda request: done.append("ask") or NOTHING)

    async def play() -> None:
        for name in ("first", "second"):
            await runtime.deliver(Delivered(episode("a", name)))
        with pytest.raises(UnrecordedError):
            await runtime.preflight(episode("a").request)
        await runtime.preflight(episode("b").request)
        away[0] = False
        await runtime.preflight(episode("a").request)

    asyncio.run(play())
    assert done == ["ask", "first", "second", "ask"]
    assert len(runtime.recording.backlog) == 0


def test_an_answer_that_is_lost_leaves_its_workspace_in_doubt(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where not even that can be recorded, no request of the workspace is hydrated until it is."""
    doubted: list[tuple[str, str]] = []
    away = [True]

    def doubt(tenant: str, workspace: str) -> None:
        if away[0]:
            raise OperationalError("", None, sqlite3.OperationalError("disk I/O error"))
        doubted.append((tenant, workspace))

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr(runtime.engine, "record_all", broken)
    monkeypatch.setattr(runtime.engine, "doubt", doubt)
    monkeypatch.setattr(runtime.engine, "preflight", lambda request: NOTHING)

    async def play() -> None:
        await runtime.deliver(Delivered(episode("a")))
        await runtime.drain()
        with pytest.raises(UnrecordedError):
            await runtime.preflight(episode("a").request)
        away[0] = False
        await runtime.preflight(episode("a").request)

    asyncio.run(play())
    assert doubted == [("local", "a")]


def test_a_reader_s_answer_that_is_lost_leaves_nothing_in_doubt(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubted: list[str] = []

    def unheard() -> Answer:
        raise RuntimeError("no answer")

    monkeypatch.setattr(runtime.engine, "doubt", lambda tenant, workspace: doubted.append(workspace))

    async def play(trust: Trust) -> None:
        one = episode(str(trust), str(trust))
        one.request = replace(one.request, trust=trust)
        await runtime.deliver(Delivered(one, unheard))
        await runtime.drain()

    for trust in Trust:
        asyncio.run(play(trust))
    assert doubted == ["proof", "client", "human"]
