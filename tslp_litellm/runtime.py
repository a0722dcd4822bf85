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
from tslp_litellm.backlog import Backlog, Turn, UnrecordedError
from tslp_litellm.engine import Engine, Episode, Question, Request
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.store.presence import Presence, is_storage_fault, open_database
from tslp_litellm.store.vault import AlteredError
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
RETRY_S = 5.0
"""How often what the database could not take is tried again."""
DRAIN_S = 10.0
"""How long the end of the process waits for what was delivered to be recorded."""


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
        self.altered: set[str] = set()
        """Texts of the Vault that were found altered. They stay so, whatever else works."""
        self.total = 0

    def note(self, where: str, error: BaseException) -> None:
        """A fault happened."""
        self.total += 1
        cause = f"{type(error).__name__}: {error}"
        if isinstance(error, AlteredError):
            if error.artifact not in self.altered:
                log.error("TSLP: %s failed; the request goes on without it. %s", where, cause)
            self.altered.add(error.artifact)
            return
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
        self.database = open_database(settings.database_url)
        self.presence = Presence(self.database)
        self.backlog = Backlog()
        self._retrying: asyncio.Task[None] | None = None
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
        """The first visit, after every answer of the workspace that was delivered before.

        UnrecordedError where one of those could not be recorded: the state is older than what the client was told.
        """
        scope = (request.tenant, request.workspace)
        if scope in self.backlog.stuck and scope not in self._recording:
            self._in_order(scope, self._catch_up(scope), "recording")
        before = self._recording.get(scope)
        if before is not None and not before.done():
            await asyncio.wait({before}, timeout=ORDER_WAIT_S)
        if scope in self.backlog.stuck:
            raise UnrecordedError("an answer before this request is not recorded yet; the workspace is not hydrated")
        return await self._visit(lambda: self.engine.preflight(request))

    def record(self, about: Episode | Request, answer: Answer) -> None:
        """The second visit, in the background, in the order in which answers ended.

        With the request in the place of its episode, where the first visit failed: both are made now.
        """
        turn = Turn(about, answer)
        lost = self.backlog.add(turn)
        if lost is not None:
            self.faults.note("recording", UnrecordedError("too many turns wait for the database; the oldest is lost"))
        self._in_order(turn.scope, self._catch_up(turn.scope), "recording")

    async def _catch_up(self, scope: Scope) -> None:
        """Record what waits in a workspace. What fails by the database's fault goes on waiting."""
        while (turn := self.backlog.first(scope)) is not None:
            try:
                questions = await self._visit(lambda turn=turn: self._record(turn))  # type: ignore[misc]
            except Exception as error:
                if is_storage_fault(error):
                    self.backlog.stuck.add(scope)
                    self._retry_later()
                else:
                    self.backlog.done(turn)
                raise
            self.backlog.stuck.discard(scope)
            self.backlog.done(turn)
            if isinstance(turn.about, Request):
                self.faults.healed("pre-flight")
            if self.audits is not None:
                for question in questions or ():
                    self.audits.submit(question)

    def _record(self, turn: Turn) -> list[Question]:
        episode = turn.about if isinstance(turn.about, Episode) else self.engine.preflight(turn.about)
        return self.engine.record(episode, turn.answer)

    def _retry_later(self) -> None:
        if self._retrying is None or self._retrying.done():
            self._retrying = self.spawn(self._retry())

    async def _retry(self) -> None:
        while len(self.backlog):
            await asyncio.sleep(RETRY_S)
            await self._try_all()

    async def _try_all(self) -> None:
        tasks = {self._in_order(scope, self._catch_up(scope), "recording") for scope in self.backlog.scopes()}
        if tasks:
            await asyncio.wait(tasks)

    async def conclude(self, question: Question, reply: str | None, fault: str | None) -> str:
        """An audit's reply, in the same order: a request that comes behind it waits for it. Says what became of it."""
        became = "not recorded"
        model = self.settings.audit_model or question.model

        async def work() -> None:
            nonlocal became
            became = await self._visit(lambda: self.engine.auditing.visit(question, reply, model, fault))

        await asyncio.wait({self._in_order((question.tenant, question.workspace), work(), "recording an audit")})
        return became

    async def _is_open(self, question: Question) -> bool:
        try:
            return await self._visit(lambda: self.engine.auditing.is_open(question))
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

    async def close(self, within_s: float = DRAIN_S) -> bool:
        """The process ends: record what was delivered, and let go of the database. Whether nothing was left out."""
        if self.audits is not None:
            self.audits.close()
        if self._retrying is not None:
            self._retrying.cancel()
        try:
            await asyncio.wait_for(self._end(), within_s)
        except TimeoutError:
            log.error("TSLP: the process ends before all answers could be recorded (%g s).", within_s)
        left = len(self.backlog)
        if left:
            log.error("TSLP: %d answers could not be recorded, and are lost.", left)
        self.database.close()
        return not left

    async def _end(self) -> None:
        await self.drain()
        await self._try_all()

    async def _visit(self, work: Callable[[], T]) -> T:
        """A visit to the database, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._at_the_database, work)

    def _at_the_database(self, work: Callable[[], T]) -> T:
        try:
            moved = self.presence.look()
            if moved is not None:
                log.error("TSLP: %s. It was opened anew; what stands there now is the state.", moved)
            return work()
        except Exception as error:
            self.presence.after(error)
            raise

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
