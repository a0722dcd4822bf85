"""The second visit: the model's evidence, and the episode itself."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Literal

from tslp_litellm.clients.aider import FORMATS, applied_in
from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.text_calls import expand
from tslp_litellm.conversation import history
from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.conversation.unfenced import shown_code
from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.dialects.framing import spoken
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.values import Applied, Attempt, Edit, Evidence
from tslp_litellm.engine.calls import kept
from tslp_litellm.engine.confirming import confirm
from tslp_litellm.engine.deciding import raised
from tslp_litellm.engine.gathering import is_opening, located, named_paths, root_in, unit_for, unread
from tslp_litellm.engine.gone import gone_flags, with_places
from tslp_litellm.engine.meaning import (
    altered,
    earlier,
    insisted,
    made_up,
    meant,
    play_before,
    play_of,
    shown_in_part,
    shown_paths,
)
from tslp_litellm.engine.questions import flags, in_view, questions
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.engine.undoing import doubt_undone
from tslp_litellm.engine.values import Episode, Question
from tslp_litellm.hydration.notices import UNLINKED
from tslp_litellm.parser.budget import OverBudgetError, budget
from tslp_litellm.placing.gone_on import begun, gone_on
from tslp_litellm.placing.readings import unlabelled
from tslp_litellm.resolution.by_applier import judge_applied
from tslp_litellm.resolution.by_client import judge_attempt
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Confidence, Conversation, Origin, artifact_hash
from tslp_litellm.store.database import Database, is_everybodys
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.syntax.languages import Nature, language_of_path
from tslp_litellm.wire.turn import Answer, Item, ItemKind, Role, is_empty

VISIT_CHARS_MAX = 20_000_000
"""A request or an answer of more is not read at all. No model's window holds as much."""
CUT_ANSWERS_MAX = 4
"""So many answers that were cut short, one after the other, are read as one."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer, read and judged on the state at `head`; without evidence it is the same on every state.

    `unread`: it took too long to read; `goes_on`: it is read as one with an answer before it, which was cut short.
    """

    episode: Episode
    answer: Answer
    evidence: Sequence[Evidence] = ()
    applied: Applied | None = None
    attempts: Sequence[Attempt] = ()
    unit: UnitOfWork = field(default_factory=UnitOfWork)
    head: tuple[int, str] | None = None
    seen: Sequence[str] = ()
    unread: bool = False
    goes_on: bool = False

    @property
    def says_nothing(self) -> bool:
        """Whether there is no evidence in it."""
        return not self.evidence and self.applied is None and not self.attempts and not self.unread


