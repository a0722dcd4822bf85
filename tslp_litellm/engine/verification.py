"""User verification (SEMANTICS 3, grant 3): a user who goes on from a candidate makes it the truth.

What is verified is the candidate as the previous answer showed it: the latest of its entity, in an answer that stands
in the request as the model's last word, on a file about which nothing has been said since. In doubt it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from tslp_litellm.clients.frames import floating
from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.values import Drift, Evidence, Report, Snippet
from tslp_litellm.engine.audit import candidates_of, settled
from tslp_litellm.engine.gathering import root_in
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration.mentions import NameMention, mentions
from tslp_litellm.resolution.candidates import CANDIDATE, Candidate, lost, promote
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import EventKind
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import Conversation, Grant, Origin
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.wire.turn import ItemKind, Role


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
        for entity, candidate in _in_view(store, known.last_episode, entities):
            if _verified(store, unit, talk, readings, episode, candidate):
                episode.conversation = settled(episode.conversation, {entity})
        store.put(unit.contents)
        store.append(unit.events, episode.id, now())
    episode.conversation = _let_go(episode.conversation)


def _answer_stands(store: WorkspaceReader, talk: Talk, known: Conversation) -> bool:
    """Whether the model's last word in the request is the conversation's last answer, not one that the user went back
    to. An id of the answer on the server may be remembered behind it."""
    floats = floating(talk.items)
    spoken = [n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT and not floats[n]]
    if not spoken:
        return False
    digest = talk.digests[spoken[-1]]
    return max(store.memory(known.id, [digest]).get(digest, [-1])) >= known.items - 2


def _gives_code(talk: Talk) -> bool:
    """Whether the user's message holds code of any kind, fenced or indented."""
    own = [item.text for item in talk.items if item.message == talk.message and item.kind is ItemKind.TEXT]
    indented = any(line.startswith(("    ", "\t")) and line.strip() for line in talk.prose.split("\n"))
    return talk.prompt is None or indented or any(fences(text) for text in own)


def _verified(
    store: WorkspaceWriter, unit: UnitOfWork, talk: Talk, readings: ReadingCache, episode: Episode, candidate: Candidate
) -> bool:
    """Promote a candidate if this prompt verifies it."""
    name = Entity.parse(candidate.entity)
    if _shown_since(talk, readings, name.path, root_in(store, episode.context)):
        return False
    unit.files |= {path: state for path, state in store.files([name.path]).items() if path not in unit.files}
    text = store.texts([candidate.artifact])[candidate.artifact]
    if not _asked_for(store, unit, talk, episode, candidate, text):
        return False
    return promote(unit, candidate, text, Grant.USER_VERIFICATION, origin=Origin.USER)


def _in_view(store: WorkspaceReader, last: str | None, entities: Iterable[str]) -> list[tuple[str, Candidate]]:
    """The open candidates of the turn before whose entity was injected in it, by itself or with its file, or whose text
    stood there."""
    found = candidates_of(store, last) if last is not None else {}
    if last is None or not found:
        return []
    recorded = [e.content() for e in store.entries_of(last) if e.kind == EventKind.EPISODE]
    seen = {name for about in recorded for name in (*about.get("hydrated", ()), *about.get("in_view", ()))}
    return [(e, found[e]) for e in dict.fromkeys(entities) if e in found and seen & {e, Entity.parse(e).path}]


def _shown_since(talk: Talk, readings: ReadingCache, path: str, root: str | None) -> bool:
    """Whether the client shows or reports anything of the file after the answer, or in what it makes anew for each
    request: then that is what counts."""
    floats = floating(talk.items)
    spoken = max(n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT and not floats[n])
    looked_at = [n for n in range(len(talk.items)) if n > spoken or floats[n]]
    return (
        any(_is_about(piece, path, root) for n in looked_at for piece in readings.shown(talk, n))
        or any(talk.items[n].kind is ItemKind.RESULT for n in looked_at)
        or any(isinstance(piece, Report) for n in looked_at for piece in readings.evidence(talk, n, root))
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
    """Whether the prompt asks for a further change to the entity, and says nothing of what the candidate lost."""
    intent, entity = episode.context.intent, Entity.parse(candidate.entity)
    if any(intent.mentions(symbol) for symbol in lost(unit.file(entity.path), candidate, text)):
        return False
    found = mentions(talk.prose)
    root = root_in(store, episode.context)
    paths = {m.path for m in found if m.path is not None and _means(store, m.path, entity.path, root)}
    if entity.symbol is None:
        return intent.asks_for_change(*paths)
    alone = store.holders([entity.symbol]).get(entity.symbol, frozenset()) == {entity.path}
    named = {m.name for m in found if isinstance(m, NameMention)}
    return (alone or bool(paths)) and entity.symbol in named and intent.asks_for_change(entity.symbol)


def _means(store: WorkspaceReader, written: str, path: str, root: str | None) -> bool:
    """Whether a word in the prompt means a tracked file: its path, or a tail that no other tracked path has."""
    tail = normalise_path(written, root)
    if tail is None or tail == path or not path.endswith("/" + tail.lstrip("/")):
        return tail == path
    return store.with_tails([tail]) == {path}
