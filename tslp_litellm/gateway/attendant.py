"""The hooks' common body: an episode from its request to its last chunk. The only place that fails open.

Whatever goes wrong in TSLP, the request goes on (or, by `on_error: block`, is refused with 503).
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from fastapi import HTTPException

from tslp_litellm.clients.frames import working_directory
from tslp_litellm.engine import Episode, Request
from tslp_litellm.gateway.callers import headers_of, key_name, reserve_of, take_workspace, tenant_of, who, workspace_of
from tslp_litellm.gateway.connections import client_gone
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.interpreter import Collections
from tslp_litellm.gateway.open_episodes import Dropped, OpenEpisodes, stamp, stamped, unstamp
from tslp_litellm.gateway.policies import Policy, PolicyError, policy_of
from tslp_litellm.gateway.recording import READING
from tslp_litellm.gateway.response_headers import ResponseHeaders
from tslp_litellm.gateway.router_audit import BYPASS_HEADER, caller_of, is_own_call
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.gateway.telemetry import Telemetry, parent_span
from tslp_litellm.gateway.weight import LARGE_CHARS, is_large
from tslp_litellm.hydration.blocks import tail
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.extent import bytes_max
from tslp_litellm.wire.turn import Answer, Turn, WireFormat

ATTENDING, METADATA = "pre-flight", "metadata of key"
KEYS_TOLD_MAX = 100
"""So many keys with faulty metadata are told of at a time; the next when one of them is mended."""
INJECTED_HEADER, WINDOW_HEADER = "x-tslp-injected", "x-tslp-window"
ALIKE_HEADER = "x-tslp-workspace-alike"
"""Older workspaces whose names look like this one's (SEMANTICS 13)."""
CHUNKS_MAX = 2_000_000
"""A stream of more chunks is passed on, but not kept: it may have no end."""
LARGE_CHUNKS = 2_000
"""A stream of more chunks than that is taken for a large answer."""
PROMPTS_MAX = 100
"""Workspaces whose last prompt is kept (`debug`)."""
T = TypeVar("T")


class UnheardError(Exception):
    """An answer, or a part of it, was passed on without being read."""


@dataclass(frozen=True, slots=True)
class Attended:
    """What is known of a request until its answer begins."""

    about: Episode | Request
    wire: WireFormat


