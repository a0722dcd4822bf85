"""Has what entities use read behind the answers that are recorded (SEMANTICS 10): no request waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from tslp_litellm.engine import Engine
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.visits import Visits
from tslp_litellm.state.names import WorkspaceKey

READING_USES = "reading what entities use"


class Projector:
    """One reading at a time, whoever's workspace it is, so that the other threads stay the requests'; each is of a
    piece, and the workspaces take turns. What was recorded meanwhile is read by the next."""

    def __init__(self, engine: Engine, visits: Visits, faults: Faults) -> None:
        self._engine, self._visits, self._faults = engine, visits, faults
        self._running: dict[WorkspaceKey, asyncio.Task[None]] = {}
        self._again: set[WorkspaceKey] = set()
        self._turn = asyncio.Lock()
        self._ending = False

    def follow(self, keys: Iterable[WorkspaceKey]) -> None:
        """Something was recorded in these workspaces."""
        for key in keys:
            if key in self._running:
                self._again.add(key)
            else:
                self._running[key] = asyncio.get_running_loop().create_task(self._run(key))

    async def finish(self) -> None:
        """Wait for what is being read: for a piece of each workspace, and not for all that may be left."""
        self._ending = True
        while self._running:
            await asyncio.wait(list(self._running.values()))

    async def _run(self, key: WorkspaceKey) -> None:
        try:
            while True:
                self._again.discard(key)
                async with self._turn:
                    more = await self._visits.make(key.tenant, lambda: self._engine.bring_up(key))
                self._faults.healed(READING_USES)
                if key not in self._again and (not more or self._ending):
                    return
        except Exception as error:  # noqa: BLE001 - it is made up for behind the next answer
            self._faults.note(READING_USES, error)
        finally:
            self._again.discard(key)
            del self._running[key]
