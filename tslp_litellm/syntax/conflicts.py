"""Merges that were left undone: a text that still holds version control's marks is broken, whatever a grammar says.

Grammars go on behind such lines as best they can, and both sides of a conflict look like definitions.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import Span

_MARK = re.compile(rb"^(?:(?P<ours><{7})(?: [^\n]*)?|(?P<middle>={7})|(?P<theirs>>{7})(?: [^\n]*)?)\r?$", re.M)


def conflicts(text: bytes) -> tuple[Span, ...]:
    """The conflicts in a text, from the first mark to the last of each; marks out of order are none."""
    if b"<<<<<<<" not in text:
        return ()
    found, start, split = list[Span](), -1, False
    for mark in _MARK.finditer(text):
        if mark["ours"]:
            start, split = mark.start(), False
        elif mark["middle"]:
            split = start >= 0
        elif split:
            found.append(Span(start, mark.end()))
            start, split = -1, False
    return tuple(found)


def with_conflicts(seen: Outline) -> Outline:
    """An outline with the conflicts of its text among its errors; no definition that one touches is sound."""
    found = conflicts(seen.text)
    if not found:
        return seen
    symbols = tuple(
        replace(s, sound=False) if any(c.start < s.end and s.start < c.end for c in found) else s for s in seen.symbols
    )
    others = (e for e in seen.errors if not any(c.start <= e.start < c.end for c in found))
    return replace(
        seen,
        symbols=symbols,
        by_name={symbol.name: symbol for symbol in symbols},
        errors=tuple(sorted((*found, *others), key=lambda span: span.start)),
    )
