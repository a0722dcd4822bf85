"""The same turns through a real LiteLLM proxy, in front of the simulated model or of a real one.

Both stand behind a server of their own that cuts as ollama does. The two sizes of the acceptance suite's model need
that suite (`../shared/acceptance`).
"""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from benchmarks.servers import Proxy, free_port, headroom
from benchmarks.sight.playing import count
from benchmarks.sight.prompts import Prompt, prompt_of
from benchmarks.sight.server import read
from benchmarks.sight.workloads import ACCEPTANCE
from benchmarks.turns.named import NamedModel
from benchmarks.turns.playing import ANSWER_TOKENS, Speaker
from benchmarks.turns.remembered import Remembered
from benchmarks.turns.served import Served, completion

SIZES = ("0.5b", "1.5b")
"""The acceptance suite's own models; another name is LiteLLM's."""
SETTLES = 3.0
"""Seconds in which the last answer is recorded."""


class SimulatedServer(Served):
    """An OpenAI-compatible server: it cuts, and `speak` answers. `seen`: what was read, of all calls."""

    def __init__(self, window: int, port: int) -> None:
        super().__init__(port)
        self.speak, self._window = None, window
        self.seen: list[Prompt] = []

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        def complete(body: dict[str, Any]) -> dict[str, Any]:
            came = read(prompt_of(body), self._window, count).prompt
            self.seen.append(came)
            text, finish = self.speak(came)  # type: ignore[misc]
            return completion(text, finish)

        return app


class Proxied:
    """An arm through `litellm`: bare, with the callback, or with Headroom's guardrail. `model`: a real one, by size or
    by LiteLLM name; None: the simulated one. `folder`: where a real one's answers are kept."""

    def __init__(self, name: str, window: int, model: str | None = None, folder: Path | None = None) -> None:
        self.name, self._stack = name, contextlib.ExitStack()
        try:
            self._model = self._served(window, model, folder)
            self._proxy = self._stack.enter_context(self._made(window))
        except BaseException:
            self._stack.close()
            raise

    def _served(self, window: int, model: str | None, folder: Path | None) -> Any:
        """What answers."""
        if model is None:
            return self._stack.enter_context(SimulatedServer(window, free_port()))
        if folder is None:
            return self._stack.enter_context(_real(model, window))
        file = folder / f"{re.sub('[^A-Za-z0-9.-]', '_', model)}-{window}.jsonl"
        return self._stack.enter_context(Remembered(lambda: _real(model, window), free_port(), file))

    def _made(self, window: int) -> Proxy:
        """The proxy, in a folder of its own; `RuntimeError` where Headroom's service does not come up."""
        home = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="tslp-turns-")))
        sidecar = self._stack.enter_context(headroom(home)) if self.name == "headroom" else ""
        if sidecar is None:
            raise RuntimeError("headroom's service did not come up.")
        base, settings = f"http://127.0.0.1:{self._model.port}/v1", {"audit": False, "window_tokens": window}
        return Proxy("proxy", self.name, base, ["coder"], home, sidecar=sidecar, window=window, settings=settings)

    async def ask(self, messages: list[dict[str, str]], speak: Speaker) -> tuple[str, str, Prompt]:
        """One call; a real model answers by itself. `RuntimeError` with what the proxy says where none comes."""
        self._model.speak = speak
        body = {
            "model": "coder",
            "messages": messages,
            "max_tokens": ANSWER_TOKENS,
            "temperature": 0,
            "seed": 1,
            "stream": False,
        }
        url = self._proxy.base + "/v1/chat/completions"
        async with httpx.AsyncClient(timeout=1800, trust_env=False) as client:
            answer = await client.post(url, json=body, headers=self._proxy.headers())
        if answer.status_code != 200:
            raise RuntimeError(f"{url} answered {answer.status_code}: {answer.text[:1000]}")
        choice = answer.json()["choices"][0]
        return choice["message"]["content"] or "", choice["finish_reason"], self.seen(-1)[0]

    def seen(self, since: int) -> list[Prompt]:
        """What the model has read, from one call on."""
        return [one if isinstance(one, Prompt) else prompt_of(one) for one in self._model.seen[since:]]

    def state(self, settles: float = SETTLES) -> dict[str, str]:
        """The State Map, by `/tslp/state`, after so many seconds."""
        if self.name != "tslp":
            return {}
        time.sleep(settles)
        url = self._proxy.base + "/tslp/state"
        rows = httpx.get(url, headers=self._proxy.headers(), timeout=60, trust_env=False).json()["entities"]
        return {row["entity"]: row["artifact"] if row["freshness"] == "CLEAN" else "DIRTY" for row in rows}

    async def close(self) -> None:
        """End the servers."""
        self._stack.close()


def _real(name: str, window: int) -> Any:
    if name not in SIZES:
        return NamedModel(name, window, free_port())
    sys.path[:0] = [str(ACCEPTANCE), str(ACCEPTANCE / "model")]
    from model import RealModel  # type: ignore[import-not-found]  # noqa: PLC0415 - of the acceptance suite

    return RealModel(name, window)
