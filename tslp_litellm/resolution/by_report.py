"""A client's report that edits in the model's text failed or were undone: the truth before them is reinstated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tslp_litellm.dialects.values import Edit, Evidence, Replacement, Report, Shown
from tslp_litellm.resolution.by_model import merged
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.edits import applied
from tslp_litellm.resolution.files import adopt, dirty, remove
from tslp_litellm.resolution.operations import About
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import FileState, Grant, Origin, Replaced, Source


@dataclass(frozen=True, slots=True)
class Past:
    """What a report is about: the answer's edits, and what they led to. `shown`: files whose text the same request
    shows, which settles them."""

    episode: str | None
    said: tuple[Evidence, ...]
    replaced: Mapping[str, Replaced]
    shown: frozenset[str] = frozenset()


def judge_report(unit: UnitOfWork, report: Report, past: Past, context: Context) -> None:
    """The files of the reported edits as they are without those that failed."""
    about: About = {"origin": Origin.TOOL, "carrier": "report", "grant": Grant.REINSTATED, "reinstates": past.episode}
    if report.undone or not past.said:
        for changed, replaced in past.replaced.items():
            if changed not in past.shown:
                _reinstate(unit, unit.file(changed), replaced, [], about)
        return
    for piece in merged(past.said):
        path = normalise_path(piece.path, context.root) if isinstance(piece, (Edit, Shown)) else None
        if path is None or path in past.shown:
            continue
        steps = piece.steps if isinstance(piece, Edit) else ()
        passed = [s for s in steps if report.failed and not (isinstance(s, Replacement) and _failed(s, report.failed))]
        if len(passed) < len(steps) or isinstance(piece, Shown):
            _reinstate(unit, unit.file(path), past.replaced.get(path), passed, about)


def _failed(step: Replacement, failed: Collection[str]) -> bool:
    return step.old.strip() in {old.strip() for old in failed}


def _reinstate(
    unit: UnitOfWork, state: FileState, replaced: Replaced | None, passed: Iterable[object], about: About
) -> None:
    """The text before, with the edits that did apply; unknown where the file has moved since."""
    now = state.file.artifact if state.file is not None and state.file.clean else None
    if replaced is not None and now != replaced.made:
        unit.change(dirty(state, "undone-elsewhere"), **about)
        return
    base = replaced.before if replaced is not None else state.text()
    if base is None:
        if replaced is not None:
            unit.change(remove(state, "undone"), **about)
        return
    steps = [step for step in passed if isinstance(step, Replacement)]
    text = applied(base, steps)
    if text is None:
        unit.change(dirty(state, "edit-on-another-base"), **about)
    else:
        source = Source.EDIT if steps or state.file is None else state.file.source
        unit.change(adopt(state, text, source, Grant.REINSTATED), **about)
