"""Reads: the file text in a read tool's result, where the known frame of that tool says that it is the whole file.

What shows only a part is an excerpt, which can contradict our text; messages, stubs and listings are neither
(SEMANTICS 2, Reads). The frames are data (`data/reads.json`), the tools rows of `data/tools.json`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from tslp_litellm.clients.makers import shell_read, shell_scripts
from tslp_litellm.clients.outcomes import is_gone, known_silence, shell_outcome, verdict_of
from tslp_litellm.clients.printed import decoded, printed
from tslp_litellm.clients.reminders import without_reminders
from tslp_litellm.clients.tools import Arguments, argument, arguments_of, kind_of, tool_of
from tslp_litellm.data import table
from tslp_litellm.data.schema import Reads, Tool
from tslp_litellm.dialects.displays import excerpts
from tslp_litellm.dialects.numbering import Numbered, numbered
from tslp_litellm.dialects.plausible import (
    Likeness,
    before_cut,
    is_clipped,
    is_code,
    is_content,
    is_cut,
    is_provable,
    likeness,
)
from tslp_litellm.dialects.searches import lines_found
from tslp_litellm.dialects.tags import tagged
from tslp_litellm.dialects.values import Attempt, Carrier, Drift, Excerpt, Shown, Verdict
from tslp_litellm.dialects.wording import same_path
from tslp_litellm.shell import Outcome as ShellOutcome
from tslp_litellm.wire.turn import Item, ItemKind, Role, string

_SHELL = Attempt("", "", (), "shell")
_TO_THE_END = 1 << 40
_MODES = (None, "", "slice", "full")
"""Ways of reading that show lines as they stand."""
PRINTED_CHARS_MAX = 30_000
"""So many characters of a command's output a client shows at most without saying more."""

FILES_MAX = 100
"""So many files of one result are looked at."""

Read = Shown | Excerpt | Drift


@dataclass(frozen=True, slots=True)
class _Frames:
    around: tuple[re.Pattern[str], ...]
    named: dict[str, re.Pattern[str]]
    parts: tuple[re.Pattern[str], ...]
    trailer: tuple[re.Pattern[str], ...]
    stubs: re.Pattern[str]
    empty: re.Pattern[str]
    cut: re.Pattern[str]


@cache
def _frames() -> _Frames:
    known = table("reads", Reads)
    return _Frames(
        tuple(re.compile(frame) for frame in known.frames),
        {name: re.compile(frame) for name, frame in known.named.items()},
        tuple(re.compile(frame) for frame in known.parts),
        tuple(re.compile(trailer) for trailer in known.trailers),
        re.compile(r"\A\s*(?:" + "|".join(known.stubs) + ")", re.I),
        re.compile(r"\A\s*(?:" + "|".join(known.empty) + r")\s*\Z"),
        re.compile("(?:" + "|".join(known.cut) + r")\s*\Z", re.I),
    )


