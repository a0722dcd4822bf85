"""An application of its own thread: what the benchmark puts in a model's place."""

from __future__ import annotations

import threading
import time
from typing import Any, Self

import uvicorn
from fastapi import FastAPI


class Served:
    """Listens at `port` on this machine as long as it is entered."""

    def __init__(self, port: int) -> None:
        self.port = port

    def app(self) -> FastAPI:
        """What is served."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._server = uvicorn.Server(
            uvicorn.Config(self.app(), host="127.0.0.1", port=self.port, log_level="critical", timeout_keep_alive=600)
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)


def kept(messages: list[dict[str, Any]], dropped: int) -> list[dict[str, Any]]:
    """What a server's cut leaves of some messages: the system's, and of the others all but the oldest `dropped`."""
    others = [number for number, one in enumerate(messages) if one["role"] != "system"]
    return [one for number, one in enumerate(messages) if number not in others[:dropped]]


def completion(text: str, finish: str) -> dict[str, Any]:
    """An answer as OpenAI's API has it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "turns", "object": "chat.completion", "created": 0, "model": "coder", "choices": [choice], "usage": usage
    }  # fmt: skip
