"""Code that gave way to nothing: to comments, blanks or a stub, in whatever words (SEMANTICS 3, gate A).

Found by the lines of a text aligned with those of the text that it replaces. What is merely gone is no matter of
this module, but of collapse and parity; nor is what stands elsewhere in the new text.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib import resources

from tslp_litellm.syntax.alignment import Hunk, hunks
from tslp_litellm.syntax.code_lines import Line, code_lines, within
from tslp_litellm.syntax.languages import Nature, language_named
from tslp_litellm.syntax.left_out import bare, behind
from tslp_litellm.syntax.outline import Outline, Span, Symbol
from tslp_litellm.syntax.symbols import Kind

CONSTANT_FOR_LINES_MIN = 3
"""Of so many lines of code that gave way to a constant, the constant is taken for a stub; of fewer, for an edit."""
CHANGED_WITHIN_LINES = 40
"""So many lines further a changed line is looked for."""
BODY_STATEMENTS_MIN = 2
"""A body of so many statements is code; one of fewer may become a constant by an edit."""
_MARKUP = frozenset({"html", "xml"})


def _holds_code(seen: Outline) -> bool:
    """Whether a text's lines are statements, which a stub can stand for; in words and markup only a comment can."""
    if seen.by_pattern or not seen.language or seen.language in _MARKUP:
        return seen.by_pattern
    return seen.parsed or language_named(seen.language).nature in (Nature.CODE, Nature.SHELL)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "stubs.json").read_text("utf-8"))
    return {k: re.compile(rf"\A(?:{'|'.join(v)})") for k, v in data.items() if isinstance(v, list)}


def _is(kind: str, statement: str) -> bool:
    return _patterns()[kind].fullmatch(statement.strip().rstrip(";").strip()) is not None


def gave_way(candidate: Outline, base: Outline, excused: Iterable[Span] = ()) -> tuple[int, ...]:
    """Byte offsets in a text of what stands where the text before has code. `excused`: what may go of that."""
    return Beside(candidate, base, excused).gave_way()


class Beside:
    """A text and the one before it; what all their definitions have in common is worked out once.

    `excused`: what may go of the text before.
    """

    def __init__(self, candidate: Outline, base: Outline, excused: Iterable[Span] = ()) -> None:
        self._candidate, self._base, self._excused = candidate, base, tuple(excused)
        self._is_code = _holds_code(candidate)

    def gave_way(self, part: tuple[Symbol, Symbol] | None = None) -> tuple[int, ...]:
        """Byte offsets in the text of what stands where the text before has code.

        `part`: only of these definitions of the two texts, new and old.
        """
        if self._base.text == self._candidate.text:
            return ()
        new, old, inside = self._new, self._old, self._inside
        if part is not None:
            new, old = (within(side, s.start, s.end) for side, s in ((new, part[0]), (old, part[1])))
            inside = inside[bisect_left(inside, part[0].start) : bisect_left(inside, part[0].end)]
        found = hunks([line.key for line in old], [line.key for line in new])
        moved = Counter(line.code for hunk in found for line in new[hunk.new : hunk.new_end])
        known = {said for line in old for _, comment in line.comments for said in _sayings(comment)}
        parts = (part for hunk in found for part in _between_changed_lines(hunk, old, new))
        places = (at for h in parts for at in _stands_for(h, old, new, moved, known, self._excused, self._is_code))
        return tuple(sorted({*places, *inside}))

    @cached_property
    def _new(self) -> list[Line]:
        return code_lines(self._candidate)

    @cached_property
    def _old(self) -> list[Line]:
        return code_lines(self._base)

    @cached_property
    def _inside(self) -> list[int]:
        """What stands for the whole of a definition."""
        return sorted(_hollow(self._candidate, self._base))


def _between_changed_lines(hunk: Hunk, old: list[Line], new: list[Line]) -> Iterator[Hunk]:
    """The parts of a place around lines that were changed: one that begins like an old line, and still has all of it in
    order, is that one; so a comment above it may stand for what was between."""
    at, since = hunk.old, hunk.new
    both = hunk.old < hunk.old_end and hunk.new < hunk.new_end
    were = {m: _TOKEN.findall(old[m].code) for m in range(hunk.old, hunk.old_end if both else hunk.old)}
    for n in range(hunk.new, hunk.new_end if both else hunk.new):
        now = _TOKEN.findall(new[n].code)
        for m in range(at, min(hunk.old_end, at + CHANGED_WITHIN_LINES)):
            if len(were[m]) > 1 and were[m][:1] == now[:1] and _goes_through(were[m], now):
                yield Hunk(at, m, since, n)
                at, since = m + 1, n + 1
                break
    yield Hunk(at, hunk.old_end, since, hunk.new_end)


