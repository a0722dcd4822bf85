"""Commands that the user ran through the client, in the client's own frame (`commands` in `data/clients.json`).

Behind this module nobody knows that they were text: each is a call of the client's shell, with its result. Only the
whole frame, where a message begins with it, says what the command printed; a command whose result is not framed as
known did nobody knows what.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tslp_litellm.data import table
from tslp_litellm.data.schema import Clients, UserCommand
from tslp_litellm.dialects.values import Evidence, Outcome, Shown
from tslp_litellm.parser.budget import spend
from tslp_litellm.shell.certainty import Outcome as ShellOutcome
from tslp_litellm.wire.turn import Item, ItemKind, Role

UNTOLD = "[output omitted]"
"""Stands for a result that nobody knows."""
ASIDE = ""
"""A part of a frame in which nothing but white space stands."""
_SPACE = re.compile(r"\s*+")


@dataclass(frozen=True, slots=True)
class _Run:
    """A command with its result as a tool would give it. `end`: where the frame ends."""

    command: str
    result: str
    end: int


def with_commands(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items, with commands that the user ran made calls and results of their own."""
    out: list[Item] = []
    for item in _together(items):
        spend()
        out += _expanded(item) if _may_begin(item) else [item]
    return tuple(out)


def by_user(call: Item) -> bool:
    """Whether a call is a command of the user's."""
    return call.role is Role.USER


def said_of(call: Item, said: ShellOutcome) -> ShellOutcome:
    """What is known of a script's end: nobody answers for it that a user's command ran to its own."""
    return ShellOutcome.UNKNOWN if by_user(call) and said is ShellOutcome.RAN else said


def in_doubt(found: Sequence[Evidence | Outcome]) -> list[Evidence | Outcome]:
    """What a user's command showed: without a stated exit status its bare output (cut, escaped, of a command that was
    stopped) is no file's text, but proves doubt where ours is another."""
    return [replace(piece, doubted=True) if isinstance(piece, Shown) and piece.raw else piece for piece in found]


def _frames() -> tuple[UserCommand, ...]:
    return table("clients", Clients).commands


def _may_begin(item: Item) -> bool:
    if item.kind is not ItemKind.TEXT or item.role is not Role.USER or not item.exact:
        return False
    return item.text.lstrip().startswith(tuple(frame.marks[0] for frame in _frames()))


def _together(items: Iterable[Item]) -> list[Item]:
    """The items, with frames that a client spread over several messages or parts put together again."""
    out: list[Item] = []
    for item in items:
        if out and _goes_on(out[-1], item):
            out[-1] = replace(out[-1], text=f"{out[-1].text.rstrip()}\n{item.text}")
        else:
            out.append(item)
    return out


def _goes_on(before: Item, item: Item) -> bool:
    """Whether an item is the rest of the frame that the one before it begins: it ends where another mark is due."""
    if item.kind is not ItemKind.TEXT or item.role is not Role.USER or not _may_begin(before):
        return False
    said, more = before.text.strip(), item.text.lstrip()
    return any(
        part == ASIDE and said.endswith(mark) and more.startswith(behind) and behind not in said
        for frame in _frames()
        if said.startswith(frame.marks[0])
        for mark, part, behind in zip(frame.marks[1:-1], frame.parts[1:], frame.marks[2:], strict=True)
    )


def _expanded(item: Item) -> list[Item]:
    """A text as the commands that it begins with, and what is left of it."""
    out, text, at = list[Item](), _Text(item.text), 0
    while (found := _next(text, at)) is not None:
        spend()
        frame, run = found
        arguments = json.dumps({"command": run.command}, ensure_ascii=False)
        call = replace(item, kind=ItemKind.CALL, text=arguments, name=frame.tool, call_id=_id(frame, run))
        out += [call, replace(call, role=Role.TOOL, kind=ItemKind.RESULT, text=run.result, name="")]
        at = run.end
    rest = item.text[at:]
    return [*out, replace(item, text=rest)] if rest.strip() else out


