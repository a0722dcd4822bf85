"""A real model's answers are kept: an ended run asks only what is new."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from fastapi import FastAPI

from benchmarks.servers import free_port
from benchmarks.turns.remembered import Remembered
from benchmarks.turns.served import Served, completion


class Real(Served):
    """A model that counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(free_port())
        self.seen = list[Any]()

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        def complete(body: dict[str, Any]) -> dict[str, Any]:
            self.seen.append({"messages": body["messages"][-1:], "dropped": len(body["messages"]) - 1})
            return completion(str(len(self.seen)), "length")

        return app


@pytest.fixture
def real() -> Iterator[Real]:
    with Real() as made:
        yield made


@contextmanager
def asking(real: Real, file: Path) -> Iterator[Any]:
    with Remembered(lambda: nullcontext(real), free_port(), file) as kept:
        url = f"http://127.0.0.1:{kept.port}/v1/chat/completions"

        def ask(*said: str) -> int:
            messages = [{"role": "user", "content": text} for text in said]
            answer = httpx.post(url, json={"messages": messages, "stream": False}, trust_env=False)
            assert kept.seen[-1] == {"messages": messages[-1:]}
            choice = answer.json()["choices"][0]
            assert choice["finish_reason"] == "length"
            return int(choice["message"]["content"])

        yield ask


def test_what_was_asked_before_is_not_asked_again(real: Real, tmp_path: Path) -> None:
    file = tmp_path / "kept" / "answers.jsonl"
    with asking(real, file) as ask:
        assert [ask("a"), ask("a", "b"), ask("a")] == [1, 2, 1]
    with asking(real, file) as ask:
        assert [ask("a", "b"), ask("a", "b", "c")] == [2, 3]
    assert len(real.seen) == 3


def test_a_model_that_can_not_be_had_is_not_missed_before_it_is_needed(real: Real, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    with asking(real, file) as ask:
        assert ask("a") == 1

    def missing() -> NoReturn:
        raise FileNotFoundError("no weights here")

    with Remembered(missing, free_port(), file) as kept:
        url = f"http://127.0.0.1:{kept.port}/v1/chat/completions"
        answers = [
            httpx.post(url, json={"messages": [{"role": "user", "content": text}], "stream": False}, trust_env=False)
            for text in ("a", "b")
        ]
    assert [one.status_code for one in answers] == [200, 502]
    assert "no weights here" in answers[1].text
