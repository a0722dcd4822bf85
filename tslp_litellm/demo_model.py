"""The built-in offline demo model: a script, not a language model, for a first look where no model server is.

It answers four prompts about `demo/greeter.py` as a small model would, without a label, with a new name that nobody
asked for, or too short, and to everything else it says what it was sent, so that hydration can be seen at work.
Registered as a LiteLLM custom provider in `config.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

from litellm.llms.custom_llm import CustomLLM
from litellm.types.utils import Choices, GenericStreamingChunk, Message, ModelResponse, Usage

INTRODUCTION = "(built-in offline demo model: a script, not an LLM)"
GREETER = '''"""Greetings, for the demo."""


def greet(name):
    return f"Hello, {name}."


def farewell(name):
    return f"Goodbye, {name}."
'''
SHOUTED = """def greet(name):
    return f"HELLO, {name.upper()}!"
"""
TIDIED = GREETER.replace('f"Hello, {name}."', 'f"HELLO, {name.upper()}!"').replace("farewell", "goodbye")
"""With a rename that nobody asked for."""
_BLOCK = re.compile(r"\[CURRENT STATE: AUTHORITATIVE\]\nEntity: ([^\n]+)\n")


def reply(messages: list[dict[str, Any]]) -> str:
    """The demo's answer to a chat."""
    latest = next((_text(m.get("content")) for m in reversed(messages) if m.get("role") == "user"), "")
    asked = latest.rpartition("[END CURRENT STATE]")[2].lower()
    if "greeter.py" in asked and re.search(r"\b(?:write|create)\b", asked):
        return f"{INTRODUCTION}\n\ndemo/greeter.py\n```python\n{GREETER}```\n"
    if "greet" in asked and re.search(r"\b(?:shout|loud|upper)", asked):
        return f"{INTRODUCTION}\n\nOnly `greet` changes:\n\n```python\n{SHOUTED}```\n"
    if "greeter.py" in asked and re.search(r"\btidy\b", asked):
        return f"{INTRODUCTION}\n\ndemo/greeter.py\n```python\n{TIDIED}```\n"
    shown = _BLOCK.findall(latest)
    told = f"in front of yours the current code of {', '.join(shown)}" if shown else "no current code with them"
    return f"{INTRODUCTION} I was sent {len(messages)} message(s), and {told}."


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


class OfflineDemoModel(CustomLLM):  # type: ignore[misc]
    """LiteLLM's face of the demo."""

    def completion(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """A whole answer."""
        message = Message(role="assistant", content=reply(kwargs["messages"]))
        choices = [Choices(index=0, message=message, finish_reason="stop")]
        return ModelResponse(model=kwargs["model"], choices=choices, usage=Usage())  # /v1/messages asks for it

    async def acompletion(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """A whole answer."""
        return self.completion(*args, **kwargs)

    def streaming(self, *args: Any, **kwargs: Any) -> Iterator[GenericStreamingChunk]:
        """The answer in words."""
        for word in re.findall(r"\S*\s*", reply(kwargs["messages"])):
            yield _chunk(word, "")
        yield _chunk("", "stop")

    async def astreaming(self, *args: Any, **kwargs: Any) -> AsyncIterator[GenericStreamingChunk]:
        """The answer in words."""
        for chunk in self.streaming(*args, **kwargs):
            yield chunk


def _chunk(text: str, finish: str) -> GenericStreamingChunk:
    return GenericStreamingChunk(
        text=text, tool_use=None, is_finished=bool(finish), finish_reason=finish, usage=None, index=0
    )
