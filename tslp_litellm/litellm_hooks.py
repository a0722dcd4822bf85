"""The LiteLLM hooks, as a callback and as a guardrail, and nothing else.

LiteLLM looks two of the hooks up in the leaf class's own namespace, so both classes name them all; they are written
once.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from importlib.metadata import version
from typing import Any, Protocol

import litellm
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.integrations.custom_logger import CustomLogger

from tslp_litellm.diagnostics.limits import Limits
from tslp_litellm.diagnostics.page import make_page_router
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.gateway.attendant import Attendant
from tslp_litellm.gateway.callers import asker_of, is_admin, tenant_of, workspace_of
from tslp_litellm.gateway.connections import Connections
from tslp_litellm.gateway.interpreter import Collections, give_back, share
from tslp_litellm.gateway.metrics import Metrics
from tslp_litellm.gateway.policies import policy_of
from tslp_litellm.gateway.router_audit import ask
from tslp_litellm.gateway.runtime import Runtime, the_runtime
from tslp_litellm.gateway.telemetry import Telemetry
from tslp_litellm.gateway.windows import announce, names, said
from tslp_litellm.reach import calls, relay
from tslp_litellm.reach.webhooks import Webhooks, receivers
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.settings import Settings, SettingsError, load, modes_lacking

log = logging.getLogger("tslp_litellm")
RELAYING = "offering the relay"


def count_tokens(text: str) -> int:
    """Tokens by LiteLLM's default tokenizer."""
    return int(litellm.token_counter(model="", text=text))


def _attendant(settings: Settings, *, guardrail: bool = False) -> Attendant:
    global _shared  # noqa: PLW0603 - one engine and one set of open episodes for both faces
    runtime = the_runtime(settings, count_tokens, ask, guardrail=guardrail)
    if _shared is None:
        give_back()
        runtime.rehearse()
        share()
        telemetry = Telemetry(Metrics(), runtime.size)
        told = _tell(runtime)
        _observe(runtime, telemetry, told)
        _shared = Attendant(runtime, telemetry, Collections() if settings.collect_between_callbacks else None)
        _mount(runtime, telemetry.metrics)
        _announce(runtime, _shared)
        _know_connections()
        _close_with_the_proxy(runtime, told)
    return _shared


def _tell(runtime: Runtime) -> Webhooks:
    """The webhooks, as the Ledger grows."""
    heard_by, faults = receivers(runtime.settings.webhooks), runtime.faults
    told = Webhooks(runtime.database, heard_by, faults.note, faults.healed)
    told.start()
    return told


def _observe(runtime: Runtime, telemetry: Telemetry, told: Webhooks) -> None:
    def committed(appended: Sequence[Any]) -> None:
        telemetry.committed(appended)
        told.wake()

    runtime.database.observe = committed
    runtime.faults.observe = telemetry.metrics.fault
    if runtime.audits is not None:
        runtime.audits.observe = telemetry.metrics.audit


def _mount(runtime: Runtime, metrics: Metrics) -> None:
    """The diagnostics, on the proxy's own app, behind its own key check."""
    from litellm.proxy.auth.user_api_key_auth import user_api_key_auth  # noqa: PLC0415
    from litellm.proxy.proxy_server import app  # noqa: PLC0415

    view = View(
        runtime.database.diagnostics,
        debug=runtime.settings.debug,
        faults=runtime.faults.open,
        altered=runtime.faults.altered,
        trouble=runtime.presence.trouble,
        waiting=lambda: len(runtime.recording.backlog),
        last_prompts=runtime.last_prompts,
        endpoints=_own_endpoints,
        audits=runtime.audits.report if runtime.audits is not None else None,
        refuse_secrets=runtime.settings.refuse_secrets,
        metrics_off=metrics.off,
        windows=lambda: said(runtime.windows, (name for name in names() if name != calls.RELAY)),
    )
    limits = Limits(runtime.settings.diagnostics_per_minute, time.monotonic, metrics.limited)
    router = make_router(
        view,
        user_api_key_auth,
        tenant_of,
        is_admin,
        lambda key: policy_of(key).pin,
        lambda key, address: limits.wait(asker_of(key, address)),
        lambda key: workspace_of({}, None, key, None, runtime.settings.workspace),
    )
    app.include_router(router, prefix="/tslp")
    app.include_router(make_page_router(_asks_for_a_key), prefix="/tslp")


def _asks_for_a_key() -> bool:
    """Whether the proxy has a master key; where it checks keys otherwise, the page finds that out by asking."""
    from litellm.proxy import proxy_server  # noqa: PLC0415 - rebound when the proxy has read its settings

    return proxy_server.master_key is not None


def _announce(runtime: Runtime, attendant: Attendant) -> None:
    """Say that TSLP is there, and the models' windows when the proxy has started, whatever LiteLLM does with logs; then
    offer the relay."""
    told = runtime.presence.trouble() or runtime.database.shown_url
    sys.stderr.write(f"TSLP {version('tslp-litellm')} is loaded: database {told}; status page at /tslp/\n")

    async def started() -> None:
        await announce(runtime.windows)
        _offer_relay(attendant)

    with contextlib.suppress(RuntimeError):  # nothing runs: the hooks are only looked at
        loop = asyncio.get_running_loop()
        _tasks.add(task := loop.create_task(started()))
        task.add_done_callback(_tasks.discard)


