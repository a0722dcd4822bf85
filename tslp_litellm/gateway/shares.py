"""Who may work next where several tenants share a few threads: a state machine without threads (SEMANTICS 9).

Heavy jobs leave a worker to the small ones, and a tenant's jobs leave one to the others; within that, tenants take
turns, and a tenant's own jobs of a kind keep their order.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """Work of a tenant. `heavy`: it may keep its worker for long."""

    tenant: str
    heavy: bool
    work: T


class Shares(Generic[T]):
    """Jobs that wait, and how many of whom run. `workers`: how many may run at once, 2 or more.

    At most half of the workers do heavy jobs, of one tenant at most one; of one tenant all but one may be at work.
    """

    def __init__(self, workers: int) -> None:
        self._workers, self._heavy_max = workers, workers // 2
        self._waiting: dict[bool, OrderedDict[str, deque[Job[T]]]] = {False: OrderedDict(), True: OrderedDict()}
        self._running: Counter[str] = Counter()
        self._heavy: set[str] = set()

    def add(self, job: Job[T]) -> None:
        """A job waits for its turn."""
        self._waiting[job.heavy].setdefault(job.tenant, deque()).append(job)

    def take(self) -> Job[T] | None:
        """The next job that may begin now, small ones first; None where all that wait have to."""
        if self._running.total() >= self._workers:
            return None
        for heavy, lanes in self._waiting.items():
            tenant = next((tenant for tenant in lanes if self._may(tenant, heavy)), None)
            if tenant is not None:
                return self._begin(lanes, tenant)
        return None

    def done(self, job: Job[T]) -> None:
        """A job that was taken has ended."""
        self._running[job.tenant] -= 1
        if not self._running[job.tenant]:
            del self._running[job.tenant]
        if job.heavy:
            self._heavy.discard(job.tenant)

    def _may(self, tenant: str, heavy: bool) -> bool:
        if heavy and (tenant in self._heavy or len(self._heavy) >= self._heavy_max):
            return False
        return self._running[tenant] < self._workers - 1

    def _begin(self, lanes: OrderedDict[str, deque[Job[T]]], tenant: str) -> Job[T]:
        lane = lanes.pop(tenant)
        job = lane.popleft()
        if lane:
            lanes[tenant] = lane  # behind the others
        self._running[tenant] += 1
        if job.heavy:
            self._heavy.add(tenant)
        return job
