"""Excerpts that shell commands show: `sed -n`, `head`, `tail`, `grep -n`, `cat -n`, `git diff`, `git blame`
(SEMANTICS 2, Reads).

They make no text true: they only contradict ours, at the lines that the command is known to show.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from tslp_litellm.dialects.plausible import NOTE_LINES_MAX, is_content, is_cut
from tslp_litellm.dialects.searches import lines_found
from tslp_litellm.dialects.values import Carrier, Drift, Excerpt
from tslp_litellm.shell.certainty import Outcome
from tslp_litellm.shell.displays import Display, Form, displays, searched

EXCERPTS_MAX = 400
_NUMBERED = re.compile(r"\s{0,20}(?P<n>\d{1,9})(?P<mark>[:\t-])(?P<line>.*)")
_BLAMED = re.compile(
    r"\^?[0-9a-f]{7,40} (?:\S{1,400} {1,100})?\([^\n]{1,200}? \d{4}-\d\d-\d\d "
    r"\d\d:\d\d:\d\d [-+]\d{4} {1,9}(?P<n>\d{1,9})\)(?: (?P<line>.*))?"
)
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(?P<first>\d{1,9})(?:,\d+)? @@")
_GONE = re.compile(
    r"^(?:\w+: ){1,2}(?:\d+: )?(?:cannot open |can't read |cannot access )?['\"‘]?(?P<path>[^\n'\"‘’:]{1,400})['\"’]?"
    r"(?: for reading)?: No such file or directory$",
    re.M,
)


def excerpts(script: str, folder: str, output: str, said: Outcome, framed: bool) -> list[Excerpt | Drift]:
    """What a script's output shows of files. `framed`: a client's frame says that it is the output."""
    shown = displays(script)
    if not shown:
        return _of_search(script, folder, output)
    if is_cut(output):
        return []
    known = said is not Outcome.FAILURE and (framed or said is not Outcome.UNKNOWN)
    lines = tuple(output.strip("\n").split("\n"))
    gone = {match["path"] for match in _GONE.finditer(output)}
    found: list[Excerpt | Drift] = []
    for display in shown:
        path = f"{folder}/{display.path}" if folder and not display.path.startswith("/") else display.path
        if display.path in gone or path in gone:
            found.append(Drift((path,), Carrier.SHELL))
        elif display.form is Form.DIFF:
            found += _of_diff(output) if display.alone else []
        elif display.form is Form.NUMBERED:
            found += _of_numbers(path, output) if display.alone else []
        elif display.form is Form.BLAMED:
            found += _of_blame(path, output) if display.alone else []
        elif output.strip() and (not display.alone or (not gone and (known or _is_output(display, output)))):
            found.append(_of_lines(path, display, lines, known))
    return (found or _of_search(script, folder, output))[:EXCERPTS_MAX]


def _of_search(script: str, folder: str, output: str) -> list[Excerpt | Drift]:
    """The lines that a search found, each behind its file and its number, or below the name of its file."""
    if (place := searched(script)) is None:
        return []
    place = posixpath.join(folder, place)
    hits = lines_found(output, "")[:EXCERPTS_MAX]
    return [replace(hit, path=posixpath.join(place, hit.path), carrier=Carrier.SHELL) for hit in hits]


def _is_output(display: Display, output: str) -> bool:
    """Whether a text that nobody says is a command's output can be no client's note."""
    return output.count("\n") > NOTE_LINES_MAX or is_content(display.path, output)


def _of_lines(path: str, display: Display, lines: tuple[str, ...], known: bool) -> Excerpt:
    """A command's lines; among those of others also the ones of a command of which nobody knows whether it ran."""
    among = not display.alone
    return Excerpt(path, display.first, lines, Carrier.SHELL, display.count or -1, among, unsure=among and not known)


def _of_numbers(path: str, output: str) -> Iterator[Excerpt]:
    """Each line behind its number; runs of them together."""
    first, run = 0, list[str]()
    for line in output.split("\n"):
        match = _NUMBERED.fullmatch(line)
        if match is not None and run and int(match["n"]) == first + len(run):
            run.append(match["line"])
            continue
        if run:
            yield Excerpt(path, first, tuple(run), Carrier.SHELL)
        first, run = (int(match["n"]), [match["line"]]) if match is not None else (0, [])
    if run:
        yield Excerpt(path, first, tuple(run), Carrier.SHELL)


def _of_blame(path: str, output: str) -> Iterator[Excerpt]:
    """Each line behind its commit, its author, the time and its number."""
    for line in output.split("\n"):
        if (match := _BLAMED.fullmatch(line)) is not None:
            yield Excerpt(path, int(match["n"]), (match["line"] or "",), Carrier.SHELL)


def _of_diff(output: str) -> Iterator[Excerpt | Drift]:
    """The new side of each hunk; a file that the diff removes is gone."""
    path, old, first, run = "", "", 0, list[str]()
    for line in [*output.split("\n"), "diff "]:
        if first and line[:1] in (" ", "+", ""):
            run.append(line[1:])
            continue
        if first and line[:1] in ("-", "\\"):
            continue
        if first and path and run:
            yield Excerpt(path, first, _without_end(run), Carrier.SHELL)
        first, run = 0, []
        if line.startswith("--- "):
            old = line[4:].removeprefix("a/")
        elif line.startswith("+++ /dev/null"):
            path = ""
            yield Drift((old,), Carrier.SHELL)
        elif line.startswith("+++ "):
            path = line[4:].removeprefix("b/")
        elif match := _HUNK.match(line):
            first = int(match["first"])


def _without_end(run: list[str]) -> tuple[str, ...]:
    """Lines without empty ones at the end, which may be the output's own end."""
    while run and not run[-1]:
        run.pop()
    return tuple(run)
