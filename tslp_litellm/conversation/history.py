"""What is new in a request, and what the client only resends (SEMANTICS 2).

A conversation is remembered as the digests of its items, each with the ordinals at which it was said. A request is
aligned with that memory, order kept: an item that fits is SEEN, one after the model's last word that doesn't is NEW,
any other is OLD (history of unknown age, or a change to the history). An item that comes again later than it was
said before doesn't fit either: to paste an old text again is something new. A listing is made anew for each request:
the last one of its kind is always NEW, wherever it stands, and none is remembered.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tslp_litellm.clients.frames import is_floating, patterns, without_volatile
from tslp_litellm.dialects.listings import is_added, is_listing
from tslp_litellm.wire.turn import Item, ItemKind, Role

Memory = Mapping[bytes, Sequence[int]]
"""Digest -> ordinals at which it was said, ascending."""

SUBSTANTIAL_CHARS = 40


class Age(StrEnum):
    """How an item of a request relates to what we know of its conversation."""

    NEW = "new"
    SEEN = "seen"
    OLD = "old"


@dataclass(frozen=True, slots=True)
class Alignment:
    """A request against a memory: each item's age, and how well it fits (0: another conversation).

    `fitting`: the ordinals of what fits. `last_said`: that of the model's last word in the request; -1 where it
    holds none, None where that was never heard.
    """

    ages: tuple[Age, ...]
    weight: int = 0
    fitting: frozenset[int] = frozenset()
    last_said: int | None = None


def digest(item: Item) -> bytes:
    """An item's identity across requests: tolerant of what clients change when they resend (white space at the ends,
    reminders, echoed arguments)."""
    if item.kind is ItemKind.CALL and item.call_id:
        content = f"call\0{item.call_id}"
    elif item.kind is ItemKind.TEXT:
        text = item.text if item.role is Role.ASSISTANT else without_volatile(item.text)
        content = f"{item.role}\0{text.strip()}"
    else:
        content = f"{item.kind}\0{item.call_id}\0{item.name}\0{item.text.strip()}"
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def floating(items: Sequence[Item]) -> list[bool]:
    """Which items are made anew for each request (listings, maps, contexts), or only acknowledge one that is."""
    flags: list[bool] = []
    for item in items:
        if item.kind is not ItemKind.TEXT:
            flags.append(False)
        elif item.role is Role.USER:
            flags.append(is_floating(item.text))
        else:
            flags.append(bool(flags) and flags[-1] and item.text.strip() in patterns().acknowledgements)
    return flags


def align(
    items: Sequence[Item],
    digests: Sequence[bytes],
    memory: Memory,
    floats: Sequence[bool],
    standing: frozenset[int],
) -> Alignment:
    """The ages of a request's items. `floats`, `standing`: of these, by `floating` and `standing_listings`."""
    spoken = [item.role is Role.ASSISTANT and not floats[n] for n, item in enumerate(items)]
    matched = _longest_match(digests, memory)
    weight = _weight(items, spoken, matched)
    if not weight:
        matched = {}
    boundary = max((n for n, said in enumerate(spoken) if said), default=-1)
    latest = max((o for ordinals in memory.values() for o in ordinals), default=-1)
    tail_known = all(n in matched or floats[n] for n in range(boundary + 1, len(items)))
    rewound = bool(matched) and tail_known and max(matched.values()) < latest
    elsewhere = _answered_elsewhere(items, digests, memory, matched)
    ages = []
    for n in range(len(items)):
        if n in standing or n in elsewhere:
            ages.append(Age.NEW)
        elif n in matched and not (rewound and n > boundary):
            ages.append(Age.SEEN)
        elif weight and n <= boundary and digests[n] in memory:
            ages.append(Age.SEEN)  # out of its order, but said before all the same
        elif n > boundary:
            ages.append(Age.NEW)
        else:
            ages.append(Age.OLD)
    last_said = matched.get(boundary) if boundary >= 0 else -1
    return Alignment(tuple(ages), weight, frozenset(matched.values()), last_said)


def _answered_elsewhere(
    items: Sequence[Item], digests: Sequence[bytes], memory: Memory, matched: Mapping[int, int]
) -> set[int]:
    """The results of calls that were never heard, behind all that was: turns of the conversation that went another way
    (another model, a bypass), and are as new as what stands at its end."""
    if not matched:
        return set()
    last = max(matched)
    heard = {item.call_id for n, item in enumerate(items) if item.kind is ItemKind.CALL and digests[n] in memory}
    return {
        n
        for n, item in enumerate(items)
        if n > last and item.kind is ItemKind.RESULT and item.call_id not in heard and digests[n] not in memory
    }


def standing_listings(items: Sequence[Item]) -> frozenset[int]:
    """The listings that say what the files are now: the last one of each kind."""
    last: dict[bool, int] = {}
    for n, item in enumerate(items):
        if item.kind is ItemKind.TEXT and item.role is Role.USER and is_listing(item.text):
            last[is_added(item.text)] = n
    return frozenset(last.values())


def begun_anew(digests: Sequence[bytes], memory: Memory) -> Alignment | None:
    """A request without a word of the model's, where it is how a remembered conversation began; None where not."""
    first = {digest: ordinals[0] for digest, ordinals in memory.items() if ordinals}
    if not digests or [first.get(digest) for digest in digests] != list(range(len(digests))):
        return None
    return Alignment((Age.NEW,) * len(digests), 0, frozenset(first.values()), -1)


def _longest_match(digests: Sequence[bytes], memory: Memory) -> dict[int, int]:
    """The longest common subsequence of a request and a memory: index -> ordinal (Hunt and Szymanski)."""
    tails: list[int] = []
    links: list[tuple[int, int, int]] = []  # index, ordinal, link before (-1: none)
    ends: list[int] = []  # for each length, the link that ends the best chain
    for n, key in enumerate(digests):
        for ordinal in reversed(memory.get(key, ())):
            at = bisect_left(tails, ordinal)
            links.append((n, ordinal, ends[at - 1] if at else -1))
            if at == len(tails):
                tails.append(ordinal)
                ends.append(len(links) - 1)
            else:
                tails[at], ends[at] = ordinal, len(links) - 1
    matched: dict[int, int] = {}
    link = ends[-1] if ends else -1
    while link >= 0:
        n, ordinal, link = links[link]
        matched[n] = ordinal
    return matched


def _weight(items: Sequence[Item], spoken: Sequence[bool], matched: Mapping[int, int]) -> int:
    """How much a match proves: the model must have said some of it. It says short phrases ("Done.") everywhere: one
    proves something only behind what it answers, and one alone nothing."""
    weights: dict[int, int] = {}
    for n in sorted(matched):
        short = items[n].kind is ItemKind.TEXT and len(items[n].text.strip()) < SUBSTANTIAL_CHARS
        if not short or not spoken[n] or n - 1 in weights:
            weights[n] = 1 if short else 2
    weight = sum(weights.values())
    return weight if weight >= 2 and any(spoken[n] for n in weights) else 0