@dataclass(slots=True)
class _Open:
    """A workspace in a transaction, and the heads of its Ledger since its entities last changed."""

    store: WorkspaceWriter
    heads: set[tuple[int, str] | None]


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
        seconds: float,
    ) -> None:
        self._database, self._limits, self._readings = database, limits, readings
        self._now, self._tombstone_episodes, self._audit = now, tombstone_episodes, audit
        self._seconds = seconds

    def visit(self, episode: Episode, answer: Answer) -> list[Question]:
        """Judge the answer and record the episode; what there is to ask the shadow audit about it."""
        (done,) = self.visit_all([self.draft(episode, answer)])
        if isinstance(done, Exception):
            raise done
        return done

    def draft(self, episode: Episode, answer: Answer) -> Draft:
        """Read and judge an answer, outside of the write lock."""
        draft = self._read(episode, answer)
        if draft.says_nothing:
            return draft
        with self._database.reading() as connection:
            return self._judged(connection, draft)

    def drafts(self, said: Sequence[tuple[Episode, Answer] | Draft]) -> list[Draft | Exception]:
        """Read and judge answers in one snapshot; for each, if need be, what went wrong with it."""
        drafts = [one if isinstance(one, Draft) else _guarded(lambda: self._read(*one)) for one in said]  # noqa: B023
        if not any(isinstance(d, Draft) and d.head is None and not d.says_nothing for d in drafts):
            return drafts
        with self._database.reading() as connection:
            return [
                _guarded(lambda: self._judged(connection, d))  # noqa: B023
                if isinstance(d, Draft) and d.head is None and not d.says_nothing
                else d
                for d in drafts
            ]

    def _read(self, episode: Episode, answer: Answer) -> Draft:
        try:
            if sum(len(item.text) for item in answer.items) > VISIT_CHARS_MAX:
                raise OverBudgetError("the answer is too large to read")
            with budget(self._seconds):
                items = tuple(item for item in expand(answer.items) if not is_empty(item))
                answer = answer if items == answer.items else replace(answer, items=items)
                whole = _gone_on(episode, answer)
                return Draft(episode, answer, *_evidence(episode, whole or answer), goes_on=whole is not None)
        except OverBudgetError:
            return Draft(episode, answer, unread=True)

    def _judged(self, connection: Any, draft: Draft) -> Draft:
        store = WorkspaceReader(connection, draft.episode.request.tenant, draft.episode.request.workspace)
        unit = self._judge(store, draft)
        try:
            with budget(self._seconds):
                seen = in_view(store, unit, draft.episode, self._readings)
        except OverBudgetError:
            seen = []
        return replace(draft, unit=unit, head=store.head, seen=seen)

    def visit_all(self, drafts: Sequence[Draft], *, again: bool = False) -> list[list[Question] | Exception]:
        """Record episodes, in that order and in one transaction; for each what there is to ask, or what went wrong.

        Where one of them is at fault, each has a transaction of its own, and the others are recorded.
        """
        try:
            with self._database.writing() as connection:
                opened: dict[tuple[str, str], _Open] = {}
                stores = [self._opened(opened, connection, draft) for draft in drafts]
                return [
                    [] if again and _is_recorded(store.store, draft) else self._write(store, draft)
                    for store, draft in zip(stores, drafts, strict=True)
                ]
        except Exception as error:  # noqa: BLE001 - handed to who asked
            if len(drafts) == 1 or is_everybodys(error):
                return [error] * len(drafts)
        return [done for draft in drafts for done in self.visit_all([draft], again=again)]

    def doubt(self, tenant: str, workspace: str) -> None:
        """What was said could not be judged, by a fault of ours: what it changed is unknown, so all becomes DIRTY."""
        with self._database.writing() as connection:
            store = WorkspaceWriter(connection, tenant, workspace, self._now())
            unit = unread(store, None, self._limits, reason="unread-turn")
            store.append(unit.events, None, self._now())

    def _opened(self, opened: dict[tuple[str, str], _Open], connection: Any, draft: Draft) -> _Open:
        scope = draft.episode.request.tenant, draft.episode.request.workspace
        if scope not in opened:
            store = WorkspaceWriter(connection, *scope, self._now())
            opened[scope] = _Open(store, {store.head} | ({None} if is_opening(store.head) else set()))
        return opened[scope]

    def _write(self, opened: _Open, draft: Draft) -> list[Question]:
        """Judged once more only where the State Map has changed meanwhile: it is the fold of the Ledger."""
        store, episode = opened.store, draft.episode
        if draft.says_nothing:
            unit = UnitOfWork(limits=self._limits)
            if draft.answer.complete and not episode.side:
                doubt_undone(store, unit, episode)
        elif draft.head in opened.heads:
            unit = copy(draft.unit)
            unit.events, unit.contents = [*unit.events], {**unit.contents}
        else:
            unit = self._judge(store, draft)
        if expired := store.expired(self._tombstone_episodes):
            unit.events.append(Event(EventKind.EXPIRY, tuple(Move(Op.EXPIRE, entity) for entity in expired)))
        unit.flags = [*raised(store, unit, episode.id), *flags(unit, episode), *gone_flags(unit.events)]
        asked = questions(unit, episode, self._audit == "all") if self._audit else []
        known = None if episode.side else store.conversation(episode.conversation.id)
        items = known.items if known is not None else episode.conversation.items
        digests = _said(draft.answer)
        said = items + len(episode.digests)
        place = None if episode.side else [episode.since, said, said + len(digests), episode.parent]
        unit.events.append(_recorded(episode, draft.answer, unit, draft.seen, place))
        store.put(unit.contents)
        store.append(unit.events, episode.id, self._now())
        if any(event.moves for event in unit.events):
            opened.heads.clear()
        opened.heads.add(store.head)
        if not episode.side:
            _remember(store, episode, known, (*episode.digests, *digests), unit)
        return asked

    def _judge(self, store: WorkspaceReader, draft: Draft) -> UnitOfWork:
        """What an answer does; where that takes too long to find out, what it may be about is DIRTY."""
        said = (*draft.evidence, *([draft.applied] if draft.applied is not None else []), *draft.attempts)
        if not draft.unread:
            with contextlib.suppress(OverBudgetError), budget(self._seconds):
                return self._judged_whole(store, draft)
        draft.episode.answer_over_budget = True
        paths = named_paths(said, root_in(store, draft.episode.context)) if said else None
        return unread(store, paths, self._limits, reason="over-budget", trust=draft.episode.context.trust)

    def _judged_whole(self, store: WorkspaceReader, draft: Draft) -> UnitOfWork:
        context = located(store, draft.episode.context)
        applied = [draft.applied] if draft.applied is not None else []
        if any(map(_lacks_path, draft.evidence)):
            own = play_of(meant(store, _prose(draft.answer), context.root, context.play.files()))
            context = replace(context, play=context.play | own)
        if any(map(_lacks_path, draft.evidence)) or _names_new_file(store, draft.evidence, context):
            before = play_before(store, draft.episode, self._readings, context.root)
            context = replace(context, play=context.play | before)
        if draft.goes_on:
            context = replace(context, intent=context.intent.with_before(frozenset()))
        renamed = partial(insisted, store, draft.episode)
        shown = frozenset(draft.episode.hydrated)
        context = replace(context, earlier=partial(earlier, store), insisted=renamed, shown=shown)
        context = replace(context, made_up=cache(partial(made_up, store)), altered=cache(partial(altered, store)))
        context = replace(context, shown_in_part=cache(partial(shown_in_part, store)))
        unit = unit_for(store, (*draft.evidence, *applied, *draft.attempts), context, self._limits)
        judge_model(unit, draft.evidence, context)
        for one in applied:
            judge_applied(unit, one, context)
        for attempted in draft.attempts:
            judge_attempt(unit, attempted, context)
        confirm(store, unit, Origin.MODEL)
        return unit


