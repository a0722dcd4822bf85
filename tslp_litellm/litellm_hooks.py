"""The LiteLLM hooks, as a callback and as a guardrail, and nothing else.

The only place that fails open: whatever goes wrong in TSLP, the request goes on (or, by `on_error: block`, is
refused with 503). LiteLLM looks two of the hooks up in the leaf class's own namespace, so both classes name them all.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import litellm
from fastapi import HTTPException
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.integrations.custom_logger import CustomLogger

from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.engine import Episode, Request
from tslp_litellm.evidence.clients import working_directory
from tslp_litellm.interpreter import share_the_interpreter
from tslp_litellm.router_audit import BYPASS_HEADER, ask, caller_of, is_own_call
from tslp_litellm.runtime import Runtime, the_runtime
from tslp_litellm.settings import Settings, load
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.turn import Answer, Turn, WireFormat

WORKSPACE_HEADER = "x-tslp-workspace"
WORKSPACE_KEY = "tslp_workspace"
DEFAULT_WORKSPACE = "default"
LOCAL_TENANT = "local"
NAME_MAX_CHARS = 512


def count_tokens(text: str) -> int:
    """Tokens by LiteLLM's default tokenizer."""
    return int(litellm.token_counter(model="", text=text))


# -- who is calling ----------------------------------------------------------------------------------------------------


def tenant_of(key: Any) -> str:
    """The LiteLLM team of the calling key, else the key (its hash), else `local` (SEMANTICS 1)."""
    from litellm.constants import LITELLM_PROXY_MASTER_KEY_ALIAS  # noqa: PLC0415

    team = getattr(key, "team_id", None)
    if team:
        return f"team:{team}"
    api_key = getattr(key, "api_key", None)
    if not api_key or (api_key == LITELLM_PROXY_MASTER_KEY_ALIAS and is_admin(key)):
        return LOCAL_TENANT
    hashed = api_key if getattr(key, "via_virtual_key", False) else hashlib.sha256(api_key.encode()).hexdigest()
    return f"key:{hashed}"


def is_admin(key: Any) -> bool:
    """Whether the caller is the proxy's admin."""
    role = getattr(key, "user_role", None)
    return getattr(role, "value", role) == "proxy_admin"


def headers_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The request's headers, names in lower case."""
    headers = (data.get("proxy_server_request") or {}).get("headers") or {}
    return {str(name).lower(): str(value) for name, value in headers.items()}


def workspace_of(data: dict[str, Any], headers: Mapping[str, str], key: Any, turn: Turn) -> str:
    """The workspace: header, body metadata, key metadata, the stated working directory, `default` (SEMANTICS 1).

    What was meant for us is taken out of the body's metadata: some providers refuse keys they don't know.
    """
    metadata = data.get("metadata")
    in_body = metadata.pop(WORKSPACE_KEY, None) if isinstance(metadata, dict) else None
    requester = metadata.get("requester_metadata") if isinstance(metadata, dict) else None
    if in_body is None and isinstance(requester, dict):
        in_body = requester.pop(WORKSPACE_KEY, None)
    candidates = (
        headers.get(WORKSPACE_HEADER),
        in_body,
        (getattr(key, "metadata", None) or {}).get(WORKSPACE_KEY),
        working_directory(turn),
    )
    return next((c.strip()[:NAME_MAX_CHARS] for c in candidates if isinstance(c, str) and c.strip()), DEFAULT_WORKSPACE)


# -- what the hooks do -------------------------------------------------------------------------------------------------


