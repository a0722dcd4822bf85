"""V4A patches (`*** Begin Patch`), as Codex, opencode, Copilot, Roo and aider's patch format write them.

Refuses, as a whole, what does not follow the format: a client would refuse it too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.lines import line_end, line_of, split_lines, without
from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    EditStep,
    FileChange,
    Insertion,
    Removal,
    Replacement,
    Shown,
    Transfer,
)
from tslp_litellm.parser.budget import spend

BEGIN, END = "*** Begin Patch", "*** End Patch"
_SECTION = re.compile(r"^\*\*\* (?P<what>Add|Update|Delete) File: (?P<path>.*\S)\s*$")
_MOVE = re.compile(r"^\*\*\* Move to: (?P<path>.*\S)\s*$")


class MalformedPatchError(ValueError):
    """A patch that does not follow the format."""


@dataclass(slots=True)
class _Chunk:
    """Lines taken out and put in at one place."""

    scope: str = ""
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


def is_patch(text: str) -> bool:
    """Whether a text is, or holds, a V4A patch."""
    if "*** " not in text:
        return False
    lines = (line for part in split_lines(text) if "*** " in part for line in part.splitlines())
    return any(line.strip() == BEGIN or _SECTION.match(line) for line in lines)


def read(text: str) -> Taken:
    """The changes of a text's patches."""
    spans = patches_in(text)
    found = (change for start, end in spans for change in parse_patch(text[start:end]))
    return Taken(tuple(found), without(text, spans))


def patches_in(text: str) -> list[tuple[int, int]]:
    """Where patches stand in free text, sentinels included: an unended one reaches to the end."""
    found: list[tuple[int, int]] = []
    start, end = line_of(text, 0, BEGIN), 0
    while start >= 0:
        spend()
        last = line_of(text, line_end(text, start), END)
        end = line_end(text, last) if last >= 0 else len(text)
        found.append((start, end))
        start = line_of(text, end, BEGIN)
    return found


def parse_patch(text: str, carrier: Carrier = Carrier.PATCH) -> list[FileChange]:
    """The file changes of a patch; empty where it is malformed."""
    lines = split_lines(text)
    start = next((n + 1 for n, line in enumerate(lines) if line.strip() == BEGIN), 0)
    end = next((n for n in range(start, len(lines)) if lines[n].strip() == END), len(lines))
    body = lines[start:end]
    while body and not body[-1]:  # one that begins with a blank is context
        body.pop()
    try:
        return _sections(body, carrier)
    except MalformedPatchError:
        return []


_OPERATIONS = {"create_file": "Add", "update_file": "Update", "delete_file": "Delete"}


def parse_operation(kind: str, path: str, diff: str) -> list[FileChange]:
    """The change of one operation of the Responses API's own `apply_patch_call`, whose diff is a section's body."""
    try:
        return [_section(_OPERATIONS[kind], path, diff.removesuffix("\n").split("\n"), Carrier.PATCH)]
    except (KeyError, MalformedPatchError):
        return []


def _sections(lines: list[str], carrier: Carrier) -> list[FileChange]:
    found: list[FileChange] = []
    at = 0
    while at < len(lines):
        spend()
        head = _SECTION.match(lines[at])
        if head is None:
            if lines[at].strip():
                raise MalformedPatchError(lines[at])
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if _SECTION.match(lines[n])), len(lines))
        found.append(_section(head["what"], head["path"], lines[at + 1 : end], carrier))
        at = end
    return found


def _section(what: str, path: str, lines: list[str], carrier: Carrier) -> FileChange:
    if what == "Delete":
        if any(line.strip() not in ("", "***") for line in lines):
            raise MalformedPatchError(path)
        return Removal(path, carrier)
    if what == "Add":
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        added = [line for line in lines if line.strip()] if not any(line.startswith("+") for line in lines) else lines
        if any(not line.startswith("+") for line in added):
            raise MalformedPatchError(path)
        return Shown(path, "".join(line[1:] + "\n" for line in added), carrier, whole=True)
    to = None
    if lines and (move := _MOVE.match(lines[0])):
        to, lines = move["path"], lines[1:]
    steps = _steps(_chunks(lines))
    if to is not None:
        return Transfer(path, to, carrier, steps=tuple(steps or ()))
    return Edit(path, tuple(steps), carrier) if steps else Drift((path,), carrier)


def _chunks(lines: list[str]) -> list[_Chunk]:
    chunks: list[_Chunk] = []
    for line in lines:
        if line.startswith("@@"):
            scope = line[2:].removesuffix("@@").strip()
            if chunks and not chunks[-1].old and not chunks[-1].new:
                chunks[-1].scope = scope or chunks[-1].scope
            else:
                chunks.append(_Chunk(scope))
            continue
        if line.rstrip() in ("*** End of File", "***"):
            continue
        if not chunks:
            chunks.append(_Chunk())
        mark, rest = line[:1], line[1:]
        if mark not in ("", " ", "+", "-"):
            raise MalformedPatchError(line)
        if mark != "+":
            chunks[-1].old.append(rest)
        if mark != "-":
            chunks[-1].new.append(rest)
    return [chunk for chunk in chunks if chunk.old or chunk.new]


def _steps(chunks: list[_Chunk]) -> list[EditStep]:
    """The chunks as steps; none where a chunk only adds below a scope, which clients place differently."""
    steps: list[EditStep] = []
    for chunk in chunks:
        old, new = ("".join(line + "\n" for line in lines) for lines in (chunk.old, chunk.new))
        if old:
            steps.append(Replacement(old, new, lines=True, scope=chunk.scope))
        elif chunk.scope:
            return []
        else:
            steps.append(Insertion(new))
    return steps
