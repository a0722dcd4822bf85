"""What a test run, a compiler or a linter said last: closing lines as data, and nothing else (SEMANTICS 12).

The lines of named runners are known exactly (`data/verdicts.json`). Whatever only shows what others have printed, a
file, a log or a search, has no verdict.
"""

from __future__ import annotations

import dataclasses
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import regex

from tslp_litellm.data import table
from tslp_litellm.data.schema import Runner, Verdicts
from tslp_litellm.dialects.fences import Fence
from tslp_litellm.shell.reading import read
from tslp_litellm.shell.syntax import Simple, UnreadableError

CHARS_MAX, LINES_MAX = 6_000, 200
"""So much of the end of an output is looked at."""
SHORT_CHARS = 1_000
"""Of scripts as short as this it is remembered what they run."""
GREEN, RED = "green", "red"
_FIRST = (*map(chr, range(32, 127)), "\t", "✖")
_JOINS = frozenset("\n;&|<`$(")
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_Line = tuple[Runner, str, re.Pattern[str]]
"""Whose it is, words that stand in it, and its pattern."""
_COUNT = re.compile(
    r"(?<![\w.])(?P<n>\d{1,9}) (?P<word>[A-Za-z]+)|(?<![A-Za-z])(?P<name>[A-Za-z]{1,30})[:=] {0,9}(?P<of>\d{1,9})"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a runner said: `green` or `red`. `counts`: passed, failed, errors, skipped, total, as far as it counts;
    `exit`: the exit status of all that ran, where the client states it."""

    tool: str
    says: str
    tests: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    exit: int | None = None

    def body(self) -> tuple[tuple[str, object], ...]:
        """What a Ledger event says of it, absent fields left out."""
        rest = {"tests": self.tests or None, "counts": dict(self.counts) or None, "exit": self.exit}
        said = {"tool": self.tool, "verdict": self.says, **rest}
        return tuple((key, value) for key, value in said.items() if value is not None)


@cache
def _table() -> Verdicts:
    return table("verdicts", Verdicts)


@cache
def _lines() -> tuple[dict[str, list[_Line]], list[_Line]]:
    """Closing lines by the two characters that they begin with, so that hardly any line is matched; and those that may
    begin with nearly any."""
    by_head, rest = dict[str, list[_Line]](), list[_Line]()
    for row in _table().runners:
        for words, said in row.says.items():
            for held in [by_head.setdefault(head, []) for head in _heads(said)] or [rest]:
                held.append((row, words, re.compile(said, re.M)))
    return by_head, rest


def _heads(pattern: str) -> frozenset[str]:
    """The two characters that a line may begin with; none for one that may begin with nearly any."""
    begins = regex.compile(pattern)
    found = [one for one in _FIRST if begins.fullmatch(one, partial=True)]
    if len(found) > len(_FIRST) / 2:
        return frozenset()
    return frozenset(two for one in found for two in map(one.__add__, _FIRST) if begins.fullmatch(two, partial=True))


@cache
def _may_be_silent() -> frozenset[str]:
    return frozenset(name for row in _table().runners for name in row.silent)


def of_output(
    output: str,
    script: str,
    exit_status: Callable[[], int | None] = lambda: None,
    silence: Callable[[], bool] = lambda: False,
) -> list[Verdict]:
    """What the runners said that a script ran. Asked where it counts: `exit_status`, as the client states it, and
    `silence`, whether it is known to have run and to have printed nothing."""
    if not _JOINS & {*script} and _shows(script.split()):
        return []
    said = _closing(output, script)
    if not said and not any(name in script for name in _may_be_silent()):
        return []
    commands = _commands(script)
    if commands is not None and all(map(_shows, commands)):
        return []
    status, alone = exit_status(), [words for words in commands or () if words[0] != "cd"]
    if len(alone) == 1 and (silent := _silent(alone[0])) is not None and silent not in {one.tool for one in said}:
        ended = 0 if status is None and ">" not in script and silence() else status
        if ended in (0, 1, 2):
            said.append(Verdict(silent, RED if ended else GREEN))
    return [replace(one, exit=status) for one in said]


def of_paste(prose: str, blocks: list[Fence], files: frozenset[str]) -> list[Verdict]:
    """What a terminal said that a user pasted, in prose or in fences. `files`: the texts of files shown there."""
    pasted = [b.body for b in blocks if b.info.lower() in _table().paste and b.body.rstrip("\n") not in files]
    return _closing("\n\n".join([prose, *pasted]), "")


def _closing(output: str, script: str) -> list[Verdict]:
    """The verdict of each runner that closed in an output. One that failed in part has failed."""
    lines = [line.rstrip() for line in _COLOURS.sub("", output[-CHARS_MAX:]).split("\n")]
    found: dict[tuple[str, bool], Verdict] = {}  # `says` is empty where only counts are known yet
    for row, match in _matches(lines[-LINES_MAX:]):
        tests = row.tests or bool(row.tests_with and re.search(row.tests_with, script))
        counts = _counts(match)
        one = Verdict(row.tool, _says(match, counts), tests, counts)
        before = found.get((row.tool, tests))
        found[row.tool, tests] = one if before is None else _both(before, one)
    return [one for one in found.values() if one.says]


def _matches(lines: list[str]) -> Iterator[tuple[Runner, re.Match[str]]]:
    """The closing lines among some, in order."""
    (by_head, rest), text, at = _lines(), "\n".join(lines), 0
    rest = [one for one in rest if one[1] in text]
    heads = {line[:2] for line in lines} & by_head.keys()
    here = {head: [*(one for one in by_head[head] if one[1] in text), *rest] for head in heads}
    for line in lines if rest or any(here.values()) else ():
        for row, words, pattern in here.get(line[:2], rest):
            if words in line and (match := pattern.match(text, at)) is not None:
                yield row, match
        at += len(line) + 1


def _says(match: re.Match[str], counts: Mapping[str, int]) -> str:
    said = match.groupdict()
    if said.get(RED) or counts.get("failed") or counts.get("errors"):
        return RED
    if counts.get("total") == 0:
        return ""
    ran = counts.get("passed") or counts.get("total")
    return GREEN if said.get(GREEN) or ran or "errors" in counts else ""


def _counts(match: re.Match[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in _COUNT.finditer(match.groupdict().get("counts") or ""):
        name = _table().counts.get((one["word"] or one["name"]).lower())
        if name is not None:
            found[name] = found.get(name, 0) + int(one["n"] or one["of"])
    return found


def _both(first: Verdict, second: Verdict) -> Verdict:
    counts = {key: first.counts.get(key, 0) + second.counts.get(key, 0) for key in {*first.counts, *second.counts}}
    return replace(first, says=RED if RED in (first.says, second.says) else first.says or second.says, counts=counts)


# -- what a script runs


def _commands(script: str) -> list[list[str]] | None:
    """The words of each command, behind what wraps it by name; None for a script that is not read."""
    return _short_script(script) if len(script) <= SHORT_CHARS else _commands_of(script)


@lru_cache(maxsize=64)
def _short_script(script: str) -> list[list[str]] | None:
    """As of others; people and agents run the same tests again and again."""
    return _commands_of(script)


def _commands_of(script: str) -> list[list[str]] | None:
    try:
        found = [[word.literal or "?" for word in one.words] for one in _simple(read(script).items)]
    except (UnreadableError, RecursionError):
        return None
    return [[posixpath.basename(words[0]), *words[1:]] for words in found if words]


def _simple(node: object) -> Iterator[Simple]:
    """The simple commands of a script, however deep, in order."""
    if isinstance(node, Simple):
        yield node
    if isinstance(node, tuple):
        for part in node:
            yield from _simple(part)
    elif dataclasses.is_dataclass(node):
        for one in dataclasses.fields(node):
            yield from _simple(getattr(node, one.name))


def _shows(words: list[str]) -> bool:
    """Whether a command shows what was printed before, and runs nothing."""
    shows = _table().shows
    return any(" ".join(words[:n]) in shows for n in (1, 2, 3))


def _silent(words: list[str]) -> str | None:
    """The tool of which a command is a program that may close without a word."""
    words = words[1:] if words[0] in _table().fetches else words
    return next((row.tool for row in _table().runners if words and words[0] in row.silent), None)
