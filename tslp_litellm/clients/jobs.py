"""Jobs that a client runs in the background: what one writes is on the disk when it has ended, not when it was begun.

A later call names its job by the id that the client gave it. Unless the result says that the job still runs, what it
may change may have changed since the last look at it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tslp_litellm import shell
from tslp_litellm.clients.makers import shell_scripts
from tslp_litellm.clients.shell import changes_of
from tslp_litellm.clients.tools import arguments_of, kind_of
from tslp_litellm.data.searching import find
from tslp_litellm.dialects.values import Carrier, Drift, FileChange, Transfer
from tslp_litellm.wire.turn import Item

JOBS_MAX = 200
"""So many jobs of a conversation are remembered, the latest ones."""
BEGUN_CHARS_MAX = 2_000
"""A result that only says that a job was begun is short."""
_BEGUN = re.compile(
    r"\b(?:background|session|running)\b[^\n]{0,120}?\b(?:ID|id|session(?! [Ii][Dd]\b))\b"
    r"[\s:=#`'\"]{1,4}(?P<id>[\w-]{1,80})"
)
_RUNS = re.compile(r"<status>\s*running|\bstill running\b|\"status\"\s*:\s*\"running\"", re.I)


class Jobs:
    """The jobs of a conversation. `calls`: for each item the call that it answers."""

    def __init__(self, items: Sequence[Item], calls: Sequence[Item | None]) -> None:
        self._ended: dict[int, tuple[int, Item]] = {}
        begun: dict[str, tuple[int, Item]] = {}
        for n, (item, call) in enumerate(zip(items, calls, strict=True)):
            if call is None:
                continue
            if (name := _begun(item, call)) is not None:
                begun.pop(name, None)
                begun[name] = (n, call)
                if len(begun) > JOBS_MAX:
                    del begun[next(iter(begun))]
            elif begun and (job := _named(call, begun)) is not None and find(_RUNS, item.text) is None:
                self._ended[n] = begun[job]

    def ended(self, n: int) -> tuple[int, Item] | None:
        """The number of the result that says that a job was begun, and its call, where the result `n` says it ended."""
        return self._ended.get(n)


def _begun(result: Item, call: Item) -> str | None:
    """The id of the job that a call began."""
    match = find(_BEGUN, result.text) if len(result.text) <= BEGUN_CHARS_MAX else None
    is_shell = match is not None and kind_of(call.name, arguments_of(call)) == "shell"
    return match["id"] if match is not None and is_shell else None


def _named(call: Item, begun: dict[str, tuple[int, Item]]) -> str | None:
    """The job that a call names, by one of its arguments."""
    values = (str(value) for value in arguments_of(call).values() if isinstance(value, (str, int)))
    return next((value for value in values if value in begun), None)


def may_have_changed(call: Item, folder: str | None) -> list[FileChange]:
    """What a job that has ended may have changed, as files of unknown text."""
    found: list[FileChange] = []
    for script, place in shell_scripts(arguments_of(call), folder):
        for change in changes_of(script, place, shell.Outcome.UNKNOWN, None):
            paths = (change.path, change.to) if isinstance(change, Transfer) else ()
            found.append(change if isinstance(change, Drift) else Drift(paths or (change.path,), Carrier.SHELL))
    return found