def _offer_relay(attendant: Attendant) -> None:
    try:
        relay.offer(attendant.preface_of)
        attendant.runtime.faults.healed(RELAYING)
    except Exception as error:  # noqa: BLE001 - a call of the relay is refused as one of an unknown model
        attendant.runtime.faults.note(RELAYING, error)


def _know_connections() -> None:
    """Whole answers whose client has gone are told from those that arrived.

    TSLP is loaded inside the app's lifespan, too late to add a middleware: the stack that is in use is wrapped.
    """
    from litellm.proxy.proxy_server import app  # noqa: PLC0415

    if app.middleware_stack is None:  # the app has not begun, and is asked in the way it provides
        app.add_middleware(Connections)
    else:
        app.middleware_stack = Connections(app.middleware_stack)


def _close_with_the_proxy(runtime: Runtime, told: Webhooks) -> None:
    """What was delivered is recorded before the process ends.

    TSLP is loaded inside the app's lifespan, too late for a lifespan of its own: LiteLLM's last step is wrapped.
    """
    from litellm.proxy import proxy_server  # noqa: PLC0415

    theirs = getattr(proxy_server, "proxy_shutdown_event", None)
    if theirs is None:
        log.warning("TSLP: this LiteLLM tells nobody that it ends; answers of the last moment may not be recorded.")
        return

    @functools.wraps(theirs)
    async def closing(*args: Any, **kwargs: Any) -> Any:
        try:
            told.close()
            await runtime.close()
        except Exception as error:  # noqa: BLE001 - the proxy ends as it would without us
            runtime.faults.note("closing", error)
        return await theirs(*args, **kwargs)

    proxy_server.proxy_shutdown_event = closing


def _own_endpoints() -> list[str]:
    """Base URLs of the model servers that the configuration names."""
    from litellm.proxy import proxy_server  # noqa: PLC0415

    router = proxy_server.llm_router
    models = (router.get_model_list() if router is not None else None) or []
    return sorted({str(base) for model in models if (base := (model.get("litellm_params") or {}).get("api_base"))})


_shared: Attendant | None = None
_tasks: set[asyncio.Task[None]] = set()


# -- the two faces -----------------------------------------------------------------------------------------------------


class _Face(Protocol):
    _attendant: Attendant
    _trust: Trust
    _workspace: str | None


async def _pre_call(self: _Face, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str) -> None:
    if data.get("model") == calls.RELAY:  # whatever became of the router since
        _offer_relay(self._attendant)
    await self._attendant.pre_call(user_api_key_dict, data, call_type, self._trust, self._workspace)


async def _success(self: _Face, data: dict[str, Any], user_api_key_dict: Any, response: Any) -> None:
    await self._attendant.success(data, response)


async def _stream(
    self: _Face, user_api_key_dict: Any, response: Any, request_data: dict[str, Any]
) -> AsyncGenerator[Any, None]:
    async for chunk in self._attendant.stream(request_data, response):
        yield chunk


async def _failure(
    self: _Face,
    request_data: dict[str, Any],
    original_exception: Exception,
    user_api_key_dict: Any,
    traceback_str: str | None = None,
) -> None:
    self._attendant.abandon(request_data)


async def _headers(
    self: _Face,
    data: dict[str, Any],
    user_api_key_dict: Any,
    response: Any,
    request_headers: dict[str, str] | None = None,
) -> dict[str, str] | None:
    return self._attendant.headers(data)


class TSLPCallback(CustomLogger):  # type: ignore[misc]
    """Registered under `litellm_settings: callbacks`, for every request."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._attendant = _attendant(settings)
        self._trust, self._workspace = Trust(settings.trust), settings.workspace

    @classmethod
    def from_proxy_config(cls) -> TSLPCallback:
        """The instance that LiteLLM loads: settings from the config's `tslp:` block."""
        from litellm.proxy import proxy_server  # noqa: PLC0415

        config = getattr(proxy_server.proxy_config, "config", None) or {}
        return cls(load(config.get("tslp"), os.environ))

    async_pre_call_hook = _pre_call
    async_post_call_success_hook = _success
    async_post_call_streaming_iterator_hook = _stream
    async_post_call_failure_hook = _failure
    async_post_call_response_headers_hook = _headers


class TSLPGuardrail(CustomGuardrail):  # type: ignore[misc]
    """Registered under `guardrails:`, for keys and teams that switch it on or off."""

    def __init__(self, **kwargs: Any) -> None:
        settings, rest = _guardrail_settings(kwargs)
        super().__init__(**rest)
        self._attendant = _attendant(settings, guardrail=True)
        self._trust, self._workspace = Trust(settings.trust), settings.workspace

    async_pre_call_hook = _pre_call
    async_post_call_success_hook = _success
    async_post_call_streaming_iterator_hook = _stream
    async_post_call_failure_hook = _failure
    async_post_call_response_headers_hook = _headers


def _guardrail_settings(kwargs: dict[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """Our settings out of a guardrail's parameters, and LiteLLM's own. SettingsError where it can't hear answers."""
    from litellm.types.guardrails import LitellmParams  # noqa: PLC0415

    if missing := modes_lacking(kwargs.get("event_hook")):
        raise SettingsError(f"The guardrail's `mode` lacks {' and '.join(missing)}: `mode: [pre_call, post_call]`.")
    theirs = set(LitellmParams.model_fields) | {"guardrail_name", "event_hook", "default_on"}
    ours = {name: value for name, value in kwargs.items() if name in Settings.model_fields or name not in theirs}
    return load(ours, os.environ), {name: value for name, value in kwargs.items() if name not in ours}
