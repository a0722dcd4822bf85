"""Tool calls and what became of them: a client's confirmation makes true what it confirms (SEMANTICS 2, Outcomes)."""

from __future__ import annotations

from typing import Any

from tslp_litellm.evidence.model import Attempt, Drift, Edit, FileChange, Outcome, Removal, Shown, Verdict
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.bench import Bench, Flag
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.common import Context, path_of, proposal_text, source_of
from tslp_litellm.resolution.edits import replaced
from tslp_litellm.resolution.files import FileState, adopt, dirty, remove
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.model import Confidence, Grant, Origin, Source, artifact_hash
from tslp_litellm.state.names import normalise_path
from tslp_litellm.syntax.outline import outline


def judge_attempt(bench: Bench, attempt: Attempt, context: Context) -> None:
    """A tool call that would change files: PROPOSED until its result arrives."""
    for change in attempt.changes:
        path = normalise_path(path_of(change), context.root)
        if path is not None:
            bench.propose(
                path,
                proposal_text(change),
                Confidence.CONFIRMED,
                "awaiting-result",
                origin=Origin.MODEL,
                call=attempt.call_id,
                tool=attempt.tool,
            )


def judge_outcome(bench: Bench, outcome: Outcome, context: Context) -> None:
    """A tool call's result: success makes true what it confirms, failure and denial reject it for good."""
    attempt = outcome.attempt
    for change in attempt.changes:
        path = normalise_path(path_of(change), context.root)
        if path is None:
            continue
        if outcome.verdict is Verdict.SUCCESS:
            _confirmed(bench, change, bench.file(path), attempt)
        elif outcome.verdict is Verdict.UNKNOWN:
            if bench.file(path).tracked:
                bench.change(dirty(bench.file(path), "outcome-unknown"), origin=Origin.TOOL, call=attempt.call_id)
        else:
            move = Move(Op.REJECT, path, artifact_hash(proposal_text(change)), reason=str(outcome.verdict))
            bench.record([move], origin=Origin.TOOL, call=attempt.call_id)
    judge_user(bench, outcome.stated, context, Origin.TOOL)


def _confirmed(bench: Bench, change: FileChange, state: FileState, attempt: Attempt) -> None:
    """What a client confirms as done is the truth on the user's disk, whatever the gates would have said."""
    about: dict[str, Any] = {"origin": Origin.TOOL, "call": attempt.call_id, "tool": attempt.tool}
    match change:
        case Shown(text=text):
            _write_confirmed(bench, state, text, about)
        case Edit(replacements=replacements):
            base = state.text() if state.tracked else ""
            result = replaced(base, replacements) if base is not None else None
            if result is not None:
                _write_confirmed(bench, state, result, about, Source.EDIT)
            elif state.tracked:
                bench.change(dirty(state, "edit-on-another-base"), **about)
        case Removal(to=None):
            bench.change(remove(state, "deleted"), **about)
        case Drift():
            bench.change(dirty(state, "drift"), **about)
        case _:
            pass


def _write_confirmed(
    bench: Bench, state: FileState, text: str, about: dict[str, Any], source: Source | None = None
) -> None:
    seen, base = outline(state.language, text), state.outline()
    refusal = gates.left_out(seen, base) or (
        gates.collapsed(seen, base, Intent(), bench.limits) or gates.parity(seen, base.top_level(), Intent())
        if base is not None
        else None
    )
    reason = Grant.CLIENT if refusal is None else f"{Grant.CLIENT}:{refusal.reason}"
    changed = bench.change(
        adopt(state, text, source or source_of(state, seen), reason),
        **about,
        grant=Grant.CLIENT,
        refused=refusal.body() if refusal else None,
    )
    if refusal is not None and changed:
        bench.flags.append(Flag("confirmed", (state.entity(),), refusal.reason))
