"""The shadow audit in a running proxy: its queue, and its replies recorded in the order of the wire (SEMANTICS 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from tslp_litellm.engine import Engine, Question
from tslp_litellm.gateway.audit_queue import TIMEOUT_S, AuditQueue
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.visits import Visits
from tslp_litellm.state.names import WorkspaceKey

AskModel = Callable[[Question, str | None, float], Awaitable[str]]
"""Asks an audit's question: of the model named (None: the one that answered), within so many seconds."""
Work = Callable[[], Coroutine[Any, Any, None]]
RECORDING_AN_AUDIT = "recording an audit"


class Audits:
    """Asks one question after the other and records what comes of it.

    `in_order`: does work of a workspace when its turn has come. `model`: the one that is asked, if set.
    """

    def __init__(
        self,
        engine: Engine,
        visits: Visits,
        faults: Faults,
        in_order: Callable[[WorkspaceKey, Work], asyncio.Future[None]],
        ask_model: AskModel,
        model: str | None,
    ) -> None:
        self._engine, self._visits, self._faults = engine, visits, faults
        self._in_order, self._model = in_order, model
        self.queue = AuditQueue(lambda q: ask_model(q, model, TIMEOUT_S), self._conclude, self._is_open)

    async def _conclude(self, question: Question, reply: str | None, fault: str | None) -> str:
        """Record a reply; a request that comes behind it waits for it. Says what became of it."""
        became = "not recorded"
        model = self._model or question.model

        async def work() -> None:
            nonlocal became
            try:
                became = await self._visits.make(
                    question.tenant, lambda: self._engine.auditing.visit(question, reply, model, fault)
                )
                self._faults.healed(RECORDING_AN_AUDIT)
            except Exception as error:  # noqa: BLE001 - nothing of ours may reach the caller
                self._faults.note(RECORDING_AN_AUDIT, error)

        await asyncio.wait({self._in_order(WorkspaceKey(question.tenant, question.workspace), work)})
        return became

    async def _is_open(self, question: Question) -> bool:
        try:
            return await self._visits.make(question.tenant, lambda: self._engine.auditing.is_open(question))
        except Exception as error:  # noqa: BLE001 - an audit that can't be recorded need not be asked
            self._faults.note(RECORDING_AN_AUDIT, error)
            return False
