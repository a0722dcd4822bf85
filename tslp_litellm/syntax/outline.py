"""The outline of a text: its definitions, where they stand, and how much there is of each (§4.1, §7).

A definition's span is made of whole lines, with its decorators, attributes, `export` and a directly attached
comment block (SEMANTICS 1, Artifact).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tslp_litellm.syntax.symbols import Gap, Kind, Span, Symbol, line_end, line_start, squeeze

__all__ = ["Gap", "Kind", "Outline", "Span", "Symbol"]


@dataclass(frozen=True, slots=True)
class Outline:
    """What the grammar says of a text. `parsed` is False where there is no usable parse.

    `by_pattern`: the symbols were found by patterns instead (`symbols.json`), which may also have seen names defined
    whose definitions they could not place: `named` holds them all. `refused`: the text ended or outran the parser
    (`timeout`, `memory`, `crash`), so that nothing can be said of it but that it is there. `language`: the one that it
    was read in.
    """

    text: bytes
    parsed: bool
    symbols: tuple[Symbol, ...] = ()
    errors: tuple[Span, ...] = ()
    comments: tuple[Span, ...] = ()
    preamble: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()  # the parts of a single-file component
    gaps: tuple[Gap, ...] = ()
    nodes: int = 0
    tokens: int = 0
    by_name: dict[str, Symbol] = field(default_factory=dict)
    prose: bool = False
    by_pattern: bool = False
    named: frozenset[str] = frozenset()
    refused: str | None = None
    language: str = ""
    in_order: tuple[Symbol, ...] = field(init=False, repr=False, compare=False)  # by where their nodes begin
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "in_order", tuple(sorted(self.symbols, key=lambda s: s.node_start)))
        object.__setattr__(self, "starts", tuple(s.node_start for s in self.in_order))

    @property
    def sound(self) -> bool:
        """Parsed, and no error anywhere."""
        return self.parsed and not self.errors

    @property
    def only_imports(self) -> bool:
        """Nothing but imports, or a package line; what opens PHP is none of it."""
        return self.sound and bool(self.preamble) and not self.symbols and self.loose <= {*self.preamble, "<?php"}

    def slice(self, symbol: Symbol) -> str:
        """A symbol's artifact: its whole lines, without the last newline."""
        return self.text[symbol.start : symbol.end].decode()

    def signature(self, symbol: Symbol) -> str:
        """A symbol's first lines up to its body, comments left out and white space folded (SEMANTICS 10); the line on
        which it begins where no body is known."""
        begin, end = symbol.node_start, symbol.body
        if end is None:
            begin = max(begin, line_start(self.text, symbol.inner))
            end = min(line_end(self.text, symbol.inner), symbol.end)
        at, parts = begin, list[bytes]()
        for start, stop in self.comments_in(begin, end):
            parts.append(self.text[at:start])
            at = max(at, stop)
        return squeeze(b" ".join((*parts, self.text[at:end])).decode())

    def comments_in(self, begin: int, end: int) -> list[tuple[int, int]]:
        """The comments that begin between two places: begin and end of each."""
        first, last = (bisect_left(self.comments, at, key=lambda span: span.start) for at in (begin, end))
        return [(comment.start, comment.end) for comment in self.comments[first:last]]

    def top_level(self) -> tuple[Symbol, ...]:
        """Types, functions and the names bound to them that no other symbol holds."""
        return tuple(s for s in self.symbols if s.parent is None and s.kind is not Kind.VALUE)

    def members(self, name: str) -> tuple[Symbol, ...]:
        """What stands inside a symbol, at any depth, and what shares exactly its lines (`typedef struct t {…} t;`)."""
        holder = self.by_name[name]
        inside = range(bisect_left(self.starts, holder.start), bisect_left(self.starts, holder.end))
        return tuple(
            s
            for s in (self.in_order[n] for n in inside)
            if s is not holder
            and s.node_end <= holder.end
            and (s.name.startswith(holder.base + ".") or (s.start, s.end) == (holder.start, holder.end))
        )

    def error_lines(self) -> Counter[bytes]:
        """The lines on which errors begin, stripped: two texts with the same ones have the same errors."""
        return Counter(line for _, line in self.errors_on_lines())

    def errors_on_lines(self) -> Iterator[tuple[Span, bytes]]:
        """Each error with the line on which it begins, stripped. Linear: a line is cut out once for all its errors."""
        line, end = b"", -1
        for error in self.errors:  # in the order of the text
            if error.start > end:
                end = line_end(self.text, error.start)
                line = self.text[line_start(self.text, error.start) : end].strip()
            yield error, line