def _lacks_path(piece: Evidence) -> bool:
    """Whether code without a label, or a diff without a head, is of what is in play."""
    return unlabelled(piece) is not None or (isinstance(piece, Edit) and not piece.path)


def _names_new_file(store: WorkspaceReader, evidence: Sequence[Evidence], context: Context) -> bool:
    """Whether some code has the label of a file that is not tracked: it may be of another one, or have stood there."""
    labels = shown_paths(evidence, context.root) if context.forms is None else set()
    return bool(labels - {row.path for row in store.tracked(labels)})


def _prose(answer: Answer) -> str:
    """The model's own words, no code."""
    texts = [spoken(item.text) for item in answer.items if item.kind is ItemKind.TEXT and item.exact]
    return "\n\n".join(join_lines(prose_lines(text, fences(text))) for text in texts)


def _is_recorded(store: WorkspaceReader, draft: Draft) -> bool:
    """Whether an episode is in the Ledger already: its commit may have been done by a server that then was gone."""
    return any(entry.kind == EventKind.EPISODE for entry in store.entries_of(draft.episode.id))


def _guarded(work: Callable[[], Draft]) -> Draft | Exception:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - one that can't be read holds up no other
        return error


def _evidence(episode: Episode, answer: Answer) -> tuple[list[Evidence], Applied | None, list[Attempt]]:
    """What an answer is evidence of: its texts and its calls. One that was cut short is none.

    A client that applies edits out of the text itself is followed as it reads them, where it has a format of its own.
    """
    if episode.side or not answer.complete:
        return [], None, []
    texts = [item.text for item in answer.items if item.kind is ItemKind.TEXT and item.exact]
    attempts = [a for item in answer.items if item.kind is ItemKind.CALL and (a := attempt(item))]
    context = episode.context
    own = next((form for form in context.forms or () if form in FORMATS), None) if context.chat is not None else None
    if own is not None and context.chat is not None:
        return [], applied_in("\n".join(texts), own, context.chat), attempts
    return [piece for text in texts for piece in read_answer(text, context.intent.prompt, whole=True)], None, attempts


