"""The second visit: the model's evidence, and the episode itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from tslp_litellm.engine.bench import bench_for
from tslp_litellm.engine.model import Episode, Question
from tslp_litellm.engine.questions import flags, in_view, questions
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.evidence import conversation
from tslp_litellm.evidence.makers import attempt
from tslp_litellm.evidence.model_text import read_answer
from tslp_litellm.evidence.text_calls import expand
from tslp_litellm.hydration.notices import UNLINKED
from tslp_litellm.resolution.bench import Bench
from tslp_litellm.resolution.by_client import judge_attempt
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.state.model import Confidence, artifact_hash
from tslp_litellm.state.names import Entity
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import Reading
from tslp_litellm.store.writing import Writing
from tslp_litellm.syntax.languages import Nature, language_of_path
from tslp_litellm.wire.turn import Answer, Item, ItemKind, Role, is_empty


class Recorder:
    """Visits after the last chunk has gone out."""

    def __init__(
        self,
        database: Database,
        limits: Limits,
        readings: ReadingCache,
        now: Callable[[], str],
        tombstone_episodes: int,
        audit: bool | Literal["all"],
    ) -> None:
        self._database, self._limits, self._readings = database, limits, readings
        self._now, self._tombstone_episodes, self._audit = now, tombstone_episodes, audit

    def visit(self, episode: Episode, answer: Answer) -> list[Question]:
        """Judge the answer and record the episode; what there is to ask the shadow audit about it.

        Judged outside the write lock; once more inside it only where the Ledger has grown meanwhile.
        """
        answer = replace(answer, items=tuple(item for item in expand(answer.items) if not is_empty(item)))
        tenant, workspace = episode.request.tenant, episode.request.workspace
        with self._database.reading() as connection:
            before = Reading(connection, tenant, workspace)
            bench = self._judge(before, episode, answer)
            seen = in_view(bench, episode, self._readings)
        with self._database.writing() as connection:
            store = Writing(connection, tenant, workspace, self._now())
            if store.head != before.head:  # the State Map is the fold of the Ledger: the same head, the same judgement
                bench = self._judge(store, episode, answer)
            if expired := store.expired(self._tombstone_episodes):
                bench.events.append(Event(EventKind.EXPIRY, tuple(Move(Op.EXPIRE, entity) for entity in expired)))
            bench.flags += flags(bench, episode)
            asked = questions(bench, episode, self._audit == "all") if self._audit else []
            bench.events.append(_recorded(episode, answer, bench, seen))
            store.put(bench.contents)
            store.append(bench.events, episode.id, self._now())
            if not episode.side:
                _remember(store, episode, answer, bench)
        return asked

    def _judge(self, store: Reading, episode: Episode, answer: Answer) -> Bench:
        if episode.side or not answer.complete:
            return Bench(limits=self._limits)
        evidence = [
            piece
            for item in answer.items
            if item.kind is ItemKind.TEXT and item.exact
            for piece in read_answer(item.text)
        ]
        attempts = [a for item in answer.items if item.kind is ItemKind.CALL and (a := attempt(item))]
        bench = bench_for(store, (*evidence, *attempts), episode.context, self._limits)
        judge_model(bench, evidence, episode.context)
        for attempted in attempts:
            judge_attempt(bench, attempted, episode.context)
        return bench


def _recorded(episode: Episode, answer: Answer, bench: Bench, seen: list[str]) -> Event:
    """The episode as the Ledger keeps it (§3.2)."""
    prompt = episode.context.intent.prompt
    said = "".join(item.text for item in answer.items if item.kind is ItemKind.TEXT)
    about: dict[str, Any] = {
        "started_at": episode.started_at,
        "model": episode.request.model,
        "call_type": episode.request.call_type,
        "side": episode.side,
        "complete": answer.complete,
        "finish": answer.finish or None,
        "conversation": None if episode.side else episode.conversation.id,
        "prompt": bench.put(prompt) if prompt else None,
        "answer": artifact_hash(said) if said else None,
        "hydrated": list(episode.hydrated),
        "in_view": seen or None,
        "notices": len(episode.notices),
    }
    return Event(EventKind.EPISODE, (), tuple((key, value) for key, value in about.items() if value is not None))


def _remember(store: Writing, episode: Episode, answer: Answer, bench: Bench) -> None:
    """The conversation's new items; an answer that was cut short is not among them."""
    digests = episode.digests
    if answer.complete:
        digests += tuple(conversation.digest(item) for item in answer.items)
        if answer.response_id:
            digests += (conversation.digest(Item(Role.ASSISTANT, ItemKind.RESPONSE, answer.response_id)),)
    unlinked = [UNLINKED] if any(_is_unlinked(move) for event in bench.events for move in event.moves) else []
    known = store.conversation(episode.conversation.id)
    same_turn = known is not None and known.turn_digest == episode.conversation.turn_digest
    carried = known.next_flags if known is not None and same_turn else episode.conversation.next_flags
    next_flags = tuple(dict.fromkeys((*carried, *bench.flags, *unlinked)))
    items = known.items if known is not None else episode.conversation.items
    store.remember(replace(episode.conversation, items=items, last_episode=episode.id, next_flags=next_flags), digests)


def _is_unlinked(move: Move) -> bool:
    """Whether a move is about source code that could not be linked to an entity (§8.3)."""
    if move.confidence not in (Confidence.INFERRED, Confidence.UNRESOLVED):
        return False
    language = language_of_path(Entity.parse(move.entity).path) if move.entity else None
    return language is None or language.nature is Nature.CODE
