"""What a body weighs, told in bounded time: whether its reading is worth a thread."""

from __future__ import annotations

from collections.abc import Mapping

LARGE_CHARS = 16_000
"""From here on an answer is not read on the event loop, and a visit counts as heavy."""
WIRE_CHARS = 128_000
"""From here on a request is not taken apart on the event loop: it would take more than a fraction of a millisecond."""
NODES_MAX = 1_000


def is_large(value: object, chars: int = LARGE_CHARS) -> bool:
    """Whether a decoded body (or a model of one) holds so many characters, or too many parts to be counted here."""
    left, nodes, waiting = chars, NODES_MAX, [value]
    while waiting:
        one = waiting.pop()
        nodes -= 1
        if isinstance(one, (str, bytes)):
            left -= len(one)
        elif isinstance(one, Mapping):
            waiting += list(one.values()) if len(one) <= nodes else [None] * nodes
        elif isinstance(one, (list, tuple)):
            waiting += one if len(one) <= nodes else [None] * nodes
        elif hasattr(one, "__dict__"):
            waiting += list(vars(one).values())
        if left <= 0 or nodes <= 0:
            return True
    return False
