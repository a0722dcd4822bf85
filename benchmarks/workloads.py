"""What coding clients send: prompts of three sizes in the three APIs, and workspaces of any number of entities.

Everything follows from numbers: the same numbers give the same bytes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

APIS = ("chat", "messages", "responses")
ENDPOINTS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
SIZES = ("small", "agentic", "long")
FUNCTIONS_A_FILE = 24
ROOT = "/home/dev/shop"
TOOLS = ("Read", "Edit", "Write", "Bash", "Grep", "Glob")
SYSTEM = (
    "You are a coding agent that helps with software engineering tasks.\n\n"
    f"<env>\nWorking directory: {ROOT}\nPlatform: linux\n</env>\n\n"
)
SENTENCE = "the agent reads a file before it edits it and says what it has done in few words"
WORDS = SENTENCE.split()


def words(count: int, seed: int = 0) -> str:
    """Prose of about that many characters."""
    out, size, n = [], 0, seed
    while size < count:
        word = WORDS[(n * 7 + n // 13) % len(WORDS)]
        out.append(word)
        size, n = size + len(word) + 1, n + 1
    return " ".join(out)


def function(name: str, number: int) -> str:
    """A small definition; `number` tells one version from another."""
    return (
        f'def {name}(order, rate={number}):\n    """Price an order."""\n'
        f"    total = sum(item.price * item.count for item in order.items)\n"
        f"    if total > {number % 97}:\n        total -= total * rate / 100\n    return round(total, 2)\n"
    )


def module(number: int, functions: int = FUNCTIONS_A_FILE, version: int = 0) -> str:
    """A file's text."""
    head = f'"""Module {number}."""\n\nfrom decimal import Decimal\n\n\n'
    return head + "\n\n".join(function(f"price_{number}_{n}", n + version) for n in range(functions))


def path_of(number: int) -> str:
    """A seeded file's path."""
    return f"src/part_{number % 50}/module_{number}.py"


def entity_of(number: int, function_number: int) -> str:
    """A seeded definition's name."""
    return f"{path_of(number)}::price_{number}_{function_number}"


def read_of(text: str) -> str:
    """A file as a read tool shows it."""
    return "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(text.splitlines(), 1))


@dataclass(frozen=True)
class Part:
    """One message, before it is put into an API's words."""

    role: str
    text: str = ""
    call: tuple[str, str, dict[str, Any]] | None = None  # id, name, arguments
    answers: str = ""  # the id of the call that `text` is the result of


def history(size: str, conversation: int) -> list[Part]:
    """All but the last message of a request. `conversation` makes its texts its own."""
    if size == "small":
        return [Part("system", SYSTEM)]
    parts = [Part("system", SYSTEM + words(14_000)), Part("user", f"Task {conversation}: the prices are wrong. Look.")]
    reads = 5 if size == "agentic" else 160
    for n in range(reads):
        file = 900_000 + conversation * 1000 + n
        call = f"call_{conversation}_{n}"
        parts.append(
            Part("assistant", f"Let me look at part {n}.", (call, "Read", {"file_path": f"{ROOT}/{path_of(file)}"}))
        )
        parts.append(Part("tool", read_of(module(file, 18)), answers=call))
    parts.append(Part("assistant", f"I have read {reads} files of task {conversation}. " + words(400)))
    return parts


def request(api: str, size: str, conversation: int, prompt: str, model: str) -> dict[str, Any]:
    """A streamed request's body: a known history, and a new prompt."""
    parts = [*history(size, conversation), Part("user", prompt)]
    return {"model": model, "stream": True, **_BODIES[api](parts, size != "small")}


def _schema(name: str) -> dict[str, Any]:
    properties = {key: {"type": "string", "description": words(180, len(key))} for key in ("file_path", "text", "mode")}
    return {"type": "object", "properties": properties, "required": ["file_path"], "title": name}


def _chat(parts: list[Part], tools: bool) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for part in parts:
        message: dict[str, Any] = {"role": part.role, "content": part.text}
        if part.call:
            call_id, name, arguments = part.call
            called = {"name": name, "arguments": json.dumps(arguments)}
            message["tool_calls"] = [{"id": call_id, "type": "function", "function": called}]
        if part.answers:
            message["tool_call_id"] = part.answers
        messages.append(message)
    body: dict[str, Any] = {"messages": messages}
    if tools:
        body["tools"] = [
            {"type": "function", "function": {"name": t, "description": words(600), "parameters": _schema(t)}}
            for t in TOOLS
        ]
    return body


def _messages(parts: list[Part], tools: bool) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for part in parts[1:]:
        content: list[dict[str, Any]] = []
        if part.answers:
            content.append({"type": "tool_result", "tool_use_id": part.answers, "content": part.text})
        else:
            content.append({"type": "text", "text": part.text})
        if part.call:
            content.append({"type": "tool_use", "id": part.call[0], "name": part.call[1], "input": part.call[2]})
        messages.append({"role": "assistant" if part.role == "assistant" else "user", "content": content})
    body: dict[str, Any] = {"max_tokens": 4096, "system": parts[0].text, "messages": messages}
    if tools:
        body["tools"] = [{"name": t, "description": words(600), "input_schema": _schema(t)} for t in TOOLS]
    return body


def _responses(parts: list[Part], tools: bool) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    for part in parts[1:]:
        if part.answers:
            items.append({"type": "function_call_output", "call_id": part.answers, "output": part.text})
            continue
        kind = "output_text" if part.role == "assistant" else "input_text"
        items.append({"type": "message", "role": part.role, "content": [{"type": kind, "text": part.text}]})
        if part.call:
            call_id, name, arguments = part.call
            items.append(
                {"type": "function_call", "call_id": call_id, "name": name, "arguments": json.dumps(arguments)}
            )
    body: dict[str, Any] = {"instructions": parts[0].text, "input": items}
    if tools:
        body["tools"] = [
            {"type": "function", "name": t, "description": words(600), "parameters": _schema(t)} for t in TOOLS
        ]
    return body


_BODIES = {"chat": _chat, "messages": _messages, "responses": _responses}
