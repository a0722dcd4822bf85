"""Definitions lost and gained that are equal but for the name (§12)."""

from __future__ import annotations

import re
from collections import defaultdict, deque

from tslp_litellm.parser.budget import spend
from tslp_litellm.syntax.outline import Kind, Outline, Symbol


def renames(candidate: Outline, base: Outline) -> dict[str, str]:
    """Lost and gained top-level symbols whose definitions are equal but for the name: old -> new."""
    found = _paired(missing_in(base, candidate), missing_in(candidate, base), base, candidate)
    return {old: new for old, new in found.items() if base.by_name[old].base != candidate.by_name[new].base}


def moves(candidate: Outline, base: Outline, other: Outline, other_base: Outline | None) -> dict[str, str]:
    """Top-level symbols that a file lost and another one gained: name there -> name here."""
    gained = [s for s in other.top_level() if other_base is None or s.name not in other_base.by_name]
    return _paired(missing_in(base, candidate), gained, base, other)


def missing_in(whole: Outline, other: Outline) -> list[Symbol]:
    """The top-level symbols of a text that another one lacks."""
    return [s for s in whole.top_level() if s.name not in other.by_name]


def _paired(lost: list[Symbol], gained: list[Symbol], base: Outline, candidate: Outline) -> dict[str, str]:
    """Each lost symbol with the first gained one of its kind and body."""
    if not lost or not gained:
        return {}
    names = frozenset(_word(symbol.leaf) for symbol in (*lost, *gained))
    waiting: dict[tuple[Kind, str], deque[str]] = defaultdict(deque)
    for new in gained:
        spend()
        waiting[new.kind, _body(candidate, new, names)].append(new.name)
    found: dict[str, str] = {}
    for old in lost:
        spend()
        if same := waiting.get((old.kind, _body(base, old, names))):
            found[old.name] = same.popleft()
    return found


_NAME = re.compile(r"(?<![\w.])\w+[?!]?")


def _word(name: str) -> str:
    return name.strip("#~?!")


def _body(seen: Outline, symbol: Symbol, names: frozenset[str]) -> str:
    """A definition with some names blanked out, as it may call itself by the old name, the new one or both. A name
    behind a dot belongs to something else; only the first one is the definition's own."""
    text = seen.text[symbol.node_start : symbol.node_end].decode()
    text = re.sub(rf"(?<!\w){re.escape(symbol.leaf)}(?!\w)", "\x00", text, count=1)
    return _NAME.sub(lambda name: "\x00" if _word(name.group()) in names else name.group(), text)
