"""What is measured of one request as a model reads it. Pure functions that know texts, not how they were made.

An entity *stands* in a text where all of its lines do, one after the other, be it behind line numbers or the `+` of a
patch that adds a file.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from benchmarks.sight.prompts import Message, Prompt, scalars
from benchmarks.sight.server import TEMPLATE, Count, Read, fixed, size
from tslp_litellm.hydration.window import reserve

BLOCK = re.compile(
    r"\[CURRENT STATE: AUTHORITATIVE\]\nEntity: ([^\n]*)\n(?:[^\n]*\n){2}\n?(.*?)\n?\[END CURRENT STATE\]", re.S
)
NOTICE = re.compile(r"\[STATE NOTICE\]\n.*?\n\[END NOTICE\]", re.S)
NUMBER = re.compile(r"[ ]{0,12}\d{1,9}(?: \| ?|[|→\t]|: )")
RESULT = re.compile(r"\[(?!attempt_completion)[\w-]+ for '[^'\n]*'\] Result:")
LISTING = "I have *added these files to the chat*"
PASTED = re.compile(r"^(```[^\n]*|<file_content[ >][^\n]*)\n.*?^(```|</file_content>)$", re.S | re.M)
LEFT = "[STATE LEFT OUT] src/example.py: 100 lines, as they then were"
"""Such a line stands for what went."""
RESULTS_KEPT = 3
"""The last tool results are nobody's to leave out (SEMANTICS 4, The window)."""
BUDGET_SHARE, BUDGET_MAX = 4, 8192


@dataclass(frozen=True, slots=True)
class Wanted:
    """An entity that the task mentions: its current text, and the texts that it had before."""

    entity: str
    text: str
    older: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A mentioned entity in what the model reads. `can`: its block fits into the budget of hydration and beside what
    nobody may leave out; `copies`: how often its current text stands there; `single`: it does not stand twice in what
    nobody may leave out (a call that writes it, say, and a result that repeats it)."""

    entity: str
    can: bool
    copies: int
    single: bool = True


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as its model reads it. `task_alone`: the task and what is fixed fit the window; `task_can`: so they do
    with what else is never touched; `can_fit`: and with the listings that a client makes anew. `injected`,
    `redundant`: tokens; `prefilled`: those behind the common prefix with the conversation's request before (None for
    the first one)."""

    size: int
    fits: bool
    can_fit: bool
    task: bool
    task_alone: bool
    task_can: bool
    found: tuple[Found, ...]
    injected: int
    redundant: int
    prefilled: int | None
    fitted: bool = False


def copies(text: str, texts: Sequence[str]) -> int:
    """How often a text's lines stand in some texts."""
    return sum(_places(text, one) for one in texts) if text.strip() else 0


@lru_cache(maxsize=20_000)  # requests bring the same texts again
def _places(text: str, one: str) -> int:
    wanted = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    anchor = max(range(len(wanted)), key=lambda n: len(wanted[n]))
    if wanted[anchor].strip() not in one:
        return 0
    lines = one.split("\n")
    bare = [NUMBER.sub("", line, count=1) for line in lines]
    added = [line.removeprefix("+") for line in lines]
    ended = [line.removesuffix("```") for line in lines]  # a listing of a text without a last newline
    return max(_runs(wanted, anchor, [line.rstrip() for line in form]) for form in (lines, bare, added, ended))


def _runs(wanted: list[str], anchor: int, lines: list[str]) -> int:
    found, free = 0, 0
    for n, line in enumerate(lines):
        start = n - anchor
        if line == wanted[anchor] and start >= free and lines[start : start + len(wanted)] == wanted:
            found, free = found + 1, start + len(wanted)
    return found


def leaves(message: Message) -> list[str]:
    """The texts of a message; of a result that is JSON the strings in it, as a reader takes them."""
    out: list[str] = []
    for text in message.texts:
        out += strings(text) if text.startswith(("[{", "{")) else [text]
    return out


def strings(text: str) -> list[str]:
    """The strings of a text that is JSON; the text itself where it is none."""
    try:
        return list(scalars(json.loads(text)))
    except ValueError:
        return [text]


def blocks(prompt: Prompt) -> list[tuple[str, str, str]]:
    """Injected blocks: entity, its text, and the block as a whole."""
    return [(m[1], m[2], m[0]) for message in prompt.messages for t in message.texts for m in BLOCK.finditer(t)]


def notices(prompt: Prompt) -> list[str]:
    """Notices in a request."""
    return [m[0] for message in prompt.messages for t in message.texts for m in NOTICE.finditer(t)]


def redundant(prompt: Prompt, origin: Prompt, older: dict[str, tuple[str, ...]], count: Count) -> tuple[int, int]:
    """Injected tokens, and those of blocks whose text stands in the request besides, with no older text behind it. What
    the client sent itself (`origin`), a model's imitations of blocks among it, was not injected."""
    total, twice = sum(map(count, (Counter(notices(prompt)) - Counter(notices(origin))).elements()), 0), 0
    for entity, text, block in (Counter(blocks(prompt)) - Counter(blocks(origin))).elements():
        tokens = count(block)
        total += tokens
        besides = [*prompt.fixed, *(BLOCK.sub("", t) for message in prompt.messages for t in leaves(message))]
        last = _last(text, besides)
        if last >= 0 and not any(_last(was, besides) > last for was in older.get(entity, ())):
            twice += tokens
    return total, twice


def _last(text: str, texts: Sequence[str]) -> int:
    return max((n for n, one in enumerate(texts) if copies(text, [one])), default=-1)


