"""Reads: the file text in a read tool's result, without line numbers, trailers and notices (SEMANTICS 2).

Refuses excerpts, truncated reads, stubs that stand for an earlier read, and error messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.evidence.lines import WINDOW_CHARS, first_on_lines, join_lines, split_lines
from tslp_litellm.evidence.makers import shell_read
from tslp_litellm.evidence.outcomes import verdict_of
from tslp_litellm.evidence.tools import Arguments, argument, arguments_of, kind_of
from tslp_litellm.evidence.values import Carrier, Shown, Verdict
from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.wire.turn import Item

_REMINDER, _REMINDER_END = "<system-reminder>", "</system-reminder>"
_TRAILER = re.compile(r"\((?:End of file(?: - total \d+ lines)?|File has \d+ lines total\.?)\)")
_NUMBERED = re.compile(r"^\s*+(?P<n>\d++)(?P<gap> ?)(?P<mark>[|→\t:])(?P<line>.*)$", re.S)


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a client puts around a file's text: how it begins, how it ends. `gap`: with a newline that is the frame's
    own before the end."""

    head: re.Pattern[str]
    tail: str = ""
    gap: bool = False

    def inside(self, text: str) -> str | None:
        """What stands in the frame; None where the text is not in it."""
        match = self.head.match(text)
        if match is None:
            return None
        if not self.tail:
            return text[match.end() :]
        stop = _end_of_words(text, len(text))
        end = stop - len(self.tail)
        while "fence" in match.groupdict() and text.endswith("`", 0, end) and stop - end < len(match["fence"]):
            end -= 1
        if end < match.end() or not text.startswith(self.tail, end):
            return None
        return text[match.end() : end].removesuffix("\n" if self.gap else "")


_FRAMES = (
    _Frame(re.compile(r"\A\s*+<path>[^\n]*</path>\n<type>file</type>\n<content>\n"), "</content>", gap=True),
    _Frame(re.compile(r"\A\s*+<file>\n"), "</file>", gap=True),
    _Frame(re.compile(r"\A\s*+Here's the result of running `cat -n` on [^\n]*:\n")),
    _Frame(re.compile(r"\A(?:\[read_file for '[^\n]*'\](?: Result:)?\n)?File: [^\n]*\n")),
    _Frame(re.compile(r"\A\[read_file for '[^\n]*'\] Result:\n")),
    _Frame(re.compile(r"\AContent of [^\n]*:\n")),
    _Frame(re.compile(r"\ARead file `[^\n]*` from line 0 to -1:\n(?P<fence>`{3,})[^\n]*\n"), "```"),
    _Frame(re.compile(r"\A```(?=\S*[./])\S+\n"), "```", gap=True),
)
_OUTPUTS = (
    _Frame(
        re.compile(
            r"\A(?:Chunk ID: [^\n]*\n)?(?:Exit code: 0\n)?(?:Wall time: [^\n]*\n)?(?:Process exited with code 0\n)?"
            r"(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n"
        )
    ),
    _Frame(re.compile(r"\A<returncode>0</returncode>\n<output>\n"), "</output>"),
)
_COMMAND = re.compile(r"\ACommand: [^\n]*\n(?:Directory: [^\n]*\n)?Output: ")
_CUT_OUTPUT = re.compile(
    r"…\d{1,12} (?:tokens|chars|characters|lines) truncated…|\[\.\.\. omitted \d{1,12} of \d|"
    r"\.\.\. \[\d{1,12} (?:lines|characters) truncated\]"
)
_FILE_HEAD = re.compile(r"<file>\s*+<path>(?P<path>[^<]+)</path>\s*+<content(?: lines=\"(?P<lines>[^\"\n]*+)\")?>\n")
SHORT_LINES = 3
DIGITS_MAX = 10
EDGE_CHARS = 400
"""Notices about what is missing stand at the beginning or the end of a result."""


@cache
def _signs() -> dict[str, re.Pattern[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "reads.json").read_text("utf-8"))
    start = {"partial": "", "stubs": r"\A\s*+", "errors": r"\A\s*+"}
    return {
        kind: re.compile(before + "(?:" + "|".join(data[kind]) + ")", re.I | re.M) for kind, before in start.items()
    }