SOME = -1


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a call asks for: lines from `first` (0: nobody knows which; `SOME`: never the whole file), at most
    `count`."""

    first: int = 1
    count: int = _TO_THE_END


def read(call: Item, result: Item, folder: str | None = "") -> list[Read]:
    """The files that a read call's result shows, whole or in part, or says are gone; and what shell commands printed of
    them.

    `folder`: where the tool's shell stands; None where that is not known.
    """
    arguments = arguments_of(call)
    kind, tool = kind_of(call.name, arguments), tool_of(call.name, arguments)
    if kind not in ("read", "shell", "search") or tool is None or not result.exact:
        return []
    if kind == "search":
        return [*lines_found(result.text, string(argument(arguments, "path")))] if not result.is_error else []
    if kind == "shell":
        shown = shell_read(arguments, folder)
        bare = shell_outcome(result, call.name, arguments) is not ShellOutcome.UNKNOWN
        found = _printed(*shown, result, bare=bare) if shown is not None else []
        if folder is None and shown is None and (perhaps := shell_read(arguments)) is not None:
            found = [_as_doubt(one) for one in _printed(*perhaps, result, bare=bare)]
        return found or _displayed(call, result, folder)
    path, asked = argument(arguments, "path"), _asked(arguments)
    if isinstance(path, str) and not _is_stub(result.text) and is_gone(result):
        return [Excerpt(path, 1, ())]
    if result.is_error:
        return []
    return _file(path, result.text, tool, asked) if isinstance(path, str) else _several(arguments, result.text, tool)


# -- what was asked for


def _asked(arguments: Arguments) -> _Asked:
    """The lines that a call asks for."""
    start, end, count = (_number(argument(arguments, role)) for role in ("start", "end", "count"))
    span = argument(arguments, "span")
    if isinstance(span, list) and len(span) == 2:
        start, end = _number(span[0]), _number(span[1])
    elif span not in (None, "", []):
        return _Asked(0)
    ends = [lines for name in ("head", "tail") if (lines := _number(arguments.get(name)))]
    if len(ends) == 1 and argument(arguments, "part") == ends[0]:
        return _Asked(SOME, ends[0])
    if argument(arguments, "part") not in (None, "", {}, []) or arguments.get("mode") not in _MODES:
        return _Asked(0)
    if None in (start, end, count):
        return _Asked(0)
    if argument(arguments, "entire") in (True, "true"):
        return _Asked()
    first = max(start or 0, 1)
    until = (end - first + 1) if end is not None and end > 0 else _TO_THE_END
    return _Asked(first, min(until, count if count else _TO_THE_END))


def _number(value: object) -> int | None:
    """A number as clients write it, 0 for none; None where it is something else."""
    if value in (None, "", []):
        return 0
    try:
        return int(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else None
    except ValueError:
        return None


# -- one file


def _is_stub(text: str) -> bool:
    """Whether a result only stands for an earlier read, or for a file without text."""
    return not text.lstrip().startswith("<tool_use_error>") and _frames().stubs.match(text) is not None


def _file(path: str, text: str, tool: Tool, asked: _Asked) -> list[Read]:
    """A result's text as the file of a path, or as a part of it."""
    if _frames().empty.match(text):
        return [Excerpt(path, 1, ("",))]
    if _frames().stubs.match(text):
        return []
    if (view := _view(text)) is not None:
        return [Shown(path, view, Carrier.READ, whole=True)] if view and asked == _Asked() else []
    bare = without_reminders(text, [path])
    if tool.frames:
        if (framed := _framed(path, bare, tool)) is not None:
            return framed
        asked = _Asked(0)
    if (part := next((m for frame in _frames().parts if (m := frame.match(bare))), None)) is not None:
        return _stated_part(path, part)
    match = next((m for frame in _frames().around if (m := frame.match(bare))), None)
    named = (match.groupdict().get("path") or "") if match else ""
    if named and not same_path(named, path):
        return []
    found = _inside(path, text, bare, match, tool, asked)
    if not named.startswith("/") or named == path:
        return found
    return [replace(shown, named=named) for shown in found if isinstance(shown, Shown)]


def _inside(path: str, text: str, bare: str, match: re.Match[str] | None, tool: Tool, asked: _Asked) -> list[Read]:
    """What a result shows of a file. `bare`: without reminders; `match`: the frame around it."""
    inner = match["text"] if match else bare
    body, total = _without_trailer(inner)
    lines = numbered(body) if tool.numbers else None
    if lines is not None and (lines.glued or (not lines.all and is_clipped(body))):
        return []
    if lines is not None and (lines.all or len(lines.lines) > 1):
        found = _numbered(path, lines, total, tool, asked)
        return [_held_open(one, body, lines) for one in found] if tool.raw and not match and body is inner else found
    if not body.strip() or (lines is not None and match):
        return []
    if asked.first != 1 or (bare is not text and not match):
        return _part(path, body, asked)
    full = asked.count if tool.limit == 0 else min(asked.count, tool.limit)
    if is_cut(body):
        shown = before_cut(body)
        return [Excerpt(path, 1, tuple(shown))] if len(shown) > 2 and is_content(path, "\n".join(shown) + "\n") else []
    if body.count("\n") + 1 >= full:  # the last newline may stand before an empty line of the file
        return _part(path, body, asked)
    if body is not inner:  # who says where a file ends numbers its lines: these stand there in another way
        return []
    if match:
        return [Shown(path, body, Carrier.READ, whole=True)]
    return _bare(path, body) if tool.raw else []


def _framed(path: str, text: str, tool: Tool) -> list[Read] | None:
    """What a tool shows in a frame of its own: the lines that it states, or the whole file. None without the frame."""
    match = next((m for name in tool.frames if (m := _frames().named[name].match(text))), None)
    said = match.groupdict() if match else {}
    if match is None:
        return None
    if said.get("path") and not same_path(said["path"], path):
        return []
    if is_cut(match["text"]):
        lines = None if said.get("fence") else numbered("\n".join(before_cut(match["text"])))
        known = lines is not None and lines.all and not lines.glued
        return [Excerpt(path, lines.first, lines.lines)] if known and lines is not None else []
    body, total = _without_trailer(match["text"])
    lines = numbered(body)
    if lines is not None and lines.glued:
        return []
    if not said.get("fence"):
        return _numbered(path, lines, total, tool, _Asked()) if lines is not None else []
    shown = match["text"].split("\n")
    if said.get("total") and (said["first"], said["last"]) != ("1", said["total"]):
        return [Excerpt(path, int(said["first"]), tuple(shown[: int(said["last"]) - int(said["first"]) + 1]))]
    return [Shown(path, match["text"], Carrier.READ, whole=True, ended=False)] if match["text"] else []


