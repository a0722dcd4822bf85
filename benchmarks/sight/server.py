"""An emulated server that cuts like ollama, in silence (`chatPrompt` in its server/prompt.go).

It keeps the system prompts, the tools and the newest messages that fit beside them, and drops the oldest whole
messages; the last message always stays, and where it does not fit by itself, it is cut at its beginning. What a chat
template writes around a message counts as so many tokens each. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.sight.prompts import Message, Prompt

TEMPLATE = 4
"""Tokens around a message."""
Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Read:
    """What a model reads of a request. `size`: tokens of the request as it came; `dropped`: messages that went;
    `beheaded`: the last one was cut at its beginning."""

    prompt: Prompt
    size: int
    dropped: int = 0
    beheaded: bool = False

    @property
    def whole(self) -> bool:
        """Whether nothing was cut."""
        return not self.dropped and not self.beheaded


def size(message: Message, count: Count) -> int:
    """Tokens of a message."""
    return TEMPLATE + sum(map(count, message.counted))


def fixed(prompt: Prompt, count: Count) -> int:
    """Tokens that no cut saves."""
    return sum(TEMPLATE + count(text) for text in prompt.fixed)


def read(prompt: Prompt, window: int, count: Count) -> Read:
    """A request as it is read in a window of so many tokens."""
    sizes, always = [size(message, count) for message in prompt.messages], fixed(prompt, count)
    whole = always + sum(sizes)
    if whole <= window or not sizes:
        return Read(prompt, whole)
    first, used = len(sizes) - 1, always + sizes[-1]
    while first and used + sizes[first - 1] <= window:
        first -= 1
        used += sizes[first]
    kept = prompt.messages[first:]
    if used <= window:
        return Read(Prompt(prompt.fixed, kept), whole, first)
    texts = tail(kept[0].texts, max(0, window - always - TEMPLATE), count)
    last = replace(kept[0], texts=texts, said=None, calls=())
    return Read(Prompt(prompt.fixed, (last,)), whole, first, beheaded=True)


def tail(texts: tuple[str, ...], room: int, count: Count) -> tuple[str, ...]:
    """The end of some texts that has at most so many tokens."""
    kept: list[str] = []
    for text in reversed(texts):
        if count(text) > room:
            kept.insert(0, _end(text, room, count))
            break
        kept.insert(0, text)
        room -= count(text)
    return tuple(kept)


def _end(text: str, room: int, count: Count) -> str:
    low, high = 0, len(text)  # the end from `high` on fits
    while low < high:
        middle = (low + high) // 2
        if count(text[middle:]) <= room:
            high = middle
        else:
            low = middle + 1
    return text[high:]