def read(call: Item, result: Item) -> list[Shown]:
    """The whole files that a read call's result shows; also that of a shell call that is only `cat PATH`."""
    arguments = arguments_of(call)
    kind = kind_of(call.name, arguments)
    if kind not in ("read", "shell") or not result.exact:
        return []
    if kind == "shell":
        shown = shell_read(arguments)
        return _printed(shown, result) if shown is not None else []
    path = argument(arguments, "path")
    if result.is_error or _ranged(arguments):
        return []
    return _whole(path, result.text) if isinstance(path, str) else _read_several(arguments, result.text)


def _printed(path: str, result: Item) -> list[Shown]:
    """What `cat` printed, without what the client says around it."""
    text = result.text
    if verdict_of(result, "shell") is not Verdict.SUCCESS or first_on_lines(_CUT_OUTPUT, text):
        return []
    if text.startswith(("[{", '{"')) and (answers := _json(text)) is not None:
        texts = [a.get("result", a.get("output")) for a in answers if isinstance(a, dict)]
        text = texts[0] if len(texts) == 1 and isinstance(texts[0], str) else ""
        return [Shown(path, text, Carrier.READ, whole=True, ended=text.endswith("\n"))] if text else []
    inside = next((t for frame in _OUTPUTS if (t := frame.inside(text)) is not None), None)
    text = _of_command(text) if inside is None else inside
    if _signs()["stubs"].match(text) or _is_message(path, text) or not text:
        return []
    return [Shown(path, text, Carrier.READ, whole=True, ended=text.endswith("\n"))]


def _of_command(text: str) -> str:
    """The output of a command that succeeded, between what Gemini's client says of it; any other text as it is."""
    head = _COMMAND.match(text)
    if head is None:
        return text
    ended, failed = text.find("\nExit Code: 0", head.end()), text.find("\nError: ", head.end())
    if failed >= 0 and text.rfind("Exit Code: 0") < failed + len("\nError: "):
        failed = -1
    ends = [end for end in (ended, failed) if end >= 0]
    return text[head.end() : min(ends)] if ends else text


def _json(text: str) -> list[Any] | None:
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return decoded if isinstance(decoded, list) else [decoded]


def _ranged(arguments: Arguments) -> bool:
    """Whether a call asks for some lines only."""
    asked = [(name, arguments[name]) for name in arguments if argument({name: arguments[name]}, "range") is not None]
    return any(
        value not in (0, 1, True, [], "", {})
        if name in ("offset", "start_line", "startLine", "should_read_entire_file")
        else bool(value)
        for name, value in asked
    )


def _read_several(arguments: Arguments, text: str) -> list[Shown]:
    """Several files in one result: Cline's JSON list, Roo's XML."""
    if not any(name in arguments for name in ("files", "paths", "args", "file_paths")):
        return []
    if "<files>" in text:
        return [
            shown
            for head, inner in _file_blocks(text)
            if not head["lines"] or head["lines"].startswith("1-")
            for shown in _whole(head["path"].strip(), inner)
        ]
    found: list[Shown] = []
    for answer in _json(text) or []:
        if not isinstance(answer, dict) or answer.get("success") is not True:
            continue
        query, shown = answer.get("query"), answer.get("result")
        if isinstance(query, str) and isinstance(shown, str) and not re.search(r":\d+-\d*$", query):
            found += _whole(query, shown)
    return found