class Attendant:
    """The hooks' common body. `collections`: taken over with the first request; None leaves them to Python."""

    def __init__(self, runtime: Runtime, telemetry: Telemetry, collections: Collections | None = None) -> None:
        self.runtime, self.telemetry = runtime, telemetry
        self._collections = collections
        self.open: OpenEpisodes[Attended] = OpenEpisodes()
        self._headers = ResponseHeaders()

    async def pre_call(
        self,
        key: Any,
        data: dict[str, Any],
        call_type: str,
        trust: Trust = Trust.PROOF,
        workspace: str | None = None,
    ) -> None:
        """Attend to a request, if it is one of ours. `trust`, `workspace`: by the settings of the face that heard of
        it."""
        if call_type not in FORMATS or stamped(data) in self.open:
            return
        unstamp(data)
        if is_own_call(data):
            return
        own = stamp(data)
        try:
            if self._collections is not None:
                self._collections.take_over(lambda: len(self.open) > 0)
            await self._attend(key, data, call_type, own, trust, workspace)
        except Exception as error:  # noqa: BLE001 - our faults never break a user's request
            self.runtime.faults.note(ATTENDING, error)
            if self.runtime.settings.on_error == "block":
                raise HTTPException(
                    503, "TSLP can't vouch for the state of the code just now (on_error: block)."
                ) from None
        except BaseException:  # the client has left
            self.open.take(own)
            raise

    async def _attend(
        self, key: Any, data: dict[str, Any], call_type: str, own: str, trust: Trust, by_settings: str | None
    ) -> None:
        headers, in_body = headers_of(data), take_workspace(data)
        wire, tenant, may = FORMATS[call_type], tenant_of(key), self._policy(key, trust)
        if not may.on or headers.get(BYPASS_HEADER, "").strip().lower() == "true":
            self.telemetry.metrics.episode("bypassed")
            unstamp(data)
            return
        large = is_large([data.get(name) for name in ("messages", "input", "system", "instructions")])
        model, caller, tools = str(data.get("model") or ""), caller_of(data), data.get("tools")
        window = self.runtime.windows.of(model)
        tokens = window.tokens if window is not None else None
        measured = tokens is not None and self.runtime.settings.window == "fit"
        turn, root, chars, size = await self._aside(tenant, large, lambda: _read(wire, data, measured))
        workspace = may.pin or workspace_of(headers, in_body, key, root, by_settings)
        request = Request(
            tenant, workspace, call_type, model, turn, tokens, caller, root, answer=reserve_of(data), tools=tools,
            trust=may.trust, who=who(key, headers), size=size, extent=lambda: wire.extent(data, turn),
        )  # fmt: skip
        if self.runtime.settings.on_error == "pass":  # should the first visit fail, both are made later
            self._keep(own, Attended(request, wire), chars)
        begun = time.monotonic()
        episode = await self.runtime.preflight(request, large)
        self._headers.put(own, _headers_of(episode, () if may.pin else self.runtime.lookalikes.of(request.key)))
        self.telemetry.attended(episode, parent_span(key, data), time.monotonic() - begun)
        self._keep(own, Attended(episode, wire), chars)
        await self._aside(tenant, large, lambda: _carry_out(wire, data, episode, self.runtime.settings.placement))
        if not self.runtime.recording.backlog:  # a request of another workspace tells nothing of those that wait
            self.runtime.faults.healed(ATTENDING)
        if self.runtime.settings.debug and not episode.side:
            self._show(episode, data)

    def _policy(self, key: Any, trust: Trust) -> Policy:
        """What the key may do. What nobody can read in its metadata is a fault of whoever wrote it."""
        may, where, faults = policy_of(key, trust), f"{METADATA} {key_name(key)}", self.runtime.faults
        if not may.unclear:
            faults.healed(where)
        elif where in faults.open or sum(name.startswith(METADATA) for name in faults.open) < KEYS_TOLD_MAX:
            faults.note(where, PolicyError("; ".join(may.unclear)))
        return may

    async def _aside(self, tenant: str, large: bool, work: Callable[[], T]) -> T:
        """What grows with a request is done in a thread; what is small costs less than the way there."""
        return await self.runtime.visits.aside(tenant, work, heavy=True) if large else work()

    def _keep(self, own: str, attended: Attended, chars: int) -> None:
        request = attended.about.request if isinstance(attended.about, Episode) else attended.about
        for workspace in self.open.put(own, attended, request.key, chars, time.monotonic()):
            self.runtime.recording.doubt(workspace)

    def _show(self, episode: Episode, data: Mapping[str, Any]) -> None:
        prompts = self.runtime.last_prompts
        while len(prompts) >= PROMPTS_MAX:
            prompts.pop(next(iter(prompts)))
        prompts[episode.request.key] = {
            "episode_id": episode.id,
            "model": episode.request.model,
            "messages": data.get("messages", data.get("input")),
            "hydrated": list(episode.hydrated),
            "notices": list(episode.notices),
        }

    def _taken(self, data: Mapping[str, Any]) -> Attended | None:
        """The episode of a request whose answer begins. Of one that was dropped meanwhile, the workspace is doubted."""
        found = self.open.take(stamped(data))
        if isinstance(found, Dropped):
            self.runtime.faults.note(READING, UnheardError("too many requests were open for it to be remembered"))
            self.runtime.recording.doubt(found.workspace)
            return None
        return found

    def headers(self, data: Mapping[str, Any]) -> dict[str, str] | None:
        """What the response of a request is to carry, if anything; asked for whether it failed or not."""
        return self._headers.of(stamped(data))

    def preface_of(self, data: Mapping[str, Any]) -> str:
        """What stands in front of an open request's last user message, by the key in its metadata; else nothing."""
        found = self.open.get(stamped(data))
        return found.about.preface if found is not None and isinstance(found.about, Episode) else ""

    def abandon(self, data: Mapping[str, Any]) -> None:
        """A request has ended without an answer."""
        found = self.open.take(stamped(data))
        if isinstance(found, Attended):
            self.runtime.recording.add(self._ended(found.about))

    async def success(self, data: Mapping[str, Any], response: object) -> None:
        """A whole answer. It is read before it goes out: LiteLLM may change it afterwards."""
        found = self._taken(data)
        if found is None:
            return
        if await client_gone():
            self.runtime.recording.add(self._ended(found.about))
            return
        tenant = (found.about.request if isinstance(found.about, Episode) else found.about).tenant
        large = is_large(response)
        delivered = self._ended(found.about, lambda: found.wire.whole(response), large)
        try:
            await self._aside(tenant, large, delivered.answer)
        finally:
            await self.runtime.deliver(delivered)

    async def stream(self, data: Mapping[str, Any], response: Any) -> AsyncGenerator[Any, None]:
        """A streamed answer: every chunk at once and unchanged, the answer assembled beside it."""
        found = self._taken(data)
        if found is None:
            async for chunk in response:
                yield chunk
            return
        heard, ended = _Heard(found.wire), False
        try:
            async for chunk in response:
                heard.feed(chunk)
                if heard.over and not ended:  # the next request may be on its way before the stream is closed
                    ended = True
                    await self.runtime.deliver(self._ended(found.about, heard.answer, heard.large))
                yield chunk
            if not ended:
                ended = True
                await self.runtime.deliver(self._ended(found.about, heard.answer, heard.large))
        finally:
            if not ended:
                self.runtime.recording.add(self._ended(found.about))

    def _ended(
        self, about: Episode | Request, assemble: Callable[[], Answer] = Answer, large: bool = False
    ) -> Delivered:
        if isinstance(about, Episode):
            self.telemetry.ended(about)
        return Delivered(about, assemble, large)


