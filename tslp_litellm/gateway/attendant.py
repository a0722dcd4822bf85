"""The hooks' common body: an episode from its request to its last chunk. The only place that fails open.

Whatever goes wrong in TSLP, the request goes on (or, by `on_error: block`, is refused with 503).
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, TypeVar

from fastapi import HTTPException

from tslp_litellm.engine import Episode, Request
from tslp_litellm.gateway.callers import context_window, headers_of, tenant_of, workspace_of
from tslp_litellm.gateway.interpreter import Collections
from tslp_litellm.gateway.router_audit import BYPASS_HEADER, caller_of, is_own_call
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.gateway.telemetry import Telemetry, parent_span
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.turn import Answer, WireFormat

READING = "reading an answer"
CHUNKS_MAX = 2_000_000
"""A stream of more chunks is passed on, but not kept: it may have no end."""
PROMPTS_MAX = 100
"""Scopes whose last prompt is kept (`debug`)."""
T = TypeVar("T")


class Attendant:
    """The hooks' common body. `_open` holds the episodes until their answers begin, by LiteLLM's call id.

    `collections`: taken over with the first request; None leaves them to Python.
    """

    def __init__(self, runtime: Runtime, telemetry: Telemetry, collections: Collections | None = None) -> None:
        self.runtime, self.telemetry = runtime, telemetry
        self._collections = collections
        self._open: dict[str, tuple[Episode | Request, WireFormat]] = {}

    async def pre_call(self, key: Any, data: dict[str, Any], call_type: str) -> None:
        """Attend to a request, if it is one of ours."""
        call_id = data.get("litellm_call_id")
        if call_type not in FORMATS or not isinstance(call_id, str) or call_id in self._open or is_own_call(data):
            return
        try:
            if self._collections is not None:
                self._collections.take_over(lambda: bool(self._open))
            await self._attend(key, data, call_type, call_id)
            self.runtime.faults.healed("pre-flight")
        except Exception as error:  # noqa: BLE001 - our faults never break a user's request
            self.runtime.faults.note("pre-flight", error)
            if self.runtime.settings.on_error == "block":
                raise HTTPException(
                    503, "TSLP can't vouch for the state of the code just now (on_error: block)."
                ) from None
        except BaseException:  # the client has left
            self._open.pop(call_id, None)
            raise

    async def _attend(self, key: Any, data: dict[str, Any], call_type: str, call_id: str) -> None:
        headers = headers_of(data)
        wire = FORMATS[call_type]
        turn = wire.parse(data)
        workspace = workspace_of(data, headers, key, turn)
        if headers.get(BYPASS_HEADER, "").strip().lower() == "true":
            self.telemetry.metrics.episode("bypassed")
            return
        model = str(data.get("model") or "")
        request = Request(tenant_of(key), workspace, call_type, model, turn, context_window(model), caller_of(data))
        if self.runtime.settings.on_error == "pass":  # should the first visit fail, both are made later
            self._open[call_id] = (request, wire)
        begun = time.monotonic()
        episode = await self.runtime.preflight(request)
        self.telemetry.attended(episode, parent_span(key, data), time.monotonic() - begun)
        self._open[call_id] = (episode, wire)
        if episode.preface and episode.prompt_message is not None:
            wire.insert(data, episode.prompt_message, episode.preface)
        if self.runtime.settings.debug and not episode.side:
            sent = data.get("messages", data.get("input"))
            while len(self.runtime.last_prompts) >= PROMPTS_MAX:
                self.runtime.last_prompts.pop(next(iter(self.runtime.last_prompts)))
            self.runtime.last_prompts[(request.tenant, workspace)] = {
                "episode_id": episode.id,
                "model": model,
                "messages": sent,
                "hydrated": list(episode.hydrated),
                "notices": list(episode.notices),
            }

    def finish(self, data: Mapping[str, Any], answer: Answer | None) -> None:
        """An episode has ended: with an answer, or without one."""
        found = self._open.pop(str(data.get("litellm_call_id")), None)
        if found is not None:
            self._record(found[0], answer or Answer())

    def _record(self, about: Episode | Request, answer: Answer) -> None:
        if isinstance(about, Episode):
            self.telemetry.ended(about)
        self.runtime.record(about, answer)

    async def success(self, data: Mapping[str, Any], response: object) -> None:
        """A whole answer."""
        found = self._open.get(str(data.get("litellm_call_id")))
        if found is not None:
            await self.runtime.delivering(found[0])
            answer = self.guarded(lambda: found[1].whole(response))
            if answer is not None:
                self.runtime.faults.healed(READING)
            self.finish(data, answer)
            if answer is None:
                self.runtime.lost(found[0])

    async def stream(self, data: Mapping[str, Any], response: Any) -> AsyncGenerator[Any, None]:
        """A streamed answer: every chunk at once and unchanged, the answer assembled beside it."""
        found = self._open.pop(str(data.get("litellm_call_id")), None)
        if found is None:
            async for chunk in response:
                yield chunk
            return
        episode, wire = found
        heard, ended = _Heard(self, wire), False
        try:
            async for chunk in response:
                heard.feed(chunk)
                if heard.over and not ended:  # the next request may be on its way before the stream is closed
                    ended = True
                    await self._deliver(episode, heard)
                yield chunk
            if not ended:
                ended = True
                await self._deliver(episode, heard)
        finally:
            if not ended:
                self._record(episode, Answer())

    async def _deliver(self, about: Episode | Request, heard: _Heard) -> None:
        """The last that makes an answer whole is about to go out."""
        try:
            await self.runtime.delivering(about)
        finally:
            answer = heard.answer()
            self._record(about, answer or Answer())
            if answer is None:
                self.runtime.lost(about)

    def guarded(self, work: Callable[[], T]) -> T | None:
        """What work gives; None where it fails."""
        try:
            return work()
        except Exception as error:  # noqa: BLE001
            self.runtime.faults.note(READING, error)
            return None


class _Heard:
    """A stream put together beside its passing on. Where any chunk could not be read, there is no answer."""

    def __init__(self, attendant: Attendant, wire: WireFormat) -> None:
        self._attendant, self._fed = attendant, 0
        self._parts = attendant.guarded(wire.stream)

    def feed(self, chunk: object) -> None:
        """One more chunk."""
        self._fed += 1
        try:
            if self._fed > CHUNKS_MAX:
                self._parts = None
            if self._parts is not None:
                self._parts.feed(chunk)
        except Exception as error:  # noqa: BLE001 - the chunk goes out all the same
            self._attendant.runtime.faults.note(READING, error)
            self._parts = None

    @property
    def over(self) -> bool:
        """Whether the API's own last event has come."""
        return self._parts is not None and self._parts.over

    def answer(self) -> Answer | None:
        """The whole."""
        answer = self._attendant.guarded(self._parts.answer) if self._parts is not None else None
        if answer is not None:
            self._attendant.runtime.faults.healed(READING)
        return answer