def _stated_part(path: str, match: re.Match[str]) -> list[Read]:
    """Lines without numbers, in a frame that states where they stand, and of how many."""
    lines = match["text"].split("\n")
    first, last, total = (int(match[name]) for name in ("first", "last", "total"))
    if any(_frames().cut.search(line) for line in lines):
        return []
    return [Excerpt(path, first, tuple(lines), until=last - first + 1, total=total)]


def _bare(path: str, text: str) -> list[Read]:
    """Bare output: the file as far as it can be told, or, of what may be it, lines that may contradict our text."""
    match likeness(path, text):
        case Likeness.FILE:
            return [Shown(path, text, Carrier.READ, whole=True, raw=True)]
        case Likeness.PERHAPS:
            return [Excerpt(path, 0, tuple(text.strip("\n").split("\n")), bare=text)]
        case _:
            return []


def _numbered(path: str, seen: Numbered, total: int | None, tool: Tool, asked: _Asked) -> list[Read]:
    """Numbered lines: the whole file where they run from 1 to its end."""
    lines = seen.lines
    closed = seen.numbers_what_follows and len(lines) > 1 and lines[-1] == ""
    count = len(lines) - closed
    if any(_frames().cut.search(line) for line in lines):
        return []
    full = asked.count if tool.limit == 0 else min(asked.count, tool.limit)
    complete = len(lines) < full if total is None else count == total  # an empty last line may be one of the file's
    whole = seen.all and seen.first == 1 and asked.first == 1 and complete
    if not whole:
        return [Excerpt(path, seen.first, lines)]
    exact = tool.ended and total is None and not seen.padded  # today's builds, which don't set numbers to one width
    return [Shown(path, "\n".join(lines), Carrier.READ, whole=True, ended=closed or exact)]


def _held_open(read: Read, text: str, seen: Numbered) -> Read:
    """What a tool shows that may number lines and may not: the numbers may be the file's own.

    They are the reader's where they are set in a column as `cat -n` does, or where only the lines without them are of
    the file's language; else neither text is known to be the file's.
    """
    if isinstance(read, Drift):
        return read
    if isinstance(read, Excerpt):
        return replace(read, with_numbers=text)
    if (seen.padded and seen.mark in "\t→") or (is_code(read.path, read.text + "\n") and not is_code(read.path, text)):
        return replace(read, with_numbers=text)
    return Excerpt(read.path, 1, tuple(read.text.split("\n")), until=-1, bare=text, with_numbers=text)


def _part(path: str, text: str, asked: _Asked) -> list[Read]:
    """Bare lines that a call asked for: a part of the file, where they can be nothing else."""
    lines = text.strip("\n").split("\n")
    partial = (len(lines) > 2 or len(lines) == asked.count) and is_content(path, text)
    return [Excerpt(path, 0, tuple(lines))] if partial and asked.first else []


def _view(text: str) -> str | None:
    """The file in avante's JSON view; empty where it is not whole, None for any other result."""
    if not text.startswith('{"content"') or not (answers := decoded(text)) or not isinstance(view := answers[0], dict):
        return None
    content, total = view.get("content"), view.get("total_line_count")
    if view.get("is_truncated") is not False or not isinstance(content, str) or not isinstance(total, int):
        return ""
    return content if total in (content.count("\n"), content.count("\n") + 1) else ""


def _without_trailer(text: str) -> tuple[str, int | None]:
    """A text without the line by which a reader says that the file ends, and the number of lines that it states."""
    body, _, last = text.rstrip().rpartition("\n")
    match = next((m for trailer in _frames().trailer if (m := trailer.fullmatch(last))), None)
    if match is None:
        return text, None
    body = body.rstrip("\n")
    total = match.groupdict().get("total")
    return body, int(total) if total else None


# -- several files