def _headers_of(episode: Episode, alike: Sequence[str]) -> dict[str, str]:
    """What its response's headers tell of an episode: what was injected, whether the window holds it (SEMANTICS 4), and
    older workspaces of look-alike names, percent-encoded, as what looks like a Latin letter may be none."""
    found = {INJECTED_HEADER: str(episode.injected), **({WINDOW_HEADER: episode.fit} if episode.fit else {})}
    return found | ({ALIKE_HEADER: ", ".join(quote(name, safe="/:@ ") for name in alike)} if alike else {})


def _carry_out(wire: WireFormat, data: dict[str, Any], episode: Episode, placement: str) -> None:
    """Leave out of a request what has to go, then put blocks and notices into what is left: at the start, too, where
    there is no room at its tail."""
    if episode.changes:
        wire.leave_out(data, episode.changes)
    for message, text in episode.stays.items():
        wire.insert(data, message, text)
    if episode.preface and episode.prompt_message is not None:
        if placement == "tail" and wire.append(data, tail(episode.preface)):
            return
        wire.insert(data, episode.prompt_message, episode.preface)


def _read(wire: WireFormat, data: Mapping[str, Any], measured: bool) -> tuple[Turn, str | None, int, int | None]:
    """A request, the working directory that its client states, how much text there is, and, `measured`, a number of
    bytes that its tokens don't exceed."""
    turn = wire.parse(data)
    size = bytes_max(data) if measured else None
    return turn, working_directory(turn), sum(len(item.text) for item in turn.items), size


class _Heard:
    """A stream put together beside its passing on. Where any chunk could not be read, there is no answer."""

    def __init__(self, wire: WireFormat) -> None:
        self._chunks, self.large = 0, False
        self._fault: Exception | None = None
        try:
            self._parts = wire.stream()
        except Exception as error:  # noqa: BLE001 - the stream is passed on all the same
            self._fault = error

    def feed(self, chunk: object) -> None:
        """One more chunk. What it costs grows with the chunk alone."""
        self._chunks += 1
        if self._fault is not None:
            return
        try:
            if self._chunks > CHUNKS_MAX:
                raise UnheardError(f"a stream of more than {CHUNKS_MAX} chunks")
            self._parts.feed(chunk)
        except Exception as error:  # noqa: BLE001 - the chunk goes out all the same
            self._fault = error
            del self._parts
        self.large = self.large or self._chunks > LARGE_CHUNKS or is_large(chunk, LARGE_CHARS)

    @property
    def over(self) -> bool:
        """Whether the API's own last event has come."""
        return self._fault is None and self._parts.over

    def answer(self) -> Answer:
        """The whole. Raises what went wrong on the way."""
        if self._fault is not None:
            raise self._fault
        return self._parts.answer()
