"""A request as the plan sees it: its parts with their tokens, which of them may be changed, which messages may go.

Never touched are the system prompt, the latest message of the user's own, the last three tool results, what the client
makes anew for each request, and whatever a wire format holds fast (SEMANTICS 4, The window).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from tslp_litellm.clients.asides import without_asides
from tslp_litellm.clients.frames import without_volatile
from tslp_litellm.engine.talk import Talk
from tslp_litellm.engine.values import Request
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.hydration.window import ITEM_TOKENS
from tslp_litellm.plan import fitting
from tslp_litellm.plan.spans import spans
from tslp_litellm.plan.values import IMAGE_TOKENS, Demand, Part, Span
from tslp_litellm.wire.extent import Extent
from tslp_litellm.wire.turn import Item, ItemKind, Role

LAST_RESULTS = 3
"""Tool results that are never touched: the last ones."""
MESSAGE_TOKENS = 4
"""What a message weighs beside its items."""


def demand_of(
    request: Request,
    talk: Talk,
    counts: TokenCounts,
    fronts: Mapping[int, str] = MappingProxyType({}),
) -> Demand:
    """A request's parts and spans, counted. `fronts`: what stands in front of its messages."""
    extent, items = request.extent(), request.turn.items
    task = _task(talk, items)
    closed = {task, *(talk.items[n].message for n in talk.listings)}
    own = {talk.items[n].message for n in talk.own}
    results = _results(items, talk, own)
    last_results = set(sorted(results)[-LAST_RESULTS:])
    beside = _beside(extent, counts)
    beside.update({message: counts.of(text) for message, text in fronts.items()})
    fixed = extent.fixed | last_results
    parts = tuple(_parts(items, closed, results, fixed, Counter(extent.inside), counts))
    kept = {*closed, *(items[n].message for n in last_results), *extent.marked}
    read = [item for item in talk.items if not _is_aside(item)]
    found = spans(items, read, own, _floating(talk), kept, extent.bound, extent.messages)
    weights, keys = Counter(beside), dict[int, str]()
    for part in parts:
        weights[part.message] += part.size
        keys.setdefault(part.message, part.key)
    sized = (
        Span(("t" if turn else "r") + first, messages, sum(weights[m] + MESSAGE_TOKENS for m in messages), turn)
        for turn, messages in found
        if (first := next((keys[m] for m in sorted(messages) if m in keys), None)) is not None
    )
    besides = sum(map(counts.of, extent.tools)) + sum(beside.values()) + MESSAGE_TOKENS * extent.messages
    return Demand(parts, tuple(sized), besides)


def _parts(
    items: Sequence[Item],
    closed: set[int],
    results: set[int],
    fixed: Collection[int],
    images: Mapping[int, int],
    counts: TokenCounts,
) -> Iterable[Part]:
    tools: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for n, (item, key) in enumerate(zip(items, _keys(items), strict=True)):
        if item.kind is ItemKind.CALL:
            tools[item.call_id] = item.name
        seen[key] += 1
        opened = _may_change(item) and item.exact and item.message >= 0 and item.message not in closed
        size = counts.of(item.text) + (counts.of(item.name) if item.name else 0) + ITEM_TOKENS
        size += images.get(n, 0) * IMAGE_TOKENS
        yield Part(
            n,
            item.message,
            f"{key}.{seen[key]}",
            item.text,
            size,
            opened and n not in fixed,
            n in results,
            tools.get(item.call_id, ""),
            images.get(n, 0),
        )


def _may_change(item: Item) -> bool:
    """The model's own words never do: it answers as it finds itself to have answered, with a line of ours where its
    code should be. They go whole, with their turn, or not at all."""
    if item.kind is ItemKind.TEXT:
        return item.role not in (Role.SYSTEM, Role.ASSISTANT)
    return item.kind is ItemKind.RESULT


def _results(items: Sequence[Item], talk: Talk, own: Collection[int]) -> set[int]:
    """The items that are results of tools; of a message in which a client writes results as text, those that hold them,
    and not what it says beside."""
    told: dict[int, list[str]] = {}
    for item in talk.items:
        if item.kind is ItemKind.RESULT and item.text and item.message not in own:
            told.setdefault(item.message, []).append(item.text)
    return {
        n
        for n, item in enumerate(items)
        if item.kind is ItemKind.RESULT
        or (item.kind is ItemKind.TEXT and item.role is Role.USER and _holds(item.text, told.get(item.message, ())))
    }


def _is_aside(item: Item) -> bool:
    """Whether a text is nothing but what a client says by itself: it belongs to what it stands beside."""
    return item.kind is ItemKind.TEXT and item.role is Role.USER and not without_asides(item.text).strip()


def _holds(text: str, results: Iterable[str]) -> bool:
    return any(result in text for result in results)


def _keys(items: Sequence[Item]) -> list[str]:
    """What each item is known by: calls and results by themselves, a text of the model's with the words that it
    answers, any other with the first word of the answer to it. Clients drop their oldest messages: only what stands
    beside an item stays there as long as the item does."""
    keys, asked, said = [_key(item) for item in items], "", ""
    beside = [""] * len(items)
    for n, item in enumerate(items):
        if item.role is Role.ASSISTANT:
            beside[n] = asked if not item.call_id else ""
        elif item.role is not Role.SYSTEM:
            asked = keys[n]
    for n in reversed(range(len(items))):
        if items[n].role is Role.ASSISTANT:
            said = keys[n]
        elif not items[n].call_id:
            beside[n] = said
    return [key + other for key, other in zip(keys, beside, strict=True)]


def prompt_keys(items: Iterable[Item]) -> dict[int, str]:
    """What the user's messages are known by themselves, by their first texts."""
    found: dict[int, str] = {}
    for item in items:
        if item.role is Role.USER and item.kind is ItemKind.TEXT and item.message not in found:
            found[item.message] = _key(item)
    return found


def _key(item: Item) -> str:
    """What an item itself is known by. Its cuts are of lines, so its text is the same to the byte, but for a reminder
    that the client puts behind it anew; a call is known by its id, for clients echo its arguments as they like."""
    text = item.text
    if item.kind is ItemKind.CALL and item.call_id:
        text = ""
    elif item.role is Role.USER:
        text = without_volatile(text)
    content = f"{item.role}\0{item.kind}\0{item.call_id}\0{text}"
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def _beside(extent: Extent, counts: TokenCounts) -> Counter[int]:
    found: Counter[int] = Counter()
    for message, text in extent.beside:
        found[message] += counts.of(text)
    for message in extent.images:
        found[message] += IMAGE_TOKENS
    return found


def _task(talk: Talk, items: Iterable[Item]) -> int:
    """The latest message of the user's own; where there is none, the last that the user's side wrote."""
    if talk.message is not None:
        return talk.message
    return max((item.message for item in items if item.role is Role.USER), default=-1)


def _floating(talk: Talk) -> set[int]:
    """The messages that are made anew for each request, all of them: a result beside a listing stays with its call."""
    floats: dict[int, bool] = {}
    for item, flag in zip(talk.items, talk.floats, strict=True):
        floats[item.message] = flag and floats.get(item.message, True)
    return {message for message, whole in floats.items() if whole}


def least(demand: Demand) -> int:
    """The tokens that are left of a request when all that may go has gone."""
    spans = fitting.outermost(demand.spans)
    going = {m for span in spans for m in span.messages}
    results = [part for part in demand.parts if part.result and part.open and part.message not in going]
    opened = sum(part.size for part in results if part.size >= fitting.RESULT_SAVING_MIN)
    return fitting.size(demand) - sum(span.size for span in spans) - opened
