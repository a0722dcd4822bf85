"""Several definitions of one name in a file, and which of them a part shows (SEMANTICS 1: `name`, `name#2`, …).

Overloads of a method, a setter beside its getter, what several traits ask of a type.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.syntax.symbols import squeeze

_ACCESSOR = re.compile(r"@[\w.]+\.(?P<python>setter|deleter|getter)\b|(?:[a-z]+\s+)*(?P<ecma>get|set)\s+[\w#\[]")
_IMPL = re.compile(rb"^[ \t]*(?:unsafe[ \t]+)?impl\b(?P<of>[^{;\n]*(?:\n[^{;\n]*){0,8})\{", re.M)


def named_as_in(base: Outline, seen: Outline) -> Outline:
    """A part with its definitions numbered as the file has them: by their text, else their signature, else their
    parameters, else by whether they have a body, else their role, where just one of the file has it; the rest in order,
    where the part shows as many as the file has. One that is none of the file's gets the next number.

    >>> # the file: `int add(int a)`, `double add(double a)`; the part: `double add(double a)`, which is `add#2`
    """
    names: dict[str, str] = {}
    shown_by_name, known_by_name = twins(seen), twins(base)
    for name in shown_by_name.keys() & known_by_name.keys():
        shown, known = shown_by_name[name], known_by_name[name]
        found = _matched(seen, shown, base, known)
        new = (f"{name}#{n}" for n in range(len(known) + 1, len(known) + len(shown) + 1))
        names |= {one.name: found[one.name].name if one.name in found else next(new) for one in shown}
    if all(old == new for old, new in names.items()):
        return seen
    symbols = tuple(replace(symbol, name=names.get(symbol.name, symbol.name)) for symbol in seen.symbols)
    return replace(seen, symbols=symbols, by_name={symbol.name: symbol for symbol in symbols})


def twins(seen: Outline) -> dict[str, list[Symbol]]:
    """The definitions of each name, in file order."""
    found: dict[str, list[Symbol]] = {}
    for symbol in seen.in_order:
        found.setdefault(symbol.base, []).append(symbol)
    return found


def role(seen: Outline, symbol: Symbol) -> str:
    """What tells apart definitions of one name: which accessor it is, or of which trait; empty for the plain one."""
    if seen.language == "rust":
        starts, traits = _impls(seen.text)
        at = bisect_left(starts, symbol.node_start)
        return traits[at - 1] if at and "." in symbol.name else ""
    found = _ACCESSOR.match(seen.slice(symbol).strip())
    return (found["python"] or found["ecma"]) if found is not None else ""


def goes_on_in(seen: Outline, symbol: Symbol, base: Outline, old: Symbol) -> bool:
    """Whether a definition with other parameters calls one of its own name, as the old one does not: an overload calls
    the other one, a constructor `this(...)`."""
    own = re.compile(rf"(?:(?<![\w.])|\b(?:this|self)\.){re.escape(symbol.leaf)}\s*\(|(?<![\w.])this\s*\(")
    now, was = (text.slice(one).partition("(")[2] for text, one in ((seen, symbol), (base, old)))
    return own.search(now) is not None and own.search(was) is None


def _matched(seen: Outline, shown: Sequence[Symbol], base: Outline, known: Sequence[Symbol]) -> dict[str, Symbol]:
    """Of the definitions of one name: the name in the part -> the file's."""
    found: dict[str, Symbol] = {}
    left, open_ = list(shown), list(known)
    for key in (Outline.slice, _signature, _parameters, _body, role):
        here, there = _by_key(seen, left, key), _by_key(base, open_, key)
        pairs = [(here[k], there[k]) for k in here.keys() & there.keys() if len(here[k]) == len(there[k]) == 1]
        found |= {one.name: old for (one,), (old,) in pairs}
        left = [one for one in left if one.name not in found]
        taken = {old.name for old in found.values()}
        open_ = [old for old in open_ if old.name not in taken]
    if len(shown) >= len(known):
        rest = zip(left, open_, strict=False)
        found |= {one.name: old for one, old in rest if role(seen, one) == role(base, old)}
    return found


def _by_key(seen: Outline, symbols: Iterable[Symbol], key: Callable[[Outline, Symbol], str]) -> dict[str, list[Symbol]]:
    found: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        found.setdefault(key(seen, symbol), []).append(symbol)
    return found


def _signature(seen: Outline, symbol: Symbol) -> str:
    return f"{role(seen, symbol)} {seen.signature(symbol)}"


def _body(seen: Outline, symbol: Symbol) -> str:
    """Whether a definition has a body, with its role. Python's overloads have a bare `...` for one."""
    body = seen.text[symbol.body : symbol.end] if symbol.body is not None else b""
    return f"{role(seen, symbol)} {body.strip() not in (b'', b';', b'...')}"


def _parameters(seen: Outline, symbol: Symbol) -> str:
    """What stands between the parentheses behind a definition's name, with its role, and whether it has a body."""
    text = seen.slice(symbol)
    found = re.search(rf"(?<!\w){re.escape(symbol.leaf)}\s*(?:<[^()]*>)?\s*\(", text)
    if found is None:
        return _signature(seen, symbol)
    depth, at = 1, found.end()
    while at < len(text) and depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return f"{_body(seen, symbol)} {squeeze(text[found.end() : at])}"


@lru_cache(maxsize=8)
def _impls(text: bytes) -> tuple[list[int], list[str]]:
    """Where the `impl` blocks of a text begin, and the trait of each; empty for a type's own."""
    found = list(_IMPL.finditer(text))
    parts = [one["of"].decode(errors="replace").rpartition(" for ") for one in found]
    return [one.start() for one in found], ["".join(trait.split()) if of else "" for trait, of, _ in parts]
