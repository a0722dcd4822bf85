"""A model by its LiteLLM name: it reads what the cut leaves, and says at the start where it can't be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import httpx
import pytest
from fastapi import FastAPI

from benchmarks.servers import free_port
from benchmarks.turns import playing
from benchmarks.turns.named import NamedModel
from benchmarks.turns.proxied import Proxied
from benchmarks.turns.served import Served, completion

NAME = "openai/somebody-s"
LONG = "word " * 600


class Provider(Served):
    """Whoever has the model. `came`: what was asked of it."""

    def __init__(self) -> None:
        super().__init__(free_port())
        self.came = list[dict[str, Any]]()

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        def complete(body: dict[str, Any]) -> dict[str, Any]:
            self.came.append(body)
            return completion(f"answer {len(self.came)}", "stop")

        return app


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with Provider() as made:
        monkeypatch.setenv("OPENAI_API_BASE", f"http://127.0.0.1:{made.port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        yield made


def said(*texts: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": "Be brief."}, *({"role": "user", "content": text} for text in texts)]


def test_it_reads_what_the_cut_leaves(provider: Provider) -> None:
    with NamedModel(NAME, 1000, free_port()) as model:
        url = f"http://127.0.0.1:{model.port}/v1/chat/completions"
        body = {"model": "coder", "messages": said(LONG, LONG, "now"), "max_tokens": 9, "temperature": 0, "seed": 1}
        answer = httpx.post(url, json=body, trust_env=False).json()
    assert answer["choices"][0]["message"]["content"] == "answer 2"
    assert model.seen == [{"messages": said(LONG, "now"), "dropped": 1}]
    asked = provider.came[-1]
    assert asked["messages"] == said(LONG, "now")
    assert [asked[name] for name in ("model", "max_tokens", "temperature", "seed")] == ["somebody-s", 9, 0, 1]


def test_a_model_that_does_not_answer_is_named_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", f"http://127.0.0.1:{free_port()}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    with pytest.raises(click.UsageError, match=f"{NAME} does not answer"), NamedModel(NAME, 1000, free_port()):
        pass


@pytest.mark.slow
def test_the_job_through_a_real_proxy(provider: Provider, tmp_path: Path) -> None:
    """And what was answered once is not asked again."""
    plan = playing.Plan(4096, 2, 1, {}, 3, real=True)
    first = asyncio.run(playing.play(plan, Proxied("tslp", 4096, NAME, tmp_path)))
    asked = len(provider.came)
    again = asyncio.run(playing.play(plan, Proxied("tslp", 4096, NAME, tmp_path)))
    assert [turn.right for turn in first.turns] == [turn.right for turn in again.turns] == [False, False]
    assert first.state == again.state
    assert first.state["wrong"] == 0
    assert len(provider.came) == asked
    assert [one.name for one in tmp_path.iterdir()] == ["openai_somebody-s-4096.jsonl"]
