"""Sound text that a grammar can't read: its errors are the grammar's own (SEMANTICS 3, gate A).

Only a line of a known form proves that; whatever else a grammar takes offence at is an error of the text. The forms
are data (`data/grammar_gaps.json`).
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import line_end


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    """The sound lines that a language's grammar can't read, each form for the whole of a line."""
    rows = json.loads((resources.files("tslp_litellm") / "data" / "grammar_gaps.json").read_text("utf-8"))["rows"]
    names = sorted({name for row in rows for name in row["languages"]})
    return {
        name: re.compile("|".join(form for row in rows if name in row["languages"] for form in row["forms"]))
        for name in names
    }


def are_the_grammars(candidate: Outline, base: Outline | None) -> bool:
    """Whether errors are a gap of the grammar, not of the text: each in one line that is new, outside every definition
    and of a form that the language is known to have, while the brackets of all lines that are new or gone are closed,
    and every definition of the text before is sound.

    A line that stood there before has an error only where something else broke it.
    """
    if not candidate.parsed or base is None or not candidate.symbols:
        return False
    if any(error.end > line_end(candidate.text, error.start) + 1 for error in candidate.errors):
        return False
    if any(s.start <= error.start < s.end for s in candidate.symbols for error in candidate.errors):
        return False
    errors = (candidate.error_lines() - base.error_lines()).keys()
    new, gone = _new_lines(candidate, base), _new_lines(base, candidate)
    if not errors <= new or not all(_is_known(line, candidate.language) for line in errors):
        return False
    if not all(map(_is_balanced, new | gone)):
        return False
    return all((after := candidate.by_name.get(s.name)) is not None and after.sound for s in base.symbols)


def _is_known(line: bytes, language: str) -> bool:
    forms = _forms().get(language)
    return forms is not None and forms.fullmatch(line.decode(errors="replace")) is not None


def _new_lines(candidate: Outline, base: Outline) -> set[bytes]:
    """The lines outside every definition that did not stand in the text before, stripped."""
    known = {line.strip() for line in base.text.splitlines()}
    top, at, found = iter(candidate.top_level()), 0, set[bytes]()
    inside = next(top, None)
    for line in candidate.text.splitlines(keepends=True):
        while inside is not None and inside.end <= at:
            inside = next(top, None)
        if (inside is None or at < inside.start) and line.strip() not in known:
            found.add(line.strip())
        at += len(line)
    return found


_PAIRS = {b")": b"(", b"]": b"[", b"}": b"{"}


def _is_balanced(line: bytes) -> bool:
    """Whether a line's brackets and quotation marks are closed in it, in order."""
    depth: list[bytes] = []
    bare = re.sub(rb"\"[^\"]*\"|'[^']*'|`[^`]*`", b"", line)
    for mark in re.findall(rb"[()\[\]{}]", bare):
        if mark not in _PAIRS:
            depth.append(mark)
        elif not depth or depth.pop() != _PAIRS[mark]:
            return False
    return not depth and not re.search(rb"[\"`]", bare)
