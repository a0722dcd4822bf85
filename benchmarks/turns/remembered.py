"""A real model's answers, kept in a file: a run that was ended goes on where it was, and costs no answer twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import click
import httpx
from fastapi import FastAPI
from fastapi.responses import JSONResponse

from benchmarks.turns.served import Served, completion, kept

ANSWERS_WITHIN_S = 1_800.0


class Remembered(Served):
    """A server in front of a real one, which `real` starts when it is first needed. What was asked before it answers by
    itself, from `file`: a JSON value a line, with the digest of what was asked, the answer, and how many messages the
    cut took away. `seen`: the messages that it left, of all calls of this run. Where the real one can't be had, a call
    ends with 502 and says why."""

    def __init__(self, real: Callable[[], AbstractContextManager[Any]], port: int, file: Path) -> None:
        super().__init__(port)
        self.seen, self._start, self._file = list[Any](), real, file
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        self._known: dict[str, dict[str, Any]] = {one["asked"]: one for one in map(json.loads, lines)}
        self._http = httpx.Client(timeout=ANSWERS_WITHIN_S, trust_env=False)
        self._real: Any = None
        self._stack = ExitStack()

    def __exit__(self, *exc: object) -> None:
        super().__exit__(*exc)
        self._stack.close()

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        def complete(body: dict[str, Any]) -> JSONResponse:
            try:
                known = self._known.get(asked(body)) or self._ask(body)
            except (OSError, RuntimeError, ImportError, click.UsageError, httpx.HTTPError) as error:
                return JSONResponse({"error": {"message": f"{type(error).__name__}: {error}"}}, 502)
            self.seen.append({"messages": kept(body["messages"], known["dropped"])})
            return JSONResponse(completion(known["text"], known["finish"]))

        return app

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        self._real = self._real or self._stack.enter_context(self._start())
        url = f"http://127.0.0.1:{self._real.port}/v1/chat/completions"
        choice = self._http.post(url, json=body).raise_for_status().json()["choices"][0]
        answer = {"text": choice["message"]["content"] or "", "finish": choice["finish_reason"]}
        made = {"asked": asked(body), **answer, "dropped": self._real.seen[-1]["dropped"]}
        self._known[made["asked"]] = made
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(made) + "\n")
        return made


def asked(body: dict[str, Any]) -> str:
    """What tells a call from every other one: all that an answer depends on."""
    told = {name: body.get(name) for name in ("messages", "max_tokens", "temperature", "seed")}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
