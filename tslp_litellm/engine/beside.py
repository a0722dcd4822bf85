"""What a request says that changes no state: verdicts of test runs, failed tools, decisions that a user states.

They are events of the Ledger beside the moves, for people; nothing of them is ever put into a prompt (SEMANTICS 12).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tslp_litellm import shell
from tslp_litellm.clients.makers import shell_scripts
from tslp_litellm.clients.outcomes import known_silence, shell_outcome, stated_exit, verdict_of
from tslp_litellm.clients.tools import arguments_of, kind_of
from tslp_litellm.conversation.user_text import Reading
from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.results import of_fields
from tslp_litellm.dialects.values import Attempt, Outcome, Shown, Verdict
from tslp_litellm.history.verdicts import of_output, of_paste
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.markers import unframed
from tslp_litellm.wire.turn import Item

SAID_CHARS, PATHS_MAX = 200, 20
"""How much of an error, a decision or its files is kept."""
_STATED = re.compile(r"^[ \t]*decision:[ \t]*(\S[^\n]*)$", re.I | re.M)


def of_user(item: Item, reading: Reading) -> list[Event]:
    """What a user's own message pastes of a terminal, and the decisions that it states in prose."""
    if not reading.prose:
        return []
    own = unframed(item.text)
    files = frozenset(piece.text.rstrip("\n") for piece in reading.evidence if isinstance(piece, Shown))
    blocks = fences(own)
    pasted = of_paste(join_lines(prose_lines(own, blocks)) if blocks else reading.prose, blocks, files)
    stated = (match[1].strip()[:SAID_CHARS] for match in _STATED.finditer(reading.prose))
    return [
        *(Event(EventKind.REPORTED, (), (("origin", "user"), *one.body())) for one in pasted),
        *(Event(EventKind.STATED, (), (("origin", "user"), ("says", said))) for said in stated),
    ]


def of_result(call: Item, result: Item, found: Iterable[object]) -> list[Event]:
    """What a tool's result reports: the closing verdicts of what a shell ran, or that another tool failed.

    `found`: what the result is evidence of."""
    arguments = arguments_of(call)
    if kind_of(call.name, arguments) == "shell":
        script = "\n".join(script for script, _ in shell_scripts(arguments))
        return _reported(call, result, script) if script else []
    made = next((piece.attempt for piece in found if isinstance(piece, Outcome) and _failed(piece)), None)
    if made is None and not (result.is_error and verdict_of(result) is Verdict.FAILURE):
        return []
    return [Event(EventKind.ERROR, (), (("origin", "tool"), ("tool", call.name), *_about(made, result.text)))]


def _failed(outcome: Outcome) -> bool:
    return outcome.verdict is Verdict.FAILURE and outcome.attempt.kind != "shell"


def _reported(call: Item, result: Item, script: str) -> list[Event]:
    fields = of_fields(result.text)
    printed = "\n".join(fields.words) if fields is not None and fields.words else result.text
    found = of_output(printed, script, lambda: stated_exit(result.text), lambda: _was_silent(call, result))
    return [Event(EventKind.REPORTED, (), (("origin", "tool"), *one.body())) for one in found]


def _was_silent(call: Item, result: Item) -> bool:
    if not known_silence(result.text):
        return False
    return shell_outcome(result, call.name, arguments_of(call)) in (shell.Outcome.RAN, shell.Outcome.SUCCESS)


def _about(made: Attempt | None, text: str) -> list[tuple[str, object]]:
    """The files that the call named, and the first line of what went wrong."""
    paths = [path for change in made.changes for path in _paths(change)] if made is not None else []
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    about = {"paths": list(dict.fromkeys(paths))[:PATHS_MAX] or None, "says": line[:SAID_CHARS] or None}
    return [(key, value) for key, value in about.items() if value is not None]


def _paths(change: object) -> tuple[str, ...]:
    named = getattr(change, "paths", None) or (getattr(change, "path", None),)
    return tuple(path for path in named if path)