def _goes_through(few: list[str], many: list[str]) -> bool:
    rest = iter(many)
    return all(one in rest for one in few)


_TOKEN = re.compile(r"\w+|[-+*/%=<>!&|^~]+|[^\w\s]")


def _stands_for(
    hunk: Hunk,
    old: list[Line],
    new: list[Line],
    moved: Counter[str],
    known: set[str],
    excused: tuple[Span, ...],
    is_code: bool,
) -> list[int]:
    """What a place of the new text has instead of code; nothing where it has code, where nothing is there, or where
    most of what was there stands elsewhere."""
    was = [
        line.code
        for line in old[hunk.old : hunk.old_end]
        if not _is("trivial", line.code)
        and not _is("stub", line.code)
        and not any(span.start <= line.start < span.end for span in excused)
    ]
    lost = [code for code in was if not moved[code]]
    if not lost or all(_is("dots", code) for code in lost) or 2 * len(lost) < len(was):
        return []
    gained = [line for line in new[hunk.new : hunk.new_end] if not _is("trivial", line.code) or line.code == "pass"]
    alone = len(gained) == 1 and _is_statement(hunk, new)
    marks = [line.start for line in gained if _is_mark(line.code, len(lost), is_code, alone)]
    if len(marks) < (code := len([line for line in gained if not _is_string(line.code)])):
        return _comments(hunk, new, lost, known, "keeps") if code < len(lost) else []
    return marks or _comments(hunk, new, lost, known)


def _is_mark(code: str, lost: int, is_code: bool, alone: bool) -> bool:
    if _is("dots", code) or (is_code and _is("stub", code)):
        return True
    return is_code and lost >= CONSTANT_FOR_LINES_MIN and (_is("constant", code) or (alone and _is("text", code)))


_GOES_ON = ("(", "[", ",", "=", "+", "\\", "|", "&", "?", '"', "'", "`")
_WENT_ON = (")", "]", ",", "+", ".", "|", "&", "?", '"', "'", "`")


def _is_statement(hunk: Hunk, new: list[Line]) -> bool:
    """Whether a place's lines are no part of what the lines around it say."""
    above = new[hunk.new - 1].code if hunk.new else ""
    below = new[hunk.new_end].code if hunk.new_end < len(new) else ""
    return not above.endswith(_GOES_ON) and not below.startswith(_WENT_ON)


def _is_string(code: str) -> bool:
    """A line of a docstring, which is neither code nor what stands for it."""
    return code.lstrip("rbuRBU").startswith(('"""', "'''"))


def _comments(hunk: Hunk, new: list[Line], lost: list[str], known: set[str], kind: str = "") -> list[int]:
    """The comments that are new at a place, or those of a kind. Those above a definition are about it, and code that
    was commented out is no stand-in."""
    gone = {_letters(code) for code in lost}
    here = new[hunk.new : hunk.new_end + 1]
    return [
        at
        for line in here
        for at, comment in line.comments
        if at < line.belongs
        and any(
            said and said not in known and _letters(said) not in gone and (not kind or _is(kind, said))
            for said in _sayings(comment)
        )
    ]


def _letters(text: str) -> str:
    return "".join(re.findall(r"\w+", text.lower()))


def _sayings(comment: str) -> list[str]:
    return [bare(line) for line in comment.splitlines()]


# -- a definition of which only a stub is left


def _hollow(candidate: Outline, base: Outline) -> list[int]:
    """Functions that had a body, and have none any more."""
    pairs = ((s, base.by_name.get(s.name)) for s in candidate.symbols if s.kind is Kind.FUNCTION)
    return [
        after.node_start
        for after, before in pairs
        if before is not None
        and before.kind is Kind.FUNCTION
        and candidate.text[after.inner : after.node_end] != base.text[before.inner : before.node_end]
        and _is_hollow(statements(candidate, after), statements(base, before))
        and not _header_took_over(candidate, after, base, before)
        and not _has_its_body(candidate, after, base, before)
    ]


