"""Questions that only the user can settle: put to him with each prompt, and closed by his own line (SEMANTICS 11)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tslp_litellm.engine.audit import settled
from tslp_litellm.engine.gone import GONE, gone_flags
from tslp_litellm.engine.talk import Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.select import Selection
from tslp_litellm.parser.budget import OverBudgetError, budget
from tslp_litellm.resolution.candidates import CANDIDATE
from tslp_litellm.resolution.decisions import (
    CHOICES_MAX,
    Kind,
    Question,
    answers,
    asked,
    by_id,
    decide,
    losses,
    named,
    of_flags,
)
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.trust import DECISION, Trust
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Conversation, Flag, Origin, Tracked
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.uses.following import is_within

MEANT = "meant"
"""The kind of flag that a conversation carries in the turn whose prompt says what a name means."""
SHOWN_MAX = 3
"""Open questions in one prompt, the newest first."""
OPEN_MAX = 20
"""Open questions that a conversation carries, the newest."""
NAMES_MAX = 10
"""Names in one prompt of which it is asked what they mean."""
USERS_MAX = 10
"""Known uses that a question names."""
ASKING_S = 2.0
"""How long it may take to find what is left to the user, while others wait."""


def raised(store: WorkspaceReader, unit: UnitOfWork, episode: str) -> list[Flag]:
    """What a conversation is told of an answer: what judging asked for, and the questions that it leaves to the user.

    A question says what a notice of the same things would say, which is left out.
    """
    found, untold = list[Question](), list[Flag]()
    with contextlib.suppress(OverBudgetError), budget(ASKING_S):
        found = asked(unit, episode, store.files)
        untold = losses(unit)
    said = {about for question in found for about in (question.about, *question.pairs)}
    kept = [flag for flag in unit.flags if not (flag.kind in ("rename", "several-files") and flag.entities in said)]
    return [*kept, *untold, *(question.flag() for question in found)]


def due(talk: Talk, known: Conversation) -> bool:
    """Whether questions wait for what the user says now."""
    return talk.prompt is not None and known.turn_digest != talk.turn_key() and bool(of_flags(known.next_flags))


def settle(store: WorkspaceWriter, talk: Talk, episode: Episode, limits: Limits, now: Callable[[], str]) -> None:
    """On the next user turn: close the questions that the user answers, that somebody answered before, and those whose
    texts have moved since. Whoever may only read answers none.

    A name that is answered means that in its own prompt; a file of which something is kept waits for no other grant."""
    known = episode.conversation
    if not due(talk, known) or episode.context.trust is Trust.NOBODY:
        return
    said = answers(talk.prose)
    kept, refused = list[Flag](), set[str]()
    for name, question in by_id(of_flags(known.next_flags)).items():
        if not _stands(store, question):
            continue
        option = said.get(name, 0)
        if 1 <= option <= len(question.says()[1]):
            kept += _carry_out(store, episode, question, option, limits, now)
            kept += [Flag(MEANT, question.about[option - 1 : option])] if question.kind is Kind.NAME else []
        elif (earlier := earlier_of(store, question)) is not None:
            option = earlier
            kept += _carry_out(store, episode, question, option, limits, now, again=True)
            kept.append(question.decided(option))
        else:
            kept.append(question.flag())
            continue
        refused |= {question.path} if question.keeps(option) else set()
    left = _without_candidates(known, refused).next_flags
    episode.conversation = replace(known, next_flags=(*(flag for flag in left if flag.kind != DECISION), *kept))


def _without_candidates(known: Conversation, paths: set[str]) -> Conversation:
    """A conversation in which no candidate of some files waits for authority any more."""
    waiting = {entity for flag in known.next_flags if flag.kind == CANDIDATE for entity in flag.entities}
    return settled(known, {entity for entity in waiting if Entity.parse(entity).path in paths})


def _carry_out(
    store: WorkspaceWriter,
    episode: Episode,
    question: Question,
    option: int,
    limits: Limits,
    now: Callable[[], str],
    *,
    again: bool = False,
) -> list[Flag]:
    """Do what an answer says; what the conversation has to remember of it."""
    files = store.files([Entity.parse(entity).path for entity, _ in question.brings])
    unit = UnitOfWork(files, limits=limits, trust=episode.context.trust)
    decide(unit, question, option, store.texts(artifact for _, artifact in question.brings))
    made = [] if again else [_event(question, option)]
    store.put(unit.contents)
    store.append([*made, *unit.events], episode.id, now())
    return gone_flags(unit.events)


def _event(question: Question, option: int) -> Event:
    said, options = question.says()
    about = {
        "origin": Origin.USER,
        "entity": question.base[0][0],
        "question": question.kind,
        "signature": question.signature,
        "option": option,
        "about": list(question.entities),
        "says": said,
        "chosen": options[option - 1],
    }
    return Event(EventKind.DECISION, (), tuple(about.items()))


def earlier_of(store: WorkspaceReader, question: Question) -> int | None:
    """What was decided in the workspace about the very same texts."""
    for entry in store.decisions_about(question.path):
        content = entry.content()
        if content.get("signature") == question.signature:
            return int(content["option"])
    return None


def _stands(store: WorkspaceReader, question: Question) -> bool:
    """Whether nothing that a question rests on has moved."""
    if store.workspace_id is None:
        return False
    held = uses.held(store.connection, store.workspace_id, {entity for entity, _ in question.base})
    return question.stands(held)


# -- in a prompt


def in_turn(known: Conversation, turn: bytes, *, begins: bool) -> Conversation:
    """A conversation in a turn of the user's: what waited for its prompt is told where it `begins`, or waits for the
    next one; questions stay until they are closed, and what is gone as long as somebody uses it. What its prompt
    means is of no other turn."""
    if known.turn_digest == turn:
        return known
    waits = (DECISION, GONE) if begins else {flag.kind for flag in known.next_flags} - {MEANT}
    kept = tuple(flag for flag in known.next_flags if flag.kind in waits)
    told = tuple(flag for flag in known.next_flags if flag not in kept)
    return replace(known, turn_digest=turn, turn_flags=told, next_flags=kept)


def meant(store: WorkspaceReader, chosen: Selection, known: Conversation) -> tuple[list[Question], list[Flag]]:
    """The questions which entity a name means that fits several; what was decided of one is what it means, and is told
    unless this very turn decided it."""
    left: list[tuple[str, list[str]]] = []
    found, decided = list[Question](), list[Flag]()
    now = {row.entity for row in chosen_in(store, known)}
    for number, (name, candidates) in enumerate(chosen.ambiguous):
        few = number < NAMES_MAX and len(candidates) <= CHOICES_MAX
        rows = _rows(store, candidates) if few else {}
        question = named(name, ((row.entity, row.artifact) for row in rows.values()))
        option = earlier_of(store, question) if question is not None else None
        if question is not None and option is not None:
            row = rows[question.about[option - 1]]
            decided += [question.decided(option)] if row.entity not in now else []
            chosen.entities += [row] if row not in chosen.entities else []
        elif question is not None:
            found.append(question)
        else:
            left.append((name, candidates))
    chosen.ambiguous = left
    for name, candidates in chosen.several[:NAMES_MAX]:
        rows = _rows(store, candidates)
        question = named(name, ((row.entity, row.artifact) for row in rows.values()))
        option = earlier_of(store, question) if question is not None else None
        if question is not None and option is not None:
            entity = question.about[option - 1]
            decided += [question.decided(option)] if entity not in now else []
            others = set(candidates) - {entity}
            chosen.entities = [row for row in chosen.entities if row.entity not in others]
        elif question is not None:
            found.append(question)
    return found, decided


def chosen_in(store: WorkspaceReader, known: Conversation) -> list[Tracked]:
    """What the prompt of a conversation's turn says that a name means."""
    chosen = [entity for flag in known.turn_flags if flag.kind == MEANT for entity in flag.entities]
    return [row for entity in chosen for row in _rows(store, [entity]).values()]


