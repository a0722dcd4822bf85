"""What clients write themselves: listings that move, machine messages, the working directory.

Owns the reading of `data/clients.json`; nothing here names a client in code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile

from tslp_litellm.clients.tools import edits_files
from tslp_litellm.data import table
from tslp_litellm.data.schema import Clients
from tslp_litellm.dialects.lines import first_on_lines, words_of
from tslp_litellm.dialects.values import Carrier
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn

CALLED = "Called the "


@dataclass(frozen=True, slots=True)
class Prompts:
    """How prompts of one kind are recognised: by their beginning, or by what they say somewhere on a line."""

    beginning: re.Pattern[str]
    somewhere: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, patterns: tuple[str, ...]) -> Prompts:
        """Patterns that begin with `^` hold for the beginning of the whole text."""
        first = [f"(?:{p.removeprefix('^')})" for p in patterns if p.startswith("^")]
        others = tuple(re.compile(p) for p in patterns if not p.startswith("^"))
        return cls(re.compile("|".join(first) or r"(?!)"), others)

    def fit(self, text: str) -> bool:
        """Whether a text, white space before it apart, is such a prompt."""
        text = text.lstrip()
        return self.beginning.match(text) is not None or any(first_on_lines(p, text) for p in self.somewhere)


@dataclass(frozen=True, slots=True)
class Patterns:
    """The data file, compiled."""

    editors: Prompts
    gaps: re.Pattern[str]
    examples_end: frozenset[str]
    floating: Prompts
    acknowledgements: frozenset[str]
    machine: Prompts
    above_reply: re.Pattern[str]
    machine_tags: frozenset[str]
    skills: re.Pattern[str]
    volatile: tuple[re.Pattern[str], ...]
    working_directory: tuple[tuple[str, re.Pattern[str]], ...]
    edit_forms: tuple[tuple[re.Pattern[str], frozenset[Carrier]], ...]


@cache
def patterns() -> Patterns:
    """The patterns, read once."""
    known = table("clients", Clients)
    return Patterns(
        editors=Prompts.of(known.editors),
        gaps=re.compile(known.gaps),
        examples_end=known.examples_end,
        floating=Prompts.of(known.floating),
        acknowledgements=known.acknowledgements,
        machine=Prompts.of(known.machine),
        above_reply=re.compile(known.above_reply),
        machine_tags=known.machine_tags,
        skills=re.compile("|".join(f"(?:{p})" for p in known.skills)),
        volatile=tuple(re.compile(p, re.S) for p in known.volatile),
        working_directory=tuple((row.opens, re.compile(row.pattern, re.M)) for row in known.working_directory),
        edit_forms=tuple(
            (re.compile(row.pattern, re.M), frozenset(Carrier(form) for form in row.forms)) for row in known.edit_forms
        ),
    )


def is_editor(turn: Turn) -> bool:
    """Whether the client asks a second model to edit as the first one said: the prompt is the first one's answer."""
    return patterns().editors.fit(turn.system())


def without_volatile(text: str) -> str:
    """A user's text without the reminders that a client puts behind it anew for each request."""
    ends = [where for p in patterns().volatile for word in words_of(p) if (where := _matches_at(p, text, word)) >= 0]
    return text[: min(ends)] if ends else text


def _matches_at(pattern: re.Pattern[str], text: str, word: str) -> int:
    """Where a pattern that begins with a word first matches; -1 where it does not."""
    at = text.find(word)
    while at >= 0 and not pattern.match(text, at):
        at = text.find(word, at + 1)
    return at


GAP_CHARS = 2_000
"""How far into a message a client says that the history has a gap there."""


def is_gap(text: str) -> bool:
    """Whether a message says that some of the history was removed: what stood there may have changed any file."""
    return patterns().gaps.search(text[:GAP_CHARS]) is not None


def is_machine(text: str) -> bool:
    """Whether a user message was written by the client: it holds no request of the user's own."""
    return (patterns().machine.fit(text) and not is_reply(text)) or is_floating(text)


def is_reply(text: str) -> bool:
    """Whether a message is what the user said to a tool by which the client asks: the words in its tag are his own."""
    return patterns().above_reply.match(text.lstrip()) is not None


def without_asking(text: str) -> str:
    """A user's text without what a client puts above the words in which he answers."""
    said = text.lstrip()
    found = patterns().above_reply.match(said)
    return said[found.end() :] if found else text


def is_floating(text: str) -> bool:
    """Whether a message is made anew for each request and moves as the history grows (listings, maps, contexts)."""
    return patterns().floating.fit(text)


_SLASH_AT_END = re.compile(r"(?<=[^:/\\])[/\\]+\Z")
"""Of a folder, but for a root: `/home/ann/shop/`, not `C:\\`."""


def working_directory(turn: Turn) -> str | None:
    """The working directory that the client states, if it does: in its system prompt, or in a frame of its own, a
    message that begins as that client's does and stands before the model's first word (SEMANTICS 1).

    What a user says or pastes states none.
    """
    front = takewhile(lambda item: item.role is not Role.ASSISTANT, turn.items)
    said = [item.text.lstrip() for item in front if item.role is Role.USER and item.kind is ItemKind.TEXT]
    for opens, pattern in patterns().working_directory:
        for text in (text for text in said if text.startswith(opens)) if opens else (turn.system(),):
            if match := first_on_lines(pattern, text):
                return _SLASH_AT_END.sub("", match["path"].strip())
    return None


def edit_forms(turn: Turn) -> frozenset[Carrier] | None:
    """In which forms the client applies edits out of the model's text; None where nothing says so (any)."""
    if edits_files(turn.tools):
        return frozenset()
    last = next((i.text for i in reversed(turn.items) if i.kind is ItemKind.TEXT and i.role is Role.USER), "")
    for said in (turn.system(), last):
        for pattern, forms in patterns().edit_forms:
            if first_on_lines(pattern, said):
                return forms
    return None


def after_examples(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A conversation's own items: no system prompts, nothing up to the end of a client's example conversations."""
    start = 0
    for n, item in enumerate(items):
        if item.role is Role.USER and item.text.strip() in patterns().examples_end:
            start = n + 1
            if start < len(items) and items[start].role is Role.ASSISTANT:
                start += 1
    own = items[start:]
    return tuple(_as_user(item) if item.text.lstrip().startswith(CALLED) else item for item in own if _is_own(item))


def _is_own(item: Item) -> bool:
    """Whether an item is no system prompt; Claude Code puts reads that nobody asked for into system messages."""
    return item.role is not Role.SYSTEM or (item.message >= 0 and item.text.lstrip().startswith(CALLED))


def _as_user(item: Item) -> Item:
    return replace(item, role=Role.USER) if item.role is Role.SYSTEM else item
