"""Unified diffs: those that models write (often without line numbers), and those in which clients state what they did.

A hunk becomes a replacement of whole lines: its old side by its new side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tslp_litellm.dialects.lines import split_lines
from tslp_litellm.dialects.values import Carrier, Edit, FileChange, Removal, Replacement, Shown, Transfer
from tslp_litellm.parser.budget import spend

_HUNK = re.compile(r"^@@ -(?P<a>\d{1,12}+)(?:,(?P<b>\d{1,12}+))? \+(?P<c>\d{1,12}+)(?:,(?P<d>\d{1,12}+))? @@")
_RENAME = re.compile(r"^rename (?P<side>from|to) (?P<path>\"[^\"]*\"|.+)$")
_GIT_PATHS = re.compile(r"^diff --git a/(?P<old>.+) b/(?P<new>.+)$")
_OCTAL = re.compile(r"\\([0-7]{3}|.)")
NOWHERE = "/dev/null"
NO_NEWLINE = "\\ No newline at end of file"


@dataclass(slots=True)
class _Hunk:
    line: int = 0
    counts: tuple[int, int] | None = None
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    closed: bool = False

    def full(self) -> bool:
        """Whether a counted hunk has all its lines."""
        return self.counts is not None and len(self.old) >= self.counts[0] and len(self.new) >= self.counts[1]

    def take(self, line: str) -> None:
        mark, rest = line[:1], line[1:] + "\n"
        if mark != "+":
            self.old.append(rest)
        if mark != "-":
            self.new.append(rest)

    def unended(self, mark: str) -> None:
        """The line before has no end."""
        for side, marks in ((self.old, " -"), (self.new, " +")):
            if mark in marks and side:
                side[-1] = side[-1].removesuffix("\n")


@dataclass(slots=True)
class _File:
    old: str | None = None
    new: str | None = None
    hunks: list[_Hunk] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)


def parse_diff(
    text: str, carrier: Carrier = Carrier.UDIFF, stated: bool = False, path: str | None = None
) -> list[FileChange]:
    """The file changes of a diff. `stated`: a client's own, whose counts are right; `path`: the file it is about."""
    return [change for file in _files(split_lines(text), stated) for change in _change(file, carrier, stated, path)]


def bare_hunks(text: str) -> tuple[tuple[Replacement, ...], ...]:
    """What a diff without its head or its line numbers may mean: its lines of context have a mark, or not. Models
    forget it, most often in front of lines that begin with blanks. A line of nothing but dots parts two hunks.

    >>> [step.old for (step,) in bare_hunks(" def f():\\n-    return 1\\n+    return 2\\n")]
    ['def f():\\n    return 1\\n', ' def f():\\n    return 1\\n']
    """
    lines, hunks = split_lines(text), [list[str]()]
    for n, line in enumerate(lines):
        spend()
        if line.startswith(("@@", "diff --git ", "index ")) or line.strip() in ("...", "…"):
            hunks.append([])
        elif not (_header(lines, n) or (n and _header(lines, n - 1))):
            hunks[-1].append(line)
    changing = ["\n".join(hunk).strip("\n") for hunk in hunks if any(line[:1] in ("+", "-") for line in hunk)]
    readings = (tuple(_bare_hunk(hunk.split("\n"), marks) for hunk in changing) for marks in (" +-", "+-"))
    return tuple(dict.fromkeys(steps for steps in readings if steps and all(step.old for step in steps)))


def _bare_hunk(lines: list[str], marks: str) -> Replacement:
    hunk = _Hunk()
    for line in lines:
        hunk.take(line if line[:1] in tuple(marks) else " " + line)
    return Replacement("".join(hunk.old), "".join(hunk.new), lines=True)


def is_marked(text: str) -> bool:
    """Whether every line has a diff's mark, and some of both signs."""
    marks = {line[:1] for line in split_lines(text) if line.strip()}
    return {"+", "-"} <= marks <= {" ", "+", "-"}


def head_path(text: str) -> str:
    """The path in a diff's head, of the file as it is afterwards; empty without one."""
    lines = split_lines(text)
    head = next((head for n in range(len(lines)) if (head := _header(lines, n))), None)
    return _bare(*head)[1] if head else ""


