"""How long a request is beside its items, and what may be changed of it: for whoever makes it fit (SEMANTICS 4).

Owns no tokenizer: it gives texts to be counted, and a number of bytes that no count exceeds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tslp_litellm.wire.turn import Changes, Item, listed, mapping, string, texts

COUNTED = ("messages", "system", "input", "instructions", "tools", "functions", "response_format", "text")
"""The fields of a request, in any of the APIs, whose text a model reads."""
TOOLS = ("tools", "functions", "response_format", "text")
CACHE_MARK = "cache_control"
IMAGE_BYTES = 8_192
"""What an image weighs in bytes at least: no fewer than the tokens it is counted as. A sound or a file weighs as much
beside its data, of whose length its tokens are no more."""
IMAGES = ("image_url", "input_image", "image")
MEDIA = (*IMAGES, "input_audio", "document", "file", "input_file")
ENTRY_BYTES = 16
"""What an API or a chat template writes around a value."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What of a request its items don't tell. `tools`: the JSON of the tools, and of what else stands with
    them. `beside`: what messages hold beside items
    (thinking, names), as (message, text). `images`: the message of each image that stays as long as its message.
    `inside`: of each image in a result, that goes with its text, the result's index. `fixed`: items, by index, whose
    text may not be changed. `bound`: messages that hold thinking, so that they go with their whole turn or not at all.
    `marked`: messages that hold a mark of the provider's cache, so that they stay. `messages`: how many there are."""

    tools: tuple[str, ...] = ()
    beside: tuple[tuple[int, str], ...] = ()
    images: tuple[int, ...] = ()
    inside: tuple[int, ...] = ()
    fixed: frozenset[int] = frozenset()
    bound: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()
    messages: int = 0


def bytes_max(data: Mapping[str, Any]) -> int | None:
    """A number of bytes, no fewer than the tokens of a request; None where the server keeps the history, so that nobody
    can tell, and nothing can be left out of it."""
    return None if string(data.get("previous_response_id")) else sum(_bytes(data.get(name)) for name in COUNTED)


def whole(data: Mapping[str, Any], messages: Sequence[tuple[object, Beside]]) -> Extent:
    """The extent of a request, given each of its messages with what that holds."""
    found = [one for _, one in messages]
    return Extent(
        tuple(as_json(value) for name in TOOLS if (value := data.get(name))),
        tuple((n, text) for n, one in enumerate(found) for text in one.texts),
        tuple(n for n, one in enumerate(found) for _ in range(one.images)),
        tuple(n for one in found for n in one.inside),
        frozenset[int]().union(*(one.fixed for one in found)),
        frozenset(n for n, one in enumerate(found) if one.bound),
        frozenset(n for n, (message, _) in enumerate(messages) if is_marked(message)),
        len(messages),
    )


def is_marked(message: object) -> bool:
    """Whether a message, or a part of it, holds a mark of the cache."""
    body = mapping(message)
    content = body.get("content") or body.get("output")
    return CACHE_MARK in body or (
        not isinstance(content, str) and any(is_marked(part) for part in listed(content) if not isinstance(part, str))
    )


@dataclass(frozen=True, slots=True)
class Beside:
    """What one message holds beside its items, and which of these may not be changed."""

    texts: tuple[str, ...] = ()
    images: int = 0
    inside: tuple[int, ...] = ()
    fixed: frozenset[int] = frozenset()
    bound: bool = False


NOTHING = Beside()
"""What most messages hold beside their items."""


def _bytes(value: object) -> int:
    """How many bytes a decoded value takes at most as a model reads it. Images count by their number alone."""
    total, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        total += ENTRY_BYTES
        if isinstance(one, str):
            total += len(one) if one.isascii() else len(one.encode("utf-8", "replace"))
            total += one.count("\\") + one.count('"') + one.count("\n")
        elif isinstance(one, Mapping):
            if is_media(one):
                total += IMAGE_BYTES
                if one.get("type") in IMAGES:
                    continue
            total += sum(len(str(key)) + ENTRY_BYTES for key in one)
            waiting += one.values()
        elif isinstance(one, (list, tuple)):
            waiting += one
        elif hasattr(one, "model_dump"):
            waiting.append(one.model_dump())
    return total


def is_media(part: object) -> bool:
    """Whether a part of a message is an image, a sound or a file: nothing that is counted by its text."""
    if mapping(part).get("type") not in MEDIA:
        return False
    return string(mapping(mapping(part).get("source")).get("type")) not in ("text", "content")


def as_json(value: object) -> str:
    """A value as JSON; empty where it can't be written."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):
        return ""


def text_parts(content: object) -> list[Any]:
    """The parts of a content list that hold text, as their items have it."""
    return [part for part in listed(content) if texts([part])]


def of_result(content: object, at: int) -> Beside:
    """What a result whose item has the index `at` holds beside its text. Images go with the text, where none holds a
    mark of the cache."""
    images = [part for part in listed(content) if is_media(part)]
    loose = 0 if any(map(is_marked, images)) else len(images)
    fixed = frozenset() if _changeable(content, loose) else frozenset({at})
    return Beside(images=len(images) - loose, inside=(at,) * loose, fixed=fixed)


def _changeable(content: object, loose: int) -> bool:
    """Whether a result can be changed as one: it is one text, or parts of text of which none holds a mark of the cache
    but the last (SEMANTICS 4: `cache_control` is never touched), or nothing but images that may go."""
    if isinstance(content, str):
        return True
    parts = text_parts(content)
    return bool(parts or loose) and not any(CACHE_MARK in mapping(part) for part in parts[:-1])


def changed(content: object, text: str, bare: bool = False, kind: str = "text") -> Any:
    """A result's content with another text: in a list the last text part holds it, and the others go. `bare`: its
    images go, too; `kind`: what a text part is called, where there was none."""
    if not isinstance(content, (list, tuple)):
        return text
    parts = [part for part in content if not (bare and is_media(part))]
    held = [n for n, part in enumerate(parts) if text_parts([part])]
    if not held:
        return [{"type": kind, "text": text}, *parts]
    last = parts[held[-1]]
    new = text if isinstance(last, str) else {**mapping(last), "text": text}
    return [new if n == held[-1] else part for n, part in enumerate(parts) if n not in held[:-1]]


def carried_out(
    entries: list[Any], first: int, changes: Changes, items: Callable[[Any, int], list[Item]], one: Callable[..., Any]
) -> list[Any]:
    """A request's messages as `changes` has them. `first`: the index of the first item in them; `items`: those of a
    message; `one`: a message with other texts, given them by the place of the item in it, and the places of
    those whose images go."""
    out, at = [], first
    for n, entry in enumerate(entries):
        number = len(items(entry, n))
        given = {m: changes.texts[at + m] for m in range(number) if at + m in changes.texts}
        if n not in changes.messages:
            out.append(one(entry, given, {m for m in given if at + m in changes.bare}) if given else entry)
        at += number
    return out
