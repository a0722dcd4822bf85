"""What entities use, read behind the answers: one reading at a time, by turns, until nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.projector import Projector
from tslp_litellm.state.names import WorkspaceKey

ONE, OTHER = WorkspaceKey("t", "one"), WorkspaceKey("t", "other")


class Threads:
    """Visits that take a while, and how many there ever were at once."""

    def __init__(self) -> None:
        self.now, self.most = 0, 0

    async def make(self, _tenant: str, work: Callable[[], bool]) -> bool:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        return work()


class Pieces:
    """An engine that has so many pieces of each workspace's Ledger to read. `read`: whose, in order."""

    def __init__(self, pieces: int) -> None:
        self.left = {ONE: pieces, OTHER: pieces}
        self.read: list[WorkspaceKey] = []

    def bring_up(self, key: WorkspaceKey) -> bool:
        if self.left[key] < 0:
            raise OSError("no such database")
        self.read.append(key)
        self.left[key] -= 1
        return self.left[key] > 0


def run(engine: Pieces, threads: Threads, rounds: int = 0) -> None:
    async def follow() -> None:
        projector = Projector(cast(Any, engine), cast(Any, threads), Faults())
        projector.follow([ONE, OTHER])
        for _ in range(rounds):
            await asyncio.sleep(0)
        await projector.finish()

    asyncio.run(follow())


def test_all_pieces_are_read_one_at_a_time_and_by_turns() -> None:
    engine, threads = Pieces(3), Threads()
    run(engine, threads, rounds=20)
    assert engine.read == [ONE, OTHER] * 3
    assert threads.most == 1


def test_whoever_ends_waits_for_one_piece_and_not_for_all() -> None:
    engine = Pieces(1_000)
    run(engine, Threads())
    assert engine.read == [ONE, OTHER]


def test_a_fault_in_one_workspace_leaves_the_others_theirs() -> None:
    engine = Pieces(2)
    engine.left[ONE] = -1
    run(engine, Threads())
    assert engine.read[0] == OTHER