class Attendant:
    """The hooks' common body. `_open` holds the episodes between their two visits, by LiteLLM's call id."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._open: dict[str, tuple[Episode, WireFormat]] = {}

    async def pre_call(self, key: Any, data: dict[str, Any], call_type: str) -> None:
        """Attend to a request, if it is one of ours."""
        call_id = data.get("litellm_call_id")
        if call_type not in FORMATS or not isinstance(call_id, str) or call_id in self._open or is_own_call(data):
            return
        try:
            await self._attend(key, data, call_type, call_id)
            self.runtime.faults.healed("pre-flight")
        except Exception as error:  # noqa: BLE001 - our faults never break a user's request
            self.runtime.faults.note("pre-flight", error)
            if self.runtime.settings.on_error == "block":
                raise HTTPException(
                    503, "TSLP can't vouch for the state of the code just now (on_error: block)."
                ) from None

    async def _attend(self, key: Any, data: dict[str, Any], call_type: str, call_id: str) -> None:
        headers = headers_of(data)
        wire = FORMATS[call_type]
        turn = wire.parse(data)
        workspace = workspace_of(data, headers, key, turn)
        if headers.get(BYPASS_HEADER, "").strip().lower() == "true":
            return
        model = str(data.get("model") or "")
        request = Request(tenant_of(key), workspace, call_type, model, turn, context_window(model), caller_of(data))
        episode = await self.runtime.preflight(request)
        self._open[call_id] = (episode, wire)
        if episode.preface and episode.prompt_message is not None:
            wire.insert(data, episode.prompt_message, episode.preface)
        if self.runtime.settings.debug and not episode.side:
            sent = data.get("messages", data.get("input"))
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
            self.runtime.record(found[0], answer or Answer())

    def success(self, data: Mapping[str, Any], response: object) -> None:
        """A whole answer."""
        found = self._open.get(str(data.get("litellm_call_id")))
        if found is not None:
            self.finish(data, self._guarded(lambda: found[1].whole(response)))

    async def stream(self, data: Mapping[str, Any], response: Any) -> AsyncGenerator[Any, None]:
        """A streamed answer: every chunk at once and unchanged, the answer assembled beside it."""
        found = self._open.pop(str(data.get("litellm_call_id")), None)
        if found is None:
            async for chunk in response:
                yield chunk
            return
        episode, wire = found
        parts, ended = wire.stream(), False
        try:
            async for chunk in response:
                self._guarded(lambda chunk=chunk: parts.feed(chunk))
                yield chunk
            ended = True
        finally:
            answer = self._guarded(parts.answer)
            self.runtime.record(episode, answer if ended and answer else Answer())

    def _guarded(self, work: Any) -> Any:
        try:
            return work()
        except Exception as error:  # noqa: BLE001
            self.runtime.faults.note("reading an answer", error)
            return None


_windows: dict[str, int | None] = {}


def context_window(model: str) -> int | None:
    """The model's known window, in tokens: from its deployment, else from LiteLLM's own table. Never asks a server."""
    if model not in _windows:
        _windows[model] = _context_window(model)
    return _windows[model]


def _context_window(model: str) -> int | None:
    from litellm.proxy import proxy_server  # noqa: PLC0415 - rebound when the proxy has loaded its models

    router = proxy_server.llm_router
    deployments = (router.get_model_list(model_name=model) if router is not None else None) or []
    names = [model]
    for deployment in deployments:
        info, params = deployment.get("model_info") or {}, deployment.get("litellm_params") or {}
        for value in (params.get("num_ctx"), info.get("max_input_tokens"), info.get("max_tokens")):
            if isinstance(value, int) and value > 0:
                return value
        target = str(params.get("model") or "")
        names += [target.replace("*", model.partition("/")[2] or model), target.partition("/")[2]]
    for name in names:
        entry = litellm.model_cost.get(name) or {}
        value = entry.get("max_input_tokens") or entry.get("max_tokens")
        if isinstance(value, int) and value > 0:
            return value
    return None


def _attendant(settings: Settings) -> Attendant:
    global _shared  # noqa: PLW0603 - one engine and one set of open episodes for both faces
    runtime = the_runtime(settings, count_tokens, ask)
    if _shared is None:
        runtime.rehearse()
        share_the_interpreter()
        _shared = Attendant(runtime)
        _mount(runtime)
    return _shared


def _mount(runtime: Runtime) -> None:
    """The diagnostics, on the proxy's own app, behind its own key check."""
    from litellm.proxy.auth.user_api_key_auth import user_api_key_auth  # noqa: PLC0415
    from litellm.proxy.proxy_server import app  # noqa: PLC0415

    view = View(
        runtime.database,
        debug=runtime.settings.debug,
        faults=runtime.faults.open,
        last_prompts=runtime.last_prompts,
        endpoints=_own_endpoints,
        audits=runtime.audits.report if runtime.audits is not None else None,
    )
    app.include_router(make_router(view, user_api_key_auth, tenant_of, is_admin), prefix="/tslp")


def _own_endpoints() -> list[str]:
    """Base URLs of the model servers that the configuration names."""
    from litellm.proxy import proxy_server  # noqa: PLC0415

    router = proxy_server.llm_router
    models = (router.get_model_list() if router is not None else None) or []
    return sorted({str(base) for model in models if (base := (model.get("litellm_params") or {}).get("api_base"))})


_shared: Attendant | None = None


# -- the two faces -----------------------------------------------------------------------------------------------------


class TSLPCallback(CustomLogger):  # type: ignore[misc]
    """Registered under `litellm_settings: callbacks`, for every request."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._attendant = _attendant(settings)

    @classmethod
    def from_proxy_config(cls) -> TSLPCallback:
        """The instance that LiteLLM loads: settings from the config's `tslp:` block."""
        from litellm.proxy import proxy_server  # noqa: PLC0415

        config = getattr(proxy_server.proxy_config, "config", None) or {}
        return cls(load(config.get("tslp"), os.environ))

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str
    ) -> None:
        await self._attendant.pre_call(user_api_key_dict, data, call_type)

    async def async_post_call_success_hook(self, data: dict[str, Any], user_api_key_dict: Any, response: Any) -> None:
        self._attendant.success(data, response)

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        async for chunk in self._attendant.stream(request_data, response):
            yield chunk

    async def async_post_call_failure_hook(
        self,
        request_data: dict[str, Any],
        original_exception: Exception,
        user_api_key_dict: Any,
        traceback_str: str | None = None,
    ) -> None:
        self._attendant.finish(request_data, None)


class TSLPGuardrail(CustomGuardrail):  # type: ignore[misc]
    """Registered under `guardrails:`, for keys and teams that switch it on or off."""

    def __init__(self, **kwargs: Any) -> None:
        settings, rest = _guardrail_settings(kwargs)
        super().__init__(**rest)
        self._attendant = _attendant(settings)

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str
    ) -> None:
        await self._attendant.pre_call(user_api_key_dict, data, call_type)

    async def async_post_call_success_hook(self, data: dict[str, Any], user_api_key_dict: Any, response: Any) -> None:
        self._attendant.success(data, response)

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        async for chunk in self._attendant.stream(request_data, response):
            yield chunk

    async def async_post_call_failure_hook(
        self,
        request_data: dict[str, Any],
        original_exception: Exception,
        user_api_key_dict: Any,
        traceback_str: str | None = None,
    ) -> None:
        self._attendant.finish(request_data, None)


def _guardrail_settings(kwargs: dict[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """Our settings out of a guardrail's parameters, and LiteLLM's own."""
    from litellm.types.guardrails import LitellmParams  # noqa: PLC0415

    theirs = set(LitellmParams.model_fields) | {"guardrail_name", "event_hook", "default_on"}
    ours = {name: value for name, value in kwargs.items() if name in Settings.model_fields or name not in theirs}
    return load(ours, os.environ), {name: value for name, value in kwargs.items() if name not in ours}