def _file_blocks(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Roo's `<file>` blocks: what heads each, and the text in it."""
    at = 0
    while (start := text.find("<file>", at)) >= 0:
        spend()
        head = _FILE_HEAD.match(text, start)
        at = head.end() if head else start + 1
        if head is not None:
            end = text.find("</content>", at)
            if end < 0:
                return
            yield head, text[at:end].removesuffix("\n")
            at = end + len("</content>")


def _whole(path: str, text: str) -> list[Shown]:
    """A result's text as a file; nothing where it is not the whole file."""
    if _signs()["stubs"].match(text):
        return []
    if text.startswith('{"content"') and (answers := _json(text)):  # avante
        view = answers[0]
        text = view["content"] if isinstance(view, dict) and view.get("is_truncated") is False else ""
        return [Shown(path, text, Carrier.READ, whole=True)] if isinstance(text, str) and text else []
    bare = _without_reminders(text)
    inside = next((t for frame in _FRAMES if (t := frame.inside(bare)) is not None), None)
    if bare is not text and inside is None and without_numbers(bare) is None:
        return []
    text = bare if inside is None else inside
    if not text.strip():
        return []  # an empty result may be an empty file, or nothing at all
    if any(_signs()["partial"].search(part) for part in (text[:EDGE_CHARS], text[-EDGE_CHARS:])):
        return []
    trimmed = _without_trailer(text)
    numbered = without_numbers(trimmed)
    if numbered is not None:
        return [Shown(path, numbered[0], Carrier.READ, whole=True, ended=numbered[1])]
    if trimmed is not text:
        return [Shown(path, trimmed, Carrier.READ, whole=True, ended=False)]
    return [] if _is_message(path, text) or _half_numbered(text) else [Shown(path, text, Carrier.READ, whole=True)]


def without_numbers(text: str) -> tuple[str, bool] | None:
    """A numbered text without its numbers, and whether its last line is known to be ended; None where it has none.

    Every line must have a number, and they must run on from 1. Readers that number what follows the last newline
    (`\t` and `→` styles) show so that the file ends with one.
    """
    if _NUMBERED.match(text.lstrip("\n")[:WINDOW_CHARS]) is None and "\n" in text.strip("\n"):
        return None
    lines = split_lines(text.strip("\n"))
    if lines[-1].lstrip(" ") == str(len(lines)):  # the number of an empty last line, trimmed
        lines[-1] += "\t"
    numbered: list[re.Match[str]] = []
    for n, line in enumerate(lines, 1):
        match = _NUMBERED.match(line)
        if match is None or len(match["n"]) >= DIGITS_MAX or int(match["n"]) != n:
            return None
        numbered.append(match)
    first = numbered[0]
    mark, bare = first["mark"], [m["line"] for m in numbered]
    if any(m["mark"] != mark for m in numbered):
        return None
    glued = mark == "|" and not first["gap"] and not first["n"].startswith("0")
    if mark in ":|" and not glued and all(line.startswith(" ") or not line for line in bare):
        bare = [line[1:] for line in bare]
    return join_lines(bare), mark in "\t→" and bare[-1] == "" and len(bare) > 1


def _without_reminders(text: str) -> str:
    """A text without the reminders that a client puts behind it, each on lines of its own."""
    end, cut = _end_of_words(text, len(text)), False
    while text.endswith(_REMINDER_END, 0, end):
        spend()
        start = text.rfind(_REMINDER, 0, end)
        if start < 0 or (start and text[start - 1] != "\n"):
            break
        end, cut = _end_of_words(text, start), True
    return text[:end] + "\n" if cut else text


def _end_of_words(text: str, end: int) -> int:
    """Where a text's last word before a place ends: `len(text[:end].rstrip())`, without the copy."""
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _without_trailer(text: str) -> str:
    """A text without the line by which a reader says that the file ends."""
    body, _, last = text.rstrip().rpartition("\n")
    return body.rstrip("\n") if _TRAILER.fullmatch(last) else text


def _half_numbered(text: str) -> bool:
    """Whether a text begins like a numbered one: then it is no raw file text either."""
    found = [_NUMBERED.match(line) for line in text.strip("\n").split("\n", 2)[:2]]
    marks = {m["mark"] for m in found if m}
    return (
        len(found) == 2
        and None not in found
        and len(marks) == 1
        and _ascend([int(m["n"][:DIGITS_MAX]) for m in found if m])
    )


def _ascend(numbers: list[int]) -> bool:
    return numbers[0] < numbers[-1]


def _is_message(path: str, text: str) -> bool:
    """Whether a short raw text is the tool's word rather than the file's."""
    if text.count("\n") > SHORT_LINES:
        return False
    if _signs()["errors"].match(text):
        return True
    seen = outline(language_of_path(path), text)
    return seen.parsed and bool(seen.errors)