def _id(frame: UserCommand, run: _Run) -> str:
    """The same frame is the same call whenever it is sent again."""
    content = f"{frame.client}\0{run.command}\0{run.result}".encode(errors="replace")
    return "user-" + hashlib.blake2b(content, digest_size=12).hexdigest()


class _Text:
    """A text in which marks are looked for from its beginning on, each place once."""

    def __init__(self, text: str) -> None:
        self.text, self.length = text, len(text.rstrip())
        self._found: dict[str, int] = {}

    def find(self, mark: str, at: int) -> int:
        """Where a mark stands next; -1 where it does not."""
        if not mark:
            return len(self.text)
        known = self._found.get(mark, 0)
        if 0 <= known < at or mark not in self._found:
            known = self._found[mark] = self.text.find(mark, at)
        return known

    def begins(self, mark: str, at: int) -> int:
        """Where the next characters that are no white space are a mark; -1 where they are not."""
        space = _SPACE.match(self.text, at)
        start = space.end() if space else at
        return start if self.text.startswith(mark, start) else -1

    def last(self, mark: str, at: int) -> int:
        """Where the text ends with a mark, behind some place; -1 where it does not."""
        start = self.length - len(mark)
        return start if start >= at and self.text.startswith(mark, start) else -1


def _next(text: _Text, at: int) -> tuple[UserCommand, _Run] | None:
    """The frame that begins at a place in a text, white space apart, and what it holds."""
    for frame in _frames():
        start = text.begins(frame.marks[0], at)
        if start >= 0 and (run := _run(frame, text, start + len(frame.marks[0]))) is not None:
            return frame, run
    return None


def _run(frame: UserCommand, text: _Text, begin: int) -> _Run | None:
    """A frame's command and result; None where not even the command is framed."""
    mark = frame.marks[1]
    close = text.find(mark, begin)
    if close < 0:  # it goes on as nobody knows; what closes the command is there, or it is no frame
        mark = mark.strip().partition("\n")[0]
        close = text.find(mark, begin)
    if close < 0 or not (command := text.text[begin:close]).strip():
        return None
    spans = _spans(frame, text, begin) if mark == frame.marks[1] else None
    if spans is None:
        return _Run(command, UNTOLD, close + len(mark))
    parts: dict[str, str] = {name: text.text[start:end] for name, (start, end) in zip(frame.parts, spans, strict=True)}
    return _Run(command, _result(frame, parts), spans[-1][1] + len(frame.marks[-1]))


def _spans(frame: UserCommand, text: _Text, at: int) -> list[tuple[int, int]] | None:
    """Where the parts of a frame begin and end; None where it is not as known, or its last mark may stand in what the
    command printed."""
    spans = list[tuple[int, int]]()
    for part, mark in zip(frame.parts, frame.marks[1:], strict=True):
        end = text.begins(mark, at) if part == ASIDE else text.find(mark, at)
        if end < 0:
            return None
        spans.append((at, end))
        at = end + len(mark)
    start, last = spans[-1][0], frame.marks[-1]
    if any(text.begins(other.marks[0], at) >= 0 for other in _frames()) or at >= text.length:
        return spans
    end = text.last(last, start) if last and text.find(frame.marks[0], start) < 0 else -1
    return [*spans[:-1], (start, end)] if end >= 0 else None


def _result(frame: UserCommand, parts: dict[str, str]) -> str:
    """What a tool's result would be: the exit status, where it is stated, and the output."""
    output = "" if parts["output"].strip() in frame.silence else parts["output"]
    output = "\n".join(part for part in (output, parts.get("errors", "")) if part)
    if "exit" not in parts:
        return output
    return f"Exit code: {parts['exit']}\nOutput:\n{output}" if parts["exit"].lstrip("-").isdecimal() else UNTOLD
