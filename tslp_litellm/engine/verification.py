"""User verification (SEMANTICS 3, grant 3): a user who goes on from a candidate makes it the truth.

What is verified is the candidate as the previous answer showed it: the latest of its entity, in an answer that stands
in the request as the model's last word, on a file about which nothing has been said since. In doubt it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tslp_litellm.conversation.unfenced import shown_code
from tslp_litellm.dialects.values import Drift, Evidence, Snippet
from tslp_litellm.engine.audit import candidate_of, settled
from tslp_litellm.engine.gathering import root_in
from tslp_litellm.engine.gone import with_gone
from tslp_litellm.engine.meaning import meant
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.resolution.candidates import CANDIDATE, Candidate, lost, promote
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import EventKind
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import Conversation, Grant, Origin
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.wire.turn import ItemKind, Role
from tslp_litellm.words.sentences import holds


def due(store: WorkspaceReader, talk: Talk, known: Conversation) -> bool:
    """Whether candidates wait for what the user does next."""
    return _waits(known) or bool(_begun_anew(store, talk))


def _waits(known: Conversation) -> bool:
    return any(flag.kind == CANDIDATE for flag in known.next_flags)


def _begun_anew(store: WorkspaceReader, talk: Talk) -> list[Conversation]:
    """Conversations with open candidates that this request, which has no answer in it yet, begins once more: the
    user asks for another answer to the same words."""
    if talk.prompt is None or any(item.role is Role.ASSISTANT for item in talk.items):
        return []
    found = (store.conversation(c) for c in store.related([talk.digests[talk.prompt]]))
    return [known for known in found if known is not None and _waits(known)]


def _let_go(known: Conversation) -> Conversation:
    return replace(known, next_flags=tuple(flag for flag in known.next_flags if flag.kind != CANDIDATE))


def settle(
    store: WorkspaceWriter, talk: Talk, readings: ReadingCache, episode: Episode, limits: Limits, now: Callable[[], str]
) -> None:
    """On the next user turn: promote the candidates that it verifies, and let go of all others."""
    for left in _begun_anew(store, talk):
        store.remember(_let_go(left), ())
    known = episode.conversation
    if not _waits(known):
        return
    stands = _answer_stands(store, talk, known)
    if stands and known.turn_digest == talk.turn_key():
        return  # the same turn goes on
    entities = [
        e for f in known.next_flags if f.kind == CANDIDATE and f.detail == known.last_episode for e in f.entities
    ]
    if stands and not _gives_code(talk):
        unit = UnitOfWork(limits=limits, trust=episode.context.trust)
        for entity in dict.fromkeys(entities):
            if _verified(store, unit, talk, readings, episode, entity):
                episode.conversation = settled(episode.conversation, {entity})
        store.put(unit.contents)
        store.append(unit.events, episode.id, now())
        episode.conversation = with_gone(episode.conversation, unit.events)
    episode.conversation = _let_go(episode.conversation)


def _answer_stands(store: WorkspaceReader, talk: Talk, known: Conversation) -> bool:
    """Whether the model's last word in the request is the conversation's last answer, not one that the user went back
    to. An id of the answer on the server may be remembered behind it."""
    spoken = [n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT and not talk.floats[n]]
    if not spoken:
        return False
    digest = talk.digests[spoken[-1]]
    return max(store.memory(known.id, [digest]).get(digest, [-1])) >= known.items - 2


def _gives_code(talk: Talk) -> bool:
    """Whether the user's message holds code of any kind, in whatever form."""
    own = [item.text for item in talk.items if item.message == talk.message and item.kind is ItemKind.TEXT]
    indented = any(line.startswith(("    ", "\t")) and line.strip() for line in talk.prose.split("\n"))
    return talk.prompt is None or indented or any(map(shown_code, own))


def _verified(
    store: WorkspaceWriter, unit: UnitOfWork, talk: Talk, readings: ReadingCache, episode: Episode, entity: str
) -> bool:
    """Promote an entity's candidate if this prompt verifies it."""
    last = episode.conversation.last_episode
    candidate = candidate_of(store, last, entity) if last is not None else None
    if last is None or candidate is None or not _was_in_view(store, last, entity):
        return False
    name = Entity.parse(entity)
    if _shown_since(talk, readings, name.path, root_in(store, episode.context)):
        return False
    unit.files |= {path: state for path, state in store.files([name.path]).items() if path not in unit.files}
    text = store.texts([candidate.artifact])[candidate.artifact]
    if not _asked_for(store, unit, talk, episode, candidate, text):
        return False
    return promote(unit, candidate, text, Grant.USER_VERIFICATION, origin=Origin.USER)


def _was_in_view(store: WorkspaceReader, episode_id: str, entity: str) -> bool:
    """Whether the entity was injected in the turn before, by itself or with its file, or its text stood there."""
    recorded = [e.content() for e in store.entries_of(episode_id) if e.kind == EventKind.EPISODE]
    seen = {name for about in recorded for name in (*about.get("hydrated", ()), *about.get("in_view", ()))}
    return bool(seen & {entity, Entity.parse(entity).path})


def _shown_since(talk: Talk, readings: ReadingCache, path: str, root: str | None) -> bool:
    """Whether the client shows or reports anything of the file after the answer, or in what it makes anew for each
    request: then that is what counts."""
    spoken = max(n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT and not talk.floats[n])
    looked_at = [n for n in range(len(talk.items)) if n > spoken or talk.floats[n]]
    return any(_is_about(piece, path, root) for n in looked_at for piece in readings.shown(talk, n)) or any(
        talk.items[n].kind is ItemKind.RESULT for n in looked_at
    )


def _is_about(piece: Evidence, path: str, root: str | None) -> bool:
    if isinstance(piece, Snippet):
        return True
    if isinstance(piece, Drift):
        return (
            piece.anything
            or bool(piece.like or piece.scripts)
            or path in {normalise_path(p, root) for p in piece.paths}
        )
    return normalise_path(piece.path, root) == path


def _asked_for(
    store: WorkspaceReader, unit: UnitOfWork, talk: Talk, episode: Episode, candidate: Candidate, text: str
) -> bool:
    """Whether the user goes on: the prompt mentions the entity or its file, asks no mere question about it, finds no
    fault, and says nothing of what the candidate lost."""
    intent, entity = episode.context.intent, Entity.parse(candidate.entity)
    if holds(talk.prose, "fault") or any(intent.mentions(s) for s in lost(unit.file(entity.path), candidate, text)):
        return False
    chosen = meant(store, talk.prose, root_in(store, episode.context))
    named = {row.entity for row in chosen.entities} | set(chosen.unknown)
    if candidate.entity not in named and entity.path not in chosen.paths:
        return False
    spoken = [entity.path.rpartition("/")[2], *([entity.leaf] if entity.leaf else [])]
    return not only_asks(talk.prose, *spoken)
