"""Answers whose end has gone out and that are not recorded yet, as the other workers and gateways see them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

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
        self._marking: dict[Delivered, asyncio.Task[None] | None] = {}

    async def begin(self, delivered: Delivered) -> None:
        """The end of an answer is about to go out."""
        if self._at_once(lambda: self._marks().try_mark(delivered.key)):
            self._marking[delivered] = None
            return
        work = self._aside(delivered.key, lambda: self._marks().mark(delivered.key))
        task = self._marking[delivered] = asyncio.get_running_loop().create_task(work)
        await asyncio.wait({task}, timeout=MARK_WAIT_S)

    async def end(self, answers: Iterable[Delivered]) -> None:
        """They are recorded, or never will be."""
        faults: list[BaseException] = []
        ended = [one for one in answers if one in self._marking]
        for one in ended:
            task = self._marking.pop(one)
            if task is not None:
                await asyncio.wait({task})
            try:
                if task is not None:
                    task.result()
                await self._unmark(one.key)
            except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
                faults.append(error)
        for fault in faults:
            self._faults.note(MARKING, fault)
        if ended and not faults:
            self._faults.healed(MARKING)

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
