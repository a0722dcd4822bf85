"""A real LiteLLM proxy in front of models with small windows: what the server cuts is injected again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tslp_litellm import __version__

from .gateway import ENDPOINTS, Gateway
from .nursery import Nursery, NurseryGateway
from .upstream import Upstream

WINDOW = 2_048
TEXT = "import math\n\n\ndef area_of(r):\n    return math.pi * r * r\n"
FILLER = "We talk of something else, and at some length. " * 10  # 110 tokens


@pytest.fixture(scope="module")
def small(upstream: Upstream, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    settings = {"window_tokens": {"openai": WINDOW, "anthropic": WINDOW}}
    with NurseryGateway(
        tmp_path_factory.mktemp("window"), upstream.port, nursery=nursery, settings=settings
    ) as running:
        yield running


def talk(turns: int) -> list[dict[str, Any]]:
    """A conversation that began with a paste, resent whole."""
    begun = [{"role": "user", "content": f"This is my file.\n\ngeo.py\n```python\n{TEXT}```\n"}]
    said = [{"role": role, "content": f"{n} {FILLER}"} for n in range(turns) for role in ("assistant", "user")]
    return [*begun, *said[:-1], {"role": "user", "content": "What does `area_of` do?"}]


@pytest.mark.parametrize("backend", ["openai", "anthropic"])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_paste_that_the_window_has_lost_is_injected(
    small: Gateway, upstream: Upstream, endpoint: str, backend: str
) -> None:
    workspace = endpoint + backend
    for n, (turns, injected) in enumerate(((1, False), (4, False), (12, True)), 1):
        upstream.say("Yes.")
        status, _ = small.ask(endpoint, backend, talk(turns), stream=n > 1, headers={"x-tslp-workspace": workspace})
        assert status == 200
        assert ("Entity: geo.py::area_of\n" in upstream.prompts()[-1]) is injected, turns
        small.settled(workspace, n)


def test_the_doctor_and_the_start_say_each_models_window(small: Gateway) -> None:
    found = {check["name"]: check["detail"] for check in small.http.get("/tslp/doctor").json()["checks"]}
    assert found["window openai"] == f"{WINDOW} tokens (window_tokens)"
    assert found["window ollama"].startswith("unknown")
    assert "num_ctx" in found["window ollama"]
    deadline = time.monotonic() + 60
    while "TSLP: the window of" not in (small.folder / "log").read_text() and time.monotonic() < deadline:
        time.sleep(0.1)
    started = (small.folder / "log").read_text()
    assert f"TSLP {__version__} is loaded: database sqlite:///{small.database}; status page at /tslp/\n" in started
    assert f"TSLP: the window of openai, anthropic: {WINDOW} tokens (window_tokens)\n" in started
