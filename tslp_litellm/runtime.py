"""The engine in a running proxy: worker threads, the order of the wire, and what went wrong.

Owns the clock, the ids and the threads. One runtime serves a process, however TSLP is registered.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
import traceback
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from tslp_litellm.audit_queue import TIMEOUT_S, AuditQueue
from tslp_litellm.engine import Draft, Engine, Episode, Question, Request
from tslp_litellm.engine.rehearsal import rehearse
from tslp_litellm.interpreter import Collections
from tslp_litellm.secrets import detector, redact
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.store.database import Database, is_everybodys
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

CAUSE_CHARS_MAX, TRACE_CHARS_MAX = 1_000, 20_000
"""How much of an error's own words, and of its trace, is kept and logged."""
ORDER_WAIT_S = 30.0
"""How long a request waits for the answers before it to be recorded."""
ELSEWHERE: Literal["elsewhere"] = "elsewhere"
ELSEWHERE_WAIT_S, ELSEWHERE_POLL_S = 5.0, 0.002
"""How long it waits for another worker to record one, and how often it looks."""
RETRY_FOR_S, RETRY_S, RETRY_MAX_S = 600.0, 0.2, 5.0
"""How long recording is tried again while the database is away, how soon, and how seldom in the end."""
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


class BehindError(Exception):
    """Answers that were delivered are not in the State Map yet: what it says may be old, and is kept to ourselves."""


class Faults:
    """Faults of ours: each kind is logged once with its cause until it has healed, and shown by `/doctor`."""

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.total = 0

    def note(self, where: str, error: BaseException) -> None:
        """A fault happened."""
        self.total += 1
        cause = redact(f"{type(error).__name__}: {error}"[:CAUSE_CHARS_MAX])
        if self.open.get(where) != cause:
            trace = redact("".join(traceback.format_exception(error))[-TRACE_CHARS_MAX:])
            log.error("TSLP: %s failed; the request goes on without it. %s\n%s", where, cause, trace)
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
        if settings.refuse_secrets and detector().version is None:
            raise SettingsError(
                "Setting `refuse_secrets` needs the extra `secrets`: pip install 'tslp-litellm[secrets]'."
            )
        self.database = Database(settings.database_url, settings.reader_database_url)
        self.database.migrate()
        self.engine = Engine(self.database, settings, now=now, new_id=new_id, count_tokens=count_tokens)
        self.faults = Faults()
        self._collections = Collections()
        self.last_prompts: dict[Scope, dict[str, Any]] = {}
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="tslp")
        self._threads.submit(detector)  # read it now, off the event loop: a fault's words are redacted on it
        self._marked: dict[str, asyncio.Task[Scope]] = {}  # episodes whose end has gone out, until they are recorded
        self._behind: set[Scope] = set()  # workspaces with answers that can't be recorded just now
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
        scope = (request.tenant, request.workspace)
        before = self.order.last(scope)
        if before is not None:
            if scope in self._behind:
                raise BehindError("the answers before it are not recorded yet")
            if not (await asyncio.wait({before}, timeout=ORDER_WAIT_S))[0]:
                raise BehindError(f"the answers before it were not recorded within {ORDER_WAIT_S:g} s")
        items = request.turn.items
        deadline = time.monotonic() + ELSEWHERE_WAIT_S
        while isinstance(episode := await self._run(lambda: self._preflight(scope, request), items), str):
            if time.monotonic() > deadline:
                raise BehindError(f"another worker did not record an answer within {ELSEWHERE_WAIT_S:g} s")
            await asyncio.sleep(ELSEWHERE_POLL_S)
        return episode

    def _preflight(self, scope: Scope, request: Request) -> Episode | Literal["elsewhere"]:
        """The first visit, unless another worker or gateway has an answer of the workspace to record."""
        return ELSEWHERE if self.database.marks.elsewhere(scope) else self.engine.preflight(request)

    async def delivering(self, episode: Episode) -> None:
        """An answer's end is about to go out: a request behind it waits, at whichever worker it arrives."""
        task = self._marked[episode.id] = asyncio.get_running_loop().create_task(self._mark(_scope(episode)))
        with contextlib.suppress(Exception):  # noted when the mark is taken away
            await asyncio.shield(task)

    async def _mark(self, scope: Scope) -> Scope:
        if self.database.sqlite:  # two system calls
            self.database.marks.mark(scope)
        else:
            await self._run(lambda: self.database.marks.mark(scope))
        return scope

    def record(self, episode: Episode, answer: Answer) -> None:
        """The second visit, in the background, in the order in which answers ended."""
        scope = _scope(episode)
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
            await self._unmark([episode])
            return None

    async def _record(self, visits: Sequence[Visit]) -> None:
        """Record visits. What fails because the database is away or busy is tried again, in its place, for a while."""
        left, deadline, wait = list(visits), time.monotonic() + RETRY_FOR_S, RETRY_S
        again = False
        while left:
            done = await self._recorded(left, again)
            failed = [v for v, d in zip(left, done, strict=True) if isinstance(d, Exception) and is_everybodys(d)]
            self._settle(done)
            await self._unmark([_episode(v) for v in left if v not in failed])
            left = failed
            self._behind -= {_scope(_episode(v)) for v in visits}
            if not left or time.monotonic() > deadline:
                break
            self._behind |= {_scope(_episode(v)) for v in left}
            again = True
            await asyncio.sleep(wait)
            wait = min(2 * wait, RETRY_MAX_S)
        await self._unmark([_episode(v) for v in left])

    async def _recorded(self, visits: Sequence[Visit], again: bool) -> list[list[Question] | Exception]:
        try:
            return await self._run(lambda: self.engine.record_all(visits, again=again))
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            return [error] * len(visits)

    def _settle(self, done: Sequence[list[Question] | Exception]) -> None:
        for questions in done:
            if isinstance(questions, Exception):
                self.faults.note("recording", questions)
                continue
            self.faults.healed("recording")
            if self.audits is not None:
                for question in questions:
                    self.audits.submit(question)

    async def _unmark(self, episodes: Sequence[Episode]) -> None:
        """What was delivered is recorded, or never will be."""
        marking = [task for episode in episodes if (task := self._marked.pop(episode.id, None)) is not None]
        if not marking:
            return
        await asyncio.wait(marking)
        scopes = [task.result() for task in marking if task.exception() is None]
        try:
            for task in marking:
                if (error := task.exception()) is not None:
                    self.faults.note("marking an answer", error)
            if self.database.sqlite:
                self._unmark_all(scopes)
            else:
                await self._run(lambda: self._unmark_all(scopes))
            if len(scopes) == len(marking):
                self.faults.healed("marking an answer")
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            self.faults.note("marking an answer", error)

    def _unmark_all(self, scopes: Sequence[Scope]) -> None:
        for scope in scopes:
            self.database.marks.unmark(scope)

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


def _scope(episode: Episode) -> Scope:
    return episode.request.tenant, episode.request.workspace


def _episode(visit: Visit) -> Episode:
    return visit.episode if isinstance(visit, Draft) else visit[0]


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
