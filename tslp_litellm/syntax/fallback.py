"""Definitions by patterns, where there is no usable parse (§4.1, SEMANTICS 3, Confidence).

Where a definition ends is found by two witnesses that must agree (braces and indentation, a closing line and
indentation, brackets and layout); where they don't, or a name is defined twice, only the file is tracked.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from tslp_litellm.syntax.patterns import LINE_CHARS_MAX, MATCH_TIMEOUT_S, Definition, Ending, Rules, Table, table
from tslp_litellm.syntax.symbols import Kind, Span, Symbol, squeeze

BUDGET_S = 1.0
"""A text that takes longer has no definitions."""
TEXT_BYTES_MAX = 2_000_000
OPENS_WITHIN_LINES = 20
_NAME = re.compile(r"\A[^\s.:#()\[\]{}\"',;`]{1,200}(?<!\\)")
_CLOSED = re.compile(r"[})\]]+[;,]?\s*(?:(?:#|//|--|;).*)?")
_BRACKETS = ("()", "[]", "{}")


@dataclass(frozen=True, slots=True)
class Found:
    """What patterns say of a text. `named`: every name that a pattern saw defined, placed or not. `preamble`: the lines
    in front of the first definition, comments aside; `loose`: all lines outside of definitions."""

    symbols: tuple[Symbol, ...] = ()
    comments: tuple[Span, ...] = ()
    preamble: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


class _Installed:
    """The table in use, and how often it was changed."""

    table: Table | None = None
    generation = 0


def install(own: Mapping[str, Rules] | None) -> None:
    """Use a user's rules, language by language, in front of those that come with TSLP."""
    packaged = table(json.loads(packaged_file().read_text("utf-8")))
    _Installed.table = {**packaged, **(own or {})}
    _Installed.generation += 1


def packaged_file() -> Path:
    """The patterns that come with TSLP: in the wheel inside the package, in a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    packaged = package / "symbols.json"
    return packaged if packaged.is_file() else package.parent / "symbols.json"


def generation() -> int:
    """Changes with the rules; what was found by others is out of date."""
    return _Installed.generation


def rules_for(language: str) -> Rules | None:
    """A language's rules."""
    if _Installed.table is None:
        install(None)
    assert _Installed.table is not None
    return _Installed.table.get(language)


@dataclass(slots=True)
class _Hit:
    """A line that begins a definition; `last` is None where its end is in doubt."""

    definition: Definition
    name: str
    first: int
    last: int | None
    indent: str
    parent: str | None = None

    @property
    def full(self) -> str:
        return f"{self.parent}.{self.name}" if self.parent else self.name


def definitions(language: str, source: bytes) -> Found:
    """A text's definitions by the language's patterns. Never raises; in doubt there are none."""
    rules = rules_for(language)
    if rules is None or not rules.definitions or len(source) > TEXT_BYTES_MAX:
        return Found()
    lines = [line.rstrip("\r") for line in source.decode().split("\n")]
    try:
        deadline = time.monotonic() + BUDGET_S
        skipped = _skipped(rules, lines, deadline)
        hits = _hits(rules, lines, skipped, deadline)
    except TimeoutError:
        return Found()
    hits = _placed(_joined(hits))
    counts = Counter(hit.full for hit in hits)
    sure = [hit for hit in hits if hit.last is not None and counts[hit.full] == 1]
    known = {hit.full for hit in sure}
    sure = [hit for hit in sure if hit.parent is None or hit.parent in known]
    remarks = [not skip and _is_comment(line, rules) for line, skip in zip(lines, skipped, strict=True)]
    return _found(source, lines, remarks, sure, frozenset(counts))


def _hits(rules: Rules, lines: Sequence[str], skipped: Sequence[bool], deadline: float) -> list[_Hit]:
    hits = []
    for n, line in enumerate(lines):
        if skipped[n] or not line.strip() or len(line) > LINE_CHARS_MAX:
            continue
        if time.monotonic() > deadline:
            raise TimeoutError
        for definition in rules.definitions:
            match = definition.pattern.match(line, timeout=MATCH_TIMEOUT_S)
            if match is not None and _NAME.fullmatch(match["name"] or ""):
                last = _end(definition, match["name"], lines, n, rules)
                hits.append(_Hit(definition, match["name"], n, last, _indent(line)))
                break
    return hits


def _skipped(rules: Rules, lines: Sequence[str], deadline: float) -> list[bool]:
    """Which lines are no code: documentation, long comments, what stands behind the end."""
    out, until = [], None
    for line in lines:
        if time.monotonic() > deadline:
            raise TimeoutError
        inside = until is not None
        text = line[:LINE_CHARS_MAX]
        if until is not None:
            until = None if until.search(text, timeout=MATCH_TIMEOUT_S) else until
        else:
            for first, last in rules.skips:
                opened = first.search(text, timeout=MATCH_TIMEOUT_S)
                if opened:
                    inside = True
                    until = None if last.search(text, opened.end(), timeout=MATCH_TIMEOUT_S) else last
                    break
        out.append(inside)
    return out


def _joined(hits: list[_Hit]) -> list[_Hit]:
    """Clauses and signatures of one name that follow each other, as one definition."""
    out: list[_Hit] = []
    for hit in hits:
        before = out[-1] if out else None
        if (
            before is not None
            and hit.definition.joins
            and before.definition.joins
            and (before.name, before.indent) == (hit.name, hit.indent)
            and before.last is not None
            and hit.first == before.last + 1
        ):
            out[-1] = _Hit(hit.definition, hit.name, before.first, hit.last, hit.indent)
        else:
            out.append(hit)
    return out


