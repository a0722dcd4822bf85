"""The lanes at work on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tslp_litellm.gateway.wire_order import WireOrder
from tslp_litellm.state.names import WorkspaceKey

A, B = WorkspaceKey("t", "a"), WorkspaceKey("t", "b")


@pytest.mark.parametrize("writers", [1, 4])
def test_all_is_done_in_the_order_of_its_workspace(writers: int) -> None:
    done: list[str] = []

    async def play() -> None:
        gate = asyncio.Event()

        async def record(jobs: Sequence[str]) -> None:
            await gate.wait()
            done.extend(jobs)

        order: WireOrder[str] = WireOrder(record, writers, 64)

        async def audit() -> None:
            done.append("a5 audit")

        async def large() -> str:
            return "a4 large"

        for key, job in ((A, "a1"), (A, "a2"), (B, "b1"), (A, "a3"), (B, "b2")):
            order.add(key, job)
        judged = order.add_work(A, large)
        audited = order.add_work(A, audit)
        order.add(A, "a6")
        assert order.last(WorkspaceKey("t", "c")) is None
        gate.set()
        await audited
        assert judged.done()
        assert done[-1] == "a5 audit"
        await order.drain()
        assert order.last(A) is None

    asyncio.run(play())
    assert [job for job in done if job[0] == "a"] == ["a1", "a2", "a3", "a4 large", "a5 audit", "a6"]
    assert [job for job in done if job[0] == "b"] == ["b1", "b2"]


def test_work_that_fails_holds_up_nobody() -> None:
    done: list[str] = []

    async def play() -> None:
        async def record(jobs: Sequence[str]) -> None:
            done.extend(jobs)

        async def broken() -> None:
            raise RuntimeError

        order: WireOrder[str] = WireOrder(record, 1, 64)
        failed = order.add_work(A, broken)
        order.add(A, "a1")
        await order.drain()
        assert failed.done()

    asyncio.run(play())
    assert done == ["a1"]
