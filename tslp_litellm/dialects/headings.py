"""Headings, steps and bold words at the beginning of a line: of which file they say what stands below them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tslp_litellm.dialects.paths import HINT_CHARS_MAX, looks_like_path, paths_in

_HEADING = re.compile(r"\s*(?:(?P<marks>#{1,6})\s|(?P<bold>\*\*)|\d{1,3}[.)]\s|[-*]\s+\*\*)")
_BOLD, _STEP = 7, 8
"""How deep they stand, below headings."""


def headed_by(line: str) -> str:
    """The one path in a heading (`### Step 1: the hook (src/hook.ts)`); empty where there is none, or another."""
    paths = _paths(line) if _HEADING.match(line) else []
    return paths[0] if len(paths) == 1 else ""


class Headings:
    """The headings that a text's lines stand below, as they come.

    >>> headings = Headings()
    >>> headings.go_on(["### Step 1: `a.py`", "1. Add a function:"]), headings.go_on(["Call it in b.py:"])
    ('a.py', '')
    >>> headings.go_on(["#### The rest"]), headings.go_on(["### Usage"])
    ('a.py', '')
    """

    def __init__(self) -> None:
        self._open = dict[int, str | None]()  # by their depth, the path of each; None where it names none
        self._besides = ""

    def go_on(self, lines: Iterable[str]) -> str:
        """The one file that the headings above name once these lines are read; empty where there is none, where the
        nearest that names one names several, or where what stands below speaks of another."""
        for line in (line[:HINT_CHARS_MAX] for line in lines if line.strip()):
            heading, paths = _HEADING.match(line), _paths(line)
            if heading is not None:
                depth = len(heading["marks"]) if heading["marks"] else _BOLD if heading["bold"] else _STEP
                self._open = {at: path for at, path in self._open.items() if at < depth}
                self._open[depth] = paths[0] if len(paths) == 1 else "" if paths else None
                self._besides = ""
            elif paths:
                self._besides = paths[-1]
        path = next((path for _, path in sorted(self._open.items(), reverse=True) if path is not None), "")
        return path if self._besides in ("", path) else ""


def _paths(line: str) -> list[str]:
    return [path for path in paths_in(line, 2) if looks_like_path(path)] if "." in line else []
