"""The order of the wire: what is done to a workspace is done in the order in which it was asked for.

A state machine without asyncio: it says what may begin, and is told what has ended. Visits that wait are taken
together, so that one transaction records many of them; the visits of one workspace keep their order in it. Work of
other kinds (an audit's reply) has its place in the same order.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from tslp_litellm.state.names import WorkspaceKey


class Entry(Protocol):
    """Something to be done. `alone`: it is no visit, and is done by itself."""

    @property
    def alone(self) -> bool: ...


E = TypeVar("E", bound=Entry)


@dataclass(frozen=True, slots=True)
class Taken(Generic[E]):
    """What is done at one go: visits of one or several workspaces, or one entry `alone`."""

    lanes: Mapping[WorkspaceKey, list[E]]
    alone: bool

    @property
    def entries(self) -> list[E]:
        """All entries, each lane's in its order."""
        return [entry for lane in self.lanes.values() for entry in lane]


class Lanes(Generic[E]):
    """Entries by workspace. `writers`: how many lots of visits may be at work at once; where writers do not exclude
    each other, a lot is of one workspace. `together`: how many visits a lot takes at most."""

    def __init__(self, writers: int, together: int) -> None:
        self._writers, self._together, self._writing = writers, together, 0
        self._lanes: dict[WorkspaceKey, deque[E]] = {}
        self._ready: OrderedDict[WorkspaceKey, None] = OrderedDict()  # that nobody works on, the longest waiting first
        self._last: dict[WorkspaceKey, E] = {}

    def add(self, key: WorkspaceKey, entry: E) -> None:
        """One more, behind all that was asked for its workspace."""
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = deque()
            self._ready[key] = None
        lane.append(entry)
        self._last[key] = entry

    def last(self, key: WorkspaceKey) -> E | None:
        """The entry with whose end all that was asked for a workspace so far is done; None if it is."""
        return self._last.get(key)

    def all_last(self) -> list[E]:
        """That of every workspace which has one."""
        return list(self._last.values())

    def take(self) -> Taken[E] | None:
        """What may begin now; None where all that waits has to. Whoever takes it says when it has ended."""
        alone = next((key for key in self._ready if self._lanes[key][0].alone), None)
        if alone is not None:
            del self._ready[alone]
            return Taken({alone: [self._lanes[alone].popleft()]}, alone=True)
        if not self._ready or self._writing >= self._writers:
            return None
        self._writing += 1
        return Taken(self._visits(), alone=False)

    def done(self, taken: Taken[E], instead: E | None = None) -> None:
        """What was taken has ended. `instead`: a visit that an entry alone has become, and that takes its place."""
        self._writing -= not taken.alone
        for key, entries in taken.lanes.items():
            if instead is not None:
                self._lanes[key].appendleft(instead)
                if self._last.get(key) is entries[-1]:
                    self._last[key] = instead
            elif self._last.get(key) is entries[-1]:
                del self._last[key]
            if self._lanes[key]:
                self._ready[key] = None
            else:
                del self._lanes[key]

    def _visits(self) -> dict[WorkspaceKey, list[E]]:
        """The visits that stand at the head of their lanes; of one lane only, where there are several writers."""
        taken: dict[WorkspaceKey, list[E]] = {}
        room = self._together
        while self._ready and room and (self._writers == 1 or not taken):
            key, _ = self._ready.popitem(last=False)
            lane, taken[key] = self._lanes[key], []
            while lane and room and not lane[0].alone:
                taken[key].append(lane.popleft())
                room -= 1
        return taken
