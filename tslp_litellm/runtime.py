"""The engine in a running proxy: worker threads, the order of the wire, and what went wrong.

Owns the clock, the ids and the threads. One runtime serves a process, however TSLP is registered.
"""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tslp_litellm.audit_queue import TIMEOUT_S, AuditQueue
from tslp_litellm.engine import Draft, Engine, Episode, Question, Request
from tslp_litellm.engine.rehearsal import rehearse
from tslp_litellm.interpreter import Collections
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.store.database import Database
from tslp_litellm.store.queries import file_names
from tslp_litellm.syntax import fallback
from tslp_litellm.syntax.patterns import PatternError, table
from tslp_litellm.wire.turn import Answer, Item
from tslp_litellm.wire_order import Scope, WireOrder

T = TypeVar("T")
AskModel = Callable[[Question, str | None, float], Awaitable[str]]
"""Asks an audit's question: of the model named (None: the one that answered), within so many seconds."""
Visit = tuple[Episode, Answer] | Draft
log = logging.getLogger("tslp_litellm")

ORDER_WAIT_S = 30.0
"""How long a request waits for the answers before it to be recorded."""
TOGETHER = 64
"""How many second visits one transaction takes at most."""
LARGE_CHARS = 32_000
"""From here on an answer is judged before it is taken together with others."""


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

    def __init__(
        self, settings: Settings, count_tokens: Callable[[str], int], ask_model: AskModel | None = None
    ) -> None:
        self.settings = settings
        use_patterns(settings.symbols_file)
        self.database = Database(settings.database_url)
        self.database.migrate()
        self.engine = Engine(self.database, settings, now=now, new_id=new_id, count_tokens=count_tokens)
        self.faults = Faults()
        self._collections = Collections()
        self.last_prompts: dict[Scope, dict[str, Any]] = {}
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="tslp")
        self.order: WireOrder[Visit] = WireOrder(self._record, self.database.writers, TOGETHER)
        self.audits = (
            AuditQueue(lambda q: ask_model(q, settings.audit_model, TIMEOUT_S), self.conclude, self._is_open)
            if settings.audit and ask_model is not None
            else None
        )

    def rehearse(self) -> None:
        """Make now what is made on first use, for the languages that are in the database; before the first request."""
        try:
            with self.database.reading() as connection:
                known = file_names(connection)
            rehearse(self.settings, known)
        except Exception as error:  # noqa: BLE001 - the first request will be slower, and say what is wrong
            self.faults.note("the rehearsal", error)

    async def preflight(self, request: Request) -> Episode:
        """The first visit, after every answer of the workspace that was delivered before."""
        before = self.order.last((request.tenant, request.workspace))
        if before is not None:
            await asyncio.wait({before}, timeout=ORDER_WAIT_S)
        return await self._run(lambda: self.engine.preflight(request), request.turn.items)

    def record(self, episode: Episode, answer: Answer) -> None:
        """The second visit, in the background, in the order in which answers ended."""
        scope = (episode.request.tenant, episode.request.workspace)
        if sum(len(item.text) for item in answer.items) > LARGE_CHARS:
            self.order.add_work(scope, lambda: self._draft(episode, answer))
        else:
            self.order.add(scope, (episode, answer))

    async def _draft(self, episode: Episode, answer: Answer) -> Draft | None:
        """A large answer is judged by itself first: those of other workspaces don't wait for it."""
        try:
            return await self._run(lambda: self.engine.draft(episode, answer), answer.items)
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            self.faults.note("recording", error)
            return None

    async def _record(self, visits: Sequence[Visit]) -> None:
        try:
            done = await self._run(lambda: self.engine.record_all(visits))
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            done = [error] * len(visits)
        for questions in done:
            if isinstance(questions, Exception):
                self.faults.note("recording", questions)
                continue
            self.faults.healed("recording")
            if self.audits is not None:
                for question in questions:
                    self.audits.submit(question)

    async def conclude(self, question: Question, reply: str | None, fault: str | None) -> str:
        """An audit's reply, in the same order: a request that comes behind it waits for it. Says what became of it."""
        became = "not recorded"
        model = self.settings.audit_model or question.model

        async def work() -> None:
            nonlocal became
            try:
                became = await self._run(lambda: self.engine.auditing.visit(question, reply, model, fault))
                self.faults.healed("recording an audit")
            except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
                self.faults.note("recording an audit", error)

        await asyncio.wait({self.order.add_work((question.tenant, question.workspace), work)})
        return became

    async def _is_open(self, question: Question) -> bool:
        try:
            return await self._run(lambda: self.engine.auditing.is_open(question))
        except Exception as error:  # noqa: BLE001 - an audit that can't be recorded need not be asked
            self.faults.note("recording an audit", error)
            return False

    async def drain(self) -> None:
        """Wait until all that was delivered is recorded."""
        await self.order.drain()

    async def _run(self, work: Callable[[], T], about: Iterable[Item] = ()) -> T:
        def undisturbed() -> T:
            with self._collections.paused(sum(len(item.text) for item in about)):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._threads, undisturbed)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Blocking work of the diagnostics, off the event loop."""
        return await asyncio.to_thread(work)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A background task whose reference is kept by the caller."""
        return asyncio.get_running_loop().create_task(work)


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
