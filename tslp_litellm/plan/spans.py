"""Which messages of a request go together: turns with their answers, calls with their results (SEMANTICS 4, step 3).

What is left is a request as a provider takes it: a span begins where roles begin anew, and no call is parted from its
result. What the client makes anew for each request (listings, maps) belongs to no turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise

from tslp_litellm.wire.turn import Item, ItemKind, Role


def spans(
    items: Sequence[Item],
    read: Sequence[Item],
    own: Collection[int],
    floating: Collection[int],
    kept: Collection[int],
    bound: Collection[int],
    messages: int,
) -> list[tuple[bool, frozenset[int]]]:
    """The spans that may go, turns first, each kind oldest first; for each whether it is a turn, and its messages. The
    calls of a turn that may go whole are spans, too: some may have gone while it went on, and stay out.

    `read`: the items with calls and results that stand in texts as such; `own`: the messages with the user's own words;
    `floating`: those that are made anew; `kept`: those that may not go; `bound`: those with thinking in them;
    `messages`: how many the request has.
    """
    of_message: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        of_message[item.message].append(item)
    system = {n for n, found in of_message.items() if any(item.role is Role.SYSTEM for item in found)}
    whole = _unparted(items, messages)
    starts = [n for n in sorted(own) if n in whole and not _answers(of_message[n])]
    if not starts:
        return []
    of_read: dict[int, list[Item]] = defaultdict(list)
    for item in read:
        of_read[item.message].append(item)
    fixed, begins = {*kept, *own, *bound, *system, *floating}, whole - {n + 1 for n in bound}
    turns, rounds = list[frozenset[int]](), list[frozenset[int]]()
    for start, end in pairwise([*starts, messages]):
        turn = frozenset(range(start, end)) - frozenset(floating) - system
        if end < messages and turn and not turn & frozenset(kept):
            turns.append(turn)
        rounds += [one for one in _rounds(of_read, begins, range(start + 1, end)) if not one & fixed]
    return [*((True, turn) for turn in turns), *((False, one) for one in rounds)]


def _unparted(items: Sequence[Item], messages: int) -> set[int]:
    """The messages before which no call waits for its result."""
    called: dict[str, int] = {}
    open_at = [0] * (messages + 1)
    for item in items:
        if item.kind is ItemKind.CALL:
            called[item.call_id] = item.message
        elif item.kind is ItemKind.RESULT and 0 <= (first := called.get(item.call_id, -1)) < item.message:
            open_at[first + 1] += 1
            open_at[min(item.message + 1, messages)] -= 1
    waiting, found = 0, set[int]()
    for n in range(messages):
        waiting += open_at[n]
        if waiting == 0:
            found.add(n)
    return found


def _answers(items: Sequence[Item]) -> bool:
    return any(item.kind is ItemKind.RESULT for item in items)


def _rounds(of_message: dict[int, list[Item]], whole: Collection[int], there: range) -> list[frozenset[int]]:
    """The model's calls in a turn, with their results; the last one ends with the turn."""
    starts = [n for n in there if n in whole and _says(of_message[n]) and not _says(of_message.get(n - 1, []))]
    found = []
    for start, end in pairwise([*starts, there.stop]):
        held = [item for n in range(start, end) for item in of_message[n]]
        calls = {item.call_id for item in held if item.kind is ItemKind.CALL}
        answered = {item.call_id for item in held if item.kind is ItemKind.RESULT}
        only = all(item.role is Role.ASSISTANT or item.kind is ItemKind.RESULT for item in held)
        if calls and calls == answered and only and all(of_message[n] for n in range(start, end)):
            found.append(frozenset(range(start, end)))
    return found


def _says(items: Sequence[Item]) -> bool:
    return bool(items) and all(item.role is Role.ASSISTANT for item in items)
