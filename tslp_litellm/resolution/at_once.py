"""Results of calls that were under way at the same time: what came last is not what is told last (SEMANTICS 2, Positive
proof).

Clients may carry out the calls of one answer at once, and other conversations change files between a call and its
result. A read proves what a file holds only where nothing else can have changed the file meanwhile, or where it shows
what the file holds by all that is known; a change that crossed another one leaves its file of unknown text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tslp_litellm.dialects.values import (
    Attempt,
    Drift,
    Edit,
    EditStep,
    Evidence,
    Excerpt,
    FileChange,
    Outcome,
    Removal,
    Replacement,
    Shown,
    Transfer,
    Verdict,
)
from tslp_litellm.resolution.by_client import judge_outcome
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.common import Context, completed, paths_of
from tslp_litellm.resolution.files import dirty
from tslp_litellm.resolution.operations import drift_paths, drifted, fitting, holds_root
from tslp_litellm.resolution.quotes import contradicts, stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import FileState, Origin


@dataclass(slots=True)
class Round:
    """Calls that were under way at the same time. `elsewhere`: the files that others changed since they were given.

    `outcomes`: what the results so far say was done; `news`: the files of which they showed what was not known.
    """

    elsewhere: frozenset[str] = frozenset()
    outcomes: list[Outcome] = field(default_factory=list)
    news: set[str] = field(default_factory=set)


def judge_result(unit: UnitOfWork, piece: Evidence | Outcome, among: Round, context: Context) -> None:
    """What a result of a call shows or says, among those of the calls that were under way with it."""
    if isinstance(piece, Outcome):
        _judge_change(unit, piece, among, context)
        among.outcomes.append(piece)
    elif isinstance(piece, (Shown, Excerpt)) and (path := path_of(piece, context)) is not None:
        if path in among.elsewhere or any(_may_have_changed(unit, one, path, context) for one in among.outcomes):
            _judge_crossed(unit, piece, unit.file(path), context)
            return
        before = unit.file(path)
        judge_user(unit, [piece], context, Origin.TOOL)
        if unit.file(path) != before:
            among.news.add(path)
    else:
        judge_user(unit, [piece], context, Origin.TOOL)


def path_of(piece: Shown | Excerpt, context: Context) -> str | None:
    """The file that a read is of."""
    named = piece.named if isinstance(piece, Shown) and context.root else ""
    return normalise_path(named or piece.path, context.root)


def agrees(piece: Shown | Excerpt, state: FileState) -> bool:
    """Whether a read shows what is held of a file."""
    text = state.text() if state.tracked else None
    if text is None:
        return False
    if isinstance(piece, Excerpt):
        return not contradicts(piece, text)
    return completed(piece, state) == text or bool(piece.with_numbers and stands_in(text, piece.with_numbers))


def touches(unit: UnitOfWork, change: FileChange, path: str, context: Context) -> bool:
    """Whether a change may concern a file."""
    if isinstance(change, Drift):
        named = drift_paths(change, context)
        return named is None or _holds(named, path) or bool(fitting([path], change, context, unit.files))
    if isinstance(change, Removal) and holds_root(change.path, context):
        return True
    found = [p for raw in paths_of(change) if (p := normalise_path(raw.rstrip("/"), context.root)) is not None]
    return _holds(found, path) if isinstance(change, (Removal, Transfer)) else path in found


def _holds(named: Iterable[str], path: str) -> bool:
    """Whether a path is among those named, or in a folder that is."""
    return any(path == one or path.startswith(one.rstrip("/") + "/") for one in named)


def _may_have_changed(unit: UnitOfWork, outcome: Outcome, path: str, context: Context) -> bool:
    return was_made(outcome) and any(touches(unit, change, path, context) for change in outcome.attempt.changes)


def was_made(outcome: Outcome) -> bool:
    """Whether an outcome leaves room for a change."""
    refused = outcome.verdict is Verdict.DENIED or (outcome.verdict is Verdict.FAILURE and outcome.attempt.certain)
    return not refused


def _judge_crossed(unit: UnitOfWork, piece: Shown | Excerpt, state: FileState, context: Context) -> None:
    """A read of a file that may have been changed before or after it: what agrees stays, else nobody knows."""
    if state.tracked and not agrees(piece, state):
        unit.change(dirty(state, "order-unknown"), origin=Origin.TOOL, carrier=piece.carrier)


def _judge_change(unit: UnitOfWork, outcome: Outcome, among: Round, context: Context) -> None:
    attempt, crossed = outcome.attempt, _crossed(unit, outcome, among, context)
    doubtful = {path for change in attempt.changes for path in _read_made(unit, change, among, context)}
    if crossed:
        paths = {path for path in among.elsewhere if any(touches(unit, c, path, context) for c in crossed)}
        stated = tuple(c for c in outcome.stated if not any(touches(unit, c, path, context) for path in paths))
        rest = tuple(change for change in attempt.changes if change not in crossed)
        outcome = replace(outcome, attempt=replace(attempt, changes=rest), stated=stated)
    judge_outcome(unit, outcome, context)
    for change in crossed:
        _doubt(unit, change, attempt, context)
    if doubtful and outcome.verdict is Verdict.SUCCESS:
        drifted(unit, sorted(doubtful), "order-unknown", {"origin": Origin.TOOL, "call": attempt.call_id})


def _crossed(unit: UnitOfWork, outcome: Outcome, among: Round, context: Context) -> list[FileChange]:
    """The confirmed changes of files that others changed since the call was given, but for what they leave as it is."""
    if outcome.verdict is not Verdict.SUCCESS or not among.elsewhere:
        return []
    return [
        change
        for change in outcome.attempt.changes
        if not isinstance(change, Drift)
        and any(touches(unit, change, path, context) for path in among.elsewhere)
        and not (isinstance(change, Shown) and agrees(change, unit.file(path_of(change, context) or "")))
    ]


def _doubt(unit: UnitOfWork, change: FileChange, attempt: Attempt, context: Context) -> None:
    found = (normalise_path(raw.rstrip("/"), context.root) for raw in paths_of(change))
    about = {"origin": Origin.TOOL, "call": attempt.call_id, "tool": attempt.tool}
    drifted(unit, [path for path in found if path is not None], "order-unknown", about)


def _read_made(unit: UnitOfWork, change: FileChange, among: Round, context: Context) -> list[str]:
    """The file of an edit, where a read of the same answer showed it otherwise than it was held, and may have shown
    what the edit had made of it: made once more it gives another text."""
    path = normalise_path(change.path, context.root) if isinstance(change, Edit) else None
    if path is None or path not in among.news or not isinstance(change, Edit):
        return []
    text = unit.file(path).text()
    return [path] if text is not None and any(_may_be_made(text, step) for step in change.steps) else []


def _may_be_made(text: str, step: EditStep) -> bool:
    whole = isinstance(step, Replacement) and not step.old
    return not whole and bool(step.new) and step.new in text
