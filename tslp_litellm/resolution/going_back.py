"""A conversation that goes on without answers that had been given: what they alone made true never was (SEMANTICS 2,
Going back).

A file's history is told once more without them. What a client had confirmed of them was on its disk and may have been
taken back there, so the file is of unknown text; so is what stands and was built on what does not (`carrying.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tslp_litellm.dialects.values import Carrier
from tslp_litellm.resolution.carrying import Step, carried_over, joined
from tslp_litellm.resolution.files import Change, dirty, promotion, remove, tombstone
from tslp_litellm.resolution.trust import OF_THE_MODEL
from tslp_litellm.state.events import Entry, Op
from tslp_litellm.state.fold import apply
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState, Freshness, Grant, Held, Known, Origin, StateMap

REWIND = "rewind"
"""The carrier of what going back does."""
WHOLE_CARRIERS = frozenset({Carrier.LISTING, Carrier.ATTACHMENT, Carrier.READ})
"""Carriers that show a file's whole text, whatever it was before."""


@dataclass(frozen=True, slots=True)
class Said:
    """An episode's place in its conversation: the ordinals of what was new in its request (from `since`), and of its
    answer (from `said` to before `end`; nothing of one that was cut short). `parent`: that of the model's last word in
    its request; -1 where there was none, None where it is not known."""

    episode: str
    since: int
    said: int
    end: int
    parent: int | None


@dataclass(frozen=True, slots=True)
class Left:
    """Episodes by what of them a conversation goes on without: the answer, or the request that led to it as well."""

    answers: frozenset[str] = frozenset()
    requests: frozenset[str] = frozenset()
    conversation: str = ""


def left_behind(said: Iterable[Said], fitting: frozenset[int], last_said: int, before: Left = Left()) -> Left:
    """What a request goes on without: what is not on the way to the model's last word in it.

    The way is told by what each request was seen to go on from, not by what the request still holds: a history that
    was compacted or cut at its beginning leaves nothing behind. `fitting`: the ordinals of what the request holds.
    `before`: what the conversation had gone on without; of that, what lies where the way is not known stays left.
    """
    every = sorted(said, key=lambda one: one.said)
    way, start = _way(every, last_said)
    off = [one for one in every if one.episode not in way and one.said > start]
    answers = [one for one in off if one.end > one.said]
    cut_short = [one for one in off if one.end == one.said and one.since > last_said]
    asked = [one for one in (*answers, *cut_short) if fitting.isdisjoint(range(one.since, one.said))]
    known = {one.episode for one in every if one.said > start}
    return Left(
        frozenset(one.episode for one in answers) | (before.answers - known),
        frozenset(one.episode for one in asked) | (before.requests - known),
    )


def _way(every: Sequence[Said], last_said: int) -> tuple[set[str], int]:
    """The episodes on the way to an ordinal, and the ordinal behind which they are all known: its own where no answer
    of ours is that word, such as one that was cut short and that the client sends all the same."""
    found, at, start = set[str](), last_said, last_said
    for one in reversed(every):
        if one.said <= at < one.end:
            found.add(one.episode)
            if one.parent is None:
                return found, one.since - 1
            at, start = one.parent, one.since - 1
    return found, -1 if at < 0 else start


Holding = Mapping[str, Held]
"""What the State Map holds of one file: entity -> its artifact and freshness."""


@dataclass(frozen=True, slots=True)
class Without:
    """What a file would hold without what is left: what it held at a place in the Ledger, and the steps that stand of
    those that its text took from there, while it was another."""

    held: Holding = field(default_factory=dict)
    since: tuple[Step, ...] = ()


@dataclass(slots=True)
class Retold:
    """A file's history as it was (`actual`), and as it would be without what is left (`told`; None: its text is
    unknown), up to a place in the Ledger. `behind`: whether a client has confirmed something that is left: what was
    read after it, was read of that. `episodes`: those that it has heard of; `rewound`: whether it went back."""

    actual: StateMap = field(default_factory=StateMap)
    told: Without | None = field(default_factory=Without)
    behind: bool = False
    rewound: bool = False
    episodes: set[str | None] = field(default_factory=set)

    def hear(self, path: str, entry: Entry, left: Left) -> None:
        """The next entry about the file."""
        self.episodes.add(entry.episode_id)
        actual = self.actual
        before = dict(actual.entities)
        moves = [m for m in entry.moves() if m.entity is not None and Entity.parse(m.entity).path == path]
        apply(actual, entry, moves)
        content = entry.content()
        changed = not _same(before, actual.entities) or any(move.op is Op.DIRTY for move in moves)
        back = left_then(content) if content.get("carrier") == REWIND else None
        self.rewound |= back is not None
        if back is not None and back.conversation == left.conversation:
            if self.holds(back, left):  # what it went back to stands, and what the user has shown since
                self.told = Without(dict(actual.entities))
            return
        if _is_text_left(entry, content, left):
            return
        if entry.episode_id in left.requests and content.get("call") is not None:
            self.behind, self.told = (True, None) if changed else (self.behind, self.told)
        elif _shows_whole(content):
            behind = self.behind and entry.episode_id in left.requests
            self.told = None if behind else Without(dict(actual.entities))
        elif changed and self.told is not None:
            self.told = self._gone_on(path, self.told, before, shown=content.get("grant") == Grant.WRITE_HEAD)

    def _gone_on(self, path: str, told: Without, before: Holding, *, shown: bool) -> Without | None:
        """What it would hold after something that stands has changed what it held before."""
        now = self.actual.entities
        if not told.since and _same(told.held, before):
            return Without(dict(now))
        base, was, made = (_texts(holding).get(path) for holding in (told.held, before, now))
        if base is None or was is None or made is None:
            return None
        steps = joined(told.since, Step(was, made, shown))
        return Without(told.held, steps) if steps is not None else None

    def holds(self, before: Left, now: Left) -> bool:
        """Whether what was told without `before` is what would be told without what is left `now`."""
        if self.rewound and before.conversation != now.conversation:
            return False
        others = (before.answers ^ now.answers) | (before.requests ^ now.requests)
        return self.episodes.isdisjoint(others)