def _several(arguments: Arguments, text: str, tool: Tool) -> list[Read]:
    """Several files in one result: Cline's JSON list, Roo's XML, which number each file's lines; texts under paths."""
    paths = argument(arguments, "paths")
    if paths is None:
        return []
    if not tool.numbers:
        return _under_paths(paths, text)
    tool = tool.model_copy(update={"raw": False})
    if "<files>" in text:
        return [
            shown for block in tagged(text.replace("<files>", ""), ("file",)) for shown in _block(block.inner, tool)
        ]
    found: list[Read] = []
    for answer in decoded(text) or []:
        if not isinstance(answer, dict):
            continue
        query, shown, error = answer.get("query"), answer.get("result"), answer.get("error")
        if answer.get("success") is False and isinstance(query, str) and isinstance(error, str):
            if is_gone(Item(Role.TOOL, ItemKind.RESULT, error, is_error=True)):
                found.append(Excerpt(re.sub(r":\d+-\d*$", "", query), 1, ()))
            continue
        if answer.get("success") is not True:
            continue
        if isinstance(query, str) and isinstance(shown, str):
            ranged = re.search(r":(\d+)-\d*$", query)
            found += _file(query[: ranged.start()] if ranged else query, shown, tool, _Asked(0) if ranged else _Asked())
    return found


def _under_paths(paths: object, text: str) -> list[Read]:
    """The texts of several files, each under its path, as the Model Context Protocol's file server shows them."""
    called = [path for path in paths if isinstance(path, str)][:FILES_MAX] if isinstance(paths, list) else []
    names = "|".join(re.escape(path) for path in called) or r"\Z."
    heads = list(re.finditer(rf"(?:\A|\n---\n)(?P<path>{names}):(?P<error> Error[^\n]*)?(?=\n|\Z)", text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    bodies = [(head, text[head.end() : end]) for head, end in zip(heads, ends, strict=True) if not head["error"]]
    return [Excerpt(head["path"], 1, tuple(body.split("\n")), until=-1) for head, body in bodies if not is_cut(body)]


_CONTENT = re.compile(r"\A\s*<path>(?P<path>[^<\n]+)</path>\s*<content(?: lines=\"(?P<first>\d+)-(?P<last>\d+)\")?>\n")


def _block(inner: str, tool: Tool) -> list[Read]:
    """One file of Roo's XML: whole only if nothing but its content stands there, from the first line on."""
    head, end = _CONTENT.match(inner), inner.rfind("</content>")
    if head is None or end < head.end():
        return []
    body = inner[head.end() : end].removesuffix("\n")
    alone = not inner[end + len("</content>") :].strip()
    whole = alone and (not head["last"] or (head["first"] == "1" and int(head["last"]) == body.count("\n") + 1))
    return _file(head["path"].strip(), body, tool, _Asked() if whole else _Asked(0))


# -- what a command printed


def _printed(path: str, count: int, result: Item, *, bare: bool) -> list[Read]:
    """What `cat` printed, without what the client says around it; so many lines at most (0: all), and fewer are all of
    a file. `bare`: the client is known to say nothing."""
    text = result.text
    if verdict_of(result, _SHELL) is not Verdict.SUCCESS or _frames().stubs.match(text):
        return []
    framed = _output(text)
    if framed is None and (not is_content(path, text) or len(text) >= PRINTED_CHARS_MAX):
        return []
    if framed is None and not bare and not is_provable(path):
        return [Excerpt(path, 0, tuple(text.strip("\n").split("\n")), bare=text)]
    text = text if framed is None else framed
    if count and text.removesuffix("\n").count("\n") + 1 >= count:
        return []
    if not text.strip() or is_cut(text) or any(_frames().cut.search(line) for line in text.split("\n")):
        return []
    return [Shown(path, text, Carrier.READ, whole=True, ended=text.endswith("\n"), raw=framed is None)]


def _as_doubt(shown: Read) -> Read:
    """What is shown of a file of that name, which may be another one: it makes nothing true."""
    if not isinstance(shown, Shown):
        return shown
    return Excerpt(shown.path, 0, tuple(shown.text.strip("\n").split("\n")), bare=shown.text)


def _displayed(call: Item, result: Item, folder: str | None) -> list[Read]:
    """What a script that only reads shows of files."""
    arguments = arguments_of(call)
    scripts = shell_scripts(arguments, folder)
    if len(scripts) != 1 or scripts[0][1] is None or verdict_of(result, _SHELL) is Verdict.DENIED:
        return []
    framed = _output(result.text)
    said = shell_outcome(result, call.name, arguments)
    output = result.text if framed is None else framed
    output = "" if known_silence(output) else output
    return list(excerpts(scripts[0][0], scripts[0][1], output, said, framed is not None))


def _output(text: str) -> str | None:
    """What stands in a client's known frame of a command's output; empty where it shows several, None without one."""
    found = printed(text)
    return found if found is None else found[0] if len(found) == 1 else ""
