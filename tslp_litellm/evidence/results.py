"""Structured results: what a JSON answer says of its call, by the names and values of its fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tslp_litellm.evidence.values import Verdict

_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*")
_SAYS = frozenset(
    [
        "success",
        "successful",
        "succeeded",
        "ok",
        "applied",
        "written",
        "wrote",
        "updated",
        "modified",
        "saved",
        "changed",
        "done",
        "completed",
        "created",
    ]
)
_FAILS = frozenset(
    [
        "error",
        "errors",
        "exception",
        "fault",
        "failed",
        "failure",
        "failures",
        "rejected",
        "denied",
        "skipped",
        "failing",
    ]
)
_BAD = frozenset(
    [
        "error",
        "errored",
        "failed",
        "fail",
        "failure",
        "denied",
        "rejected",
        "cancelled",
        "canceled",
        "aborted",
        "refused",
        "timeout",
        "invalid",
        "conflict",
    ]
)
_GOOD = frozenset(
    [
        "ok",
        "success",
        "succeeded",
        "successful",
        "approved",
        "done",
        "complete",
        "completed",
        "applied",
        "written",
        "created",
        "updated",
        "modified",
        "saved",
    ]
)
_STATUS = frozenset(["status", "state", "outcome", "operation"])
_CODES = frozenset({"exit_code", "exitCode", "returncode", "exit_status"})
_TEXTS = ("error", "result", "message", "output", "feedback", "reason", "detail")
_PATHS = ("path", "file", "file_path", "filePath", "filename")
_ASKED = frozenset(["total", "requested", "expected", "attempted", "edits", "replacements", "hunks", "changes"])
ROWS_MAX = 200


@dataclass(frozen=True, slots=True)
class Fields:
    """What a structured result says: the verdict of its fields, the words beside them, the files that it names."""

    verdict: Verdict
    words: str
    paths: tuple[str, ...]


def of_fields(text: str) -> Fields | None:
    """A result in JSON; None for any other.

    Every row must say by a field of its own that it was done. One that says it was not makes all a failure, where no
    other was done, and else unknown.
    """
    bare = text.lstrip()
    if not bare.startswith(("{", "[{")):
        return None
    try:
        decoded, end = json.JSONDecoder().raw_decode(bare)
    except (ValueError, RecursionError):
        return None
    rows = [row for row in (decoded if isinstance(decoded, list) else [decoded]) if isinstance(row, dict)][:ROWS_MAX]
    said = {_of_row(row) for row in rows}
    words = " ".join([*(word for row in rows for word in _strings(row, _TEXTS)), bare[end:]]).strip()
    verdict = (
        said.pop()
        if len(said) == 1
        else Verdict.DENIED
        if said == {Verdict.DENIED, Verdict.FAILURE}
        else Verdict.UNKNOWN
    )
    return Fields(verdict, words, tuple(path for row in rows for path in _strings(row, _PATHS)))


def _strings(row: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    return (row[key] for key in keys if isinstance(row.get(key), str) and row[key])


def _of_row(row: Mapping[str, Any]) -> Verdict:
    signs = set(_signs(row, 0))
    if Verdict.DENIED in signs:
        return Verdict.DENIED
    counts = _counts(row)
    if Verdict.FAILURE in signs:
        return Verdict.UNKNOWN if any(counts) else Verdict.FAILURE
    return Verdict.SUCCESS if signs == {Verdict.SUCCESS} and len(counts) < 2 else Verdict.UNKNOWN


def _counts(row: Mapping[str, Any]) -> set[int]:
    """The numbers that say how much was done, and how much was asked for: one number where all was done."""
    return {
        value
        for key, value in row.items()
        if isinstance(value, int)
        and not isinstance(value, bool)
        and {w.lower() for w in _WORD.findall(key)} & (_SAYS | _ASKED)
    }


def _signs(row: Mapping[str, Any], depth: int) -> Iterator[Verdict]:
    """What each field says, where it says something."""
    for key, value in row.items():
        words = {word.lower() for word in _WORD.findall(key)}
        if isinstance(value, bool):
            if words & _SAYS:
                yield Verdict.SUCCESS if value else Verdict.FAILURE
            elif words & _FAILS and value:
                yield Verdict.FAILURE
        elif key in _CODES and isinstance(value, int):
            yield Verdict.SUCCESS if value == 0 else Verdict.FAILURE
        elif words & _STATUS and isinstance(value, str):
            yield _STATUSES.get(value.lower(), Verdict.UNKNOWN)
        elif (words & _FAILS and value) or (words & _SAYS and value == 0 and isinstance(value, int)):
            yield Verdict.FAILURE
        elif isinstance(value, dict) and depth == 0:
            yield from _signs(value, 1)


_STATUSES = {
    **dict.fromkeys(_GOOD, Verdict.SUCCESS),
    **dict.fromkeys(_BAD, Verdict.FAILURE),
    "denied": Verdict.DENIED,
    "rejected": Verdict.DENIED,
}
