"""A real LiteLLM proxy with a small window: what reaches the server fits, and the response says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from .gateway import ENDPOINTS, Gateway
from .upstream import Upstream

WINDOW = 4_000
TASK = "The task."


@pytest.fixture(scope="module")
def small(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    settings = {"window_tokens": {"openai": WINDOW, "anthropic": WINDOW}}
    with Gateway(tmp_path_factory.mktemp("window"), upstream.port, settings=settings) as running:
        yield running


def long(turns: int) -> list[dict[str, Any]]:
    said = [
        {"role": role, "content": f"{role} {n}: " + "many words of it " * 150}
        for n in range(turns)
        for role in ("user", "assistant")
    ]
    return [*said, {"role": "user", "content": TASK}]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("backend", ["openai", "anthropic"])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_what_is_too_long_is_made_to_fit(
    small: Gateway, upstream: Upstream, endpoint: str, backend: str, stream: bool
) -> None:
    for messages, header in ((long(12), "fitted; removed="), (long(0), "fits")):
        upstream.say("Done.")
        sent: dict[str, Any] = {"model": backend, "stream": stream}
        sent |= {"input": messages} if endpoint == "responses" else {"messages": messages}
        sent |= {"max_tokens": 600} if endpoint == "messages" else {}
        answer = small.http.post(ENDPOINTS[endpoint], json=sent, headers={"x-tslp-workspace": endpoint + backend})
        assert answer.status_code == 200
        assert answer.headers["x-tslp-window"].startswith(header)
        assert upstream.prompts()[-1].endswith(TASK)
        assert len(json.dumps(upstream.seen[-1][1])) < 4 * WINDOW


def test_the_doctor_says_which_window_each_model_has(small: Gateway) -> None:
    found = {check["name"]: check["detail"] for check in small.http.get("/tslp/doctor").json()["checks"]}
    assert found["window openai"] == f"{WINDOW} tokens (window_tokens)"
    assert found["window ollama"].startswith("unknown")
