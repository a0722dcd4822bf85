"""Outlines as bytes, between the parser's process and the proxy.

Lines of JSON, each `[field, value]`; long lists are cut into several lines, so that the proxy's interpreter is kept by
none of them for long. The text itself does not travel back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import orjson

from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.references import Bindings, Import, Reference
from tslp_litellm.syntax.symbols import Gap, Kind, Span, Symbol

ITEMS_A_LINE = 500
_PLAIN = ("parsed", "language", "nodes", "tokens", "prose", "by_pattern", "refused")
_SETS = ("preamble", "loose", "sections", "named")
_BINDINGS = ("imports", "references", "defined", "several", "opens", "doubts", "unsure", "stars", "exports")
_MAKERS: dict[str, Callable[[list[Any]], Any]] = {
    "symbols": lambda row: Symbol(row[0], Kind(row[1]), *row[2:]),
    "errors": lambda row: Span(*row),
    "comments": lambda row: Span(*row),
    "gaps": lambda row: Gap(*row),
}


def encoded(outline: Outline) -> bytes:
    """An outline without its text."""
    lines: list[list[Any]] = [[name, getattr(outline, name)] for name in _PLAIN]
    for name in _SETS:
        lines += _cut(name, sorted(getattr(outline, name)))
    for name in _MAKERS:
        lines += _cut(name, [_row(value) for value in getattr(outline, name)])
    return b"\n".join(map(orjson.dumps, lines))


def decoded(body: bytes, text: bytes) -> Outline:
    """The reverse of `encoded`; ValueError for what is none."""
    try:
        return _decoded(body, text)
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"no outline: {error!r}") from None


def encoded_bindings(bindings: Bindings) -> bytes:
    """Bindings, in lines like an outline's."""
    lines: list[list[Any]] = [["star", bindings.star], ["package", bindings.package]]
    lines += _cut("imports", [_row(made) for made in bindings.imports])
    lines += _cut("references", [_row(made) for made in bindings.references])
    lines += _cut("defined", sorted(bindings.defined))
    lines += _cut("several", sorted(bindings.several))
    lines += _cut("opens", bindings.opens)
    lines += _cut("doubts", [_row(made) for made in bindings.doubts])
    lines += _cut("unsure", [_row(made) for made in bindings.unsure])
    lines += _cut("stars", bindings.stars)
    lines += _cut("exports", sorted(bindings.exports.items()))
    return b"\n".join(map(orjson.dumps, lines))


def decoded_bindings(body: bytes) -> Bindings:
    """The reverse of `encoded_bindings`; ValueError for what is none."""
    fields: dict[str, list[Any]] = {name: [] for name in _BINDINGS}
    plain: dict[str, Any] = {"star": False, "package": ""}
    try:
        for name, value in _lines(body):
            if name in plain:
                plain[name] = value
            else:
                fields[name] += value
        return Bindings(
            tuple(Import(*row) for row in fields["imports"]),
            tuple(Reference(start, tuple(chain), why) for start, chain, why in fields["references"]),
            frozenset(fields["defined"]),
            frozenset(fields["several"]),
            bool(plain["star"]),
            str(plain["package"]),
            tuple(fields["opens"]),
            tuple(Reference(start, tuple(chain), why) for start, chain, why in fields["doubts"]),
            tuple(Import(*row) for row in fields["unsure"]),
            tuple(fields["stars"]),
            dict(fields["exports"]),
        )
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"no bindings: {error!r}") from None


def _decoded(body: bytes, text: bytes) -> Outline:
    fields: dict[str, Any] = {}
    for name, value in _lines(body):
        if name in _MAKERS:
            fields.setdefault(name, []).extend(map(_MAKERS[name], value))
        elif name in _SETS:
            fields.setdefault(name, []).extend(value)
        elif name in _PLAIN:
            fields[name] = value
    made = {name: frozenset(fields.pop(name, ())) for name in _SETS} | {
        name: tuple(fields.pop(name, ())) for name in _MAKERS
    }
    symbols: Sequence[Symbol] = made["symbols"]  # type: ignore[assignment]
    return Outline(text, by_name={symbol.name: symbol for symbol in symbols}, **fields, **made)  # type: ignore[arg-type]


def _lines(body: bytes) -> Iterator[list[Any]]:
    for line in body.split(b"\n"):
        yield orjson.loads(line)


def _cut(name: str, items: Sequence[Any]) -> list[list[Any]]:
    return [[name, items[n : n + ITEMS_A_LINE]] for n in range(0, len(items), ITEMS_A_LINE)]


def _row(value: Symbol | Span | Gap | Import | Reference) -> list[Any]:
    return [getattr(value, name) for name in value.__slots__]