def _has_its_body(candidate: Outline, after: Symbol, base: Outline, before: Symbol) -> bool:
    """Whether a new definition of the same name has a body: overloads are declared in front of it."""
    was = statements(base, before)
    bodies = (statements(candidate, other) for other in behind(candidate, after, base))
    return any(now and not _is_hollow(now, was) for now in bodies)


def _header_took_over(candidate: Outline, after: Symbol, base: Outline, before: Symbol) -> bool:
    """Whether a constructor's body is empty because what stands in front of it sets the fields now:
    `constructor(private db: Db) {}`, `Users(Db db) : db(db) {}`."""
    if not is_constructor(after) or after.leaf == "__init__":
        return False
    return len(candidate.signature(after)) > len(base.signature(before)) and not statements(candidate, after)


def is_constructor(symbol: Symbol) -> bool:
    """Whether a member makes its type's values, by its name."""
    return symbol.leaf in (*_CONSTRUCTORS, symbol.base.rpartition(".")[0].rpartition(".")[2])


_CONSTRUCTORS = ("constructor", "__construct", "__init__")


def _is_hollow(now: list[str] | None, before: list[str] | None) -> bool:
    """Whether a body that held code is nothing but statements which stand for none. A constant is an edit where there
    was little before."""
    if now is None or not before or all(_is("stub", one) for one in before):
        return False
    if all(_is("stub", one) for one in now):
        return True
    if all(_is_poor(one) for one in before) or not all(_is_poor(one) for one in now):
        return False
    return len(before) >= BODY_STATEMENTS_MIN or any(_is("stub", one) or _is("thrown", one) for one in now)


def _is_poor(statement: str) -> bool:
    return any(_is(kind, statement) for kind in ("stub", "constant", "thrown", "text"))


def statements(seen: Outline, symbol: Symbol) -> list[str] | None:
    """The statements of a function's body, roughly: its lines without comments, docstrings and brackets. None where
    it can't be told where the body begins."""
    text = _without_comments(seen, symbol)
    at = _body_start(text, seen.language)
    if at is None:
        return None
    body = _DOCSTRING.sub("", text[at:])
    parts = (" ".join(part.split()) for part in re.split(r"[\n;]|[{}](?=\s|$)", body))
    return [part for part in parts if part and (part == "pass" or not _is("trivial", part))]


_DOCSTRING = re.compile(
    r"^[^\S\n]*+[rbuRBU]{0,2}(?:\"{3}[^\"]*+(?:\"{1,2}[^\"]++)*+\"{3}|'{3}[^']*+(?:'{1,2}[^']++)*+'{3})", re.M
)


def _without_comments(seen: Outline, symbol: Symbol) -> str:
    out, at = [], symbol.inner
    for comment in seen.comments:
        if at <= comment.start < symbol.node_end:
            out.append(seen.text[at : comment.start])
            at = max(at, comment.end)
    return b"".join([*out, seen.text[at : symbol.node_end]]).decode(errors="replace")


_OPENS, _CLOSES = "([", ")]"


def _body_start(text: str, language: str) -> int | None:
    """Where a function's body begins: behind its parameters and `{`, `:`, `=>`, `=`, or the first line's end."""
    depth, parameters = 0, "(" not in text.partition("\n")[0]
    for m in _JOINTS.finditer(text):
        mark = m.group()
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
            parameters = parameters or depth == 0
        elif not depth and _opens_body(mark, text, m, parameters, language):
            return m.end()
    return None


_JOINTS = re.compile(r"=>|->|[()\[\]{:=\n]|\bdo\b")
_BY_COLON = re.compile(r"(?:async )?def ")
_BY_LINE = re.compile(r"(?:def|function|local function|sub|defp) ")


def _opens_body(mark: str, text: str, m: re.Match[str], parameters: bool, language: str) -> bool:
    match mark:
        case "=>" | "do":
            return True
        case "{" | "=":
            return parameters
        case ":":
            return parameters and language in ("python", "") and _BY_COLON.match(text) is not None
        case "\n":
            return _BY_LINE.match(text) is not None and text[: m.start()].rstrip()[-1:] not in (",", "{", ":", "(")
        case _:
            return False
