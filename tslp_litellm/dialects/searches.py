"""Lines of files in a search tool's result, each with its number (`searches` in `data/reads.json`).

They are no file's text, but where ours has other lines in their places, it is not what the disk holds (SEMANTICS 2,
Reads). Only forms that are known to show lines as they stand are read.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cache

from tslp_litellm.data import table
from tslp_litellm.data.schema import Reads
from tslp_litellm.dialects.values import Excerpt
from tslp_litellm.state.names import is_absolute

HITS_MAX = 1000
LINE_CHARS_MAX = 200
"""So many lines are held against ours at most. Search tools cut longer ones, each at a length of its own."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How a tool shows what it found. `head`: the line that names the file of those below it; None where each line
    does, or the call; `line`: one line; `below`: paths are as seen from the folder that was searched; `trimmed`: lines
    come without white space at their ends."""

    head: re.Pattern[str] | None
    line: re.Pattern[str]
    below: bool
    trimmed: bool


@cache
def _forms() -> tuple[_Form, ...]:
    rows = table("reads", Reads).searches
    return tuple(
        _Form(_line(row.head) if row.head is not None else None, _line(row.line), row.below, row.trimmed)
        for row in rows
    )


def _line(form: str) -> re.Pattern[str]:
    return re.compile(rf"\A(?:{form})\Z")


def lines_found(text: str, searched: str) -> list[Excerpt]:
    """The lines that a search shows, each as an excerpt. `searched`: the path that the call searched, if any."""
    lines = text.split("\n")
    return next((hits for form in _forms() if (hits := _hits(form, lines, searched))), [])


def _hits(form: _Form, lines: list[str], searched: str) -> list[Excerpt]:
    hits, path = list[Excerpt](), "" if form.head is not None else searched
    for line in lines:
        if form.head is not None and (head := form.head.match(line)) is not None:
            path = head["path"]
            continue
        hit = form.line.match(line) if len(line) <= LINE_CHARS_MAX else None
        named = hit and (hit.groupdict().get("path") or path)
        if hit is not None and named and not hit["text"].rstrip().endswith(("...", "…")):
            hits.append(Excerpt(_placed(named, form, searched), int(hit["n"]), (hit["text"],), until=int(form.trimmed)))
    return hits[:HITS_MAX]


def _placed(path: str, form: _Form, searched: str) -> str:
    """A path in a result, as seen from the working directory."""
    return posixpath.join(searched, path) if form.below and searched and not is_absolute(path) else path
