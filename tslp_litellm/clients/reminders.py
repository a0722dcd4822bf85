"""Reminders that a client puts behind a tool's result, each on lines of its own (`reminders` in `data/outcomes.json`).

They are the client's frame. One that is known to be about something else is taken off; what any other adds may take
back what the result says (a hook that formatted, a text that was cut), so it stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tslp_litellm.data import table
from tslp_litellm.data.schema import Outcomes
from tslp_litellm.dialects.lines import on_lines
from tslp_litellm.dialects.values import Carrier, Drift

REMINDER, REMINDER_END = "<system-reminder>", "</system-reminder>"
MODIFIED = re.compile(r"^Note: (?P<path>\S[^\n]*?) was modified, either by the user or by a linter", re.M)
_PATHS_MAX = 64


@dataclass(frozen=True, slots=True)
class _Asides:
    """The table. `whole`: all of a reminder; `begins`: its beginning; `lists`: its end, in which any file may stand."""

    whole: re.Pattern[str]
    begins: re.Pattern[str]
    lists: tuple[str, ...]


@cache
def _asides() -> _Asides:
    known = table("outcomes", Outcomes).reminders
    whole, begins = ("|".join(f"(?:{form})" for form in forms) for forms in (known.whole, known.begins))
    return _Asides(re.compile(rf"\A(?:{whole})\Z"), re.compile(rf"\A(?:{begins})"), known.lists)


def without_reminders(text: str, paths: Iterable[str] = ()) -> str:
    """A result without the reminders behind it that say nothing of the call's files."""
    names = _names(paths)
    end = last = len(text)
    for start, stop in _behind(text):
        if not _is_aside(text[start + len(REMINDER) : stop - len(REMINDER_END)].strip(), names):
            break
        end = start
    return text if end == last else text[:end].rstrip() + "\n"


def noticed(text: str) -> list[Drift]:
    """The files that the reminders behind a result call modified."""
    if not text.rstrip().endswith(REMINDER_END):
        return []
    said = [text[start:stop] for start, stop in _behind(text)]
    paths = [match["path"] for words in reversed(said) for match in on_lines(MODIFIED, words.replace(REMINDER, "\n"))]
    return [Drift(tuple(paths), Carrier.REPORT)] if paths else []


def _behind(text: str) -> Iterable[tuple[int, int]]:
    """Where the reminders at the end of a text stand, the last one first."""
    end = len(text)
    while True:
        while end and text[end - 1].isspace():
            end -= 1
        if not text.endswith(REMINDER_END, 0, end):
            return
        start = text.rfind(REMINDER, 0, end)
        if start < 0 or (start and text[start - 1] != "\n"):
            return
        yield start, end
        end = start


def _names(paths: Iterable[str]) -> tuple[str, ...]:
    """By what a text would name the files: the last part of each path."""
    last = {path.replace("\\", "/").rstrip("/").rpartition("/")[2] for path in list(paths)[:_PATHS_MAX]}
    return tuple(name.casefold() for name in last if name)


def _is_aside(said: str, names: tuple[str, ...]) -> bool:
    known = _asides()
    if known.whole.match(said):
        return True
    if known.begins.match(said) is None:
        return False
    at = min((at for mark in known.lists if (at := said.find(mark)) >= 0), default=len(said))
    words = said[:at].casefold()
    return not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) for name in names)
