"""What scripts show of files and change nothing: which lines of which file a command's output is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tslp_litellm.shell.reading import read
from tslp_litellm.shell.syntax import AndOr, Command, Pipeline, Simple, UnreadableError

_SILENT = frozenset({"cd", "set", "export", "true", ":"})
_RANGE = re.compile(r"(\d{1,7})(?:,(\d{1,7}|\$))?p")
_COMMANDS_MAX = 50


class Form(StrEnum):
    """How lines are shown: as they are, each behind its number, behind who wrote it and its number, or as a diff whose
    new side is on the disk."""

    LINES = "lines"
    NUMBERED = "numbered"
    BLAMED = "blamed"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class Display:
    """`count` lines of a file from `first` on (0: to its end; a `first` below 1 counts from there). Of a diff the path
    is empty: it names its own."""

    path: str
    form: Form
    first: int = 1
    count: int = 0
    alone: bool = True


def displays(script: str) -> tuple[Display, ...]:
    """What a script shows; `alone` where nothing else in it prints. Empty for one that is not read."""
    try:
        commands = [one for item in read(script).items for one in _chained(item.command)]
    except (UnreadableError, RecursionError):
        return ()
    folder, found, others = "", list[Display](), 0
    for command in commands[:_COMMANDS_MAX]:
        words = _words(command)
        if words and words[0] == "cd" and len(words) == 2:
            folder = posixpath.join(folder, words[1])
        elif (shown := _shown(command, folder)) is not None:
            found.append(shown)
        elif not words or words[0] not in _SILENT:
            others += 1
    if len(found) == 1 and not others and len(commands) <= _COMMANDS_MAX:
        return tuple(found)
    return tuple(Display(one.path, one.form, one.first, one.count, alone=False) for one in found)


def _chained(command: Command) -> list[Command]:
    if isinstance(command, AndOr) and all(operator == "&&" for operator, _ in command.rest):
        return [command.first, *(following for _, following in command.rest)]
    return [command]


def _words(command: Command) -> list[str] | None:
    """The words of a plain command; None where one is not known."""
    if not isinstance(command, Simple) or command.assignments or command.redirects:
        return None
    words = [word.itself for word in command.words]
    return [word for word in words if word is not None] if None not in words else None


def _shown(command: Command, folder: str) -> Display | None:
    """What one command, or a pipeline that cuts its lines out, shows."""
    if not isinstance(command, Pipeline):
        words = _words(command)
        return _of(words, folder) if words else None
    if command.negated or len(command.commands) != 2:
        return None
    source, cutter = (_words(part) for part in command.commands)
    shown = _of(source, folder) if source else None
    if shown is None or cutter is None or _lines_of(cutter, 0) is None:
        return None
    if shown.form in (Form.NUMBERED, Form.BLAMED):
        return shown
    first, count = _lines_of(cutter, 0) or (1, 0)
    return Display(shown.path, shown.form, first, count) if shown.form is Form.LINES and shown.count == 0 else None


def _of(words: Sequence[str], folder: str) -> Display | None:
    name, operands = posixpath.basename(words[0]), [word for word in words[1:] if not word.startswith("-")]
    options = {word for word in words[1:] if word.startswith("-")}
    if name == "git":
        return _blame(words[1:], folder) or _diff(words[1:])
    if name in ("cat", "nl") and len(operands) == 1 and options <= {"-n", "-ba", "--"}:
        form = Form.NUMBERED if name == "nl" or "-n" in options else Form.LINES
        if name == "nl" and "-ba" not in options:
            return None
        return Display(posixpath.join(folder, operands[0]), form)
    if name in ("grep", "egrep", "fgrep", "rg") and len(operands) == 2 and _numbers(options):
        return Display(posixpath.join(folder, operands[1]), Form.NUMBERED)
    if (lines := _lines_of(words, 1)) is not None:
        return Display(posixpath.join(folder, words[-1]), Form.LINES, *lines)
    return None


def _numbers(options: set[str]) -> bool:
    """Whether options of `grep` put a number before each line, and nothing else."""
    return any(re.fullmatch(r"-[EFPwix]*n[EFPwix]*", option) for option in options) and all(
        re.fullmatch(r"-[nEFPwix]+|-[ABC]\d+|--color=never", option) for option in options
    )


def _lines_of(words: Sequence[str], files: int) -> tuple[int, int] | None:
    """The lines that `sed -n`, `head` or `tail` shows of so many files."""
    rest = list(words[1 : len(words) - files])
    if len(words) < 1 + files or (files and words[-1].startswith("-")):
        return None
    if words[0] == "sed" and len(rest) == 2 and rest[0] == "-n" and (match := _RANGE.fullmatch(rest[1])):
        first, last = int(match[1]), match[2] or match[1]
        return (first, 0 if last == "$" else int(last) - first + 1) if first else None
    if words[0] == "head":
        joined = " ".join(rest)
        match = re.fullmatch(r"(?:-n ?|-|--lines=)(\d{1,7})", joined)
        return (1, int(match[1])) if match else (1, 10) if not rest else None
    if words[0] == "tail":
        match = re.fullmatch(r"(?:-n ?|-|--lines=)(?P<from>\+)?(\d{1,7})", " ".join(rest))
        if match and match["from"]:
            return (int(match[2]), 0) if int(match[2]) else None
        count = int(match[2]) if match else 10 if not rest else 0
        return (-count, count) if count else None
    return None


def _blame(words: Sequence[str], folder: str) -> Display | None:
    """`git blame` of one file, or of lines of it, as it is in the work tree."""
    match = re.fullmatch(r"(?:--no-pager )?blame (?:-L ?[0-9,+]+ )?(?:-- )?([^ -][^ ]*)", " ".join(words))
    return Display(posixpath.join(folder, match[1]), Form.BLAMED) if match else None


def _diff(words: Sequence[str]) -> Display | None:
    """`git diff` of the work tree: its new side is what the disk holds."""
    words = [word for word in words if word != "--no-pager"]
    operands = [word for word in words[1:] if not word.startswith("-") and word != "HEAD"]
    plain = {"--", "--no-color", "-p", "--patch", "-U0", "--minimal"}
    if words[:1] != ["diff"] or not {word for word in words[1:] if word.startswith("-")} <= plain:
        return None
    return (
        Display("", Form.DIFF)
        if all("/" in word or "." in word for word in operands if "--" not in words)
        and not any(".." in word for word in operands)
        else None
    )
