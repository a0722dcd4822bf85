"""Threads that are shared by the tenants."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from tests.schema import opened
from tslp_litellm.gateway.visits import WORKERS, Visits, Workers
from tslp_litellm.store.presence import Presence


@pytest.fixture
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


def test_one_tenants_heavy_work_leaves_the_others_quick(workers: Workers) -> None:
    release = threading.Event()
    heavy = [workers.submit("a", True, release.wait) for _ in range(10)]
    small = [workers.submit("a", False, release.wait) for _ in range(10)]
    try:
        assert workers.submit("b", False, lambda: "done").result(30) == "done"
        assert workers.submit("b", True, lambda: "done").result(30) == "done"
        assert not any(job.done() for job in heavy + small)
    finally:
        release.set()
    assert [job.result(30) for job in heavy + small] == [True] * 20


def test_work_that_fails_frees_its_worker(workers: Workers) -> None:
    def broken() -> None:
        raise ValueError("broken")

    for _ in range(WORKERS + 1):
        with pytest.raises(ValueError, match="broken"):
            workers.submit("a", True, broken).result(30)


def test_what_nobody_waits_for_any_more_is_not_begun(workers: Workers) -> None:
    release, begun = threading.Event(), []
    first = workers.submit("a", True, release.wait)
    second = workers.submit("a", True, lambda: begun.append(1))
    assert second.cancel()
    release.set()
    assert first.result(30)
    assert workers.submit("a", True, lambda: list(begun)).result(30) == []


def test_the_end_waits_for_what_runs_and_ends_the_threads() -> None:
    made, done = Workers(), []
    begun = threading.Event()

    def work() -> None:
        begun.set()
        done.append(threading.current_thread())

    made.submit("a", False, work)
    begun.wait(120)
    made.close()
    assert not done[0].is_alive()
    with pytest.raises(RuntimeError):
        made.submit("a", False, work)


def test_a_fault_of_the_database_opens_it_anew(workers: Workers, tmp_path: Path) -> None:
    database = opened(f"sqlite:///{tmp_path / 'tslp.db'}")
    presence = Presence(database)
    visits = Visits(presence, workers)

    def broken() -> None:
        raise OperationalError("", None, Exception("disk I/O error"))

    async def play() -> None:
        with pytest.raises(OperationalError):
            await visits.make("a", broken)
        assert await visits.make("a", presence.trouble) is None

    asyncio.run(play())
    database.close()
