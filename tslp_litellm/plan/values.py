"""The plan's vocabulary: a request's parts and spans, what they show, and what was left out of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

ALL = -1
"""The end of a cut that takes a part's whole text, and the images in it."""
IMAGE_TOKENS = 1_600
"""What an image weighs."""


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a request. `item`: its index in the turn; `key`: what it is known by in its conversation; `open`:
    its text may be changed; `result`: it is a tool result, of the tool `tool`; `size`: its tokens, with what it holds
    beside its text; `images`: the images in it, which go with its whole text."""

    item: int
    message: int
    key: str
    text: str
    size: int
    open: bool = False
    result: bool = False
    tool: str = ""
    images: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """Messages that go together or not at all: a turn with its answer, calls with their results. `turn`: False for
    calls of a turn, the one that is going on too; these go last, of turns of which something stays. `size`: its tokens
    as the client sent it."""

    key: str
    messages: frozenset[int]
    size: int
    turn: bool = True


class Text(StrEnum):
    """How a shown text relates to its entity."""

    CURRENT = "current"
    OLDER = "older"  # it was the truth once
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines `start:end` of a part (by item) that show an entity, as it is or was. `start` -1: the part shows it, but
    not as lines of its own. `whole`: all of the entity's current text."""

    item: int
    entity: str
    text: Text
    start: int = -1
    end: int = -1
    whole: bool = False
    inside: tuple[Shown, ...] = ()

    @property
    def path(self) -> str:
        """The file that it shows."""
        return self.entity.partition("::")[0]


@dataclass(frozen=True, slots=True)
class Cut:
    """Lines `start:end` of a text (`end` ALL: the whole text) that one line of ours stands for."""

    start: int
    end: int
    line: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is left out of a conversation's requests: cuts by the key of their part, and spans by theirs. `fronts`: what
    was put in front of its prompts and stays there, by the prompt's own key (`placement: stay`). `window`: tokens of
    the window that it was made for."""

    cuts: Mapping[str, tuple[Cut, ...]] = field(default_factory=dict)
    spans: frozenset[str] = frozenset()
    fronts: Mapping[str, str] = field(default_factory=dict)
    window: int = field(default=0, compare=False)

    def __bool__(self) -> bool:
        return bool(self.cuts or self.spans or self.fronts)

    def body(self) -> str:
        """As the store keeps it; empty where nothing is left out."""
        if not self:
            return ""
        cuts = {key: [[cut.start, cut.end, cut.line] for cut in found] for key, found in sorted(self.cuts.items())}
        said = {"cuts": cuts, "spans": sorted(self.spans), "fronts": dict(self.fronts), "window": self.window}
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def of(cls, body: str) -> LeftOut:
        """The reverse of `body`."""
        if not body:
            return cls()
        found = json.loads(body)
        cuts = {key: tuple(Cut(*cut) for cut in one) for key, one in found["cuts"].items()}
        return cls(cuts, frozenset(found["spans"]), found.get("fronts", {}), found.get("window", 0))

    def within(self, window: int) -> LeftOut:
        """What of it is left out for a window of so many tokens: nothing for a larger one than it was made for."""
        return self if window <= self.window else LeftOut(fronts=self.fronts)


@dataclass(frozen=True, slots=True)
class Demand:
    """A request as the plan sees it. `besides`: tokens that belong to no part: the tools, what messages weigh.
    `shown`: what its parts show of tracked entities; `brought`: entities that a block brings in."""

    parts: tuple[Part, ...]
    spans: tuple[Span, ...] = ()
    besides: int = 0
    shown: tuple[Shown, ...] = ()
    brought: frozenset[str] = frozenset()
