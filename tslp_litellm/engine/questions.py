"""What is asked of the shadow audit about an answer, and what its candidates replace that the model had seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tslp_litellm.engine.sight import stated
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.engine.values import Episode, Question
from tslp_litellm.hydration.standing import stands
from tslp_litellm.resolution.auditing import question
from tslp_litellm.resolution.candidates import CANDIDATE, Candidate, Judged, current_text, lost, open_candidates
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Flag, Origin, Source
from tslp_litellm.store.reading import WorkspaceReader


def judged(events: Iterable[Event]) -> list[Judged]:
    """Events that have no place in the Ledger yet, by their order."""
    return [(n, event.moves, dict(event.about)) for n, event in enumerate(events)]


def flags(unit: UnitOfWork, episode: Episode) -> list[Flag]:
    """What the conversation remembers of the candidates until its next user turn."""
    return [Flag(CANDIDATE, (c.entity,), episode.id) for c in _waiting(unit)]


def _waiting(unit: UnitOfWork) -> list[Candidate]:
    """The candidates of an answer that the audit or the user may still make the truth."""
    return [candidate for candidate in open_candidates(judged(unit.events)) if candidate.waits]


def questions(unit: UnitOfWork, episode: Episode, every: bool) -> list[Question]:
    """The audit's questions: where a promotion hangs on the reply, or about every candidate."""
    open_ones = _waiting(unit)
    asked = {c.entity: (c, True) for c in open_ones}
    if every:
        asked |= {c.entity: (c, False) for c in _all(unit.events) if c.entity not in asked}
    made = [_question(unit, episode, candidate, hangs) for candidate, hangs in asked.values()]
    return [q for q in made if q is not None]


def _all(events: Sequence[Event]) -> list[Candidate]:
    """Every candidate of an answer: what was proposed, and of what was promoted the outermost."""
    found: dict[str, Candidate] = {}
    for at, moves, about in judged(events):
        if about.get("origin") != Origin.MODEL:
            continue
        promoted = [m for m in moves if m.op is Op.PROMOTE]
        files = [m for m in promoted if m.entity and Entity.parse(m.entity).symbol is None]
        for move in [*(m for m in moves if m.op is Op.PROPOSE), *(files or promoted)]:
            if move.entity is not None and move.artifact is not None:
                found[move.entity] = Candidate(move.entity, move.artifact, Source.AST, move.reason or "", at)
    return list(found.values())


def _question(unit: UnitOfWork, episode: Episode, candidate: Candidate, hangs: bool) -> Question | None:
    entity = Entity.parse(candidate.entity)
    state, after = unit.file(entity.path), unit.contents.get(candidate.artifact)
    before = current_text(state, entity.symbol) if hangs else None
    if not isinstance(after, str):  # a definition kept as a slice of its file, which is the current one
        after = current_text(state, entity.symbol)
    if after is None:
        return None
    gone = lost(state, candidate, after) if hangs else []
    text = question(candidate.entity, episode.context.intent.prompt, before, after, gone)
    if text is None:
        return None
    request = episode.request
    return Question(
        request.tenant,
        request.workspace,
        episode.conversation.id,
        episode.id,
        candidate.entity,
        candidate.artifact,
        hangs,
        text,
        request.model,
        request.caller,
    )


def in_view(store: WorkspaceReader, unit: UnitOfWork, episode: Episode, readings: ReadingCache) -> list[str]:
    """The candidates' entities whose current text stood uninjected in what the window keeps of the request, and what
    would have been injected, had nothing been left out (SEMANTICS 3, grant 3)."""
    found = []
    open_ones = _waiting(unit)
    talk = readings.talk(episode.request.turn) if open_ones else None
    before = episode.as_sent()
    hydration = episode.kept.tokens(before.preface) if open_ones else 0
    turn, fronts = episode.request.turn, episode.fronts
    items = stated(talk, turn, readings, episode.kept, hydration, fronts) if talk is not None else []
    for candidate in open_ones:
        entity = Entity.parse(candidate.entity)
        text = current_text(unit.file(entity.path), entity.symbol)
        if talk is None or talk.prompt is None or text is None:
            continue
        if stands(candidate.entity, text, items, episode.context.root, store.was_current):
            found.append(candidate.entity)
    return list(dict.fromkeys((*found, *(set(before.hydrated) - set(episode.hydrated)))))
