"""The order of the wire: lanes, what is taken together, and work of other kinds between."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tslp_litellm.gateway.lanes import WireOrder

A, B = ("t", "a"), ("t", "b")


def play(writers: int, together: int) -> list[list[str]]:
    taken: list[list[str]] = []

    async def run() -> None:
        gate = asyncio.Event()

        async def record(jobs: Sequence[str]) -> None:
            await gate.wait()
            taken.append(list(jobs))

        order: WireOrder[str] = WireOrder(record, writers, together)

        async def audit() -> None:
            taken.append(["audit"])

        async def large() -> str:
            return "a4 large"

        order.add(A, "a1")
        for scope, job in ((A, "a2"), (B, "b1"), (A, "a3"), (B, "b2")):
            order.add(scope, job)
        order.add_work(A, large)
        audited = order.add_work(A, audit)
        order.add(A, "a5")
        assert order.last(("t", "c")) is None
        gate.set()
        await audited
        await order.drain()
        assert order.last(A) is None

    asyncio.run(run())
    return taken


def test_what_waits_is_taken_together_and_each_lane_keeps_its_order() -> None:
    taken = play(1, 64)
    assert taken[:2] == [["a1"], ["b1", "b2", "a2", "a3"]]
    order = [job for batch in taken for job in batch]
    assert [job for job in order if job[0] == "a"] == ["a1", "a2", "a3", "a4 large", "audit", "a5"]
    assert [job for job in order if job[0] == "b"] == ["b1", "b2"]


def test_several_writers_take_one_workspace_each() -> None:
    taken = play(4, 64)
    assert all(len({job[0] for job in batch}) == 1 for batch in taken)
    assert [job for batch in taken for job in batch if job[0] == "a"] == ["a1", "a2", "a3", "a4 large", "audit", "a5"]


def test_no_more_than_so_many_at_once() -> None:
    assert max(len(batch) for batch in play(1, 2)) == 2
