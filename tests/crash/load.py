"""Clients under load, what they were told, and a model that does what the prompt orders.

Every client owns one file and is sequential, so what it was told last is what must be true. A text holds the number of
its version in each of its definitions and never comes twice.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.e2e.gateway import Gateway, sha
from tests.e2e.upstream import Reply, Upstream

BLOCK = re.compile(
    r"^\[CURRENT STATE: AUTHORITATIVE\]\nEntity: (.+)\nArtifact: ([0-9a-f]{64})\nSource: .+\n\n([\s\S]*?)\n\[END CURRENT STATE\]$",
    re.M,
)
ORDER = re.compile(r"\(order (\d+): (\w+) (\d+) (\d+)\)")
APIS = ("chat", "messages", "responses")
BACKENDS = ("openai", "ollama", "anthropic")
SURE_S = 1.0
"""An answer that was delivered this long before a kill must not be lost (SEMANTICS 9)."""
Clock = Callable[[], float]
"""Seconds; differences only."""
WRITTEN = "File created successfully at: {path}"


def text_of(client: int, version: int) -> str:
    return (
        f"import math\n\n\ndef area_{client}(r):\n    return math.pi * r * r + {version}\n\n\n"
        f"class Box{client}:\n    def side(self, x):\n        return x + {version}\n"
    )


def function_of(client: int, version: int) -> str:
    return f"def area_{client}(r):\n    return math.pi * r * r + {version}"


def path_of(client: int) -> str:
    return f"src/m{client}.py"


def fence_of(client: int, version: int) -> str:
    return f"{path_of(client)}\n```python\n{text_of(client, version)}```\n"


@dataclass(frozen=True)
class Block:
    entity: str
    artifact: str
    text: str


class Model(Upstream):
    """Does what the last order in the prompt says, and keeps the blocks that stood in it."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: dict[int, list[Block]] = {}
        self.altered: list[str] = []

    def reply_to(self, body: dict[str, Any]) -> Reply:
        words = _words(body)
        self.seen.clear()
        orders = ORDER.findall(words)
        if not orders:  # an audit's question
            named = re.search(r"^Entity: (.+)$", words, re.M)
            verdict = {"entity": named[1].strip() if named else "", "status": "completed"}
            return Reply(json.dumps(verdict))
        number, kind, client, version = orders[-1]
        blocks = [Block(*found) for found in BLOCK.findall(words)]
        self.blocks[int(number)] = blocks
        self.altered += [b.entity for b in blocks if sha(b.text) != b.artifact]
        gap = random.choice((0.0, 0.0, 0.005, 0.02))
        match kind:
            case "fence":
                return Reply(fence_of(int(client), int(version)), gap=gap)
            case "tool":
                arguments = {"file_path": path_of(int(client)), "content": text_of(int(client), int(version))}
                return Reply("", calls=[{"name": "Write", "arguments": arguments}], gap=gap)
        return Reply("Understood.", gap=gap)


def _words(body: dict[str, Any]) -> str:
    messages = body.get("messages") or body.get("input") or []
    if isinstance(messages, str):
        return messages
    found = []
    for message in messages:
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"text": content}]
        found += [str(p.get("text") or "") for p in parts if isinstance(p, dict)]
    return "\n".join(found)


@dataclass
class Attempt:
    """A version that the client was told of, or may have been. `delivered`: when its last byte had arrived."""

    version: int
    delivered: float | None = None


