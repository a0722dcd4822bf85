"""A real model's answers are kept: an ended run asks only what is new."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from benchmarks.turns.remembered import Remembered


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Real:
    """A model that counts what it is asked."""

    def __init__(self) -> None:
        self.port, self.seen = free_port(), list[Any]()
        self.app = FastAPI()

        @self.app.post("/v1/chat/completions")
        def complete(body: dict[str, Any]) -> dict[str, Any]:
            self.seen.append({"messages": body["messages"][-1:]})
            return {"said": len(self.seen)}


@pytest.fixture
def real() -> Iterator[Real]:
    made = Real()
    server = uvicorn.Server(uvicorn.Config(made.app, host="127.0.0.1", port=made.port, log_level="critical"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield made
    server.should_exit = True
    thread.join(10)


@contextlib.contextmanager
def asking(real: Real, file: Path) -> Iterator[Any]:
    with Remembered(real, free_port(), file) as kept:
        url = f"http://127.0.0.1:{kept.port}/v1/chat/completions"

        def ask(*said: str) -> int:
            messages = [{"role": "user", "content": text} for text in said]
            answer = httpx.post(url, json={"messages": messages, "stream": False}, trust_env=False)
            assert kept.seen[-1] == {"messages": messages[-1:]}
            return int(answer.json()["said"])

        yield ask


def test_what_was_asked_before_is_not_asked_again(real: Real, tmp_path: Path) -> None:
    file = tmp_path / "kept" / "answers.jsonl"
    with asking(real, file) as ask:
        assert [ask("a"), ask("a", "b"), ask("a")] == [1, 2, 1]
    with asking(real, file) as ask:
        assert [ask("a", "b"), ask("a", "b", "c")] == [2, 3]
    assert len(real.seen) == 3
