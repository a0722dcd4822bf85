"""Answers whose end has gone out and that are not recorded yet, as the other workers and gateways see them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from tslp_litellm.engine import Episode, Request
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.database import Database

MARK_WAIT_S = 1.0
"""How long an answer's end waits for its mark; a database that is away must not hold it up."""
MARKING = "marking an answer"


class Deliveries:
    """Marks a workspace before an answer's end goes out, until the answer is recorded or lost. Never raises.

    `run` does blocking work off the event loop. On SQLite a mark is two system calls, and needs no thread.
    """

    def __init__(
        self, database: Database, run: Callable[[Callable[[], None]], Coroutine[Any, Any, None]], faults: Faults
    ) -> None:
        self._database, self._run, self._faults = database, run, faults
        self._marked: dict[int, asyncio.Task[WorkspaceKey]] = {}  # by the episode's (or request's) identity

    async def begin(self, about: Episode | Request) -> None:
        """The end of an answer is about to go out."""
        request = about.request if isinstance(about, Episode) else about
        task = asyncio.get_running_loop().create_task(self._mark((request.tenant, request.workspace)))
        self._marked[id(about)] = task
        await asyncio.wait({task}, timeout=MARK_WAIT_S)

    async def end(self, answers: Iterable[Episode | Request]) -> None:
        """They are recorded, or never will be."""
        marking = [task for about in answers if (task := self._marked.pop(id(about), None)) is not None]
        if not marking:
            return
        await asyncio.wait(marking)
        faults = [fault for task in marking if (fault := task.exception()) is not None]
        try:
            await self._work(lambda: self._unmark([task.result() for task in marking if task.exception() is None]))
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            faults.append(error)
        for fault in faults:
            self._faults.note(MARKING, fault)
        if not faults:
            self._faults.healed(MARKING)

    async def _mark(self, scope: WorkspaceKey) -> WorkspaceKey:
        await self._work(lambda: self._database.marks.mark(scope))
        return scope

    def _unmark(self, scopes: Iterable[WorkspaceKey]) -> None:
        for scope in scopes:
            self._database.marks.unmark(scope)

    async def _work(self, work: Callable[[], None]) -> None:
        if self._database.sqlite:
            work()
        else:
            await self._run(work)
