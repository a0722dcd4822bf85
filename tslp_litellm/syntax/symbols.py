"""What an outline is made of: symbols, spans, gaps; and the lines of a text, in bytes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a symbol is. Values (constants, variables) do not count for parity."""

    TYPE = "type"
    FUNCTION = "function"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. Offsets are bytes of the UTF-8 text; `start:end` are whole lines without the last newline.

    `parent` is the symbol that it stands in: a method written outside its type's body has none.
    `node_start:node_end` is the definition with what wraps it (`export`, decorators), `inner` where it begins itself.
    `alone`: it shares none of its lines with other code, so it can be cut out and replaced. `body`: where its body
    begins; None where it has none, or none is known.
    """

    name: str
    kind: Kind
    parent: str | None
    start: int
    end: int
    node_start: int
    node_end: int
    inner: int
    alone: bool
    sound: bool
    nodes: int
    tokens: int
    body: int | None = None

    @property
    def leaf(self) -> str:
        """The last part of the name, without its number."""
        return self.name.rsplit(".", 1)[-1].partition("#")[0]

    @property
    def base(self) -> str:
        """The name without the number that tells definitions of one name apart."""
        return ".".join(part.partition("#")[0] for part in self.name.split("."))


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of bytes."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A bare `...` that the language allows. `whole`: it is all that its block holds."""

    start: int
    whole: bool


def row_starts(source: bytes) -> list[int]:
    starts, at = [0], source.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = source.find(b"\n", at + 1)
    return starts


def line_start(source: bytes, offset: int) -> int:
    return source.rfind(b"\n", 0, offset) + 1


def line_end(source: bytes, offset: int) -> int:
    end = source.find(b"\n", offset)
    end = len(source) if end < 0 else end
    return end - 1 if end > offset and source[end - 1 : end] == b"\r" else end


def squeeze(text: str) -> str:
    return " ".join(text.split())
