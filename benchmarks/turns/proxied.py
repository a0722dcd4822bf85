"""The same turns through a real LiteLLM proxy, in front of the simulated model or of a real one.

Both stand behind a server of their own that cuts as ollama does. Needs the acceptance suite (`../shared/acceptance`).
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import yaml
from fastapi import FastAPI

from benchmarks.servers import headroom
from benchmarks.sight.playing import count
from benchmarks.sight.prompts import Prompt, prompt_of
from benchmarks.sight.server import read
from benchmarks.sight.workloads import ACCEPTANCE
from benchmarks.turns.playing import ANSWER_TOKENS, Speaker
from benchmarks.turns.remembered import Remembered
from benchmarks.turns.served import Served

VENV = Path(sys.executable).parent.parent
STARTS = 900.0
"""Seconds that a start may take on a machine that does other work."""
SETTLES = 3.0
"""Seconds in which the last answer is recorded."""


class SimulatedServer(Served):
    """An OpenAI-compatible server: it cuts, and `speak` answers. `seen`: what was read, of all calls."""

    def __init__(self, window: int) -> None:
        from stack import free_port  # type: ignore[import-not-found]  # noqa: PLC0415 - of the acceptance suite

        super().__init__(free_port())
        self.speak, self._window = None, window
        self.seen: list[Prompt] = []

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        def complete(body: dict[str, Any]) -> dict[str, Any]:
            came = read(prompt_of(body), self._window, count).prompt
            self.seen.append(came)
            text, finish = self.speak(came)  # type: ignore[misc]
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            return {
                "id": "turns",
                "object": "chat.completion",
                "created": 0,
                "model": "coder",
                "choices": [choice],
                "usage": usage,
            }

        return app


class Proxied:
    """An arm through `litellm`: bare, with the callback, or with Headroom's guardrail. `size`: of a real model; None:
    the simulated one. `folder`: where a real one's answers are kept."""

    def __init__(self, name: str, window: int, size: str | None = None, folder: Path | None = None) -> None:
        sys.path[:0] = [str(ACCEPTANCE), str(ACCEPTANCE / "model")]
        from stack import Proxy, free_port  # noqa: PLC0415

        self.name, self._stack = name, contextlib.ExitStack()
        self._model = self._stack.enter_context(_real(size, window) if size else SimulatedServer(window))
        if size and folder is not None:
            file = folder / f"{size}-{window}.jsonl"
            self._model = self._stack.enter_context(Remembered(self._model, free_port(), file))
        face = "callback" if name == "tslp" else None
        made = Proxy(self._model, venv=str(VENV), face=face, params={"audit": False, "window_tokens": window})
        try:
            if name == "headroom":
                self._guard(made.config)
            self._stack.callback(lambda: made.process and made.__exit__(None, None, None))
            made.start(STARTS)
        except BaseException:
            self._stack.close()
            raise
        self._proxy = made

    def _guard(self, config: Path) -> None:
        """Put LiteLLM's own guardrail for Headroom into its config, before a service that is started here."""
        base = self._stack.enter_context(headroom(config.parent))
        if base is None:
            raise RuntimeError("headroom's service did not come up.")
        guardrail = {"guardrail": "headroom", "mode": "pre_call", "api_base": base, "default_on": True}
        made = yaml.safe_load(config.read_text())
        made["guardrails"] = [{"guardrail_name": "headroom", "litellm_params": guardrail}]
        config.write_text(yaml.safe_dump(made))

    async def ask(self, messages: list[dict[str, str]], speak: Speaker) -> tuple[str, str, Prompt]:
        """One call; a real model answers by itself."""
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
        async with httpx.AsyncClient(timeout=1800) as client:
            answer = (await client.post(url, json=body, headers=self._proxy.headers())).raise_for_status()
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
        rows = self._proxy.get("/tslp/state").json()["entities"]
        return {row["entity"]: row["artifact"] if row["freshness"] == "CLEAN" else "DIRTY" for row in rows}

    async def close(self) -> None:
        """End the servers."""
        self._stack.close()


def _real(size: str, window: int) -> Any:
    from model import RealModel  # type: ignore[import-not-found]  # noqa: PLC0415 - of the acceptance suite

    return RealModel(size, window)