def _placed(hits: list[_Hit]) -> list[_Hit]:
    """Definitions at the top and directly in types; what overlaps, or is part of a body, is left out."""
    out: list[_Hit] = []
    stack: list[_Hit] = []
    for hit in hits:
        while stack and (stack[-1].last or 0) < hit.first:
            stack.pop()
        holder = stack[-1] if stack else None
        if holder is not None and hit.last is not None and hit.last > (holder.last or 0):
            holder.last = hit.last = None  # they overlap: both ends are in doubt
            stack.pop()
        if holder is not None and holder.definition.kind is not Kind.TYPE:
            continue
        if holder is None and hit.indent:
            continue
        hit.parent = holder.full if holder is not None else None
        out.append(hit)
        if hit.last is not None:
            stack.append(hit)
    return out


def _found(
    source: bytes, lines: Sequence[str], remarks: Sequence[bool], hits: Sequence[_Hit], named: frozenset[str]
) -> Found:
    """Symbols out of sure definitions. `remarks`: which lines are comments; those right above belong to the symbol."""
    starts = [0]
    for raw in source.split(b"\n"):
        starts.append(starts[-1] + len(raw) + 1)
    symbols, comments = [], []
    outside, borders = set(range(len(lines))), {n for hit in hits for n in (hit.first, hit.last)}
    for hit in hits:
        assert hit.last is not None
        first = hit.first
        while first - 1 not in borders and first > 0 and remarks[first - 1] and _indent(lines[first - 1]) == hit.indent:
            first -= 1
        start, end = starts[first], starts[hit.last] + len(lines[hit.last].encode())
        inner = starts[hit.first] + len(hit.indent.encode())
        text = source[start:end].decode()
        kind, parent = hit.definition.kind, hit.parent
        symbols.append(Symbol(hit.full, kind, parent, start, end, inner, end, inner, True, True, 0, len(text.split())))
        comments += [Span(starts[n], starts[n] + len(lines[n].encode())) for n in range(first, hit.first)]
        if parent is None:
            outside -= set(range(first, hit.last + 1))
    loose = {n: squeeze(lines[n]) for n in outside if lines[n].strip()}
    head = frozenset(line for n, line in loose.items() if n < hits[0].first and not remarks[n]) if hits else frozenset()
    return Found(tuple(symbols), tuple(comments), head, frozenset(loose.values()), named)


def _is_comment(line: str, rules: Rules) -> bool:
    return bool(rules.comments) and line.strip().startswith(rules.comments) and not line.startswith("#!")


# -- where a definition ends -------------------------------------------------------------------------------------------


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _deeper(line: str, indent: str) -> bool:
    own = _indent(line)
    return len(own) > len(indent) and own.startswith(indent)


def _end(definition: Definition, name: str, lines: Sequence[str], first: int, rules: Rules) -> int | None:
    """The number of a definition's last line; None in doubt."""
    match definition.end:
        case Ending.BRACES:
            return _braces(lines, first)
        case Ending.CLOSE:
            return _closing(definition, name, lines, first)
        case _:
            last = _layout(lines, first)
            if definition.end is Ending.LINE and last != first:
                return None
            return last if _balanced(lines[first : last + 1], rules) else None


def _braces(lines: Sequence[str], first: int) -> int | None:
    """Braces that open and close again, on a line of their own that is indented like the first, or on the first."""
    indent, depth, opened = _indent(lines[first]), 0, False
    for n in range(first, len(lines)):
        line = lines[n].strip()
        if not line:
            continue
        if n > first and not _deeper(lines[n], indent):
            fits = line.startswith("}") if opened else line.startswith(("{", ")"))
            if _indent(lines[n]) != indent or not fits:
                return None
        was_open = opened
        for c in line:
            depth += (c == "{") - (c == "}")
            if depth < 0 or (opened and depth == 0 and c == "{"):
                return None
            opened = opened or c == "{"
        if opened and depth == 0:
            closed = n == first or (_indent(lines[n]) == indent and _CLOSED.fullmatch(line))
            return n if closed and _CLOSED.fullmatch(line[line.rindex("}") :]) else None
        if not opened and n - first >= OPENS_WITHIN_LINES:
            return None
        if was_open and n > first and not _deeper(lines[n], indent):
            return None
    return None


def _closing(definition: Definition, name: str, lines: Sequence[str], first: int) -> int | None:
    """The first closing line that is indented like the first; what stands between is indented deeper, unless the
    language has it flat."""
    indent = _indent(lines[first])
    close = regex.compile(definition.close.replace("{name}", re.escape(name)), regex.IGNORECASE)
    for n in range(first + 1, len(lines)):
        line = lines[n]
        if not line.strip() or (_deeper(line, indent) and not definition.flat):
            continue
        if _indent(line) == indent and close.fullmatch(line[:LINE_CHARS_MAX].strip(), timeout=MATCH_TIMEOUT_S):
            return n
        if not definition.flat:
            return None
    return None


def _layout(lines: Sequence[str], first: int) -> int:
    """The last line that is indented deeper than the first, with no other between."""
    indent, last = _indent(lines[first]), first
    for n in range(first + 1, len(lines)):
        if not lines[n].strip():
            continue
        if not _deeper(lines[n], indent):
            break
        last = n
    return last


def _balanced(lines: Sequence[str], rules: Rules) -> bool:
    """Whether every bracket that opens on some lines closes there: else the layout is not the whole story."""
    code = [line for line in lines if not _is_comment(line, rules)]
    text = "\n".join(code)
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in _BRACKETS)