def _gone_on(episode: Episode, answer: Answer) -> Answer | None:
    """An answer with what it goes on with, where that was cut short; None where it is one by itself."""
    texts = [item for item in answer.items if item.kind is ItemKind.TEXT and item.exact]
    if episode.side or episode.context.forms is not None or len(texts) != 1 or not answer.complete:
        return None
    prompt, never_heard = episode.context.intent.prompt, episode.parent is None
    cut = begun([spoken(text) for text in _said_last(episode.request.turn.items)])
    whole = gone_on(cut, spoken(texts[0].text), prompt, sure=never_heard) if cut else None
    if whole is None:
        return None
    return replace(answer, items=tuple(replace(i, text=whole) if i is texts[0] else i for i in answer.items))


def _said_last(items: Sequence[Item]) -> list[str]:
    """The model's last texts in a request, in their order; none where the user has shown code since."""
    texts = [item for item in items if item.kind is ItemKind.TEXT and item.exact]
    last = next((n for n, item in reversed([*enumerate(texts)]) if item.role is Role.ASSISTANT), len(texts))
    if any(shown_code(item.text) for item in texts[last + 1 :]):
        return []
    return [item.text for item in texts if item.role is Role.ASSISTANT][-CUT_ANSWERS_MAX:]


def _recorded(
    episode: Episode, answer: Answer, unit: UnitOfWork, seen: Sequence[str], place: Sequence[int | None] | None
) -> Event:
    """The episode as the Ledger keeps it (§3.2). `place`: the ordinals in its conversation at which what was new in its
    request begins, its answer begins and ends, and the model's last word before it stands."""
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
        "place": place,
        "prompt": unit.put(prompt) if prompt else None,
        "answer": artifact_hash(said) if said else None,
        "hydrated": list(episode.hydrated),
        "in_view": list(seen) or None,
        "notices": len(episode.notices),
        "calls": (kept(unit, answer.items) if answer.complete else None) or None,
        "by": {name: said for name, said in episode.request.who.items() if not unit.refuses(said)} or None,
        "injected": episode.injected or None,
        "front": [list(one) for one in episode.front] or None,
        "told": [told for text in episode.notices if (told := unit.put(text))] or None,
        "fit": episode.fit or None,
        "window": (episode.request.window or None) if episode.injected else None,
    }
    return Event(EventKind.EPISODE, (), tuple((key, value) for key, value in about.items() if value is not None))


def _said(answer: Answer) -> tuple[bytes, ...]:
    """What a conversation remembers of an answer: nothing of one that was cut short."""
    if not answer.complete:
        return ()
    ids = [Item(Role.ASSISTANT, ItemKind.RESPONSE, answer.response_id)] if answer.response_id else []
    return tuple(history.digest(item) for item in (*answer.items, *ids))


def _remember(
    store: WorkspaceWriter, episode: Episode, known: Conversation | None, digests: Sequence[bytes], unit: UnitOfWork
) -> None:
    """The conversation's new items."""
    unlinked = [UNLINKED] if any(_is_unlinked(move) for event in unit.events for move in event.moves) else []
    same_turn = known is not None and known.turn_digest == episode.conversation.turn_digest
    told = episode.conversation.next_flags
    carried = with_places(known.next_flags, told) if known is not None and same_turn else told
    next_flags = tuple(dict.fromkeys((*carried, *unit.flags, *unlinked)))
    items = known.items if known is not None else episode.conversation.items
    talk = episode.conversation
    store.remember(
        Conversation(talk.id, items, episode.id, talk.turn_digest, talk.turn_flags, next_flags, talk.left_out), digests
    )


def _is_unlinked(move: Move) -> bool:
    """Whether a move is about source code that could not be linked to an entity (§8.3)."""
    if move.confidence not in (Confidence.INFERRED, Confidence.UNRESOLVED):
        return False
    language = language_of_path(Entity.parse(move.entity).path) if move.entity else None
    return language is None or language.nature is Nature.CODE
