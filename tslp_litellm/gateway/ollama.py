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

    window: int | None = None
    most: int | None = None


def ask(base: str, model: str) -> Told:
    """Ask a server; it may not answer. Two requests, no completion."""
    try:
        with httpx.Client(timeout=TIMEOUT_S, trust_env=False) as http:
            running = http.get(f"{base}/api/ps").json()
            return told(running, http.post(f"{base}/api/show", json={"model": model}).json(), model)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return Told()


def told(running: object, shown: object, model: str) -> Told:
    """What the answers of `/api/ps` and `/api/show` say of a model. Of several runners the smallest window counts."""
    full = model if ":" in model.rpartition("/")[2] else f"{model}:latest"
    info = _field(shown, "model_info", dict) or {}
    most = _field(info, f"{info.get('general.architecture')}.context_length", int)
    loaded = [
        tokens
        for one in _field(running, "models", list) or ()
        if full in (_field(one, "name", str), _field(one, "model", str))
        and (tokens := _field(one, "context_length", int))
    ]
    own = _NUM_CTX.search(_field(shown, "parameters", str) or "")
    window = min(loaded) if loaded else int(own[1]) if own else None
    return Told(min(window, most) if window and most else window, most)


def _field(value: object, name: str, kind: type) -> Any:
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, kind) else None