def _files(lines: list[str], counted: bool) -> list[_File]:
    """The files of a diff. `counted`: a hunk ends when it has the lines that its head says."""
    files: list[_File] = []
    n = 0
    while n < len(lines):
        line = lines[n]
        file = files[-1] if files else None
        hunk = file.hunks[-1] if file and file.hunks else None
        owed = hunk is not None and counted and hunk.counts is not None and not hunk.full()
        if line.startswith(NO_NEWLINE[:12]) and hunk is not None:
            hunk.unended(lines[n - 1][:1])
        elif not owed and line.startswith("diff --git "):
            spend()
            files.append(_of_git(line))
        elif not owed and line.startswith("--- ") and (head := _header(lines, n)):
            spend()
            if file is None or file.hunks or file.new is not None:
                files.append(_File())
            files[-1].old, files[-1].new = head
            n += 1
        elif not owed and file and line.startswith("@@"):
            file.hunks.append(_hunk(line))
        elif file and hunk is None and line.startswith("rename ") and (renamed := _RENAME.match(line)):
            file.renamed[renamed["side"]] = _plain(renamed["path"])
        elif hunk is not None and not hunk.closed:
            _continue(hunk, line, counted, last=n == len(lines) - 1)
        n += 1
    return files


def _continue(hunk: _Hunk, line: str, counted: bool, last: bool) -> None:
    """A line of a hunk, or what ends it."""
    if counted and hunk.full():
        hunk.closed = True
    elif line[:1] in (" ", "+", "-") or (line == "" and not last):
        hunk.take(line)
    else:
        hunk.closed = line != ""


def _header(lines: list[str], n: int) -> tuple[str, str] | None:
    old = _named(lines[n], "--- ")
    new = _named(lines[n + 1], "+++ ") if old and n + 1 < len(lines) else None
    return (_plain(old), _plain(new)) if old and new else None


def _named(line: str, mark: str) -> str | None:
    """The path in a line of a diff's head: between quotes, or up to a tab; a date may follow the tab."""
    if not line.startswith(mark):
        return None
    said = line[len(mark) :]
    quoted = said.find('"', 1) + 1 if said.startswith('"') else 0
    behind = said[quoted:].partition("\t")[0]
    if quoted and not behind.strip():
        return said[:quoted]
    path = said.partition("\t")[0]
    return path.rstrip() or path[:1] or None


def _hunk(line: str) -> _Hunk:
    match = _HUNK.match(line)
    if match is None:
        return _Hunk()
    return _Hunk(int(match["c"]), (int(match["b"] or 1), int(match["d"] or 1)))


def _of_git(line: str) -> _File:
    match = _GIT_PATHS.match(line)
    return _File(f"a/{match['old']}", None, renamed={}) if match else _File()


def _plain(path: str) -> str:
    """A path without git's quotes."""
    if not (path.startswith('"') and path.endswith('"') and len(path) > 1):
        return path
    escapes = {"n": "\n", "t": "\t"}
    out = bytearray()
    at = 0
    for match in _OCTAL.finditer(path, 1, len(path) - 1):
        out += path[at or 1 : match.start()].encode(errors="replace")
        code = match[1]
        out += bytes([int(code, 8) & 255]) if len(code) == 3 else escapes.get(code, code).encode()
        at = match.end()
    out += path[at or 1 : len(path) - 1].encode(errors="replace")
    return out.decode(errors="replace")


def _bare(old: str, new: str) -> tuple[str, str]:
    """Both paths without git's `a/` and `b/`, which are taken off only together."""
    sides = ((old, "a/"), (new, "b/"))
    if all(path == NOWHERE or path.startswith(prefix) for path, prefix in sides):
        return tuple(path if path == NOWHERE else path[2:] for path, _ in sides)  # type: ignore[return-value]
    return old, new


def _change(file: _File, carrier: Carrier, stated: bool, path: str | None) -> list[FileChange]:
    if file.new is None:
        moved = file.renamed
        return [Transfer(moved["from"], moved["to"], carrier)] if stated and {"from", "to"} <= moved.keys() else []
    old, new = _bare(file.old or "", file.new)
    steps = tuple(
        Replacement("".join(h.old), "".join(h.new), lines=True, line=h.line, keeps_end=h.counts is not None)
        for h in file.hunks
        if h.old or h.new
    )
    if new == NOWHERE:
        return [Removal(path or old, carrier)]
    if old == NOWHERE and len(steps) == 1:
        return [Shown(path or new, steps[0].new, carrier, whole=True)]
    if not steps or any(not step.old for step in steps):
        return _only_added(path or new, steps, carrier) if stated else []
    if stated and {"from", "to"} <= file.renamed.keys():
        return [Transfer(file.renamed["from"], file.renamed["to"], carrier, steps=steps)]
    return [Edit(path or new, steps, carrier, stated)]


def _only_added(path: str, steps: tuple[Replacement, ...], carrier: Carrier) -> list[FileChange]:
    """A hunk without an old side: a file that was empty becomes its new side; elsewhere its place is unknown."""
    empty_before = len(steps) == 1 and steps[0].line == 1
    return [Edit(path, (Replacement("", steps[0].new),), carrier, stated=True)] if empty_before else []
