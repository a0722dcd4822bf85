"""What the result of an edit shows of the file as it is then, or was: lines in their places (`shows` in
`data/outcomes.json`). They make nothing true; where the edit as we know it gives others, it was another one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tslp_litellm.data import table
from tslp_litellm.data.schema import Outcomes, Reads
from tslp_litellm.dialects.numbering import numbered
from tslp_litellm.dialects.results import of_fields
from tslp_litellm.dialects.values import Carrier, Excerpt

LINES_MAX = 2000
"""So many marked lines of a diff are held against ours."""
_ROW = re.compile(r"\s{0,20}(?P<n>\d{1,9}) ?(?:[|→\t:]|\Z)")
_MARKED = re.compile(r"(?P<sign>[-+])(?P<n>\d{1,9}): (?P<line>.*)", re.S)


@dataclass(frozen=True, slots=True)
class Echo:
    """What a result shows: of the file after the edit, of the file before; how often it says that a text was replaced
    (0: it does not)."""

    after: tuple[Excerpt, ...] = ()
    before: tuple[Excerpt, ...] = ()
    replaced: int = 0


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(row.form, re.M) for row in table("outcomes", Outcomes).shows)


@cache
def _cut() -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(table("reads", Reads).cut) + r")\s*\Z", re.I | re.M)


def echo_of(path: str, text: str) -> Echo:
    """What a result says of a path's file beside its verdict."""
    fields = of_fields(text)
    text = text if fields is None else "\n".join(fields.words)
    if _cut().search(text):
        return Echo()
    found = [match for form in _forms() if (match := form.search(text)) is not None]
    shown = [piece for match in found for piece in _shown(path, match)]
    count = next((int(said) for match in found if (said := match.groupdict().get("replaced"))), 0)
    return Echo(
        tuple(excerpt for is_new, excerpt in shown if is_new),
        tuple(excerpt for is_new, excerpt in shown if not is_new),
        count,
    )


def _shown(path: str, match: re.Match[str]) -> Iterator[tuple[bool, Excerpt]]:
    """The lines that one form shows, each run with whether they stand there after the edit."""
    said = match.groupdict()
    if said.get("numbered") is not None:
        yield from ((True, one) for one in _of_numbers(path, said["numbered"]))
    elif said.get("lines") is not None:
        first, last, total = (int(said[name]) for name in ("first", "last", "total"))
        yield True, _excerpt(path, first, said["lines"].split("\n"), last - first + 1, total)
    elif said.get("parts") is not None:
        yield from ((True, one) for one in _of_parts(path, said["parts"]))
    elif said.get("marked") is not None:
        yield from _of_marks(path, said["marked"].split("\n")[:LINES_MAX])


def _of_marks(path: str, lines: list[str]) -> Iterator[tuple[bool, Excerpt]]:
    """The runs of lines that a diff marks as new and as old. Their numbers tell only what stands together: of which
    text they are, that before this edit or before others too, is not known."""
    marked = [match for line in lines if (match := _MARKED.fullmatch(line)) is not None]
    for sign in "+-":
        rows = [match for match in marked if match["sign"] == sign]
        for _, run in itertools.groupby(enumerate(rows), lambda row: int(row[1]["n"]) - row[0]):
            if part := _without_blank_ends([match["line"] for _, match in run]):
                yield sign == "+", _excerpt(path, 0, part)


def _excerpt(path: str, first: int, lines: list[str], until: int = 0, total: int = 0) -> Excerpt:
    return Excerpt(path, first, tuple(lines), Carrier.REPORT, until=until, total=total)


def _of_numbers(path: str, text: str) -> Iterator[Excerpt]:
    """The numbered lines that a text begins with, in runs."""
    rows = [match for line in itertools.takewhile(_ROW.match, text.split("\n")) if (match := _ROW.match(line))]
    for _, run in itertools.groupby(enumerate(rows), lambda row: int(row[1]["n"]) - row[0]):
        seen = numbered("\n".join(match.string for _, match in run))
        if seen is not None:
            yield _excerpt(path, seen.first, list(seen.lines))


def _of_parts(path: str, text: str) -> Iterator[Excerpt]:
    """Parts of the file, with a line of dots between them."""
    for part in re.split(r"^\.\.\.$", text, flags=re.M):
        if lines := _without_blank_ends(part.split("\n")):
            yield _excerpt(path, 0, lines)


def _without_blank_ends(lines: list[str]) -> list[str]:
    full = [n for n, line in enumerate(lines) if line.strip()]
    return lines[full[0] : full[-1] + 1] if full else []
