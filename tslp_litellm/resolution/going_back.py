"""A conversation that goes on without answers that had been given: what they alone made true never was (SEMANTICS 2,
Going back).

A file's history is told once more without them. What a client had confirmed of them was on its disk and may have been
taken back there, so the file is of unknown text; so is one where something that stands was built on what does not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tslp_litellm.dialects.values import Carrier
from tslp_litellm.resolution.files import Change, adopt, dirty, remove
from tslp_litellm.resolution.trust import OF_THE_MODEL
from tslp_litellm.state.events import Entry, Op
from tslp_litellm.state.fold import apply
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState, Freshness, Grant, Held, Origin, StateMap

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
    """Episodes by what of them the conversation goes on without: the answer, or the request that led to it as well."""

    answers: frozenset[str] = frozenset()
    requests: frozenset[str] = frozenset()


def left_behind(said: Iterable[Said], fitting: Collection[int], last_said: int) -> Left:
    """What a request goes on without: what is not on the way to the model's last word in it.

    The way is told by what each request was seen to go on from, not by what the request still holds: a history that
    was compacted or cut at its beginning leaves nothing behind. `fitting`: the ordinals of what the request holds.
    """
    every = sorted(said, key=lambda one: one.said)
    way, start = _way(every, last_said)
    off = [one for one in every if one.episode not in way and one.said > start]
    answers = [one for one in off if one.end > one.said]
    cut_short = [one for one in off if one.end == one.said and one.since > last_said]
    asked = [one for one in (*answers, *cut_short) if not any(n in fitting for n in range(one.since, one.said))]
    return Left(frozenset(one.episode for one in answers), frozenset(one.episode for one in asked))


def _way(every: Sequence[Said], last_said: int) -> tuple[set[str], int]:
    """The episodes on the way to an ordinal, and the ordinal behind which they are all known."""
    found, at, start = set[str](), last_said, -1
    for one in reversed(every):
        if one.said <= at < one.end:
            found.add(one.episode)
            if one.parent is None:
                return found, one.since - 1
            at, start = one.parent, one.since - 1
    return found, -1 if at < 0 else start


Holding = Mapping[str, Held]
"""What the State Map holds of one file: entity -> its artifact and freshness."""


def without(path: str, entries: Iterable[Entry], left: Left) -> Holding | None:
    """What the State Map would hold of a file without what is left; None: its text is unknown.

    `entries`: all of the Ledger about the file, in order.
    """
    actual = StateMap()
    told: Holding | None = {}
    behind = False  # whether a client has confirmed something that is left: what was read after it, was read of that
    for entry in entries:
        before = dict(actual.entities)
        apply(actual, entry, [m for m in entry.moves() if m.entity is not None and Entity.parse(m.entity).path == path])
        content, changed = entry.content(), not _same(before, actual.entities)
        if content.get("carrier") == REWIND or _is_text_left(entry, content, left):
            continue
        if entry.episode_id in left.requests and content.get("call") is not None:
            behind, told = (True, None) if changed else (behind, told)
        elif _shows_whole(content):
            told = None if behind and entry.episode_id in left.requests else dict(actual.entities)
        elif changed:
            told = dict(actual.entities) if told is not None and _same(told, before) else None
    return told


def _same(one: Holding, other: Holding) -> bool:
    return {e: (h.artifact, h.freshness) for e, h in one.items()} == {
        e: (h.artifact, h.freshness) for e, h in other.items()
    }


def _is_text_left(entry: Entry, content: Mapping[str, object], left: Left) -> bool:
    """Whether an entry is about what an answer that is left said, or what its request verified."""
    if entry.episode_id in left.answers and content.get("origin") in (Origin.MODEL, Origin.AUDIT):
        return True
    return entry.episode_id in left.requests and content.get("grant") == Grant.USER_VERIFICATION


def _shows_whole(content: Mapping[str, object]) -> bool:
    whole = content.get("whole") or content.get("carrier") in WHOLE_CARRIERS
    return content.get("grant") == Grant.WRITE_HEAD and bool(whole)


def is_models(path: str, artifact: str, entries: Iterable[Entry]) -> bool:
    """Whether a file's text was made true last by the model's own word (grants 1 to 3), going back left aside."""
    found = False
    for entry in entries:
        about = entry.content()
        if about.get("carrier") != REWIND and any(
            move.op is Op.PROMOTE and (move.entity, move.artifact) == (path, artifact) for move in entry.moves()
        ):
            found = about.get("grant") in OF_THE_MODEL
    return found


def restored(state: FileState, held: Holding | None, text: str | None) -> Change:
    """A file as it would be without what is left. `text`: that of the file which `held` names, if it is kept."""
    if held is None:
        return dirty(state, "rewound")
    if not held:
        return remove(state, "undone")
    whole = held.get(state.path)
    if whole is None or text is None or whole.freshness is not Freshness.CLEAN:
        return dirty(state, "rewound")
    return adopt(state, text, whole.source, Grant.REINSTATED)
