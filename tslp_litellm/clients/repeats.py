"""A call as a client sends it back: repaired by the client, which carried it out so, or shortened to save space.

The call as the model made it was carried out, unless the client's repeat of it is a repair (SEMANTICS 2, Calls).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import takewhile

from tslp_litellm.wire.turn import Item

DEPTH_MAX = 64
_MARK = re.compile(
    r"\.\.\.|…|\b(?:truncat|omit|elid|clear|remov|trimm|cut|redact|shorten|snip|compact|collaps|hidden|prun)\w*|"
    r"\A\s*[\[(<].*[\])>]\s*\Z",
    re.I,
)
"""What stands for text that was left out."""


def carried_out(made: Item, repeated: Item | None) -> Item:
    """Of a call as it was made and as it is repeated, if it is, the one that was carried out."""
    if repeated is None:
        return made
    if repeated.text == made.text or repeated.name != made.name:
        return repeated
    arguments, again = _decoded(made.text), _decoded(repeated.text)
    if arguments is None:
        return repeated
    return made if again is None or _is_shortened(dict(_texts(arguments)), dict(_texts(again))) else repeated


def _decoded(text: str) -> object | None:
    try:
        return json.loads(text) or {}
    except (ValueError, RecursionError):
        return None


def _texts(value: object, at: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], str]]:
    """The texts in arguments, each by its place."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, (dict, list)) and len(at) < DEPTH_MAX:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _texts(inner, (*at, key))


def _is_shortened(made: dict[tuple[object, ...], str], again: dict[tuple[object, ...], str]) -> bool:
    """Whether texts gave way to marks, or most of them to nothing."""
    before, after = (sum(map(len, texts.values())) for texts in (made, again))
    return after * 2 < before or any(
        again[at] != text and _gave_way(text, again[at]) for at, text in made.items() if at in again
    )


def _gave_way(text: str, again: str) -> bool:
    """Whether a part of a text gave way to a mark."""
    start = _shared(text, again)
    old, new = text[start:], again[start:]
    end = _shared(old[::-1], new[::-1])
    old, new = old[: len(old) - end], new[: len(new) - end]
    return bool(old) and _MARK.search(new) is not None and _MARK.search(old) is None


def _shared(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
