"""What the last events of a workspace say of turns, kept from visit to visit: the Ledger only grows, so each of its
events is read once. Going back asks for it (`engine/rewinding.py`)."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tslp_litellm.parser.memory import Memory
from tslp_litellm.resolution.going_back import REWIND, Left, Said, left_then
from tslp_litellm.state.events import Entry, EventKind
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Grant, Origin
from tslp_litellm.store.reading import EVENTS_BACK, WorkspaceReader

WORKSPACES_MAX = 16
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Told:
    """What an event says of its episode, as files: what the answer's text changed, what its request confirmed or
    verified, and what was brought back, and without what (`left`). `conversation`: only of the event that records the
    turn."""

    seq: int
    hash: str
    episode: str
    conversation: str | None = None
    said: Said | None = None
    answered: frozenset[str] = _NONE
    asked: frozenset[str] = _NONE
    brought_back: frozenset[str] = _NONE
    left: Left | None = None

    @property
    def hangs(self) -> bool:
        """Whether any file hangs on it."""
        return bool(self.answered or self.asked or self.brought_back)


@dataclass(frozen=True, slots=True)
class RecentTurns:
    """The recent turns of a conversation, and what was told of them on which files hang."""

    places: tuple[Said, ...]
    told: tuple[_Told, ...]

    def left(self) -> Left:
        """What the conversation had gone on without when it last went back."""
        return next((one.left for one in reversed(self.told) if one.left is not None), Left())

    def paths(self, left: Left) -> set[str]:
        """The files that hang on what is left of the turns, and those that they brought back before."""
        found: set[str] = set()
        for one in self.told:
            found |= one.brought_back
            found |= one.answered if one.episode in left.answers else _NONE
            found |= one.asked if one.episode in left.requests else _NONE
        return found


@dataclass(slots=True)
class _Workspace:
    """The events that were read of one workspace, oldest first."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    events: deque[_Told] = field(default_factory=deque)
    turns: dict[str, deque[_Told]] = field(default_factory=lambda: defaultdict(deque))
    told: dict[str, deque[_Told]] = field(default_factory=lambda: defaultdict(deque))

    def catch_up(self, store: WorkspaceReader, head: tuple[int, str]) -> None:
        """Read what is new. A Ledger that is not the one that was read, of another database, is read anew."""
        last = self.events[-1] if self.events else None
        if last is not None and (last.seq, last.hash) == head:
            return
        if last is not None and last.seq > head[0] and any((e.seq, e.hash) == head for e in self.events):
            return  # a snapshot from before what another thread has read
        new = list(store.entries_after(max(head[0] - EVENTS_BACK, last.seq if last is not None else 0)))
        if last is not None and (not new or (new[0].seq == last.seq + 1 and new[0].prev_hash != last.hash)):
            self.events.clear()
            self.turns.clear()
            self.told.clear()
            new = list(store.entries_after(head[0] - EVENTS_BACK))
        for entry in new:
            self._add(_read(entry))
        while self.events and self.events[0].seq <= head[0] - EVENTS_BACK:
            self._drop(self.events.popleft())

    def _add(self, told: _Told) -> None:
        self.events.append(told)
        if told.hangs:
            self.told[told.episode].append(told)
        if told.conversation is not None:
            self.turns[told.conversation].append(told)

    def _drop(self, told: _Told) -> None:
        for index, key in ((self.told, told.episode if told.hangs else None), (self.turns, told.conversation)):
            if key in index:
                index[key].popleft()
                if not index[key]:
                    del index[key]

    def of(self, conversation: str, head: int) -> RecentTurns:
        """A conversation's turns up to a place in the Ledger."""
        turns = [one for one in self.turns.get(conversation, ()) if one.seq <= head]
        told = (said for one in turns for said in self.told.get(one.episode, ()) if said.seq <= head)
        return RecentTurns(tuple(one.said for one in turns if one.said is not None), tuple(told))


class TurnsRead:
    """What was read of the last workspaces that were asked for."""

    def __init__(self) -> None:
        self._workspaces = Memory[_Workspace](WORKSPACES_MAX)

    def of(self, store: WorkspaceReader, conversation: str) -> RecentTurns:
        """A conversation's turns, in the snapshot of the reader. They are read before anything is written in it."""
        if store.head is None:
            return RecentTurns((), ())
        workspace = self._workspaces.get((store.tenant, store.name), b"", lambda: (_Workspace(), 1))
        with workspace.lock:
            workspace.catch_up(store, store.head)
            return workspace.of(conversation, store.head[0])


def place_of(entry: Entry) -> Said | None:
    """An episode's place in its conversation, of the event that records it."""
    if entry.kind != EventKind.EPISODE or entry.episode_id is None:
        return None
    place = entry.content().get("place")
    return None if place is None else Said(entry.episode_id, *place)


def _read(entry: Entry) -> _Told:
    episode = entry.episode_id or ""
    if entry.kind == EventKind.EPISODE:
        content = entry.content()
        return _Told(entry.seq, entry.hash, episode, content.get("conversation"), place_of(entry))
    content = entry.content() if _may_hang(entry.body) else {}
    paths: Callable[[bool], frozenset[str]] = lambda so: _paths(content) if so else _NONE  # noqa: E731
    back = content.get("carrier") == REWIND
    return _Told(
        entry.seq,
        entry.hash,
        episode,
        answered=paths(content.get("origin") in (Origin.MODEL, Origin.AUDIT)),
        asked=paths(content.get("call") is not None or content.get("grant") == Grant.USER_VERIFICATION),
        brought_back=paths(back),
        left=left_then(content) if back else None,
    )


def _may_hang(body: str) -> bool:
    """Whether an event is worth decoding: most only say what a user showed."""
    return any(f'"{word}"' in body for word in (Origin.MODEL, Origin.AUDIT, REWIND, Grant.USER_VERIFICATION, "call"))


def _paths(content: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(Entity.parse(move["entity"]).path for move in content.get("moves", ()) if move.get("entity"))
