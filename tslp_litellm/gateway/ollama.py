"""What an ollama server says of a model: the window that it runs with, and the most that it could."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

TIMEOUT_S = 2.0
_NUM_CTX = re.compile(r"^num_ctx[ \t]+(\d{1,9})[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class Told:
    """`window`: the tokens that the model runs with where a request names no `num_ctx`, None while nobody knows: what
    a server takes by default is its own affair until it has loaded the model. `most`: what the model could take."""

    window: int | None
    most: int | None


def ask(base: str, model: str) -> Told | None:
    """Ask a server; None where it does not answer. Two requests, no completion."""
    try:
        with httpx.Client(timeout=TIMEOUT_S, trust_env=False) as http:
            running = http.get(f"{base}/api/ps").json()
            shown = http.post(f"{base}/api/show", json={"model": model}).json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None
    return told(running, shown, model)


def told(running: object, shown: object, model: str) -> Told:
    """What the answers of `/api/ps` and `/api/show` say of a model."""
    most = _most(shown)
    loaded = _loaded(running, model)
    own = _NUM_CTX.search(_field(shown, "parameters", str) or "")
    window = loaded if loaded is not None else int(own[1]) if own else None
    return Told(min(window, most) if window is not None and most is not None else window, most)


def _loaded(running: object, model: str) -> int | None:
    """The window that a loaded model has; of several runners of it the smallest."""
    models = _field(running, "models", list) or []
    full = model if ":" in model.rpartition("/")[2] else f"{model}:latest"
    found = [
        tokens
        for one in models
        if full in (_field(one, "name", str), _field(one, "model", str))
        and (tokens := _field(one, "context_length", int))
    ]
    return min(found, default=None)


def _most(shown: object) -> int | None:
    info = _field(shown, "model_info", dict) or {}
    architecture = info.get("general.architecture")
    return _field(info, f"{architecture}.context_length", int) or None


def _field(value: object, name: str, kind: type) -> Any:
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, kind) else None
