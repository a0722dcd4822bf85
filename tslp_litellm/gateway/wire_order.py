"""The lanes at work on an event loop: each entry's end is a future."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tslp_litellm.gateway.lanes import Lanes, Taken
from tslp_litellm.state.names import WorkspaceKey

J = TypeVar("J")
Work = Callable[[], Coroutine[Any, Any, J | None]]
"""Work of another kind; what it returns, if anything, is a visit that takes its place."""


@dataclass(slots=True, eq=False)
class _Entry(Generic[J]):
    done: asyncio.Future[None]
    job: J | None = None
    work: Work[J] | None = None

    @property
    def alone(self) -> bool:
        return self.work is not None


class WireOrder(Generic[J]):
    """Runs what the lanes allow. `record` takes visits and must not raise; `writers` and `together` as for `Lanes`."""

    def __init__(self, record: Callable[[Sequence[J]], Awaitable[None]], writers: int, together: int) -> None:
        self._record = record
        self._lanes: Lanes[_Entry[J]] = Lanes(writers, together)
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, key: WorkspaceKey, job: J) -> asyncio.Future[None]:
        """A visit to be recorded; the future says when."""
        return self._add(key, _Entry(asyncio.get_running_loop().create_future(), job=job))

    def add_work(self, key: WorkspaceKey, work: Work[J]) -> asyncio.Future[None]:
        """Work of another kind, which must not raise."""
        return self._add(key, _Entry(asyncio.get_running_loop().create_future(), work=work))

    def last(self, key: WorkspaceKey) -> asyncio.Future[None] | None:
        """When all that was asked for a workspace so far is done; None if it is."""
        entry = self._lanes.last(key)
        return entry.done if entry is not None else None

    async def drain(self) -> None:
        """Wait until nothing is left to do."""
        while waiting := {entry.done for entry in self._lanes.all_last()}:
            await asyncio.wait(waiting)

    def _add(self, key: WorkspaceKey, entry: _Entry[J]) -> asyncio.Future[None]:
        self._lanes.add(key, entry)
        self._begin()
        return entry.done

    def _begin(self) -> None:
        while (taken := self._lanes.take()) is not None:
            task = asyncio.get_running_loop().create_task(self._do(taken))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, taken: Taken[_Entry[J]]) -> None:
        instead: _Entry[J] | None = None
        try:
            if not taken.alone:
                await self._record([entry.job for entry in taken.entries if entry.job is not None])
            elif (work := taken.entries[0].work) is not None and (job := await work()) is not None:
                instead = _Entry(taken.entries[0].done, job=job)
        finally:
            self._lanes.done(taken, instead)
            for entry in taken.entries if instead is None else ():
                if not entry.done.done():
                    entry.done.set_result(None)
            self._begin()
