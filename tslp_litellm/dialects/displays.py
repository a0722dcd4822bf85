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
from tslp_litellm.dialects.values import Carrier, Drift, Excerpt
from tslp_litellm.shell.certainty import Outcome
from tslp_litellm.shell.displays import Display, Form, displays
from tslp_litellm.shell.targets import At, Target

EXCERPTS_MAX = 400
_NUMBERED = re.compile(r"\s{0,20}(?P<n>\d{1,9})(?P<mark>[:\t-])(?P<line>.*)")
_FOUND = re.compile(r"\A(?P<path>(?=[^:\n]*[./])[^:\n]{1,400}):(?P<n>\d{1,9}):(?P<line>.*)")
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
    if not shown or is_cut(output):
        return []
    gone = {match["path"] for match in _GONE.finditer(output)}
    found: list[Excerpt | Drift] = []
    for display in shown:
        path = f"{folder}/{display.path}" if folder and not display.path.startswith("/") else display.path
        if display.beside:
            found += _of_several(display, folder, output, gone, _is_output(display, output, said, framed))
        elif display.path in gone or path in gone:
            found.append(Drift((path,), Carrier.SHELL))
        elif display.form is Form.DIFF:
            found += new_sides(output) if display.alone else []
        elif display.form is Form.NUMBERED:
            found += _of_numbers(path, output) if display.alone else []
        elif display.form is Form.SOME:
            found += _of_some(path, output) if display.alone and _is_output(display, output, said, framed) else []
        elif display.form is Form.FOUND:
            found += _of_search(path, output) if display.alone else []
        elif display.form is Form.COUNTED:
            found += _of_count(path, display.path, output) if display.alone else []
        elif display.form is Form.BLAMED:
            found += _of_blame(path, output) if display.alone else []
        elif not gone and _is_output(display, output, said, framed):
            found.append(_of_lines(path, display, output))
    return found[:EXCERPTS_MAX]


def _is_output(display: Display, output: str, said: Outcome, framed: bool) -> bool:
    """Whether a text is beyond doubt what the commands printed, and not a client's note."""
    known = framed or said in (Outcome.SUCCESS, Outcome.RAN)
    if not output.strip() or not display.alone:
        return bool(output.strip()) and (known or output.count("\n") > NOTE_LINES_MAX)
    return known or output.count("\n") > NOTE_LINES_MAX or is_content(display.path, output)


def _of_lines(path: str, display: Display, output: str) -> Excerpt:
    lines = tuple(output.strip("\n").split("\n"))
    return Excerpt(path, display.first, lines, Carrier.SHELL, until=display.count or -1, among=not display.alone)


def _of_several(display: Display, folder: str, output: str, gone: set[str], known: bool) -> Iterator[Excerpt | Drift]:
    """Whole files, one after the other; those that are not there are gone."""
    lines = tuple(output.strip("\n").split("\n"))
    absent = [target.path for target in display.beside if isinstance(target, At) and target.path in gone]
    if absent:
        yield Drift(tuple(posixpath.join(folder, path) for path in absent), Carrier.SHELL)
    elif known:
        beside = tuple(_below(folder, target) for target in display.beside)
        yield Excerpt("", 1, lines, Carrier.SHELL, among=not display.alone, beside=beside)


def _below(folder: str, target: Target) -> Target:
    if isinstance(target, At):
        return At(posixpath.join(folder, target.path))
    return replace(target, folder=posixpath.join(folder, target.folder)) if target.folder is not None else target


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


def _of_some(path: str, output: str) -> Iterator[Excerpt]:
    """Lines of a file, which may stand anywhere in it; `--` is between those that are apart."""
    for line in output.strip("\n").split("\n"):
        if line.strip() and line != "--":
            yield Excerpt(path, 0, (line,), Carrier.SHELL)


def _of_search(folder: str, output: str) -> Iterator[Excerpt]:
    """Each line behind its file and its number."""
    for line in output.split("\n"):
        if (match := _FOUND.fullmatch(line)) is not None:
            yield Excerpt(posixpath.join(folder, match["path"]), int(match["n"]), (match["line"],), Carrier.SHELL)


def _of_count(path: str, called: str, output: str) -> list[Excerpt]:
    """How many lines a file has."""
    match = re.fullmatch(r"\s{0,20}(?P<count>[1-9]\d{0,8})\s{1,9}(?P<path>\S[^\n]{0,400})\s{0,9}", output)
    named = match is not None and match["path"].strip().endswith(posixpath.basename(called))
    return [Excerpt(path, 1, (), Carrier.SHELL, total=int(match["count"]))] if match is not None and named else []


def _of_blame(path: str, output: str) -> Iterator[Excerpt]:
    """Each line behind its commit, its author, the time and its number."""
    for line in output.split("\n"):
        if (match := _BLAMED.fullmatch(line)) is not None:
            yield Excerpt(path, int(match["n"]), (match["line"] or "",), Carrier.SHELL)


def new_sides(output: str) -> Iterator[Excerpt | Drift]:
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
