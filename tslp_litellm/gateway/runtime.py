"""The engine in a running proxy: what it is made of, a request's way down, an answer's way up, and the end.

Owns the clock and the ids. One runtime serves a process, however TSLP is registered.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tslp_litellm import parser
from tslp_litellm.engine import Engine, Episode, Question, Request
from tslp_litellm.engine.rehearsal import rehearse
from tslp_litellm.gateway.audit_queue import AuditQueue
from tslp_litellm.gateway.audits import AskModel, Audits
from tslp_litellm.gateway.backlog import UnrecordedError
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.deliveries import Deliveries
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.healing import Healing
from tslp_litellm.gateway.lookalikes import Lookalikes
from tslp_litellm.gateway.recording import TOO_LONG, Recording
from tslp_litellm.gateway.visits import EVERYBODY, Visits, Workers
from tslp_litellm.gateway.windows import Windows, configured
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.secrets import detector
from tslp_litellm.settings import Settings, SettingsError
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import refusals
from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.presence import Presence, unopened
from tslp_litellm.store.queries import alike, file_names, size
from tslp_litellm.store.upkeep import checkpoint_all
from tslp_litellm.syntax.patterns import PatternError

log = logging.getLogger("tslp_litellm")

ELSEWHERE_WAIT_S, ELSEWHERE_POLL_S = 5.0, 0.002
"""How long a request waits for another worker to record an answer, and how often it looks."""
END_S = 10.0
"""How long the end of the process waits for what was delivered to be recorded."""
CHECKPOINT_S = 3.0
"""How long of that it may be at checkpoints."""
OPENING, READING_A_REQUEST = "opening the database", "reading a request"
REMEMBERING, CHECKPOINTS = "remembering refused texts", "making checkpoints"


def now() -> str:
    """The time: RFC 3339, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id() -> str:
    """An id for an episode or a conversation."""
    return str(uuid.uuid4())


