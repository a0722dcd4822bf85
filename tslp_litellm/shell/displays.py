"""What scripts show of files and change nothing: which lines of which file a command's output is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Words
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, takewhile

from tslp_litellm.shell.reading import read
from tslp_litellm.shell.syntax import (
    AndOr,
    Command,
    For,
    Group,
    Parameter,
    Part,
    Pipeline,
    Sequence,
    Simple,
    UnreadableError,
    Word,
)

_SILENT = frozenset({"cd", "set", "export", "true", ":"})
_SEARCHERS = frozenset({"grep", "egrep", "fgrep", "rg"})
_SEARCH_OPTION = re.compile(
    r"-[nHrREFPGwixsSIuUvLhac]*(?:[eABCmgtTfj].*)?|--|--(?:color|colour)=never|"
    r"--(?:include|exclude|exclude-dir|i?glob|type|type-not|sort|(?:after-|before-)?context|max-count)(?:=.*)?|"
    r"--(?:hidden|no-ignore|(?:no-)?heading|line-number|with-filename|recursive|ignore-case|smart-case|word-regexp|"
    r"fixed-strings|extended-regexp|perl-regexp|no-messages|follow|text|multiline|pcre2)",
    re.S,
)
_RANGE = re.compile(r"(\d{1,7})(?:,(\d{1,7}|\$))?p")
_COMMANDS_MAX, _OPTIONS_MAX = 50, 2


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
        commands = list(islice(_run(read(script)), _COMMANDS_MAX + 1))
    except (UnreadableError, RecursionError):
        return ()
    folder, found, others = "", list[Display](), 0
    for command in commands[:_COMMANDS_MAX]:
        words = _words(command) if command is not None else None
        if words and words[0] == "cd" and len(words) == 2:
            folder = posixpath.join(folder, words[1])
        elif command is not None and (shown := _shown(command, folder)):
            found += shown
        elif not words or words[0] not in _SILENT:
            others += 1
    if len(found) == 1 and not others and len(commands) <= _COMMANDS_MAX:
        return tuple(found)
    return tuple(replace(one, alone=False) for one in found[:_COMMANDS_MAX])


def searched(script: str) -> str | None:
    """The folder in which a script searched that does nothing else, and prints what it finds as it stands; None for any
    other."""
    try:
        commands = list(islice(_run(read(script)), _COMMANDS_MAX + 1))
    except (UnreadableError, RecursionError):
        return None
    folder, found = "", 0
    for command in commands:
        parts = command.commands if isinstance(command, Pipeline) else (command,)
        words, *cutters = [_words(part) or [""] if part is not None else [""] for part in parts]
        if words[0] == "cd" and len(words) == 2 and not found:
            folder = posixpath.join(folder, words[1])
        elif _searches(words) and all(_lines_of(cutter, 0) is not None for cutter in cutters):
            found += 1
        elif words[0] not in _SILENT:
            return None
    return folder if found else None


def _searches(words: Words[str]) -> bool:
    """Whether a command searches, by options that leave the lines as they are."""
    words = words[1:] if words[:2] == ["git", "grep"] else words
    options = [word for word in words[1:] if word.startswith("-")]
    replaces = words[0] == "rg" and any(re.match(r"-[^-eABCmgtTfj]*r", option) for option in options)
    return words[0] in _SEARCHERS and not replaces and all(_SEARCH_OPTION.fullmatch(option) for option in options)


def _run(command: Command) -> Iterator[Command | None]:
    """The commands that a script runs if all goes well, in order; None for what may not run, or is not followed."""
    match command:
        case Sequence(items=items):
            for item in items:
                yield from _run(item.command) if not item.background else (None,)
        case AndOr(first=first, rest=rest):
            yield from _run(first)
            for _, following in takewhile(lambda link: link[0] == "&&", rest):
                yield from _run(following)
            if any(operator == "||" for operator, _ in rest):
                yield None
        case Group(body=body):
            yield from _run(body)
        case For(name=name, words=words, body=body) if words is not None:
            for word in words:
                yield from (_with(one, name, word) for one in _run(body))
        case Simple() | Pipeline():
            yield command
        case _:
            yield None


def _with(command: Command | None, name: str, value: Word) -> Command | None:
    """A command in the round of a loop in which a parameter has this value."""
    match command:
        case Simple(words=words):
            return replace(command, words=tuple(Word(_put(word.parts, name, value)) for word in words))
        case Pipeline(commands=commands):
            found = tuple(one for part in commands if (one := _with(part, name, value)) is not None)
            return replace(command, commands=found) if len(found) == len(commands) else None
        case _:
            return None


def _put(parts: Iterable[Part], name: str, value: Word) -> tuple[Part, ...]:
    """The parts of a word with a value in place of a parameter."""
    named = ((isinstance(part, Parameter) and part.name == name, part) for part in parts)
    return tuple(one for here, part in named for one in (value.parts if here else (part,)))


def _words(command: Command) -> list[str] | None:
    """The words of a plain command, wherever its errors go; None where one is not known."""
    if not isinstance(command, Simple) or command.assignments or any(to.descriptor != 2 for to in command.redirects):
        return None
    words = [word.itself or (word.literal if (word.literal or "").startswith("-") else None) for word in command.words]
    return [word for word in words if word is not None] if None not in words else None


def _shown(command: Command, folder: str) -> list[Display]:
    """What one command, or a pipeline that cuts its lines out, shows."""
    if not isinstance(command, Pipeline):
        words = _words(command)
        return _of(words, folder) if words else []
    if command.negated or len(command.commands) != 2:
        return []
    source, cutter = (_words(part) for part in command.commands)
    shown = _of(source, folder) if source else []
    cut = _lines_of(cutter, 0) if cutter is not None else None
    if len(shown) != 1 or cut is None or shown[0].form in (Form.NUMBERED, Form.BLAMED):
        return shown if cut is not None and len(shown) == 1 else []
    first, count = cut
    return [replace(shown[0], first=first, count=count)] if shown[0].form is Form.LINES and not shown[0].count else []


def _of(words: Words[str], folder: str) -> list[Display]:
    """What a command shows, file by file. Of several, `sed` and numbers count the lines on from one to the next."""
    name, operands = posixpath.basename(words[0]), [word for word in words[1:] if not word.startswith("-")]
    options = {word for word in words[1:] if word.startswith("-")}
    if name == "git":
        return _blame(words[1:], folder) or _diff(words[1:])
    if name == "cat" and options <= {"--"}:
        return [Display(posixpath.join(folder, path), Form.LINES) for path in operands]
    if name in ("cat", "nl") and len(operands) == 1 and options <= {"-n", "-ba", "--"}:
        numbered = name == "cat" or "-ba" in options
        return [Display(posixpath.join(folder, operands[0]), Form.NUMBERED)] if numbered else []
    if name in _SEARCHERS and len(operands) == 2 and _numbers(options):
        return [Display(posixpath.join(folder, operands[1]), Form.NUMBERED)]
    for first in range(1, min(len(words), _OPTIONS_MAX + 2)):
        if (lines := _lines_of(words, len(words) - first)) is not None and not (name == "sed" and words[first + 1 :]):
            return [Display(posixpath.join(folder, path), Form.LINES, *lines) for path in words[first:]]
    return []


def _numbers(options: set[str]) -> bool:
    """Whether options of `grep` put a number before each line, and nothing else."""
    return any(re.fullmatch(r"-[EFPwix]*n[EFPwix]*", option) for option in options) and all(
        re.fullmatch(r"-[nEFPwix]+|-[ABC]\d+|--color=never", option) for option in options
    )


def _lines_of(words: Words[str], files: int) -> tuple[int, int] | None:
    """The lines that `sed -n`, `head` or `tail` shows of so many files."""
    rest = list(words[1 : len(words) - files])
    if len(words) < 1 + files or any(word.startswith("-") for word in words[len(words) - files :]):
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


def _blame(words: Words[str], folder: str) -> list[Display]:
    """`git blame` of one file, or of lines of it, as it is in the work tree."""
    match = re.fullmatch(r"(?:--no-pager )?blame (?:-L ?[0-9,+]+ )?(?:-- )?([^ -][^ ]*)", " ".join(words))
    return [Display(posixpath.join(folder, match[1]), Form.BLAMED)] if match else []


def _diff(words: Words[str]) -> list[Display]:
    """`git diff` of the work tree: its new side is what the disk holds."""
    words = [word for word in words if word != "--no-pager"]
    operands = [word for word in words[1:] if not word.startswith("-") and word != "HEAD"]
    plain = {"--", "--no-color", "-p", "--patch", "-U0", "--minimal"}
    if words[:1] != ["diff"] or not {word for word in words[1:] if word.startswith("-")} <= plain:
        return []
    return (
        [Display("", Form.DIFF)]
        if all("/" in word or "." in word for word in operands if "--" not in words)
        and not any(".." in word for word in operands)
        else []
    )
