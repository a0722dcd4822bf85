"""Where a conversation goes on without answers that had been given, the State Map goes back with it (SEMANTICS 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tslp_litellm.conversation.history import Age, Alignment
from tslp_litellm.engine.talk import Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.going_back import REWIND, Left, Said, left_behind, restored, without
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Entry, EventKind
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Conversation, Grant, Held, Origin
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.wire.turn import Role


def due(store: WorkspaceReader, known: Conversation, alignment: Alignment, talk: Talk) -> bool:
    """Whether the model's last word in the request is not the last that it said in this conversation.

    All that stands before that word must have been said there too, and words of the user's own among it: sessions of
    their own have a system prompt, a summary or a word of the model's in common.
    """
    last = alignment.last_said
    if last is None or last == known.items - 1 or known.last_episode is None:
        return False  # in most turns nothing but this is asked
    said = max((n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT), default=-1)
    if any(age is not Age.SEEN for age in alignment.ages[: said + 1]):
        return False
    if said >= 0 and not any(n < said for n in talk.own):
        return False
    place = next((p for entry in store.entries_of(known.last_episode) if (p := _place(entry)) is not None), None)
    return place is None or last < place.said


def settle(
    store: WorkspaceWriter,
    episode: Episode,
    alignment: Alignment,
    talk: Talk,
    limits: Limits,
    now: Callable[[], str],
) -> None:
    """Bring the files that hang on what is left to what they would be without it."""
    known = episode.conversation
    if alignment.last_said is None or not due(store, known, alignment, talk):
        return
    recent = list(store.recent())
    left = left_behind(
        [place for entry in recent if (place := _place(entry, known.id)) is not None],
        alignment.fitting,
        alignment.last_said,
    )
    if alignment.last_said < 0 and not _is_newest(recent, known.id):
        left = Left(left.answers)  # others have been at work since: it may as well be a session of its own
    paths = {
        Entity.parse(move.entity).path
        for entry in recent
        if entry.episode_id in left.answers | left.requests
        for move in entry.moves()
        if move.entity is not None
    } | {path for entry in recent if _is_rewind(entry, known.id) for path in [entry.content()["path"]]}
    unit = UnitOfWork(store.files(paths), limits=limits)
    histories = {path: without(path, entries, left) for path, entries in store.entries_about(paths).items()}
    texts = store.texts({held[path].artifact for path, held in histories.items() if held and path in held})
    for path in sorted(paths):
        _bring_back(unit, path, histories[path], texts, left, known.id)
    store.put(unit.contents)
    store.append(unit.events, episode.id, now())
    episode.conversation = replace(known, next_flags=())


def _bring_back(
    unit: UnitOfWork,
    path: str,
    held: Mapping[str, Held] | None,
    texts: Mapping[str, str],
    left: Left,
    conversation: str,
) -> None:
    state = unit.file(path)
    whole = held.get(path) if held else None
    text = texts.get(whole.artifact) if whole is not None else None
    unit.change(
        restored(state, held, text),
        origin=Origin.USER,
        carrier=REWIND,
        grant=Grant.REINSTATED if held is not None else None,
        conversation=conversation,
        left=sorted(left.answers),
        unasked=sorted(left.requests) or None,
    )


def _place(entry: Entry, conversation: str | None = None) -> Said | None:
    """An episode's place in its conversation, of the event that records it."""
    if entry.kind != EventKind.EPISODE or entry.episode_id is None:
        return None
    content = entry.content()
    place = content.get("place")
    if place is None or (conversation is not None and content.get("conversation") != conversation):
        return None
    return Said(entry.episode_id, *place)


def _is_rewind(entry: Entry, conversation: str) -> bool:
    return REWIND in entry.body and (
        (content := entry.content()).get("carrier") == REWIND and content.get("conversation") == conversation
    )


def _is_newest(recent: list[Entry], conversation: str) -> bool:
    """Whether the last turn in the workspace was this conversation's."""
    turns = (c for entry in recent if entry.kind == EventKind.EPISODE and (c := entry.content().get("conversation")))
    return next(turns, None) == conversation
