"""What a file defines, a line each: for a prompt in which its text has no room (SEMANTICS 4, 10)."""

from __future__ import annotations

from tslp_litellm.parser import outline
from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.outline import Kind

VALUES_RANK = 1_000
"""Deeper than definitions are nested."""


def signatures(entity: str, text: str) -> list[tuple[int, str]]:
    """A file's definitions in its order, each with its rank: what holds others before these, values last. Nothing for
    a symbol."""
    name = Entity.parse(entity)
    if name.symbol is not None:
        return []
    seen = outline(language_of_path(name.path), text)
    return [
        (
            VALUES_RANK if symbol.kind is Kind.VALUE else symbol.name.count("."),
            f"{Entity(name.path, symbol.name)}: {seen.signature(symbol)}",
        )
        for symbol in seen.symbols
    ]
