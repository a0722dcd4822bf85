"""Blocks that held code, of which only what does nothing is left on the line that opened them (SEMANTICS 3, gate A):
`(id) => null`, `else { return; }`, `int add(int a, int b);`.

A line that begins as one that is gone did is that one with another body. What the gone one opened is told by how far
its lines were indented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from tslp_litellm.syntax.code_lines import Line
from tslp_litellm.syntax.idle import STATEMENT_CHARS_MAX, Words, is_form

BLOCK_LINES_MIN = 2
"""So many lines of a block that did something; a declaration stands for a body of any size."""

_ENDS = " ;,)](["
_OPENS = " :{(["
_TAKES = re.compile(
    r"(?:(?:\basync )?(?:\([^()]*\)|(?<![\w$])[\w$]++) ?=>|(?:\bdo|\{)? ?\|[^|]*\||\b(?:async )?function ?\w*\([^()]*\)"
    r"|\{ ?[\w, ()]{1,99} ?(?:->|in)|\bfunc\([^()]*\)[\w .*]{0,99}|\bdo|\bthen|\bbegin|->)\Z"
)
"""What a block is given, or the word that opens it, at the end of its head."""
_WORD = re.compile(r"\b(?:function ?\w*\([^()]*\)|do(?: ?\|[^|]*\|)?|then|begin)(?= )")
_CLOSED = re.compile(r"\b(?:end|fi|done)\Z")
_EMPTY = re.compile(
    r"(=>|\bfunction ?\w*\([^()]*\)) ?(\{ ?\}|\(?(?:null|undefined|void 0|false|true|\{\}|\[\])\)?)(?=[,)])"
)
"""A closure that does nothing, among what is given to a call."""
_GIVEN = re.compile(r"\A\s*(?:\|[^|]*\||[\w, ()]{1,99}(?:->|\bin\b))")
_BESIDE = re.compile(r"\A(?:(?:explicit|virtual|static|inline|extern|constexpr|friend) ){1,6}")
_DECLARES = re.compile(r"\A(?P<head>[^{}=;]*\)[^{}=;()]*)(?:= ?0 ?)?;\Z")


def takes(code: str) -> bool:
    """Whether a line ends in what a block is given, or in the word that opens it."""
    return _TAKES.search(code[-STATEMENT_CHARS_MAX:]) is not None


def opens(code: str) -> bool:
    """Whether a line ends in what opens a block."""
    is_case = code.endswith(")") and len(code) > 1 and "(" not in code  # of a shell
    return is_case or code.endswith(("{", ":", "=>", "->", "(")) or takes(code)


class Before:
    """The lines that stood at a place. `indentation`: of one; `works`: whether one did something, and is gone."""

    def __init__(
        self, lines: Sequence[Line], indentation: Callable[[Line], int], works: Callable[[Line], bool]
    ) -> None:
        self._lines, self._indentation, self._works = lines, indentation, works
        self._counted: dict[int, int] = {}

    @cached_property
    def heads(self) -> dict[str, int]:
        """What opened blocks, with the numbers of the lines."""
        return {_head(line.code): n for n, line in enumerate(self._lines) if opens(line.code) or self._holds(n)}

    def _holds(self, n: int) -> bool:
        """Whether the line below one is indented further, or opens its block."""
        if n + 1 == len(self._lines):
            return False
        below = self._lines[n + 1]
        return below.code == "{" or self._indentation(below) > self._indentation(self._lines[n])

    @cached_property
    def defined(self) -> dict[str, int]:
        """What was defined with a body, by the whole head and by what stands before its parameters."""
        found: dict[str, int] = {}
        for n, line in enumerate(self._lines):
            head, brace, _ = line.code.partition("{")
            name, bracket, rest = head.partition("(")
            if bracket and (brace or (self._holds(n) and self._lines[n + 1].code == "{")):
                found |= {_plain(head): n, _plain(f"{name}({rest.partition(')')[0]})"): n}
                found |= {_plain(name): n} if " " in _plain(name) else {}
        return found

    def worked(self, n: int) -> int:
        """How many lines that worked stood in the block that a line opened."""
        if n not in self._counted:
            first, count = self._indentation(self._lines[n]), 0
            for line in self._lines[n + 1 :]:
                if self._indentation(line) <= first and line.code != "{":
                    break
                count += self._works(line)
            self._counted[n] = count
        return self._counted[n]

    def on_line(self, n: int) -> bool:
        """Whether a line held all of a body that worked."""
        line = self._lines[n]
        return bool(line.code.partition("{")[2].strip(" };")) and self._works(line)


def emptied(before: Before, now: Sequence[Line], words: Words) -> list[int]:
    """Byte offsets of the lines that open a block as a line before did, and leave nothing of it."""
    if not words.are_statements:
        return []
    return [
        line.start
        for line in now
        if len(line.code) <= STATEMENT_CHARS_MAX
        and (_is_left(line.code, before, words) or (words.declares and _is_declared(line.code, before)))
    ]


def _is_left(code: str, before: Before, words: Words) -> bool:
    """Whether a line holds a block of which only what does nothing is left."""
    for head, body in _parted(code):
        said = _GIVEN.sub("", body).strip()
        n = before.heads.get(begun) if (begun := _head(head)) else None
        idle = n is not None and (not said or is_form("trivial", said) or words.kind(said) is not None)
        if n is not None and idle and before.worked(n) >= BLOCK_LINES_MIN:
            return True
    return False


def _parted(code: str) -> Iterator[tuple[str, str]]:
    """The head and the body of a block that stands on one line, in the ways in which it may; none where it goes on."""
    if opens(code):
        return
    text = code.rstrip(_ENDS)
    if text.endswith("}"):
        head, _, body = text[:-1].rpartition("{")
        yield head, body
    if found := list(_WORD.finditer(text)):
        end = found[-1].end()
        yield text[:end], _CLOSED.sub("", text[end:]).strip(_ENDS)
    yield from ((text[: m.end(1)], m[2]) for m in _EMPTY.finditer(text))
    for sign in ("=>", "->", "|", ": ", ") ", "else "):
        head, there, body = text.rpartition(sign)
        if there:
            yield head + there, body


def _head(code: str) -> str:
    """What a block's head says, without what the block is given and the signs that open it."""
    return _TAKES.sub("", code[:STATEMENT_CHARS_MAX].rstrip(_OPENS)).rstrip(_OPENS)


def _plain(head: str) -> str:
    """A head without the words that a declaration may have beside its definition."""
    return _BESIDE.sub("", head).strip()


def _is_declared(code: str, before: Before) -> bool:
    """Whether a line only declares what a line before defined with its body."""
    m = _DECLARES.match(code)
    if m is None:
        return False
    n = before.defined.get(_plain(m["head"]), before.defined.get(_plain(code.partition("(")[0])))
    return n is not None and (before.worked(n) > 0 or before.on_line(n))
