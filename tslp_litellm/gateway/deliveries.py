"""Answers whose end has gone out and that are not recorded yet, as the other workers and gateways see them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.visits import Visits
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.marks import Marks

MARK_WAIT_S = 1.0
"""How long an answer's end waits for its mark; a database that is away must not hold it up."""
MARKING = "marking an answer"


class Deliveries:
    """Marks a workspace before an answer's end goes out, until the answer is recorded or lost. Never raises.

    A mark that can be had without waiting is taken where it is asked for (on SQLite: two system calls), any other in a
    thread.
    """

    def __init__(self, marks: Callable[[], Marks], visits: Visits, faults: Faults) -> None:
        self._marks, self._visits, self._faults = marks, visits, faults
        self._marking: dict[Delivered, asyncio.Task[bool] | None] = {}

    async def begin(self, delivered: Delivered) -> None:
        """The end of an answer is about to go out."""
        if self._at_once(lambda: self._marks().try_mark(delivered.key)):
            self._marking[delivered] = None
            return
        task = self._marking[delivered] = asyncio.get_running_loop().create_task(self._mark(delivered.key))
        await asyncio.wait({task}, timeout=MARK_WAIT_S)

    async def end(self, answers: Iterable[Delivered]) -> None:
        """They are recorded, or never will be."""
        ended = [one for one in answers if one in self._marking]
        done = [await self._end(one) for one in ended]
        if done and all(done):
            self._faults.healed(MARKING)

    async def _end(self, delivered: Delivered) -> bool:
        """Whether there was nothing amiss since its mark was asked for."""
        task = self._marking.pop(delivered)
        if task is not None:
            await asyncio.wait({task})
            if not task.result():
                return False
        return await self._told(self._unmark(delivered.key))

    async def _mark(self, key: WorkspaceKey) -> bool:
        return await self._told(self._aside(key, lambda: self._marks().mark(key)))

    async def _told(self, work: Coroutine[Any, Any, None]) -> bool:
        """Whether it was done. A fault is told at once: when its answer is recorded, the outage is over."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            self._faults.note(MARKING, error)
            return False
        return True

    async def _unmark(self, key: WorkspaceKey) -> None:
        if not self._at_once(lambda: self._marks().try_unmark(key)):
            await self._aside(key, lambda: self._marks().unmark(key))

    @staticmethod
    def _at_once(work: Callable[[], bool]) -> bool:
        """Whether it is done; a fault is for the thread to tell, which tries it once more."""
        try:
            return work()
        except Exception:  # noqa: BLE001
            return False

    async def _aside(self, key: WorkspaceKey, work: Callable[[], None]) -> None:
        await self._visits.make(key.tenant, work)
