"""The engine in a running proxy: worker threads, the order of the wire, and what went wrong.

Owns the clock, the ids and the threads. One runtime serves a process, however TSLP is registered.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from tslp_litellm.engine import Draft, Engine, Episode, Question, Request
from tslp_litellm.engine.rehearsal import rehearse
from tslp_litellm.gateway.audit_queue import TIMEOUT_S, AuditQueue
from tslp_litellm.gateway.backlog import Backlog, Turn, UnrecordedError
from tslp_litellm.gateway.deliveries import Deliveries
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.interpreter import Collections
from tslp_litellm.gateway.lanes import WireOrder
from tslp_litellm.secrets import detector
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.presence import Presence, is_storage_fault, open_database
from tslp_litellm.store.queries import file_names
from tslp_litellm.syntax import fallback
from tslp_litellm.syntax.patterns import PatternError, table
from tslp_litellm.wire.turn import Answer, Item

T = TypeVar("T")
AskModel = Callable[[Question, str | None, float], Awaitable[str]]
"""Asks an audit's question: of the model named (None: the one that answered), within so many seconds."""
Visit = tuple[Episode, Answer] | Draft
log = logging.getLogger("tslp_litellm")

ORDER_WAIT_S = 30.0
"""How long a request waits for the answers before it to be recorded."""
STUCK_WAIT_S = 2.0
"""How long it waits where the last try to record one has failed."""
ELSEWHERE: Literal["elsewhere"] = "elsewhere"
ELSEWHERE_WAIT_S, ELSEWHERE_POLL_S = 5.0, 0.002
"""How long it waits for another worker to record one, and how often it looks."""
RETRY_S = 5.0
"""How often what the database could not take is tried again."""
DRAIN_S = 10.0
"""How long the end of the process waits for what was delivered to be recorded."""
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
        self.database = open_database(settings.database_url, settings.reader_database_url)
        self.presence = Presence(self.database)
        self.backlog = Backlog()
        self._unknown: set[WorkspaceKey] = set()  # workspaces that lost a turn, which is not recorded yet
        self._retrying: asyncio.Task[None] | None = None
        self.engine = Engine(self.database, settings, now=now, new_id=new_id, count_tokens=count_tokens)
        self.faults = Faults()
        self.collections = Collections()
        self.last_prompts: dict[WorkspaceKey, dict[str, Any]] = {}
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="tslp")
        self.deliveries = Deliveries(self.database, self._run, self.faults)
        self._threads.submit(detector)  # read it now, off the event loop: a fault's words are redacted on it
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
        """The first visit, after every answer of the workspace that was delivered before.

        UnrecordedError where one of those could not be recorded: the state is older than what the client was told.
        """
        scope = (request.tenant, request.workspace)
        if scope in self._unknown:
            await self._doubt(scope)
        if scope in self._unknown:
            raise UnrecordedError("a turn before this request was lost, and that is not recorded yet")
        wait = ORDER_WAIT_S
        if scope in self.backlog.stuck:
            self.order.add_work(scope, lambda: self._catch_up(scope))
            wait = STUCK_WAIT_S
        before = self.order.last(scope)
        if before is not None and not (await asyncio.wait({before}, timeout=wait))[0]:
            raise UnrecordedError(f"the answers before this request were not recorded within {wait:g} s")
        if scope in self.backlog.stuck:
            raise UnrecordedError("an answer before this request is not recorded yet; the workspace is not hydrated")
        deadline = time.monotonic() + ELSEWHERE_WAIT_S
        while isinstance(episode := await self._run(lambda: self._visit(scope, request), request.turn.items), str):
            if time.monotonic() > deadline:
                raise UnrecordedError(f"another worker did not record an answer within {ELSEWHERE_WAIT_S:g} s")
            await asyncio.sleep(ELSEWHERE_POLL_S)
        return episode

    def _visit(self, scope: WorkspaceKey, request: Request) -> Episode | Literal["elsewhere"]:
        """The first visit, unless another worker or gateway has an answer of the workspace to record."""
        return ELSEWHERE if self.database.marks.elsewhere(scope) else self.engine.preflight(request)

    async def delivering(self, about: Episode | Request) -> None:
        """An answer's end is about to go out: a request behind it waits, at whichever worker it arrives."""
        await self.deliveries.begin(about)

    def record(self, about: Episode | Request, answer: Answer) -> None:
        """The second visit, in the background, in the order in which answers ended.

        With the request in the place of its episode, where the first visit failed: both are made now.
        """
        turn = Turn(about, answer)
        if isinstance(about, Request):
            self.order.add_work(turn.scope, lambda: self._late(turn))
        elif sum(len(item.text) for item in answer.items) > LARGE_CHARS:
            self.order.add_work(turn.scope, lambda: self._draft(about, answer))
        else:
            self.order.add(turn.scope, (about, answer))

    def lost(self, about: Episode | Request) -> None:
        """An answer went out that could not be read, by a fault of ours: what it changed is unknown."""
        scope = Turn(about, Answer()).scope
        self.order.add_work(scope, lambda: self._doubt(scope))

    async def _late(self, turn: Turn) -> None:
        await self._keep(turn)
        await self._catch_up(turn.scope)

    async def _draft(self, episode: Episode, answer: Answer) -> Visit | None:
        """A large answer is judged by itself first: those of other workspaces don't wait for it."""
        turn = Turn(episode, answer)
        if turn.scope in self.backlog.stuck:
            return episode, answer
        try:
            return await self._run(lambda: self.engine.draft(episode, answer), answer.items)
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            await self._failed(turn, error)
            return None

    async def _record(self, visits: Sequence[Visit]) -> None:
        turns = [_turn(visit) for visit in visits]
        free = [n for n, turn in enumerate(turns) if turn.scope not in self.backlog.stuck]
        for n in sorted(set(range(len(turns))) - set(free)):
            await self._keep(turns[n])
        if not free:
            return
        try:
            about = [item for n in free for item in turns[n].answer.items]
            done = await self._run(lambda: self._record_all([visits[n] for n in free]), about)
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            done = [error] * len(free)
        for n, questions in zip(free, done, strict=True):
            if isinstance(questions, Exception):
                await self._failed(turns[n], questions)
            else:
                self._recorded(questions)
        kept = [turns[n].about for n, questions in zip(free, done, strict=True) if not isinstance(questions, Exception)]
        await self.deliveries.end(kept)

    def _record_all(self, visits: Sequence[Visit]) -> list[list[Question] | Exception]:
        done = self.engine.record_all(visits)
        for fault in done:
            if isinstance(fault, Exception):
                self.presence.after(fault)
        return done

    def _recorded(self, questions: Sequence[Question]) -> None:
        self.faults.healed("recording")
        if self.audits is None:
            return
        try:
            for question in questions:
                self.audits.submit(question)
                self.faults.healed("queueing an audit")
        except Exception as error:  # noqa: BLE001 - it is recorded; only the audit is missing
            self.faults.note("queueing an audit", error)

    # -- what the database could not take

    async def _failed(self, turn: Turn, error: Exception) -> None:
        """A turn could not be recorded. What failed by the database's fault waits; what failed by ours is lost."""
        self.faults.note("recording", error)
        if is_storage_fault(error):
            await self._keep(turn)
        else:
            await self._lose(turn)

    async def _lose(self, turn: Turn) -> None:
        """A turn is lost, and with it what it changed."""
        await self._doubt(turn.scope)
        await self.deliveries.end([turn.about])

    async def _doubt(self, scope: WorkspaceKey) -> None:
        """What is known of a workspace may be old. Where not even that can be recorded, it is tried again first."""
        self._unknown.add(scope)
        try:
            await self._run(lambda: self.engine.doubt(*scope))
            self._unknown.discard(scope)
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            self.faults.note("recording", error)

    async def _keep(self, turn: Turn) -> None:
        lost = self.backlog.add(turn)
        self.backlog.stuck.add(turn.scope)
        if self._retrying is None or self._retrying.done():
            self._retrying = self.spawn(self._retry())
        if lost is not None:
            self.faults.note("recording", UnrecordedError("too many turns wait for the database; the oldest is lost"))
            await self._lose(lost)

    async def _catch_up(self, scope: WorkspaceKey) -> None:
        """Record what waits in a workspace, until one fails by the database's fault again."""
        while (turn := self.backlog.first(scope)) is not None:
            try:
                questions = await self._run(lambda turn=turn: self._again(turn), turn.answer.items)  # type: ignore[misc]
            except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
                self.faults.note("recording", error)
                if is_storage_fault(error):
                    return
                self.backlog.done(turn)
                await self._lose(turn)
                continue
            self.backlog.done(turn)
            await self.deliveries.end([turn.about])
            self._recorded(questions)

    def _again(self, turn: Turn) -> list[Question]:
        episode = turn.about if isinstance(turn.about, Episode) else self._judged(turn.about)
        (done,) = self.engine.record_all([(episode, turn.answer)], again=True)
        if isinstance(done, Exception):
            raise done
        return done

    def _judged(self, request: Request) -> Episode:
        """The first visit, made late; without hydration, which nobody needs any more, where that is at fault."""
        try:
            episode = self.engine.preflight(request)
        except Exception as error:
            if is_storage_fault(error):
                raise
            return self.engine.late(request)
        self.faults.healed("pre-flight")
        return episode

    async def _retry(self) -> None:
        while len(self.backlog):
            await asyncio.sleep(RETRY_S)
            await self._try_all()

    async def _try_all(self) -> None:
        waiting = {self.order.add_work(s, lambda s=s: self._catch_up(s)) for s in self.backlog.scopes()}  # type: ignore[misc]
        if waiting:
            await asyncio.wait(waiting)

    # -- audits

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

    async def _run(self, work: Callable[[], T], about: Iterable[Item] = ()) -> T:
        """A visit to the database, in a thread."""

        def undisturbed() -> T:
            with self.collections.paused(sum(len(item.text) for item in about)):
                return self._at_the_database(work)

        return await asyncio.get_running_loop().run_in_executor(self._threads, undisturbed)

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


def _turn(visit: Visit) -> Turn:
    return Turn(visit.episode, visit.answer) if isinstance(visit, Draft) else Turn(*visit)


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
