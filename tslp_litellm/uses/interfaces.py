"""What others see of an entity (SEMANTICS 10, Interface)."""

from __future__ import annotations

import re

from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.syntax.symbols import squeeze

_DOCSTRING = re.compile(rb"""[rRuU]?(\"\"\"|'''|"|')(?:\\.|(?!\1)[^\\])*+\1""", re.DOTALL)
"""The text of a Python class begins with it; it is a comment to whoever uses the class."""


def interface(seen: Outline, name: str) -> str:
    """A definition's text without the bodies of functions in it, comments and white space folded.

    That of a type holds its members' so; a Python class's docstring is a comment. KeyError where the outline has no
    such definition.
    """
    symbol = seen.by_name[name]
    inside = (symbol, *seen.members(name))
    cut = [(s.body, s.node_end) for s in inside if s.kind is Kind.FUNCTION and s.body is not None]
    cut += seen.comments_in(symbol.node_start, symbol.node_end)
    types = (s for s in inside if s.kind is Kind.TYPE and s.body is not None and seen.language == "python")
    cut += [found.span() for s in types if (found := _docstring(seen.text, s.body or 0, s.node_end))]
    at, parts = symbol.node_start, list[bytes]()
    for start, end in sorted(cut):
        if symbol.node_start <= start < symbol.node_end and end > at:
            parts.append(seen.text[at : max(at, start)])
            at = end
    parts.append(seen.text[at : symbol.node_end])
    return squeeze(b" ".join(parts).decode())


def _docstring(text: bytes, start: int, end: int) -> re.Match[bytes] | None:
    body = text[start:end]
    return _DOCSTRING.match(text, end - len(body.lstrip()), end)
