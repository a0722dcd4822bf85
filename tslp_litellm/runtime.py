"""The engine in a running proxy: worker threads, the order of the wire, and what went wrong.

Owns the clock, the ids and the threads. One runtime serves a process, however TSLP is registered.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any, TypeVar

from tslp_litellm.engine import Engine, Episode, Request
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.store.database import Database
from tslp_litellm.wire.turn import Answer

T = TypeVar("T")
Scope = tuple[str, str]
log = logging.getLogger("tslp_litellm")

ORDER_WAIT_S = 30.0
"""How long a request waits for the answers before it to be recorded."""


def now() -> str:
    """The time: RFC 3339, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id() -> str:
    """An id for an episode or a conversation."""
    return str(uuid.uuid4())


class Faults:
    """Faults of ours: each kind is logged once with its cause until it has healed, and shown by `/doctor`."""

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.total = 0

    def note(self, where: str, error: BaseException) -> None:
        """A fault happened."""
        self.total += 1
        cause = f"{type(error).__name__}: {error}"
        if self.open.get(where) != cause:
            log.error("TSLP: %s failed; the request goes on without it. %s", where, cause, exc_info=error)
        self.open[where] = cause

    def healed(self, where: str) -> None:
        """What failed works again."""
        if self.open.pop(where, None) is not None:
            log.warning("TSLP: %s works again.", where)


class Runtime:
    """One engine, off the event loop."""

    def __init__(self, settings: Settings, count_tokens: Callable[[str], int]) -> None:
        self.settings = settings
        self.database = Database(settings.database_url)
        self.database.migrate()
        self.engine = Engine(self.database, settings, now=now, new_id=new_id, count_tokens=count_tokens)
        self.faults = Faults()
        self.last_prompts: dict[Scope, dict[str, Any]] = {}
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="tslp")
        self._recording: dict[Scope, asyncio.Task[None]] = {}

    async def preflight(self, request: Request) -> Episode:
        """The first visit, after every answer of the workspace that was delivered before."""
        before = self._recording.get((request.tenant, request.workspace))
        if before is not None and not before.done():
            await asyncio.wait({before}, timeout=ORDER_WAIT_S)
        return await self._run(lambda: self.engine.preflight(request))

    def record(self, episode: Episode, answer: Answer) -> None:
        """The second visit, in the background, in the order in which answers ended."""
        scope = (episode.request.tenant, episode.request.workspace)
        before = self._recording.get(scope)
        task = asyncio.get_running_loop().create_task(self._record(before, episode, answer))
        self._recording[scope] = task
        task.add_done_callback(lambda done: self._recording.pop(scope) if self._recording.get(scope) is done else None)

    async def _record(self, before: asyncio.Task[None] | None, episode: Episode, answer: Answer) -> None:
        if before is not None and not before.done():
            await asyncio.wait({before})
        try:
            await self._run(lambda: self.engine.record(episode, answer))
            self.faults.healed("recording")
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            self.faults.note("recording", error)

    async def drain(self) -> None:
        """Wait until all that was delivered is recorded."""
        while self._recording:
            await asyncio.wait(set(self._recording.values()))

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Blocking work of the diagnostics, off the event loop."""
        return await asyncio.to_thread(work)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A background task whose reference is kept by the caller."""
        return asyncio.get_running_loop().create_task(work)


_runtime: Runtime | None = None


def the_runtime(settings: Settings, count_tokens: Callable[[str], int]) -> Runtime:
    """The process's runtime, made on first use. Both faces share it; they may not disagree on the settings."""
    global _runtime  # noqa: PLW0603 - one database, one order of the wire, however often TSLP is registered
    if _runtime is None:
        _runtime = Runtime(settings, count_tokens)
    elif _runtime.settings != settings:
        raise SettingsError(
            "TSLP is registered twice with different settings (callback and guardrail); give both the same, or use one."
        )
    return _runtime
