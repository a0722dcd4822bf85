"""The engine in a running proxy: worker threads, the order of the wire, and what went wrong.

Owns the clock, the ids and the threads. One runtime serves a process, however TSLP is registered.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import sys
import uuid
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tslp_litellm.audit_queue import TIMEOUT_S, AuditQueue
from tslp_litellm.engine import Engine, Episode, Question, Request
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.store.database import Database
from tslp_litellm.syntax import fallback
from tslp_litellm.syntax.patterns import PatternError, table
from tslp_litellm.wire.turn import Answer

T = TypeVar("T")
AskModel = Callable[[Question, str | None, float], Awaitable[str]]
"""Asks an audit's question: of the model named (None: the one that answered), within so many seconds."""
Scope = tuple[str, str]
log = logging.getLogger("tslp_litellm")

SWITCH_INTERVAL_S = 0.0005
"""How long a worker thread may keep the interpreter from the event loop; Python's own 5 ms are a stall."""
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
        self.observe: Callable[[str], None] = lambda where: None

    def note(self, where: str, error: BaseException) -> None:
        """A fault happened."""
        self.total += 1
        self.observe(where)
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

    def __init__(
        self, settings: Settings, count_tokens: Callable[[str], int], ask_model: AskModel | None = None
    ) -> None:
        self.settings = settings
        use_patterns(settings.symbols_file)
        self.database = Database(settings.database_url)
        self.database.migrate()
        self.engine = Engine(self.database, settings, now=now, new_id=new_id, count_tokens=count_tokens)
        self.faults = Faults()
        self.last_prompts: dict[Scope, dict[str, Any]] = {}
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="tslp")
        self._recording: dict[Scope, asyncio.Task[None]] = {}
        self.audits = (
            AuditQueue(lambda q: ask_model(q, settings.audit_model, TIMEOUT_S), self.conclude, self._is_open)
            if settings.audit and ask_model is not None
            else None
        )

    async def preflight(self, request: Request) -> Episode:
        """The first visit, after every answer of the workspace that was delivered before."""
        before = self._recording.get((request.tenant, request.workspace))
        if before is not None and not before.done():
            await asyncio.wait({before}, timeout=ORDER_WAIT_S)
        return await self._run(lambda: self.engine.preflight(request))

    def record(self, episode: Episode, answer: Answer) -> None:
        """The second visit, in the background, in the order in which answers ended."""
        scope = (episode.request.tenant, episode.request.workspace)
        self._in_order(scope, self._record(episode, answer), "recording")

    async def _record(self, episode: Episode, answer: Answer) -> None:
        questions = await self._run(lambda: self.engine.record(episode, answer))
        if self.audits is not None:
            for question in questions or ():
                self.audits.submit(question)

    async def conclude(self, question: Question, reply: str | None, fault: str | None) -> str:
        """An audit's reply, in the same order: a request that comes behind it waits for it. Says what became of it."""
        became = "not recorded"
        model = self.settings.audit_model or question.model

        async def work() -> None:
            nonlocal became
            became = await self._run(lambda: self.engine.auditing.visit(question, reply, model, fault))

        await asyncio.wait({self._in_order((question.tenant, question.workspace), work(), "recording an audit")})
        return became

    async def _is_open(self, question: Question) -> bool:
        try:
            return await self._run(lambda: self.engine.auditing.is_open(question))
        except Exception as error:  # noqa: BLE001 - an audit that can't be recorded need not be asked
            self.faults.note("recording an audit", error)
            return False

    def _in_order(self, scope: Scope, work: Coroutine[Any, Any, None], what: str) -> asyncio.Task[None]:
        """Work on a workspace after all that was begun before it. Its faults are noted, and reach nobody."""
        task = asyncio.get_running_loop().create_task(self._after(self._recording.get(scope), work, what))
        self._recording[scope] = task
        task.add_done_callback(lambda done: self._recording.pop(scope) if self._recording.get(scope) is done else None)
        return task

    async def _after(self, before: asyncio.Task[None] | None, work: Coroutine[Any, Any, None], what: str) -> None:
        if before is not None and not before.done():
            await asyncio.wait({before})
        try:
            await work
            self.faults.healed(what)
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            self.faults.note(what, error)

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


def share_the_interpreter() -> None:
    """Keep worker threads out of the event loop's way (docs/performance.md has the figures).

    The loop gets the interpreter back soon after it asks; and what the proxy has loaded by now lives as long as the
    process, so a full garbage collection need not walk all of it, which stops every thread for half a second.
    """
    sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_INTERVAL_S))
    gc.freeze()


def use_patterns(own: Path | None) -> None:
    """Check the fallback patterns, and a user's own in front of them; SettingsError that names what is bad."""
    try:
        fallback.install(table(json.loads(own.read_text("utf-8")), str(own)) if own is not None else None)
    except (OSError, ValueError) as error:
        raise SettingsError(f"Setting `symbols_file`: {own} can't be read as JSON ({error}).") from None
    except PatternError as error:
        raise SettingsError(f"{f'Setting `symbols_file`, {own}' if own else 'symbols.json'}: {error}") from None


_runtime: Runtime | None = None


def the_runtime(settings: Settings, count_tokens: Callable[[str], int], ask_model: AskModel | None = None) -> Runtime:
    """The process's runtime, made on first use. Both faces share it; they may not disagree on the settings."""
    global _runtime  # noqa: PLW0603 - one database, one order of the wire, however often TSLP is registered
    if _runtime is None:
        _runtime = Runtime(settings, count_tokens, ask_model)
    elif _runtime.settings != settings:
        raise SettingsError(
            "TSLP is registered twice with different settings (callback and guardrail); give both the same, or use one."
        )
    return _runtime
