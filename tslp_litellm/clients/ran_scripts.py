"""Scripts that ran, by what earlier calls of the conversation had written into them: they need not be tracked."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from tslp_litellm.clients.makers import attempt, shell_scripts
from tslp_litellm.clients.shell import attempted, drift
from tslp_litellm.clients.tools import arguments_of, kind_of
from tslp_litellm.dialects.values import Drift, Edit, FileChange, Outcome, Shown, Verdict
from tslp_litellm.parser.budget import spend
from tslp_litellm.shell import changed_by
from tslp_litellm.wire.turn import Item

LOOK_BACK_MAX = 200
"""So many calls before are looked through for a script's text."""


def by_scripts(calls: Sequence[Item | None], found: Iterable[object]) -> list[FileChange]:
    """What scripts may have changed that ran, as outcomes say. `calls`: those before."""
    ran = [
        (change, script)
        for outcome in found
        if isinstance(outcome, Outcome) and outcome.verdict is not Verdict.DENIED
        for change in outcome.attempt.changes
        if isinstance(change, Drift)
        for script in change.scripts
    ]
    return [change for run, script in ran for change in _changed(calls, run, script)]


def _changed(calls: Sequence[Item | None], ran: Drift, script: str) -> list[FileChange]:
    text = _written(calls[-LOOK_BACK_MAX:], script)
    return drift(changed_by(script, text, ran.run_in, ran.recipes)[0]) if text else []


def _written(calls: Sequence[Item | None], script: str) -> str:
    """What the last call that wrote a file whole wrote into it, and those since that edited it."""
    name, said = posixpath.basename(script), list[str]()
    for call in reversed(calls):
        if call is None or name not in call.text:
            continue
        spend()
        for change in reversed(_changes(call)):
            if not isinstance(change, (Shown, Edit)) or not _same(change.path, script):
                continue
            if isinstance(change, Shown):
                return "\n".join([change.text, *said])
            said += [step.new for step in change.steps]
    return "\n".join(said)


def _changes(call: Item) -> Sequence[FileChange]:
    arguments = arguments_of(call)
    if kind_of(call.name, arguments) == "shell":
        return attempted(shell_scripts(arguments))
    made = attempt(call)
    return made.changes if made is not None else ()


def _same(path: str, script: str) -> bool:
    """Whether a path, absolute or as seen from somewhere, may be a script's."""
    one, other = f"/{posixpath.normpath(path)}", f"/{posixpath.normpath(script)}"
    return one.endswith(other) or other.endswith(one)