@dataclass
class Client:
    """One client and its file. `known` is what was true when the present life began."""

    number: int
    workspace: str
    model: Model
    random: random.Random
    numbers: Callable[[], int]
    clock: Clock = time.monotonic
    version: int = 0
    known: int | None = None
    attempts: list[Attempt] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)
    sent: int = 0
    delivered: list[float] = field(default_factory=list)
    in_flight: bool = False
    problems: list[str] = field(default_factory=list)

    # -- what must be true

    def begin(self, known: int | None) -> None:
        """A new life."""
        self.known, self.attempts, self.delivered, self.sent = known, [], [], 0

    def possible(self, killed: float) -> set[int | None]:
        """The versions that the file may have after a kill: the last sure one, and all that were tried later."""
        found: set[int | None] = {self.known}
        for attempt in self.attempts:
            if attempt.delivered is not None and attempt.delivered <= killed - SURE_S:
                found = set()
            found.add(attempt.version)
        return found

    def current(self) -> set[int | None]:
        """The versions that a request may be shown now."""
        found: set[int | None] = {self.known}
        for attempt in self.attempts:
            if attempt.delivered is not None:
                found = set()
            found.add(attempt.version)
        return found

    # -- what it does

    def work(self, gateway: Gateway, stop: threading.Event) -> None:
        """Ask until told to stop, or until nobody answers."""
        while not stop.is_set():
            step = self.random.choice((self.fence, self.fence, self.paste, self.tool, self.ask))
            try:
                if not step(gateway):
                    return
            except (httpx.HTTPError, json.JSONDecodeError, KeyError, IndexError):
                if not stop.is_set() and gateway.process.poll() is None:
                    self.problems.append(f"client {self.number}: a request failed while the gateway lived")
                return

    def fence(self, gateway: Gateway) -> bool:
        """The model writes the file, in a conversation that grows."""
        attempt = self._next()
        if len(self.history) > 6 or self.random.random() < 0.3:
            self.history = []
        number, order = self._order("fence", attempt.version)
        said = {"role": "user", "content": f"Write {path_of(self.number)} {order}"}
        ok = self._send(gateway, [*self.history, said], number, self.random.choice(APIS))
        if ok:
            attempt.delivered = self.clock()
            answer = {"role": "assistant", "content": fence_of(self.number, attempt.version)}
            self.history = [*self.history, said, answer]
        return ok

    def paste(self, gateway: Gateway) -> bool:
        """The user shows the file."""
        attempt = self._next()
        number, order = self._order("say", attempt.version)
        words = f"{fence_of(self.number, attempt.version)}\nKeep this in mind. {order}"
        ok = self._send(gateway, [{"role": "user", "content": words}], number, self.random.choice(APIS))
        if ok:
            attempt.delivered = self.clock()
        return ok

    def tool(self, gateway: Gateway) -> bool:
        """The model writes the file by tool call, the client reports success."""
        attempt = self._next()
        number, order = self._order("tool", attempt.version)
        first: list[dict[str, Any]] = [{"role": "user", "content": f"Make {path_of(self.number)} anew {order}"}]
        schema = {"type": "object", "properties": {"file_path": {"type": "string"}, "content": {"type": "string"}}}
        tools = [{"type": "function", "function": {"name": "Write", "description": "", "parameters": schema}}]
        if not self._send(gateway, first, number, "chat", tools=tools):
            return False
        arguments = {"file_path": path_of(self.number), "content": text_of(self.number, attempt.version)}
        function = {"name": "Write", "arguments": json.dumps(arguments)}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        result = WRITTEN.format(path=path_of(self.number))
        number, order = self._order("say", attempt.version)
        second = [
            *first,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call["id"], "content": result},
            {"role": "user", "content": f"Good. {order}"},
        ]
        ok = self._send(gateway, second, number, "chat", tools=tools)
        if ok:
            attempt.delivered = self.clock()
        return ok

    def ask(self, gateway: Gateway) -> bool:
        """A question about the file: its prompt must hold the current definition."""
        current = self.current()
        number, order = self._order("say", 0)
        words = f"What does `area_{self.number}` do? {order}"
        ok = self._send(gateway, [{"role": "user", "content": words}], number, self.random.choice(APIS))
        if ok:
            self._check(number, current)
        return ok

    def _check(self, number: int, current: set[int | None]) -> None:
        entity = f"{path_of(self.number)}::area_{self.number}"
        shown = [b.text for b in self.model.blocks.get(number, []) if b.entity == entity]
        wanted = [[function_of(self.number, v)] if v is not None else [] for v in current]
        if shown not in wanted:
            self.problems.append(f"{entity}: shown {shown}, true is one of {sorted(map(str, current))}")

    def _next(self) -> Attempt:
        self.version += 1
        self.attempts.append(Attempt(self.version))
        return self.attempts[-1]

    def _order(self, kind: str, version: int) -> tuple[int, str]:
        number = self.numbers()
        return number, f"(order {number}: {kind} {self.number} {version})"

    def _send(self, gateway: Gateway, messages: list[dict[str, Any]], number: int, api: str, **more: Any) -> bool:
        current = self.current()
        self.sent += 1
        self.in_flight = True
        status, said = gateway.ask(
            api,
            self.random.choice(BACKENDS) if "tools" not in more else "openai",
            messages,
            stream=self.random.random() < 0.6,
            headers={"x-tslp-workspace": self.workspace},
            **more,
        )
        self.in_flight = False
        if status != 200:
            self.problems.append(f"client {self.number}: HTTP {status}: {said[:200]}")
            return False
        self.delivered.append(self.clock())
        for block in self.model.blocks.get(number, []):
            texts = {sha(text_of(self.number, v)) for v in current if v is not None}
            if block.entity == path_of(self.number) and block.artifact not in texts:
                self.problems.append(f"{block.entity}: shown {block.text!r}, true is one of {current}")
        return True
