"""What scripts show of files and change nothing: which lines of which file a command's output is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tslp_litellm.shell.expansion import ANYTHING, fields
from tslp_litellm.shell.reading import read
from tslp_litellm.shell.syntax import (
    AndOr,
    Command,
    Parameter,
    Pipeline,
    Redirect,
    Simple,
    Text,
    UnreadableError,
    Word,
)
from tslp_litellm.shell.targets import ANYWHERE, At, Folder, Target

_SILENT = frozenset({"cd", "set", "export", "true", ":"})
_RANGE = re.compile(r"(\d{1,7})(?:,(\d{1,7}|\$))?p")
_AWKS = frozenset({"awk", "gawk", "mawk"})
_RECORDS = re.compile(
    r"NR(?P<is>==|>=)(?P<first>\d{1,7})(?:(?:,NR==|&&NR<=)(?P<last>\d{1,7}))?(?:\{print(?:\$0)?;?\})?"
)
_LINES_LIKE = re.compile(r"/[^/]+/(?:,(?:/[^/]+/|\d+|\$))?p")
_VIEWERS = {
    "bat": frozenset({"-p", "-pp", "--plain", "--style=plain", "--color=never", "--paging=never"}),
    "batcat": frozenset({"-p", "-pp", "--plain", "--style=plain", "--color=never", "--paging=never"}),
    "less": frozenset({"-R", "-F", "-X", "-FRX", "-FX", "-S"}),
    "more": frozenset[str](),
}
"""What shows a file as `cat` does, without being it: no whole text, but where it has other lines, ours are others."""
_COMMANDS_MAX = 50
_SEARCHES = re.compile(
    r"-[nEFPGwixrRHIsSe]+|-[ABC]\d+|--(?:color|colour)=never|--(?:include|exclude|exclude-dir|glob|type)=.*|-[gtT]|--no-heading"
    r"|--(?:line-number|with-filename|recursive|ignore-case|word-regexp|fixed-strings|no-ignore|hidden)"
)
"""Options of searches by which a line that is found is still shown as it stands."""


class Form(StrEnum):
    """How lines are shown: as they are, some of them as they are, each behind its number, behind its file and number,
    behind who wrote it and its number, as a diff whose new side is on the disk, or only how many they are."""

    LINES = "lines"
    SOME = "some"
    NUMBERED = "numbered"
    FOUND = "found"
    BLAMED = "blamed"
    DIFF = "diff"
    COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class Display:
    """`count` lines of a file from `first` on (0: to its end; a `first` below 1 counts from there). Of a diff the path
    is empty: it names its own; of what was found it is the folder that paths are seen from. `beside`: several files,
    whole, one after the other, or those that fit a pattern."""

    path: str
    form: Form
    first: int = 1
    count: int = 0
    alone: bool = True
    beside: tuple[Target, ...] = ()

    @property
    def targets(self) -> tuple[Target, ...]:
        """The files that are shown whole; none where it is something else that is shown."""
        if self.beside:
            return self.beside
        return (At(self.path),) if (self.form, self.first, self.count) == (Form.LINES, 1, 0) else ()


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
    only = not others and len(commands) <= _COMMANDS_MAX
    if len(found) > 1 and only and all(one.targets for one in found):
        found = [Display("", Form.LINES, beside=tuple(target for one in found for target in one.targets))]
    if len(found) == 1 and only:
        return tuple(found)
    return tuple(replace(one, alone=False) for one in found)


def shown_by(script: str) -> str | None:
    """The path of a script that is only `cat PATH`, however that is written."""
    try:
        items = read(script).items
    except (UnreadableError, RecursionError):
        return None
    words = _words(items[0].command) if len(items) == 1 and not items[0].background else None
    name, *operands = [word for word in words or ("",) if word != "--"]
    if len(operands) != 1 or posixpath.basename(name) != "cat":
        return None
    return operands[0] if operands[0] and not operands[0].startswith("-") else None


def _chained(command: Command) -> list[Command]:
    if isinstance(command, AndOr) and all(operator == "&&" for operator, _ in command.rest):
        return [command.first, *(following for _, following in command.rest)]
    return [command]


def _words(command: Command) -> list[str] | None:
    """The words of a plain command; None where one is not known. What `cat` is given as its input is its operand."""
    if not isinstance(command, Simple) or command.assignments:
        return None
    words = [_literal(word) for word in command.words]
    for redirect in command.redirects:
        if redirect.operator == "<" and redirect.descriptor == 0 and words == ["cat"]:
            words.append(_literal(redirect.target) if redirect.target is not None else None)
        elif not _is_of_errors(redirect):
            return None
    return [word for word in words if word is not None] if None not in words else None


def _is_of_errors(redirect: Redirect) -> bool:
    """Whether a redirection says only where errors go: to the output, or nowhere."""
    to = redirect.target.literal if redirect.target is not None else None
    return redirect.descriptor == 2 and (redirect.operator, to) in ((">&", "1"), (">", "/dev/null"))


def _literal(word: Word) -> str | None:
    """The text of a word that stands for itself, but that it may begin at `$PWD`; None where it is not known."""
    parts = tuple(part for part in word.parts if part != Text("", quoted=True))
    if len(parts) > 1 and isinstance(parts[0], Parameter) and parts[0].name == "PWD" and isinstance(parts[1], Text):
        rest = _literal(Word(parts[1:]))
        return "." + rest if rest is not None and rest.startswith("/") else None
    text = word.literal
    return text if text is not None and (word.bare is None or not set(text) & set("*?[{~")) else None


def _several(command: Command, folder: str) -> Display | None:
    """`cat` of several files, or of those that fit a pattern."""
    if not isinstance(command, Simple) or command.assignments or not all(map(_is_of_errors, command.redirects)):
        return None
    if len(command.words) < 2 or command.words[0].literal != "cat":
        return None
    targets = [_target(word, folder) for word in command.words[1:]]
    known = [target for target in targets if target is not None and target != ANYWHERE]
    return Display("", Form.LINES, beside=tuple(known)) if len(known) == len(targets) else None


def _target(word: Word, folder: str) -> Target | None:
    if (path := _literal(word)) is not None:
        return Folder(folder).at(path) if not path.startswith("-") else None
    made = fields([word], lambda part: (".",) if isinstance(part, Parameter) and part.name == "PWD" else ANYTHING, None)
    return made[0].target(Folder(folder)) if len(made) == 1 else None


def _shown(command: Command, folder: str) -> Display | None:
    """What one command, or a pipeline that cuts its lines out, shows."""
    if not isinstance(command, Pipeline):
        words = _words(command)
        return (_of(words, folder) if words else None) or _several(command, folder)
    if command.negated or len(command.commands) != 2:
        return None
    source, cutter = (_words(part) for part in command.commands)
    shown = _of(source, folder) if source else None
    cut = _lines_of(cutter, 0) if cutter is not None else None
    if shown is None or cut is None:
        return None
    if shown.form in (Form.SOME, Form.NUMBERED, Form.FOUND, Form.BLAMED):
        return shown
    span = _cut(shown, *cut)
    return Display(shown.path, shown.form, *span) if shown.form is Form.LINES and span is not None else None


def _cut(shown: Display, first: int, count: int) -> tuple[int, int] | None:
    """Where lines of what is shown stand in the file, and how many they are; None where that is not known."""
    if shown.count == 0 and first < 0:
        return first, count
    if shown.first < 1:
        return None
    if shown.count == 0:
        return shown.first + first - 1, count
    if first < 0:
        return shown.first + max(shown.count + first, 0), min(count, shown.count)
    left = shown.count - first + 1
    return (shown.first + first - 1, min(count, left) if count else left) if left > 0 else None


def _of(words: Sequence[str], folder: str) -> Display | None:
    name, operands = words[0], [word for word in words[1:] if not word.startswith("-")]
    options = {word for word in words[1:] if word.startswith("-")}
    if name == "git":
        return _blame(words[1:], folder) or _diff(words[1:]) or _searched(words[1:], folder)
    if name in ("cat", "nl") and len(operands) == 1 and options <= {"-n", "-ba", "--"}:
        form = Form.NUMBERED if name == "nl" or "-n" in options else Form.LINES
        if name == "nl" and "-ba" not in options:
            return None
        return Display(posixpath.join(folder, operands[0]), form)
    if name in ("grep", "egrep", "fgrep", "rg") and len(operands) == 2 and _numbers(options):
        return Display(posixpath.join(folder, operands[1]), Form.NUMBERED)
    if (found := _searched(words, folder)) is not None:
        return found
    if len(operands) == 2 and _finds(name, operands[0], options):
        return Display(posixpath.join(folder, operands[1]), Form.SOME)
    if name in _VIEWERS and len(operands) == 1 and options <= _VIEWERS[name]:
        return Display(posixpath.join(folder, operands[0]), Form.LINES)
    if (lines := _lines_of(words, 1)) is not None:
        return Display(posixpath.join(folder, words[-1]), Form.LINES, *lines)
    if name == "wc" and len(operands) == 1 and options in ({"-l"}, {"--lines"}):
        return Display(posixpath.join(folder, operands[0]), Form.COUNTED)
    return _told_by_code(words, folder)


_PRINTS = re.compile(
    r"\s{0,9}(?:from pathlib import Path; ?|import sys; ?|(?:const|var|let) fs ?= ?require\(.fs.\); ?){0,2}"
    r"(?:print\(|sys\.stdout\.write\(|console\.log\(|process\.stdout\.write\(|puts |print |echo )"
    r"(?:open\(|(?:pathlib\.)?Path\(|(?:require\(.(?:node:)?fs.\)|fs)\.readFileSync\(|File\.read[ (]"
    r"|file_get_contents\()"
    r"(?P<quote>['\"])(?P<path>[^'\"\n]{1,400})(?P=quote)(?:, ?['\"](?:r|utf-?8)['\"]|, ?encoding=['\"]utf-?8['\"])?\)?"
    r"(?:\.read\(\)|\.read_text\(\)|\.toString\(\))?(?:, ?end=['\"]{2})?\)?;?\s{0,9}"
)
"""A program that prints a file, and nothing else."""
_CODE = {"python": "-c", "python3": "-c", "node": "-e", "ruby": "-e", "php": "-r"}


def _told_by_code(words: Sequence[str], folder: str) -> Display | None:
    """What a program that stands in its own call prints, if that is a file."""
    match = _PRINTS.fullmatch(words[2]) if len(words) == 3 and _CODE.get(words[0]) == words[1] else None
    return Display(posixpath.join(folder, match["path"]), Form.LINES) if match is not None else None


def _finds(name: str, pattern: str, options: set[str]) -> bool:
    """Whether a command shows lines of one file as they stand: those that fit a pattern."""
    if name in ("grep", "egrep", "fgrep"):
        return all(re.fullmatch(r"-[EFPwixh]+|-[ABC]\d+|--color=never", option) for option in options)
    if name == "sed":
        return (options == {"-n"} and _LINES_LIKE.fullmatch(pattern) is not None) or (
            not options and re.fullmatch(r"\d+q", pattern) is not None
        )
    return name in _AWKS and not options and re.fullmatch(r"/[^/]+/(?:\{print(?:\$0)?\})?", pattern) is not None


def _searched(words: Sequence[str], folder: str) -> Display | None:
    """A search of many files that puts each line behind its file and number."""
    if words[:1] not in (["grep"], ["egrep"], ["fgrep"], ["rg"]):
        return None
    options = [word for word in words[1:] if word.startswith("-") and word != "--"]
    numbers = any(re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*|--line-number", option) for option in options)
    plain = all(_SEARCHES.fullmatch(option) for option in options)
    return Display(folder, Form.FOUND) if numbers and plain else None


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
    if words[0] in _AWKS and len(rest) == 1 and (match := _RECORDS.fullmatch(rest[0].replace(" ", ""))):
        first, last = int(match["first"]), int(match["last"] or (match["first"] if match["is"] == "==" else 0))
        return (first, max(last - first + 1, 0)) if first and (first <= last or not last) else None
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