def _rows(store: WorkspaceReader, candidates: Iterable[str]) -> dict[str, Tracked]:
    wanted = set(candidates)
    paths = {Entity.parse(entity).path for entity in wanted}
    found = {row.entity: row for row in store.tracked(paths) if row.entity in wanted and row.clean}
    return found if found.keys() == wanted else {}


def open_questions(
    store: WorkspaceReader, known: Conversation, names: Sequence[Question]
) -> tuple[Conversation, list[str]]:
    """The conversation with the questions that a prompt raises, and the notices of its open ones."""
    waiting = [question for question in of_flags(known.next_flags) if _stands(store, question)]
    waiting += [question for question in names if question.signature not in {one.signature for one in waiting}]
    waiting = waiting[-OPEN_MAX:]
    others = tuple(flag for flag in known.next_flags if flag.kind != DECISION)
    known = replace(known, next_flags=(*others, *(question.flag() for question in waiting)))
    shown = list(by_id(waiting).items())[::-1][:SHOWN_MAX]
    return known, [notices.decision(name, *question.says(_used_by(store, question))) for name, question in shown]


def _used_by(store: WorkspaceReader, question: Question) -> str:
    """What is known to use what would go."""
    if question.kind not in (Kind.RENAME, Kind.LOSS) or store.workspace_id is None:
        return ""
    gone = question.gone
    rows = uses.to_paths(store.connection, store.workspace_id, [question.path])
    users = sorted({row.entity for row in rows if _holds(gone, row.used) and not _holds(gone, row.entity)})
    more = f" and {len(users) - USERS_MAX} more" if len(users) > USERS_MAX else ""
    return f" Known uses: {', '.join(users[:USERS_MAX])}{more}" if users else ""


def _holds(outer: Iterable[str], inner: str) -> bool:
    """Whether an entity is one of some, or a part of one."""
    return any(is_within(Entity.parse(one), Entity.parse(inner)) for one in outer)