class Runtime:
    """One engine, off the event loop.

    SettingsError or StoreError for what its user has to set right. A database that can't be opened is none of that: it
    is tried again with every visit, and until then each visit fails.
    """

    def __init__(
        self, settings: Settings, count_tokens: Callable[[str], int], ask_model: AskModel | None = None
    ) -> None:
        self.settings = settings
        self.faces: set[tuple[bool, str, str | None]] = set()  # whether it is a guardrail, and its `OF_A_FACE`
        use_patterns(settings.symbols_file)
        if settings.refuse_secrets and detector().version is None:
            raise SettingsError(
                "Setting `refuse_secrets` needs the extra `secrets`: pip install 'tslp-litellm[secrets]'."
            )
        self.faults = Faults()
        self.database = _database(settings)
        self.presence = Presence(self.database)
        if (cause := self.presence.open()) is not None:
            self.faults.note(OPENING, StoreError(cause))
        self.engine = Engine(self.database, settings, now=now, new_id=new_id, count_tokens=count_tokens)
        self.windows = Windows(settings.window_tokens, configured)
        self.lookalikes = Lookalikes(self._alike)
        self._healing = Healing(self.database, self.faults)
        self.last_prompts: dict[WorkspaceKey, dict[str, Any]] = {}
        self._workers = Workers()
        self._workers.submit(EVERYBODY, False, detector)  # off the event loop, on which a fault's words are redacted
        self.visits = Visits(self.presence, self._workers, self._after_visit)
        self._deliveries = Deliveries(lambda: self.database.marks, self.visits, self.faults)
        self.recording = Recording(
            self.engine,
            self.visits,
            self.presence,
            self._deliveries,
            self.faults,
            self._ask,
            self.database.writers,
        )
        self.recording.observe = self._count_ahead
        self.audits = self._audit_queue(ask_model)

    def size(self) -> int:
        """The bytes that the database holds."""
        with self.database.reading() as connection:
            return size(connection)

    def rehearse(self) -> None:
        """Make now what is made on first use, for the languages that are in the database; before the first request."""
        try:
            known: list[str] = []
            if self.presence.trouble() is None:
                with self.database.reading() as connection:
                    known = file_names(connection)
                    parser.know(refusals.load(connection))
                self._workers.submit(EVERYBODY, True, self._healing.look_at_all)
            rehearse(self.settings, known)
        except Exception as error:  # noqa: BLE001 - the first request will be slower, and say what is wrong
            self.faults.note("the rehearsal", error)

    async def preflight(self, request: Request, heavy: bool = False) -> Episode:
        """The first visit, after every answer of the workspace that was delivered before. `heavy`: it may take long.

        UnrecordedError where one of those could not be recorded: the state is older than what the client was told.
        """
        await self.recording.settled(request.key)
        deadline = time.monotonic() + ELSEWHERE_WAIT_S
        while (found := await self.visits.make(request.tenant, lambda: self._visit(request), heavy)) is None:
            if time.monotonic() > deadline:
                raise UnrecordedError(f"another worker did not record an answer within {ELSEWHERE_WAIT_S:g} s")
            await asyncio.sleep(ELSEWHERE_POLL_S)
        if found.over_budget:
            self.faults.note(READING_A_REQUEST, OverBudgetError(TOO_LONG))
        else:
            self.faults.healed(READING_A_REQUEST)
        return found

    async def deliver(self, delivered: Delivered) -> None:
        """The second visit: an answer whose end is about to go out. A request behind it waits, at whichever worker."""
        try:
            await self._deliveries.begin(delivered)
        finally:
            self.recording.add(delivered)

    async def drain(self) -> None:
        """Wait until all that was delivered is recorded."""
        await self.recording.order.drain()

    async def close(self, within_s: float = END_S) -> bool:
        """The process ends: record what was delivered, let go of the database, the threads and the parser.

        Whether nothing was left out.
        """
        if self.audits is not None:
            self.audits.close()
        deadline = time.monotonic() + within_s
        try:
            await asyncio.wait_for(self.recording.finish(), within_s)
        except TimeoutError:
            log.error("TSLP: the process ends before all answers could be recorded (%g s).", within_s)
        left = len(self.recording.backlog)
        if left:
            log.error("TSLP: %d answers could not be recorded, and are lost.", left)
        else:
            await self._checkpoint(min(CHECKPOINT_S, deadline - time.monotonic()))
        parser.close()  # who waits for it in a thread is told
        try:
            await asyncio.wait_for(asyncio.to_thread(self._workers.close), max(1.0, deadline - time.monotonic()))
        except TimeoutError:
            log.error("TSLP: a visit was still being made when the process ended.")
        self.database.close()
        return not left

    def _visit(self, request: Request) -> Episode | None:
        """The first visit; None where another worker or gateway has an answer of the workspace to record."""
        if self.database.marks.elsewhere(request.key):
            return None
        self._healing.look(request.key)
        self.lookalikes.learn(request.key)
        return self.engine.preflight(request)

    async def _checkpoint(self, within_s: float) -> None:
        """A graceful end leaves a checkpoint of what was recorded since the last (SEMANTICS 12)."""
        until = time.monotonic() + within_s
        try:
            if self.presence.trouble() is None:
                made = self.visits.make(
                    EVERYBODY, lambda: checkpoint_all(self.database, now(), lambda: time.monotonic() < until), True
                )
                await asyncio.wait_for(made, within_s)
        except Exception as error:  # noqa: BLE001 - the history is whole without it, only slower to ask
            self.faults.note(CHECKPOINTS, error)

    def _alike(self, key: WorkspaceKey) -> tuple[str, ...]:
        with self.database.reading() as connection:
            return tuple(alike(connection, *key))

    def _count_ahead(self, delivered: Delivered) -> None:
        """What the conversation's next request would have to wait for is counted when nobody waits."""
        about = delivered.about
        if isinstance(about, Episode):
            with contextlib.suppress(RuntimeError):  # the process ends
                self._workers.submit(
                    delivered.key.tenant, True, lambda: about.kept.count_ahead(delivered.answer().items)
                )

    def _after_visit(self) -> None:
        if self.presence.is_open():
            self.faults.healed(OPENING)
        self._remember_refused()

    def _remember_refused(self) -> None:
        """Texts that the parser has refused are refused by the next process, too."""
        news = parser.news()
        if not news:
            return
        try:
            with self.database.writing() as connection:
                refusals.remember(connection, news)
            self.faults.healed(REMEMBERING)
        except Exception as error:  # noqa: BLE001 - this process knows them
            self.faults.note(REMEMBERING, error)

    def _audit_queue(self, ask_model: AskModel | None) -> AuditQueue | None:
        if not self.settings.audit or ask_model is None:
            return None
        in_order = self.recording.order.add_work
        return Audits(self.engine, self.visits, self.faults, in_order, ask_model, self.settings.audit_model).queue

    def _ask(self, question: Question) -> None:
        if self.audits is not None:
            self.audits.submit(question)


def _database(settings: Settings) -> Database:
    try:
        return Database(settings.database_url, settings.reader_database_url)
    except OSError as error:  # its folder can't be made
        raise StoreError(unopened(settings.database_url, error)) from None


def use_patterns(own: Path | None) -> None:
    """Check the fallback patterns, and a user's own in front of them; SettingsError that names what is bad."""
    try:
        parser.configure(own)
    except (OSError, ValueError) as error:
        raise SettingsError(f"Setting `symbols_file`: {own} can't be read as JSON ({error}).") from None
    except PatternError as error:
        raise SettingsError(f"{f'Setting `symbols_file`, {own}' if own else 'symbols.json'}: {error}") from None


_runtime: Runtime | None = None
OF_A_FACE = ("trust", "workspace")
"""Settings in which several guardrails may differ."""


def the_runtime(
    settings: Settings,
    count_tokens: Callable[[str], int],
    ask_model: AskModel | None = None,
    *,
    guardrail: bool = False,
) -> Runtime:
    """The process's runtime, made on first use. Both faces share it; they may not disagree on the settings, but for
    `trust` and `workspace` of several guardrails, of which each key or team has its own."""
    global _runtime  # noqa: PLW0603 - one database, one order of the wire, however often TSLP is registered
    if _runtime is None:
        _runtime = Runtime(settings, count_tokens, ask_model)
    _runtime.faces.add((guardrail, settings.trust, settings.workspace))
    same = _runtime.settings == settings.model_copy(update={n: getattr(_runtime.settings, n) for n in OF_A_FACE})
    own = {face[1:] for face in _runtime.faces}
    if not same or (len(own) > 1 and not all(of_guardrail for of_guardrail, *_ in _runtime.faces)):
        raise SettingsError(
            "TSLP is registered twice with different settings (callback and guardrail); give both the same, or use one."
        )
    return _runtime
