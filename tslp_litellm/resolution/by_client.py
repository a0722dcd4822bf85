"""Tool calls and what became of them: a client's confirmation makes true what it confirms (SEMANTICS 2, Outcomes)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tslp_litellm.dialects.values import (
    Attempt,
    Drift,
    Edit,
    Excerpt,
    FileChange,
    Outcome,
    Refusal,
    Replacement,
    Shown,
    Verdict,
)
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.common import paths_of, proposal_text
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.edits import applied
from tslp_litellm.resolution.operations import About, done, drift_paths, drifted, fitting
from tslp_litellm.resolution.quotes import contradicts
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Confidence, Origin

MANY = 2
"""So often stands what stands several times."""


def judge_attempt(unit: UnitOfWork, attempt: Attempt, context: Context) -> None:
    """A tool call that would change files: PROPOSED until its result arrives."""
    for change in attempt.changes:
        for path in _entities(unit, attempt, change, context):
            unit.propose(
                path,
                proposal_text(change),
                Confidence.CONFIRMED,
                "awaiting-result",
                origin=Origin.MODEL,
                call=attempt.call_id,
                tool=attempt.tool,
            )


def judge_outcome(unit: UnitOfWork, outcome: Outcome, context: Context) -> None:
    """A tool call's result: success makes true what it confirms, failure and denial reject it for good."""
    attempt = outcome.attempt
    about: About = {"origin": Origin.TOOL, "call": attempt.call_id, "tool": attempt.tool}
    other = _differs(unit, outcome.showed, context) or _miscounts(unit, outcome, context)
    for change in attempt.changes:
        if outcome.verdict is Verdict.SUCCESS:
            done(unit, change, context, about, outcome.stated, outcome.created)
        elif outcome.verdict is Verdict.UNKNOWN or (outcome.verdict is Verdict.FAILURE and not attempt.certain):
            _doubted(unit, change, context, "outcome-unknown", about)
        else:
            _rejected(unit, attempt, change, context, outcome.verdict, about)
        if outcome.refusal is not None and _belied(unit, change, outcome.refusal, context):
            _doubted(unit, change, context, "refused-though-it-fits", about)
        if outcome.moved:
            _doubted(unit, change, context, "modified-elsewhere", about)
    for change in outcome.undone:
        _rejected(unit, attempt, change, context, Verdict.FAILURE, about)
    judge_user(unit, [*outcome.stated, *_unknown_before(unit, outcome.shows, context)], context, Origin.TOOL)
    if other or _differs(unit, outcome.shows, context):
        drifted(unit, [path for change in attempt.changes for path in _paths(change, context)], "result-differs", about)


def _differs(unit: UnitOfWork, shown: Iterable[Excerpt], context: Context) -> bool:
    """Whether our text has other lines where a result shows its own. A refused text that waits may be what it shows."""
    for excerpt in shown:
        path = normalise_path(excerpt.path, context.root)
        text = unit.file(path).text() if path is not None and path not in unit.waiting else None
        if text is not None and contradicts(excerpt, text):
            return True
    return False


def _unknown_before(unit: UnitOfWork, shown: Iterable[Excerpt], context: Context) -> Iterator[Shown]:
    """The files that nobody knew, of which a result shows all lines."""
    for one in shown:
        path, count = normalise_path(one.path, context.root), len(one.lines)
        if path is not None and not unit.file(path).tracked and (one.first, one.until, one.total) == (1, count, count):
            yield Shown(one.path, "\n".join(one.lines), one.carrier, whole=True)


def _miscounts(unit: UnitOfWork, outcome: Outcome, context: Context) -> bool:
    """Whether a text stands in ours another number of times than a result says that it was replaced."""
    for change in outcome.attempt.changes:
        path = next(iter(_paths(change, context)), None)
        text = unit.file(path).text() if path is not None and path not in unit.waiting else None
        if not outcome.replaced or not isinstance(change, Edit) or len(change.steps) != 1 or text is None:
            continue
        step = change.steps[0]
        if isinstance(step, Replacement) and step.old in text and step.old:
            return outcome.replaced != (text.count(step.old) if step.everywhere else 1)
    return False


def _doubted(unit: UnitOfWork, change: FileChange, context: Context, reason: str, about: About) -> None:
    """A change of which nobody knows whether it was made."""
    paths = drift_paths(change, context) if isinstance(change, Drift) else _paths(change, context)
    drifted(unit, paths, reason, about)
    if isinstance(change, Drift):
        drifted(unit, fitting(unit.files, change, context, unit.files), reason, about)


def _rejected(
    unit: UnitOfWork, attempt: Attempt, change: FileChange, context: Context, verdict: Verdict, about: About
) -> None:
    for path in _entities(unit, attempt, change, context):
        move = Move(Op.REJECT, path, unit.put(proposal_text(change)), reason=str(verdict))
        unit.record([move], **about)


def _belied(unit: UnitOfWork, change: FileChange, refusal: Refusal, context: Context) -> bool:
    """Whether our text does not bear out why the client refused a change: then it is not what the disk holds."""
    path = next(iter(_paths(change, context)), None)
    text = unit.file(path).text() if path is not None else None
    if text is None or refusal is Refusal.OTHER:
        return False
    if refusal is Refusal.GONE:
        return True
    if isinstance(change, Shown):
        return refusal is Refusal.SAME and change.text.rstrip("\n") != text.rstrip("\n")
    if not isinstance(change, Edit):
        return False
    olds = [step.old for step in change.steps if isinstance(step, Replacement) and step.old]
    if refusal is Refusal.SEVERAL:
        return bool(olds) and all(text.count(old) < MANY for old in olds)
    if refusal is Refusal.ABSENT and all(old in text for old in olds):
        return bool(olds)
    return applied(text, change.steps) not in (None, text)


def _entities(unit: UnitOfWork, attempt: Attempt, change: FileChange, context: Context) -> list[str]:
    """The entity that stands for a change in the Ledger. Of a tool that nobody knows, only what is tracked is known to
    be a path: its arguments may be anything."""
    paths = _paths(change, context)
    return [path for path in paths if attempt.kind or not isinstance(change, Drift) or unit.file(path).tracked][:1]


def _paths(change: FileChange, context: Context) -> list[str]:
    found = (normalise_path(path.rstrip("/"), context.root) for path in paths_of(change))
    return [path for path in found if path is not None]
