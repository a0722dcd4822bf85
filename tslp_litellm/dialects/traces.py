"""Source lines that a program's output shows at a place it names: traces, and the frames of compilers and linters.

What ran read them from the disk, so where our text has others there, it is not what the disk holds (SEMANTICS 2,
Reads). Only what stands directly below its place counts: below `help:` a compiler proposes lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tslp_litellm.dialects.lines import split_lines
from tslp_litellm.dialects.values import Carrier, Excerpt
from tslp_litellm.parser.budget import spend

LINE_CHARS_MAX = 400
FRAMES_MAX = 400
_PATH = r"(?P<path>(?=(?>[^\s:\"./]{0,200})[./])(?>[^\s:\"]{1,200}))"
_PYTHON = re.compile(r"\s{1,60}File \"(?P<path>[^\"]{1,400})\", line (?P<n>\d{1,7})(?:, in [^\n]*)?")
_PLACE = re.compile(
    rf"(?>\s{{0,20}})(?>(?:(?:-->|╭─\[|┌─|❯) ?|at )?){_PATH}:(?P<n>\d{{1,7}})(?::\d{{1,6}})?(?=[:\s\]]|$)"
)
_NUMBERED = re.compile(r"\A\s{0,20}(?:[>❯✖×] ?)?\s{0,9}(?P<n>\d{1,7})\s{0,6}[|│]\s?(?P<line>.*)")
_BARRED = re.compile(r"\s{0,20}[|│·╵┆][^\w]*")
_INDENTED = re.compile(r":(?P<line>(?: {4}|\t)\s{0,80}\S[^\n]*)")
_MARKED = re.compile(r">(?: {3}|\t)\s{0,80}(?P<line>\S.*)")
_ERROR = re.compile(r"E(?:\s|\Z)")
ERRORS_MAX = 40
"""So many lines of errors stand between a line and its place."""
NUMBERED_MAX = 60
_CARET = re.compile(r"(?>\s{0,200})(?>~{0,200})\^[~^ ]{0,400}")
_SPAN = re.compile(r"\s{0,40}[|/](?:\s|$)")
"""How a line begins on which a compiler draws where a span begins or goes on."""


_INSTALLED = re.compile(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|lib/python\d|\.?venv|vendor|usr|homebrew|\.cargo|\.rustup|"
    r"go/pkg|<frozen)"
)
"""In folders so called are others' files."""


def is_installed(path: str) -> bool:
    """Whether a file is an installed package's."""
    return _INSTALLED.search(path) is not None


def frames(output: str) -> Iterator[Excerpt]:
    """The lines that frames show, each at its file and number; one may be indented otherwise, and cut.

    >>> [(e.path, e.first, e.lines) for e in frames('Traceback:\\n  File "a.py", line 9, in f\\n    t += x\\nE')]
    [('a.py', 9, ('t += x',))]
    """
    lines, left = split_lines(output), FRAMES_MAX
    at = 0
    while at < len(lines) and left:
        line = lines[at][: 2 * LINE_CHARS_MAX]
        at += 1
        shown: list[tuple[str, int, str]] = []
        if match := _PYTHON.fullmatch(line):
            shown = _below_call(match, lines[at : at + 2])
        elif match := _PLACE.match(line):
            shown = (
                _under_caret(match, lines[at : at + 2])
                or _numbered(match["path"], lines[at : at + NUMBERED_MAX])
                or _behind_place(line, match)
                or _above_place(match, lines[max(at - 1 - ERRORS_MAX, 0) : at - 1])
            )
        if shown:
            spend()
        for path, first, text in shown:
            if text.strip() and len(text) <= LINE_CHARS_MAX and not text.rstrip().endswith(("...", "…")):
                yield Excerpt(path, first, (text.strip(),), Carrier.SHELL, loose=True)
                left = max(left - 1, 0)


def _below_call(match: re.Match[str], below: Sequence[str]) -> list[tuple[str, int, str]]:
    """Python's: the line, four spaces in."""
    line = below[0] if below else ""
    return [(match["path"], int(match["n"]), line)] if line.startswith("    ") and not _PYTHON.match(line) else []


def _under_caret(match: re.Match[str], below: Sequence[str]) -> list[tuple[str, int, str]]:
    """A line as it stands, and a caret below."""
    if len(below) < 2 or not _CARET.fullmatch(below[1][:LINE_CHARS_MAX]) or _NUMBERED.match(below[0]):
        return []
    return [(match["path"], int(match["n"]), below[0])]


def _behind_place(line: str, match: re.Match[str]) -> list[tuple[str, int, str]]:
    """A line of code as a search shows it: all of it behind its place, with what indents it."""
    found = _INDENTED.match(line, match.end())
    return [(match["path"], int(match["n"]), found["line"])] if found is not None else []


def _above_place(match: re.Match[str], above: Sequence[str]) -> list[tuple[str, int, str]]:
    """Pytest's: the line is marked, above its errors and its place."""
    at = len(above) - 1
    while at >= 0 and (not above[at].strip() or _ERROR.match(above[at])):
        at -= 1
    if not 0 <= at < len(above) - 2 or (found := _MARKED.fullmatch(above[at][: 2 * LINE_CHARS_MAX])) is None:
        return []
    return [(match["path"], int(match["n"]), found["line"])]


def _numbered(path: str, below: Sequence[str]) -> list[tuple[str, int, str]]:
    """Lines behind their numbers and a bar, up to what is neither."""
    found: list[tuple[str, int, str]] = []
    for n, line in enumerate(below):
        if match := _NUMBERED.fullmatch(line[: 2 * LINE_CHARS_MAX]):
            if not _SPAN.match(match["line"]):
                found.append((path, int(match["n"]), match["line"]))
        elif not (_BARRED.fullmatch(line[:LINE_CHARS_MAX]) or (n == 0 and not line.strip()) or _CARET.fullmatch(line)):
            break
    return found
