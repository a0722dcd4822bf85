"""Which window a model's server really has, as far as anything proves it (SEMANTICS 4, The window).

Proof is what the operator says (`window_tokens`), what a deployment is configured with (`num_ctx`, `max_input_tokens`),
and what an ollama server says. LiteLLM's table of models is none: it says what a model could take, and a server takes
less. Of several deployments of a name the smallest window counts.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from tslp_litellm.gateway.ollama import Told, ask

KNOWN_S, UNKNOWN_S = 120.0, 10.0
"""How long what an ollama server said is believed; a model that it does not hold yet is asked for again sooner."""
OLLAMA, OLLAMA_BASE = ("ollama/", "ollama_chat/"), "http://localhost:11434"
NAMES_MAX = 1_000
"""Names of models are the callers' word: so many are remembered."""
STARTED_POLLS, STARTED_POLL_S, ASKED_WITHIN_S, TOLD_MAX = 120, 0.5, 5.0, 20
UNKNOWN = (
    "unknown, and what its server cuts it may cut in silence; set `num_ctx` (ollama) or `max_input_tokens` of the "
    "deployment, or `window_tokens`"
)

NO_MODEL = "`window_tokens` names what is no model here"


@dataclass(frozen=True, slots=True)
class Window:
    """A window in tokens, and what says so."""

    tokens: int
    source: str


@dataclass(frozen=True, slots=True)
class Deployment:
    """What is configured of a deployment. `ollama`: the server and its name for the model."""

    stated: tuple[Window, ...] = ()
    ollama: tuple[str, str] | None = None


class Windows:
    """The windows of models by the names that clients use. `deployments`: those of a name; `asks`: asks an ollama
    server for a model, in a thread of its own."""

    def __init__(
        self,
        setting: int | Mapping[str, int] | None,
        deployments: Callable[[str], Sequence[Deployment]],
        asks: Callable[[str, str], Told] = ask,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._setting = {"*": setting} if isinstance(setting, int) else setting or {}
        self._deployments, self._asks, self._clock = deployments, asks, clock
        self._told: dict[tuple[str, str], tuple[float, Told]] = {}  # until when it is believed

    def of(self, model: str) -> Window | None:
        """A model's window; None where nothing proves one. Never waits for a server."""
        names = [model, *(name for name in self._setting if fnmatchcase(model, name))]
        if (name := next((name for name in names if name in self._setting), None)) is not None:
            return Window(self._setting[name], "window_tokens")
        found = filter(None, map(self._window, self._deployments(model)))
        return min(found, key=lambda window: window.tokens, default=None)

    def fits_none(self, models: Collection[str]) -> list[str]:
        """The names in `window_tokens` that are those of no model; either may be a pattern."""
        fits = [name for name in self._setting for m in models if fnmatchcase(m, name) or fnmatchcase(name, m)]
        return [name for name in self._setting if name not in fits]

    def _window(self, one: Deployment) -> Window | None:
        told = self._asked(one.ollama) if one.ollama is not None else Told()
        window, most = Window(told.window or 0, "ollama"), Window(told.most or 0, "the model's most")
        found = [*one.stated, most] if one.stated else [window]
        return min((w for w in found if w.tokens), key=lambda window: window.tokens, default=None)

    def _asked(self, server: tuple[str, str]) -> Told:
        """What a server said of a model; where that is old or was never heard, it is asked beside the request."""
        until, told = self._told.get(server, (0.0, Told()))
        if until <= self._clock() and (server in self._told or len(self._told) < NAMES_MAX):
            self._told[server] = self._clock() + UNKNOWN_S, told
            threading.Thread(target=self._ask, args=(server,), name="tslp-window", daemon=True).start()
        return told

    def _ask(self, server: tuple[str, str]) -> None:
        told = self._asks(*server)
        self._told[server] = self._clock() + (KNOWN_S if told.window else UNKNOWN_S), told


def deployment(params: Mapping[str, Any], info: Mapping[str, Any], model: str) -> Deployment:
    """A deployment from its `litellm_params` and `model_info`, for a model that a client names."""
    values: tuple[tuple[str, Any], ...] = (
        ("num_ctx", params.get("num_ctx")),
        ("max_input_tokens", info.get("max_input_tokens")),
    )
    stated = tuple(Window(int(value), name) for name, value in values if str(value).isdecimal() and int(value))
    target = str(params.get("model") or "")
    name = target.partition("/")[2].replace("*", model.partition("/")[2] or model)
    if not target.startswith(OLLAMA) or "*" in name:  # of a wild card itself there is nothing to ask
        return Deployment(stated)
    base = str(params.get("api_base") or "")
    if not base or base.startswith("os.environ/"):  # a name that is not set
        base = os.environ.get("OLLAMA_API_BASE") or OLLAMA_BASE
    return Deployment(stated, (base.rstrip("/"), name))


def said(windows: Windows, models: Iterable[str]) -> list[tuple[str, bool, str]]:
    """For each model whether its window is known, and what there is to say of it."""
    found = [(model, windows.of(model)) for model in models]
    return [(m, w is not None, f"{w.tokens} tokens ({w.source})" if w is not None else UNKNOWN) for m, w in found]


def configured(model: str) -> tuple[Deployment, ...]:
    """The deployments of a model in the running proxy, as they are now."""
    from litellm.proxy import proxy_server  # noqa: PLC0415 - rebound when the proxy has loaded its models

    router = proxy_server.llm_router
    found = (router.get_model_list(model_name=model) if router is not None else None) or []
    return tuple(deployment(d.get("litellm_params") or {}, d.get("model_info") or {}, model) for d in found)


def names() -> list[str]:
    """The models that the running proxy is configured with."""
    from litellm.proxy import proxy_server  # noqa: PLC0415 - see above

    router = proxy_server.llm_router
    return list(dict.fromkeys(router.get_model_names())) if router is not None else []


async def announce(windows: Windows) -> None:
    """Say each model's window once the proxy has loaded its models, and the servers that know it had time to answer."""
    for _ in range(STARTED_POLLS):
        if models := names():
            if not all(known for _, known, _ in said(windows, models)):
                await asyncio.sleep(ASKED_WITHIN_S)
            alike: defaultdict[str, list[str]] = defaultdict(list)
            for model, _, words in said(windows, models):
                alike[words].append(model)
            for words, those in alike.items():
                sys.stderr.write(f"TSLP: the window of {', '.join(those[:TOLD_MAX])}: {words}\n")
            if strangers := windows.fits_none(models):
                sys.stderr.write(f"TSLP: {NO_MODEL}: {', '.join(strangers[:TOLD_MAX])}\n")
            return
        await asyncio.sleep(STARTED_POLL_S)
