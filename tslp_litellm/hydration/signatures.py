"""What a file defines, a line each: for a prompt in which its text has no room (SEMANTICS 4, 10)."""

from __future__ import annotations

from tslp_litellm.parser import outline
from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.outline import Kind, Outline, Symbol

LINES_MAX, CHARS_MAX = 12, 300
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
            f"{Entity(name.path, symbol.name)}: {signature(seen, symbol)}",
        )
        for symbol in seen.symbols
    ]


def signature(seen: Outline, symbol: Symbol) -> str:
    """A definition's first lines, white space folded: up to the one on which every bracket is closed, but for the one
    that opens its body."""
    lines = seen.text[symbol.inner : symbol.end].decode(errors="replace").split("\n")[:LINES_MAX]
    said, depth = "", 0
    for line in lines:
        said += " " + line
        bare = line.rstrip().removesuffix("{")
        depth += sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
        if depth <= 0:
            break
    return " ".join(said.split())[:CHARS_MAX].removesuffix("{").rstrip()
