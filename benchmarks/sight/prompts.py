"""Requests as a model's server reads them: the system prompt and the tools, and then one message after the other.

A small reader of the three APIs that shares nothing with what it measures. Pure functions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `texts`: what it says, its calls' arguments, and its results, each a text of its own; `said`: how
    many of them are no calls; `calls`: its calls as a chat template writes them, in JSON."""

    role: str
    texts: tuple[str, ...]
    said: int | None = None
    calls: tuple[str, ...] = ()

    @property
    def counted(self) -> tuple[str, ...]:
        """The texts that it takes tokens for."""
        return (*self.texts[: self.said], *self.calls)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.texts)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request. `fixed`: the system prompts and the tools, which every cut keeps."""

    fixed: tuple[str, ...]
    messages: tuple[Message, ...]


def prompt_of(body: Mapping[str, Any]) -> Prompt:
    """A request body of any of the three APIs. Anthropic's results become messages of their own, as they do on the way
    to a server that speaks another API."""
    entries = body["input"] if "input" in body else body["messages"]
    listed = [{"role": "user", "content": entries}] if isinstance(entries, str) else entries
    found = [message for entry in listed for message in _messages(entry)]
    system = [text for name in ("system", "instructions") for text in _texts(body.get(name))]
    system += [message.text for message in found if message.role == "system"]
    tools = [json.dumps(body["tools"], ensure_ascii=False)] if body.get("tools") else []
    return Prompt((*system, *tools), tuple(message for message in found if message.role != "system"))


def _messages(entry: Mapping[str, Any]) -> Iterator[Message]:
    kind = entry.get("type")
    if kind == "function_call":
        call = entry["name"], entry["arguments"]
        yield Message("assistant", tuple(_arguments(*call)), 0, (_written(*call),))
    elif kind == "function_call_output":
        yield Message("tool", tuple(_texts(entry["output"])))
    elif entry.get("role") == "tool":
        yield Message("tool", tuple(_texts(entry.get("content"))))
    elif "role" in entry:
        yield from _spoken(entry)


def _spoken(entry: Mapping[str, Any]) -> Iterator[Message]:
    role = {"developer": "system"}.get(entry["role"], entry["role"])
    content = entry.get("content")
    for part in content if isinstance(content, list) else ():
        if part.get("type") == "tool_result":
            yield Message("tool", tuple(_texts(part.get("content"))))
    texts, calls = _texts(content), list[tuple[str, str]]()
    for part in content if isinstance(content, list) else ():
        if part.get("type") == "tool_use":
            calls.append((part["name"], json.dumps(part["input"], ensure_ascii=False)))
    for call in entry.get("tool_calls") or ():
        calls.append((call["function"]["name"], call["function"]["arguments"]))
    if texts or calls:
        read = [text for call in calls for text in _arguments(*call)]
        yield Message(role, (*texts, *read), len(texts), tuple(_written(*call) for call in calls))


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content] if content else []
    return [part["text"] for part in content or () if isinstance(part.get("text"), str) and part["text"]]


def _written(name: str, arguments: str) -> str:
    """A call as a chat template writes it."""
    return f'{{"name": {json.dumps(name)}, "arguments": {arguments}}}'


def _arguments(name: str, arguments: str) -> list[str]:
    """A call: its name with its short arguments, and every long one as a text of its own, as a model reads it."""
    try:
        found = json.loads(arguments)
    except ValueError:
        return [f"{name} {arguments}"]
    leaves = list(scalars(found))
    long = [leaf for leaf in leaves if "\n" in leaf]
    return [" ".join([name, *(leaf for leaf in leaves if "\n" not in leaf)]), *long]


def scalars(value: Any) -> Iterator[str]:
    """The names and the values in decoded JSON, in order."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield str(key)
            yield from scalars(one)
    elif isinstance(value, list):
        for one in value:
            yield from scalars(one)
    else:
        yield str(value)
