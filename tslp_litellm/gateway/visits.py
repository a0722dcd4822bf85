"""The threads in which visits are made, and the database's files looked after before each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from tslp_litellm.gateway.quiet import Quiet, give_back
from tslp_litellm.gateway.shares import Job, Shares
from tslp_litellm.store.presence import Presence

WORKERS = 4
EVERYBODY = ""
"""Whose work it is that is done for several tenants at once."""
T = TypeVar("T")
log = logging.getLogger("tslp_litellm")
Work = tuple[Callable[[], Any], "Future[Any]"]


class Workers:
    """A few threads, shared by the tenants. Safe to use from any thread and any event loop."""

    def __init__(self, count: int = WORKERS) -> None:
        self._shares: Shares[Work] = Shares(count)
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="tslp")

    def submit(self, tenant: str, heavy: bool, work: Callable[[], T]) -> Future[T]:
        """Blocking work of a tenant, when it is its turn. RuntimeError after `close`."""
        job: Job[Work] = Job(tenant, heavy, (work, Future()))
        with self._lock:
            self._shares.add(job)
        self._begin()
        return job.work[1]

    def close(self) -> None:
        """Wait for what runs, and end the threads. What has not begun is never done."""
        self._threads.shutdown(cancel_futures=True)

    def _begin(self) -> None:
        while True:
            with self._lock:
                job = self._shares.take()
            if job is None:
                return
            self._threads.submit(self._do, job)

    def _do(self, job: Job[Work]) -> None:
        work, future = job.work
        try:
            if future.set_running_or_notify_cancel():
                future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - for whoever waits for it
            future.set_exception(error)
        finally:
            with self._lock:
                self._shares.done(job)
            self._begin()


class Visits:
    """Visits to one database, off the event loop. `after`: done behind each, in its thread; it never raises."""

    def __init__(self, presence: Presence, workers: Workers, after: Callable[[], None] = lambda: None) -> None:
        self._presence, self._workers, self._after = presence, workers, after
        self._quiet = Quiet(lambda: workers.submit(EVERYBODY, False, give_back))

    async def make(self, tenant: str, work: Callable[[], T], heavy: bool = False) -> T:
        """What a visit gives. `tenant`: who pays for the time; `heavy`: it may take long. Raises what `work` does."""
        self._quiet.begin()
        try:
            return await self.aside(tenant, lambda: self._guarded(work), heavy)
        finally:
            self._quiet.end(heavy)

    async def aside(self, tenant: str, work: Callable[[], T], heavy: bool = False) -> T:
        """Blocking work that needs no database."""
        return await asyncio.wrap_future(self._workers.submit(tenant, heavy, work))

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            moved = self._presence.look()
            if moved is not None:
                log.error("TSLP: %s. It was opened anew; what stands there now is the state.", moved)
            return work()
        except Exception as error:
            self._presence.after(error)
            raise
        finally:
            self._after()