def holds(prompt: Prompt, task: str) -> bool:
    """Whether all of a task's words stand in a message of the user's."""
    return any(task in message.text for message in prompt.messages if message.role == "user")


def untouched(prompt: Prompt, task: str) -> tuple[Message, ...]:
    """What nobody may leave out: the message with the task, and the last results, of whatever turn, with the calls that
    they answer. Some clients state results in user messages: those behind the task, and those that say so."""
    found = prompt.messages
    at = max((n for n, m in enumerate(found) if m.role == "user" and task in m.text), default=-1)
    results = [n for n, m in enumerate(found) if m.role == "tool" or (m.role == "user" and n > at) or _is_result(m)]
    results = results[-RESULTS_KEPT:]
    kept = {at, *results}
    for n in results:
        back = n - 1
        while back >= 0 and found[back].role == "tool":
            back -= 1
        while back >= 0 and found[back].role == "assistant":
            kept.add(back)
            back -= 1
    return tuple(found[n] for n in sorted(kept) if n >= 0)


def beside(prompt: Prompt, task: str) -> list[str]:
    """What else stays for the sake of the last results: a turn that holds one of them does not go whole, so the user's
    words in it stay, with a line for the code that is pasted there, and the model's that call nothing."""
    kept, found, out = {id(m) for m in untouched(prompt, task)}, prompt.messages, list[str]()
    starts = [n for n, m in enumerate(found) if m.role == "user" and not _is_result(m)]
    for start, end in pairwise([*starts, len(found)]):
        turn = [m for m in found[start:end] if id(m) not in kept]
        if len(turn) < end - start:
            out += [
                PASTED.sub(rf"\1\n{LEFT}\n\2", m.text)
                for m in turn
                if m.role != "tool" and not m.calls and not _is_result(m)
            ]
    return out


def _is_result(message: Message) -> bool:
    return message.role == "user" and RESULT.match(message.text) is not None


def listings(prompt: Prompt) -> tuple[Message, ...]:
    """Messages in which a client shows its files anew with each request: they are its to leave out."""
    return tuple(m for m in prompt.messages if m.role == "user" and m.text.startswith(LISTING))


def prefilled(before: Prompt | None, now: Prompt, count: Count) -> int | None:
    """Tokens of a request behind its common prefix with the one before."""
    if before is None:
        return None
    old, new = _flat(before), _flat(now)
    at = 0
    while at < min(len(old), len(new)) and old[at] == new[at]:
        at += 1
    if at == len(new):
        return 0
    common = _common(old[at], new[at]) if at < len(old) else 0
    return count(new[at][common:]) + sum(map(count, new[at + 1 :])) + TEMPLATE * (len(new) - at)


def _common(a: str, b: str) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
    return low


def _flat(prompt: Prompt) -> list[str]:
    return [*prompt.fixed, *(f"{m.role}\n{m.text}" for m in prompt.messages)]


def possible(wanted: Sequence[Wanted], room: int, window: int, count: Count) -> list[bool]:
    """Which entities can stand in the request: whose texts fit, one after the other, into the budget of hydration (a
    window's quarter) and into the room that what is never touched leaves."""
    left, out = min(room, window // BUDGET_SHARE, BUDGET_MAX), []
    for one in sorted(wanted, key=lambda one: "::" not in one.entity):
        tokens = count(one.text) + BLOCK_TOKENS
        out.append((one.entity, tokens <= left))
        left -= tokens if tokens <= left else 0
    fits = dict(out)
    return [fits[one.entity] for one in wanted]


BLOCK_TOKENS, NOTICE_TOKENS = 90, 45
"""What a block's frame, with a hash in it, takes; and the notice of what was left out."""


def see(
    sent: Prompt, came: Read, origin: Prompt, before: Prompt | None, task: str, wanted: Sequence[Wanted], *,
    window: int, answer: int | None, fitted: bool, count: Count,
) -> Seen:  # fmt: skip
    """All measures of a request. `origin`: as the client sent it; `sent`: as it went out; `came`: as it is read;
    `before`: what was read of the conversation's request before; `answer`: the tokens that it asks for."""
    always = fixed(origin, count)
    with_task = [m for m in origin.messages if m.role == "user" and task in m.text][-1:]
    alone = always + sum(size(m, count) for m in with_task)
    kept = always + sum(size(m, count) for m in untouched(origin, task))
    least = kept + sum(size(m, count) for m in listings(origin))
    least += sum(TEMPLATE + count(text) for text in beside(origin, task))
    total = always + sum(size(m, count) for m in origin.messages)
    kept_free = reserve(window, answer, total, least)
    told = NOTICE_TOKENS if total + kept_free > window else 0
    can = possible(wanted, window - kept_free - least - told, window, count)
    texts = [*came.prompt.fixed, *(t for m in came.prompt.messages for t in leaves(m))]
    held = [*origin.fixed, *(t for m in (*untouched(origin, task), *listings(origin)) for t in leaves(m))]
    found = tuple(
        Found(w.entity, c, copies(w.text, texts), copies(w.text, held) <= 1) for w, c in zip(wanted, can, strict=True)
    )
    injected, twice = redundant(sent, origin, {w.entity: w.older for w in wanted}, count)
    return Seen(
        size=came.size,
        fits=came.whole,
        can_fit=least + kept_free <= window,
        task=holds(came.prompt, task),
        task_alone=alone + kept_free <= window,
        task_can=kept + kept_free <= window,
        found=found,
        injected=injected,
        redundant=twice,
        prefilled=prefilled(before, came.prompt, count),
        fitted=fitted,
    )
