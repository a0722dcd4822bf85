"""A sub-agent's task, in the formats of the three APIs: the model's word, though a user message carries it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from .gateway import Gateway, sha
from .upstream import Upstream

OURS = "def area_of(r):\n    return 3 * r * r\n"
SAID = "def area_of(r):\n    return 4 * r * r\n"
TASK = (
    "Find all callers of area_of and say which of them pass a diameter. The file is meant to become this:\n\n"
    f"geo.py\n```python\n{SAID}```\n\nAnd beside it:\n\nshapes.py\n```python\ndef square(a):\n    return a * a\n```\n"
)
SCHEMA = {"type": "object", "properties": {"prompt": {"type": "string"}}}
TOOLS: dict[str, list[dict[str, Any]]] = {
    "chat": [{"type": "function", "function": {"name": "Task", "parameters": SCHEMA}}],
    "messages": [{"name": "Task", "input_schema": SCHEMA}],
    "responses": [{"type": "function", "name": "Task", "parameters": SCHEMA}],
}
fresh = itertools.count()


def message(endpoint: str, *parts: str) -> list[dict[str, Any]]:
    """A user message as clients of that API write it."""
    kind = "input_text" if endpoint == "responses" else "text"
    said: dict[str, Any] = {"role": "user", "content": [{"type": kind, "text": part} for part in parts]}
    return [{"type": "message", **said} if endpoint == "responses" else said]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("endpoint", "backend"), [("chat", "openai"), ("messages", "anthropic"), ("responses", "openai")]
)
def test_a_sub_agents_task_is_the_models_word(
    gateway: Gateway, upstream: Upstream, endpoint: str, backend: str, stream: bool
) -> None:
    workspace = f"task{next(fresh)}"
    more: dict[str, Any] = {"stream": stream, "headers": {"x-tslp-workspace": workspace}, "tools": TOOLS[endpoint]}
    shown = message(endpoint, f"This is geo.py:\n\ngeo.py\n```python\n{OURS}```\n")
    upstream.say("", calls=[{"name": "Task", "arguments": {"prompt": TASK}}], finish="tool_calls")
    assert gateway.ask(endpoint, backend, shown, **more)[0] == 200
    assert gateway.settled(workspace, 1)["geo.py"] == sha(OURS)
    reminder = "<system-reminder>\nAnswer in few words.\n</system-reminder>"
    assert gateway.ask(endpoint, backend, message(endpoint, reminder, TASK), **more)[0] == 200
    prompt = "\n".join(upstream.prompts())
    assert "[CURRENT STATE: AUTHORITATIVE]\nEntity: geo.py::area_of\n" in prompt, "what is true stands in front of it"
    assert gateway.settled(workspace, 2) == {"geo.py": sha(OURS), "geo.py::area_of": sha(OURS.removesuffix("\n"))}
    by_hand = message(endpoint, f"Now it is:\n\ngeo.py\n```python\n{OURS.replace('3', '5')}```\n")
    assert gateway.ask(endpoint, backend, by_hand, **more)[0] == 200
    assert gateway.settled(workspace, 3)["geo.py"] == sha(OURS.replace("3", "5"))
