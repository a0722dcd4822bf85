"""Which window a model's server really has, as far as anything proves it (SEMANTICS 4, The window).

Proof is what the operator says (`window_tokens`), what a deployment is configured with (`num_ctx`, `max_input_tokens`),
and what an ollama server says of a model that it holds. LiteLLM's table of models is none: it says what a model could
take, and a server takes less. Of several deployments of one name the smallest window counts.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from tslp_litellm.gateway.ollama import Told, ask

KNOWN_S, UNKNOWN_S = 120.0, 10.0
"""How long what an ollama server said is believed; a model that it does not hold yet is asked for again sooner."""
OLLAMA = ("ollama/", "ollama_chat/")
OLLAMA_BASE = "http://localhost:11434"
ASKED_MAX = 200
CONFIGURED_MAX, TOLD_MAX = 1_000, 20
"""Names of models are the callers' word."""
STARTED_POLLS, STARTED_POLL_S, ASKED_WITHIN_S = 120, 0.5, 5.0

log = logging.getLogger("tslp_litellm")


@dataclass(frozen=True, slots=True)
class Window:
    """A window in tokens, and what says so."""

    tokens: int
    source: str


@dataclass(frozen=True, slots=True)
class Deployment:
    """What is configured of a deployment. `ollama`: the server and its name for the model."""

    stated: tuple[tuple[str, int], ...] = ()
    ollama: tuple[str, str] | None = None


class Windows:
    """The windows of models by the names that clients use. `deployments`: those of a name; `asks`: asks an ollama
    server for a model, in a thread of its own."""

    def __init__(
        self,
        setting: int | Mapping[str, int] | None,
        deployments: Callable[[str], Sequence[Deployment]],
        asks: Callable[[str, str], Told | None] = ask,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._setting, self._deployments, self._asks, self._clock = setting, deployments, asks, clock
        self._told: dict[tuple[str, str], tuple[float, Told | None]] = {}
        self._asking: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def of(self, model: str) -> Window | None:
        """A model's window; None where nothing proves one. Never waits for a server."""
        if (set_ := self._set(model)) is not None:
            return set_
        found = [window for one in self._deployments(model) if (window := self._window(one)) is not None]
        return min(found, key=lambda window: window.tokens, default=None)

    def is_set(self, model: str) -> bool:
        """Whether the operator says a model's window, whatever its deployments and servers say."""
        return self._set(model) is not None

    def _set(self, model: str) -> Window | None:
        if isinstance(self._setting, int):
            return Window(self._setting, "window_tokens")
        setting = self._setting or {}
        name = model if model in setting else next((n for n in setting if fnmatchcase(model, n)), None)
        return Window(setting[name], "window_tokens") if name is not None else None

    def _window(self, one: Deployment) -> Window | None:
        stated = [Window(tokens, source) for source, tokens in one.stated]
        told = self._asked(one.ollama) if one.ollama is not None else None
        if told is not None and told.most is not None and stated:  # no server of it gives more
            stated.append(Window(told.most, "ollama, the model's most"))
        if not stated and told is not None and told.window is not None:
            stated.append(Window(told.window, "ollama"))
        return min(stated, key=lambda window: window.tokens, default=None)

    def _asked(self, server: tuple[str, str]) -> Told | None:
        """What a server said of a model; where that is old or was never heard, it is asked beside the request."""
        with self._lock:
            at, told = self._told.get(server, (None, None))
            believed = KNOWN_S if told is not None and told.window is not None else UNKNOWN_S
            if (at is not None and self._clock() - at < believed) or server in self._asking:
                return told
            if len(self._asking) + len(self._told) >= ASKED_MAX and server not in self._told:
                return told
            self._asking.add(server)
        threading.Thread(target=self._ask, args=(server,), name="tslp-window", daemon=True).start()
        return told

    def _ask(self, server: tuple[str, str]) -> None:
        told = None
        try:
            told = self._asks(*server)
        finally:
            with self._lock:
                self._asking.discard(server)
                self._told[server] = (self._clock(), told)


def deployment(params: Mapping[str, Any], info: Mapping[str, Any], model: str) -> Deployment:
    """A deployment from its `litellm_params` and `model_info`, for a model that a client names."""
    values = (("num_ctx", params.get("num_ctx")), ("max_input_tokens", info.get("max_input_tokens")))
    stated = tuple((name, value) for name, value in values if isinstance(value, int) and value > 0)
    target = str(params.get("model") or "")
    prefix = next((prefix for prefix in OLLAMA if target.startswith(prefix)), None)
    if prefix is None:
        return Deployment(stated)
    name = target.removeprefix(prefix)
    if "*" in name:
        name = name.replace("*", model.partition("/")[2] or model)
    if "*" in name:  # of a wild card itself there is nothing to ask
        return Deployment(stated)
    base = str(params.get("api_base") or "")
    if not base or base.startswith("os.environ/"):  # a name that is not set
        base = os.environ.get("OLLAMA_API_BASE") or OLLAMA_BASE
    return Deployment(stated, (base.rstrip("/"), name))


UNKNOWN = (
    "unknown: nothing is made to fit, and what the server cuts it cuts in silence; set `num_ctx` or `max_input_tokens` "
    "of the deployment, or `window_tokens`"
)


def said(windows: Windows, models: Iterable[str]) -> list[tuple[str, bool, str]]:
    """For each model whether its window is known, and what there is to say of it."""
    return [(model, (found := windows.of(model)) is not None, _said(found, model)) for model in models]


def _said(found: Window | None, model: str) -> str:
    if found is not None:
        return f"{found.tokens} tokens ({found.source})"
    return "asked of the server for each model, once it is loaded" if "*" in model else UNKNOWN


_configured: dict[str, tuple[Deployment, ...]] = {}


def configured(model: str) -> tuple[Deployment, ...]:
    """The deployments of a model in the running proxy. What has none is looked for again: it may be added."""
    if model in _configured:
        return _configured[model]
    from litellm.proxy import proxy_server  # noqa: PLC0415 - rebound when the proxy has loaded its models

    router = proxy_server.llm_router
    found = (router.get_model_list(model_name=model) if router is not None else None) or []
    made = tuple(deployment(d.get("litellm_params") or {}, d.get("model_info") or {}, model) for d in found)
    if made and len(_configured) < CONFIGURED_MAX:
        _configured[model] = made
    return made


def names() -> list[str]:
    """The models that the running proxy is configured with."""
    from litellm.proxy import proxy_server  # noqa: PLC0415 - see above

    router = proxy_server.llm_router
    return list(dict.fromkeys(router.get_model_names())) if router is not None else []


async def announce(windows: Windows) -> None:
    """Say each model's window once the proxy has loaded its models, and the servers have been asked: what is known at
    level INFO, what is not in one warning."""
    models: list[str] = []
    for _ in range(STARTED_POLLS):
        if models := names():
            break
        await asyncio.sleep(STARTED_POLL_S)
    if any(not known for _, known, _ in said(windows, models)):
        await asyncio.sleep(ASKED_WITHIN_S)
    rows = said(windows, models)
    for model, _, words in (row for row in rows if row[1]):
        log.info("TSLP: window of %s: %s.", model, words)
    if unknown := [model for model, known, _ in rows if not known]:
        log.warning("TSLP: the window of %s is %s.", ", ".join(unknown[:TOLD_MAX]), UNKNOWN)
