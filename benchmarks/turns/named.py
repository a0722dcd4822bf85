"""Any model by its LiteLLM name, behind a window that is cut as ollama cuts it, before the request leaves here."""

from __future__ import annotations

from typing import Any, Self

import click
from fastapi import FastAPI
from openai import OpenAIError

from benchmarks.sight.playing import count
from benchmarks.sight.prompts import prompt_of
from benchmarks.sight.server import read
from benchmarks.turns.served import Served, kept

OLLAMA = ("ollama/", "ollama_chat/")


class NamedModel(Served):
    """A server in front of a model of that name (`ollama_chat/qwen2.5-coder:7b`). Where it is and its key stand in the
    environment, as LiteLLM reads them (`OLLAMA_API_BASE`, `OPENAI_API_KEY`). `seen`: the messages of each request after
    the cut, and how many went. `click.UsageError` where it does not answer at the start."""

    def __init__(self, name: str, window: int, port: int) -> None:
        super().__init__(port)
        self.seen, self._name, self._window = list[dict[str, Any]](), name, window
        # the server's own window is wider than the one that is played, so that it cuts nothing by itself
        self._more = {"num_ctx": 2 * window} if name.startswith(OLLAMA) else {}

    def __enter__(self) -> Self:
        try:
            self._complete([{"role": "user", "content": "Say ok."}], {"max_tokens": 4})
        except OpenAIError as error:  # each of LiteLLM's is one
            raise click.UsageError(f"{self._name} does not answer: {error}") from None
        return super().__enter__()

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        def complete(body: dict[str, Any]) -> dict[str, Any]:
            dropped = read(prompt_of(body), self._window, count).dropped
            messages = kept(body["messages"], dropped)
            self.seen.append({"messages": messages, "dropped": dropped})
            return self._complete(messages, body)

        return app

    def _complete(self, messages: list[dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
        import litellm  # noqa: PLC0415 - takes seconds

        asked = {name: body[name] for name in ("max_tokens", "temperature", "seed") if name in body}
        answer = litellm.completion(model=self._name, messages=messages, drop_params=True, **asked, **self._more)
        made: dict[str, Any] = answer.model_dump()
        return made