def left_then(content: Mapping[str, Any]) -> Left:
    """What was left when a file went back, as the Ledger has it."""
    conversation = content.get("conversation") or ""
    return Left(frozenset(content.get("left") or ()), frozenset(content.get("unasked") or ()), conversation)


def _same(one: Holding, other: Holding) -> bool:
    """Whether two hold the same texts; of what is DIRTY none is known."""
    return _texts(one) == _texts(other)


def _texts(holding: Holding) -> dict[str, str | None]:
    return {entity: held.artifact if held.freshness is Freshness.CLEAN else None for entity, held in holding.items()}


def _is_text_left(entry: Entry, content: Mapping[str, object], left: Left) -> bool:
    """Whether an entry is about what an answer that is left said, or what its request verified."""
    if entry.episode_id in left.answers and content.get("origin") in (Origin.MODEL, Origin.AUDIT):
        return True
    return entry.episode_id in left.requests and content.get("grant") == Grant.USER_VERIFICATION


def _shows_whole(content: Mapping[str, object]) -> bool:
    whole = content.get("whole") or content.get("carrier") in WHOLE_CARRIERS
    return content.get("grant") == Grant.WRITE_HEAD and bool(whole)


def is_models(path: str, artifact: str, newest_first: Iterable[Entry]) -> bool:
    """Whether a file's text was made true last by the model's own word (grants 1 to 3), going back left aside, and
    nobody has shown it since."""
    for entry in newest_first:
        about = entry.content()
        grant = about.get("grant")
        if about.get("carrier") != REWIND and any(
            (move.entity, move.artifact) == (path, artifact)
            and (move.op is Op.PROMOTE or (move.op is Op.CONFIRM and grant is not None))
            for move in entry.moves()
        ):
            return grant in OF_THE_MODEL
    return False


def needed(path: str, told: Without) -> set[str]:
    """The artifacts whose texts `restored` needs: the file's, or those of its symbols where that is unknown; and those
    of the steps since."""
    clean = {entity: one.artifact for entity, one in told.held.items() if one.freshness is Freshness.CLEAN}
    steps = {artifact for step in told.since for artifact in (step.before, step.after)}
    return steps | ({clean[path]} if path in clean else set(clean.values()))


def restored(state: FileState, told: Without | None, texts: Mapping[str, str]) -> Change:
    """A file as it would be without what is left. `texts`: those of `needed` that are kept, by artifact."""
    if told is None:
        return dirty(state, "rewound")
    if not told.held:
        return remove(state, "undone")
    whole = told.held.get(state.path)
    text = texts.get(whole.artifact) if whole is not None and whole.freshness is Freshness.CLEAN else None
    if whole is None or text is None:
        return _symbols_restored(state, told.held, texts) if not told.since else dirty(state, "rewound")
    return carried_over(state, text, whole, told.since, texts)


def _symbols_restored(state: FileState, held: Holding, texts: Mapping[str, str]) -> Change:
    """The same where the file's text is unknown: each symbol as it would be, by itself."""
    then = {symbol: one for entity, one in held.items() if (symbol := Entity.parse(entity).symbol) is not None}
    lost = {n for n, one in then.items() if one.freshness is not Freshness.CLEAN or one.artifact not in texts}
    marked, moves = dirty(state, "rewound", lost)
    symbols, made = dict(marked.symbols), list(moves)
    for name in sorted(state.symbols.keys() - then.keys()):
        made.append(tombstone(state.entity(name), symbols.pop(name), "undone"))
    for name in sorted(then.keys() - lost):
        old, one = state.symbols.get(name), then[name]
        if old is None or not old.clean or old.artifact != one.artifact:
            symbols[name] = Known(one.artifact, texts[one.artifact], Freshness.CLEAN, one.source)
            made.append(promotion(state.entity(name), one.artifact, one.source, Grant.REINSTATED, old))
    return FileState(state.path, marked.file, symbols), tuple(made)
