"""The shadow audit's visit: what a reply does, under the same lock as any other visit (§10, SEMANTICS 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any

from tslp_litellm.engine.gone import with_gone
from tslp_litellm.engine.values import Question
from tslp_litellm.resolution.auditing import Status, verdict
from tslp_litellm.resolution.candidates import CANDIDATE, Candidate, open_candidates, promote, touched
from tslp_litellm.resolution.decisions import LOSS
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Conversation, Grant, Origin
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter


class Conclusion(StrEnum):
    """What became of a question."""

    PROMOTED = "promoted"
    RECORDED = "recorded"  # the reply says nothing that could promote, or nothing hung on it
    LATE = "late"  # the conversation's next user turn came before the reply
    MOVED = "moved"  # something else has been said about the file since
    DUPLICATE = "duplicate"  # this candidate has a reply already
    MALFORMED = "malformed"
    UNANSWERED = "unanswered"


class Auditing:
    """Visits when a reply has come, or none will."""

    def __init__(self, database: Database, limits: Limits, now: Callable[[], str]) -> None:
        self._database, self._limits, self._now = database, limits, now

    def is_open(self, question: Question) -> bool:
        """Whether a reply could still promote the candidate; a question for the record is always open."""
        if not question.hangs:
            return True
        with self._database.reading() as connection:
            store = WorkspaceReader(connection, question.tenant, question.workspace)
            return _awaits(store.conversation(question.conversation), question)

    def visit(self, question: Question, reply: str | None, model: str, fault: str | None = None) -> Conclusion:
        """Record a reply (None: there is none, and `fault` says why), and promote what it promotes."""
        status = verdict(reply, question.entity) if reply is not None else None
        with self._database.writing() as connection:
            store = WorkspaceWriter(connection, question.tenant, question.workspace, self._now())
            unit = UnitOfWork(limits=self._limits)
            done = self._conclude(store, unit, question, reply, status)
            about: dict[str, Any] = {
                "origin": Origin.AUDIT,
                "entity": question.entity,
                "artifact": question.artifact,
                "model": model,
                "status": status,
                "conclusion": done,
                "fault": fault,
            }
            known = tuple((key, value) for key, value in about.items() if value is not None)
            store.put(unit.contents)
            store.append([Event(EventKind.AUDIT, (), known), *unit.events], question.episode, self._now())
        return done

    def _conclude(
        self, store: WorkspaceWriter, unit: UnitOfWork, question: Question, reply: str | None, status: Status | None
    ) -> Conclusion:
        if reply is None:
            return Conclusion.UNANSWERED
        if status is None:
            return Conclusion.MALFORMED
        if _replied(store, question):
            return Conclusion.DUPLICATE
        if status is not Status.COMPLETED or not question.hangs:
            return Conclusion.RECORDED
        conversation = store.conversation(question.conversation)
        if conversation is None or not _awaits(conversation, question):
            return Conclusion.LATE
        candidate = candidate_of(store, question.episode, question.entity)
        if candidate is None or candidate.artifact != question.artifact:
            return Conclusion.MOVED
        unit.files = store.files([Entity.parse(question.entity).path])
        text = store.texts([candidate.artifact])[candidate.artifact]
        if not promote(unit, candidate, text, Grant.AUDIT, origin=Origin.AUDIT):
            return Conclusion.MOVED
        store.remember(with_gone(settled(conversation, {question.entity}), unit.events), ())
        return Conclusion.PROMOTED


def _awaits(conversation: Conversation | None, question: Question) -> bool:
    """Whether the conversation still stands where it stood when the question was made."""
    return conversation is not None and any(
        flag.kind == CANDIDATE and flag.detail == question.episode and question.entity in flag.entities
        for flag in conversation.next_flags
    )


def _replied(store: WorkspaceReader, question: Question) -> bool:
    """Whether a reply about this candidate has been recorded."""
    entries = [e for e in store.entries_of(question.episode) if e.kind == EventKind.AUDIT]
    return any(
        said.get("status") and said["entity"] == question.entity and said["artifact"] == question.artifact
        for said in (entry.content() for entry in entries)
    )


def candidate_of(store: WorkspaceReader, episode_id: str, entity: str) -> Candidate | None:
    """An episode's open candidate of an entity, if nothing has been said about its file since."""
    entries = store.entries_of(episode_id)
    for candidate in open_candidates((e.seq, e.moves(), e.content()) for e in entries):
        if candidate.entity == entity:
            later = (e for e in store.entries_after(candidate.at) if e.episode_id != episode_id)
            if any(touched(entity, move, same_answer=False) for e in later for move in e.moves()):
                return None
            return candidate
    return None


def settled(conversation: Conversation, promoted: set[str]) -> Conversation:
    """A conversation of which some candidates have become the truth: nothing is said against those any more."""
    paths = {Entity.parse(entity).path for entity in promoted}
    kept = tuple(
        flag
        for flag in conversation.next_flags
        if not (flag.kind == CANDIDATE and promoted & set(flag.entities))
        and not (flag.kind in ("rename", LOSS) and paths & {Entity.parse(e).path for e in flag.entities})
    )
    return replace(conversation, next_flags=kept)
