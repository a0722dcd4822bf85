"""The order of the wire: what is done to a workspace is done in the order in which it was asked for.

Second visits that wait are taken together, so that one transaction records many of them; the visits of one workspace
keep their order in it. Work of other kinds (an audit's reply) has its place in the same order. Lives on one event loop.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tslp_litellm.state.names import WorkspaceKey

J = TypeVar("J")
Work = Callable[[], Coroutine[Any, Any, J | None]]
"""Work of another kind; what it returns, if anything, is a visit that takes its place."""


@dataclass(slots=True)
class _Entry(Generic[J]):
    done: asyncio.Future[None]
    job: J | None = None
    work: Work[J] | None = None


class WireOrder(Generic[J]):
    """Lanes of work, one a workspace.

    `record` takes visits of several workspaces (or, where writers do not exclude each other, of one) and must not
    raise. `writers`: how many of it may run at once. `together`: how many visits it takes at most.
    """

    def __init__(self, record: Callable[[Sequence[J]], Awaitable[None]], writers: int, together: int) -> None:
        self._record, self._writers, self._together = record, writers, together
        self._lanes: dict[WorkspaceKey, deque[_Entry[J]]] = {}
        self._ready: OrderedDict[WorkspaceKey, None] = (
            OrderedDict()
        )  # lanes that nobody works on, the longest waiting first
        self._last: dict[WorkspaceKey, asyncio.Future[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._writing = 0

    def add(self, scope: WorkspaceKey, job: J) -> asyncio.Future[None]:
        """A visit to be recorded; the future says when."""
        return self._add(scope, _Entry(asyncio.get_running_loop().create_future(), job=job))

    def add_work(self, scope: WorkspaceKey, work: Work[J]) -> asyncio.Future[None]:
        """Work of another kind, which must not raise."""
        return self._add(scope, _Entry(asyncio.get_running_loop().create_future(), work=work))

    def last(self, scope: WorkspaceKey) -> asyncio.Future[None] | None:
        """When all that was asked for a workspace so far is done; None if it is."""
        return self._last.get(scope)

    async def drain(self) -> None:
        """Wait until nothing is left to do."""
        while self._last:
            await asyncio.wait(set(self._last.values()))

    def _add(self, scope: WorkspaceKey, entry: _Entry[J]) -> asyncio.Future[None]:
        lane = self._lanes.get(scope)
        if lane is None:
            lane = self._lanes[scope] = deque()
            self._ready[scope] = None
        lane.append(entry)
        self._last[scope] = entry.done
        self._start()
        return entry.done

    def _start(self) -> None:
        """Give what can be begun to tasks."""
        for scope in [s for s in self._ready if self._lanes[s][0].work is not None]:
            del self._ready[scope]
            self._task(self._do(scope, self._lanes[scope].popleft()))
        while self._ready and self._writing < self._writers:
            self._writing += 1
            self._task(self._write(self._take()))

    def _task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _take(self) -> dict[WorkspaceKey, list[_Entry[J]]]:
        """The visits that stand at the head of their lanes; of one lane only, where there are several writers."""
        taken: dict[WorkspaceKey, list[_Entry[J]]] = {}
        room = self._together
        while self._ready and room and (self._writers == 1 or not taken):
            scope, _ = self._ready.popitem(last=False)
            lane, taken[scope] = self._lanes[scope], []
            while lane and room and lane[0].work is None:
                taken[scope].append(lane.popleft())
                room -= 1
        return taken

    async def _write(self, taken: dict[WorkspaceKey, list[_Entry[J]]]) -> None:
        entries = [entry for lane in taken.values() for entry in lane]
        try:
            await self._record([entry.job for entry in entries if entry.job is not None])
        finally:
            self._writing -= 1
            for scope, lane in taken.items():
                self._leave(scope, lane)
            self._start()

    async def _do(self, scope: WorkspaceKey, entry: _Entry[J]) -> None:
        job = None
        try:
            job = await entry.work() if entry.work is not None else None
        finally:
            if job is None:
                self._leave(scope, [entry])
            else:
                self._lanes[scope].appendleft(_Entry(entry.done, job=job))
                self._ready[scope] = None
            self._start()

    def _leave(self, scope: WorkspaceKey, done: Sequence[_Entry[J]]) -> None:
        """Entries of a lane are done: the lane is free for its next ones, or gone."""
        if self._lanes[scope]:
            self._ready[scope] = None
        else:
            del self._lanes[scope]
        for entry in done:
            if self._last.get(scope) is entry.done:
                del self._last[scope]
            if not entry.done.done():
                entry.done.set_result(None)
