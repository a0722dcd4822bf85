"""Second visits: answers into the database, in the order in which they ended, again where it could not take them.

Never raises: what goes wrong is noted, and what is not known after it is DIRTY (SEMANTICS 9).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence

from tslp_litellm.engine import Draft, Engine, Episode, Question, Request
from tslp_litellm.gateway.backlog import Backlog, UnrecordedError
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.deliveries import Deliveries
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.projector import Projector
from tslp_litellm.gateway.visits import EVERYBODY, Visits
from tslp_litellm.gateway.wire_order import WireOrder
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.presence import Presence, is_storage_fault
from tslp_litellm.wire.turn import Answer

ORDER_WAIT_S = 30.0
"""How long a request waits for the answers before it to be recorded."""
STUCK_WAIT_S = 2.0
"""How long it waits where the last try to record one has failed."""
RETRY_S = 5.0
"""How often what the database could not take is tried again."""
TOGETHER = 64
"""How many second visits one transaction takes at most."""
READING, RECORDING, KEEPING = "reading an answer", "recording", "keeping answers for the database"
TOO_LONG = "it was too long to read; what it shows is DIRTY"
Visit = Delivered | tuple[Delivered, Draft]
"""An answer, or one that has been judged already."""
Outcome = list[Question] | Exception
"""What there is to ask the shadow audit, or what went wrong."""


class Recording:
    """Records what is delivered. `ask`: hears what there is to ask the shadow audit; it may raise.

    `writers`: how many transactions the database takes at once.
    """

    def __init__(
        self,
        engine: Engine,
        visits: Visits,
        presence: Presence,
        deliveries: Deliveries,
        faults: Faults,
        ask: Callable[[Question], None],
        writers: int,
    ) -> None:
        self._engine, self._visits, self._presence = engine, visits, presence
        self._deliveries, self._faults, self._ask = deliveries, faults, ask
        self.order: WireOrder[Visit] = WireOrder(self._record, writers, TOGETHER)
        self.backlog = Backlog()
        self._projector = Projector(engine, visits, faults)
        self.observe: Callable[[Delivered], None] = lambda _: None  # hears what is recorded
        self._unknown: set[WorkspaceKey] = set()  # workspaces that lost an answer, which is not recorded yet
        self._retrying: asyncio.Task[None] | None = None

    def add(self, delivered: Delivered) -> None:
        """Record an answer, in the background, behind those that ended before it."""
        if isinstance(delivered.about, Request):  # the first visit failed: both are made now
            self.order.add_work(delivered.key, lambda: self._late(delivered))
        else:
            self.order.add_work(delivered.key, lambda: self._drafted(delivered))

    def doubt(self, key: WorkspaceKey) -> None:
        """An answer went out that nobody heard: what it changed is unknown."""
        self.order.add_work(key, lambda: self._doubt(key))

    async def settled(self, key: WorkspaceKey) -> None:
        """Wait until every answer of a workspace that was delivered before is recorded.

        UnrecordedError where one could not be: the state is older than what the client was told.
        """
        if key in self._unknown:
            await self._doubt(key)
        if key in self._unknown:
            raise UnrecordedError("an answer before this request was lost, and that is not recorded yet")
        wait = ORDER_WAIT_S
        if key in self.backlog.stuck:
            self.order.add_work(key, lambda: self._catch_up(key))
            wait = STUCK_WAIT_S
        before = self.order.last(key)
        if before is not None and not (await asyncio.wait({before}, timeout=wait))[0]:
            raise UnrecordedError(f"the answers before this request were not recorded within {wait:g} s")
        if key in self.backlog.stuck:
            raise UnrecordedError("an answer before this request is not recorded yet; the workspace is not hydrated")

    async def finish(self) -> None:
        """The process ends: what was delivered is recorded, as far as the database takes it."""
        if self._retrying is not None:
            self._retrying.cancel()
        await self.order.drain()
        await self._try_all()
        await self._projector.finish()

    # -- in the order of the wire

    async def _late(self, delivered: Delivered) -> None:
        await self._keep(delivered)
        await self._catch_up(delivered.key)

    async def _drafted(self, delivered: Delivered) -> Visit | None:
        """An answer is judged by itself first: others, with which it is recorded, don't wait for its parse."""
        if delivered.key in self.backlog.stuck:
            return delivered
        try:
            draft = await self._visits.make(delivered.key.tenant, lambda: self._draft(delivered), delivered.large)
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            await self._failed(delivered, error)
            return None
        return delivered, draft

    def _draft(self, delivered: Delivered) -> Draft:
        episode, answer = _said(delivered)
        return self._engine.draft(episode, answer)

    async def _record(self, visits: Sequence[Visit]) -> None:
        stuck = [_delivered(v).key in self.backlog.stuck for v in visits]
        for delivered in map(_delivered, itertools.compress(visits, stuck)):
            await self._keep(delivered)
        free = [visit for visit, waits in zip(visits, stuck, strict=True) if not waits]
        if not free:
            return
        try:
            done = await self._visits.make(EVERYBODY, lambda: self._record_all(free))
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            done = [error] * len(free)
        recorded = []
        for delivered, outcome in zip(map(_delivered, free), done, strict=True):
            if isinstance(outcome, Exception):
                await self._failed(delivered, outcome)
            else:
                recorded.append(delivered)
                await self._recorded(delivered, outcome)
        await self._deliveries.end(recorded)
        self._projector.follow({delivered.key for delivered in recorded})

    def _record_all(self, visits: Sequence[Visit]) -> list[Outcome]:
        done = self._engine.record_all([_said(v) if isinstance(v, Delivered) else v[1] for v in visits])
        for fault in done:
            if isinstance(fault, Exception):
                self._presence.after(fault)
        return done

    async def _recorded(self, delivered: Delivered, questions: Sequence[Question]) -> None:
        if not self.backlog:  # else the database may take some and not others, or fail again
            self._faults.healed(RECORDING)
            self._faults.healed(KEEPING)
        if delivered.fault is not None:
            self._faults.note(READING, delivered.fault)
            await self._doubt_of(delivered)
        elif isinstance(delivered.about, Episode) and delivered.about.answer_over_budget:
            self._faults.note(READING, OverBudgetError(TOO_LONG))
        else:
            self._faults.healed(READING)
        try:
            for question in questions:
                self._ask(question)
                self._faults.healed("queueing an audit")
        except Exception as error:  # noqa: BLE001 - it is recorded; only the audit is missing
            self._faults.note("queueing an audit", error)
        self.observe(delivered)

    # -- what the database could not take

    async def _failed(self, delivered: Delivered, error: Exception) -> None:
        """What failed by the database's fault waits; what failed by ours is lost."""
        self._faults.note(RECORDING, error)
        if is_storage_fault(error):
            await self._keep(delivered)
        else:
            await self._lose(delivered)

    async def _lose(self, delivered: Delivered) -> None:
        """An answer is lost, and with it what it changed."""
        await self._doubt_of(delivered)
        await self._deliveries.end([delivered])

    async def _doubt_of(self, delivered: Delivered) -> None:
        if delivered.may_write:
            await self._doubt(delivered.key)

    async def _doubt(self, key: WorkspaceKey) -> None:
        """What is known of a workspace may be old. Where not even that can be recorded, it is tried again first."""
        self._unknown.add(key)
        try:
            await self._visits.make(key.tenant, lambda: self._engine.doubt(*key))
            self._unknown.discard(key)
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
            self._faults.note(RECORDING, error)

    async def _keep(self, delivered: Delivered) -> None:
        lost = self.backlog.add(delivered)
        self.backlog.stuck.add(delivered.key)
        if self._retrying is None or self._retrying.done():
            self._retrying = asyncio.get_running_loop().create_task(self._retry())
        if lost is not None:
            error = UnrecordedError("too many answers wait for it; the oldest is lost")
            self._faults.note(KEEPING, error)
            await self._lose(lost)

    async def _catch_up(self, key: WorkspaceKey) -> None:
        """Record what waits in a workspace, until one fails by the database's fault again."""
        while (delivered := self.backlog.first(key)) is not None:
            try:
                questions = await self._visits.make(
                    key.tenant,
                    lambda delivered=delivered: self._again(delivered),  # type: ignore[misc]
                    delivered.large,
                )
            except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
                self._faults.note(RECORDING, error)
                if is_storage_fault(error):
                    return
                self.backlog.done(delivered)
                await self._lose(delivered)
                continue
            self.backlog.done(delivered)
            await self._deliveries.end([delivered])
            await self._recorded(delivered, questions)
            self._projector.follow({delivered.key})

    def _again(self, delivered: Delivered) -> list[Question]:
        about = delivered.about
        episode = about if isinstance(about, Episode) else self._judged(about)
        (done,) = self._engine.record_all([(episode, delivered.answer())], again=True)
        if isinstance(done, Exception):
            raise done
        return done

    def _judged(self, request: Request) -> Episode:
        """The first visit, made late; without hydration, which nobody needs any more, where that is at fault."""
        try:
            episode = self._engine.preflight(request)
        except Exception as error:
            if is_storage_fault(error):
                raise
            return self._engine.late(request)
        if len(self.backlog) <= 1:  # this one
            self._faults.healed("pre-flight")
        return episode

    async def _retry(self) -> None:
        while len(self.backlog):
            await asyncio.sleep(RETRY_S)
            await self._try_all()

    async def _try_all(self) -> None:
        waiting = {self.order.add_work(k, lambda k=k: self._catch_up(k)) for k in self.backlog.workspaces()}  # type: ignore[misc]
        if waiting:
            await asyncio.wait(waiting)


def _delivered(visit: Visit) -> Delivered:
    return visit if isinstance(visit, Delivered) else visit[0]


def _said(delivered: Delivered) -> tuple[Episode, Answer]:
    """An episode with its answer, put together here, in a worker thread."""
    if isinstance(delivered.about, Request):
        raise TypeError("the first visit has not been made yet")
    return delivered.about, delivered.answer()
