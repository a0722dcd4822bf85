"""Versions of one entity in one fence: the old text above the new one, or two to choose from (SEMANTICS 2).

A file has one definition of the name, and its language would take none of the others for one beside it: overloads,
accessors, and what conditions choose from stay what they are.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tslp_litellm.dialects.values import Carrier, Evidence, Shown
from tslp_litellm.parser import outline
from tslp_litellm.resolution.decorations import decorations
from tslp_litellm.resolution.files import below_comments, language_of, outline_of
from tslp_litellm.resolution.fragments import OVERLOADS
from tslp_litellm.resolution.twins import role, twins
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.left_out import bare
from tslp_litellm.syntax.outline import Kind, Outline, Span, Symbol
from tslp_litellm.words.sentences import is_taken_back

_NO_OVERLOADS = frozenset({"python", "go", "php"})
SECOND_ONES_MAX = 64
"""So many definitions of names that a fence has already are looked at."""
_OF_TYPES = re.compile(r"\b(?:class|struct|record|enum)\b")
_CLOSES = re.compile(rb"[\s)\]};]*")


def of_one_version(unit: UnitOfWork, shown: Shown, prompt: str) -> Shown:
    """A fence of the model's without what it shows twice, where all but one are no versions: what its comment takes
    back, or what is our text."""
    found = _versions(unit, shown)
    if found is None:
        return shown
    seen, base, several = found
    text, kept = seen.text, [(symbols, _the_one(seen, symbols, base, prompt)) for symbols in several.values()]
    spans = [span for symbols, one in kept if one is not None for span in _besides(seen, symbols, one, base)]
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return replace(shown, text=text.decode())


def names_shown_twice(unit: UnitOfWork, piece: Evidence) -> list[str]:
    """The definitions of which a fence shows several versions."""
    found = _versions(unit, piece) if isinstance(piece, Shown) else None
    return sorted(found[2]) if found is not None else []


def _versions(unit: UnitOfWork, shown: Shown) -> tuple[Outline, Outline, dict[str, list[Symbol]]] | None:
    """A fence beside its file's last known text, with the versions that it shows of each definition; None where it
    shows one of each."""
    state = unit.file(shown.path)
    base = outline_of(state) if shown.carrier is Carrier.FENCE and not shown.inner else None
    seen = outline(language_of(state), shown.text)
    if base is None or not 0 < sum("#" in symbol.name for symbol in seen.symbols) <= SECOND_ONES_MAX:
        return None
    named, known = twins(seen), twins(base)
    several = {
        name: symbols
        for name, symbols in named.items()
        if len(symbols) > 1 == len(known.get(name, ()))
        and len(named.get(name.rpartition(".")[0], ())) <= 1
        and _are_versions(seen, symbols)
        and (not _is_all(seen, base, known[name][0]) or any(_is_taken_back(seen, one, "") for one in symbols))
    }
    return (seen, base, several) if several else None


def _is_all(seen: Outline, base: Outline, one: Symbol) -> bool:
    """Whether a fence shows all that stands beside a definition in its file or type: then people take it as it is, with
    what a small model writes twice by mistake."""
    beside = [s for s in base.symbols if s.parent == one.parent and s.kind is not Kind.VALUE and s is not one]
    return bool(beside) and all(symbol.name in seen.by_name for symbol in beside)


def _are_versions(seen: Outline, symbols: Sequence[Symbol]) -> bool:
    """Whether no file of the language would hold all of some definitions of one name at once."""
    first, heads = symbols[0], [seen.signature(symbol) for symbol in symbols]
    fronts = [(s.kind, s.parent, role(seen, s), decorations(seen, s)) for s in symbols]
    if not all(s.alone for s in symbols) or any(front != fronts[0] for front in fronts) or first.kind is Kind.VALUE:
        return False
    if first.kind is Kind.TYPE and not all(_OF_TYPES.search(head) and "partial" not in head for head in heads):
        return False
    if any(head != heads[0] for head in heads) and not _are_free(seen, symbols, heads):
        return False
    known = seen.language in (*OVERLOADS, *_NO_OVERLOADS, "rust") or language_named(seen.language).family == "ecma"
    return known and _stand_together(seen, symbols)


def _are_free(seen: Outline, symbols: Sequence[Symbol], heads: Iterable[str]) -> bool:
    """Whether other parameters make no other definition; in what TypeScript declares without a body, and behind a
    decorator (`@overload`, `@f.register`), they do, and so does `static`."""
    if any(re.search(r"\bstatic\b", head) for head in heads):
        return False
    if language_named(seen.language).family == "ecma":
        return all(symbol.body is not None for symbol in symbols)
    marked = any(mark.startswith(("@", "#")) for mark in decorations(seen, symbols[0]))
    return seen.language in _NO_OVERLOADS and not marked


def _stand_together(seen: Outline, symbols: Sequence[Symbol]) -> bool:
    """Whether nothing chooses between some definitions: only comments, other definitions, and the ends and heads of
    what holds them stand between, each head as it stood above."""
    first, last, code = symbols[0], symbols[-1], bytearray(seen.text)
    others = [Span(s.start, s.end) for s in seen.symbols if not (s.start <= first.start and last.end <= s.end)]
    for span in (*seen.comments, *others):
        code[span.start : span.end] = re.sub(rb"[^\n]", b" ", code[span.start : span.end])
    above = {line.strip() for line in bytes(code[: first.start]).split(b"\n")}
    between = bytes(code[first.start : last.start]).split(b"\n")
    return all(_CLOSES.fullmatch(line) or line.strip() in above for line in between)


def _the_one(seen: Outline, symbols: Sequence[Symbol], base: Outline, prompt: str) -> Symbol | None:
    """The definition that is a version, where just one is; where all are our text, the first of them."""
    ours = _text(base, base.by_name[symbols[0].base])
    others = {text: s for s in symbols if (text := _text(seen, s)) != ours}
    left = [s for s in others.values() if not _is_taken_back(seen, s, prompt)]
    return left[0] if len(left) == 1 else symbols[0] if not others else None


def _text(seen: Outline, symbol: Symbol) -> str:
    """A definition without the comments above it, as deep as it stands."""
    start = below_comments(seen, symbol) or symbol.start
    return textwrap.dedent(seen.text[start : symbol.end].decode()).strip()


def _is_taken_back(seen: Outline, symbol: Symbol, prompt: str) -> bool:
    """Whether the last comment above a definition says that it is no version of anything."""
    label = _label(seen, symbol)
    said = bare(seen.text[label.start : label.end].decode()) if label is not None else ""
    return is_taken_back(f"{said.rstrip(':.')}:", prompt)


def _label(seen: Outline, symbol: Symbol) -> Span | None:
    """The last comment above a definition, if it is one line; blank lines may stand between."""
    end = len(seen.text[: below_comments(seen, symbol) or symbol.start].rstrip())
    found = next((comment for comment in seen.comments if comment.end == end), None)
    line = seen.text[seen.text.rfind(b"\n", 0, end) + 1 : end]
    return found if found is not None and line.strip() == seen.text[found.start : end] else None


def _besides(seen: Outline, symbols: Sequence[Symbol], kept: Symbol, base: Outline) -> list[tuple[int, int]]:
    """What goes where one of several definitions is kept: the others, with what parts them where that is no other
    definition, and the comments that only label them."""
    begins, at = [_begins(seen, symbol, base) for symbol in symbols], symbols.index(kept)
    spans = [(begins[at], below_comments(seen, kept) or kept.start)] if begins[at] <= kept.start else []
    for n, symbol in enumerate(symbols):
        start = min(begins[n], symbol.start)
        if n < at:
            next_, alone = min(begins[n + 1], symbols[n + 1].start), _are_neighbours(seen, symbol, symbols[n + 1])
            spans.append((start, next_ if alone else _next_line(seen.text, symbol.end)))
        elif n > at:
            alone = _are_neighbours(seen, symbols[n - 1], symbol)
            spans.append((symbols[n - 1].end if alone else len(seen.text[:start].rstrip()), symbol.end))
    return spans


def _begins(seen: Outline, symbol: Symbol, base: Outline) -> int:
    """Where a definition begins with the one line above it that labels it, and that the file does not have."""
    label, known = _label(seen, symbol), {line.strip() for line in base.text.split(b"\n")}
    if label is None or seen.text[label.start : label.end] in known:
        return symbol.start
    return seen.text.rfind(b"\n", 0, label.start) + 1


def _are_neighbours(seen: Outline, one: Symbol, other: Symbol) -> bool:
    return not any(one.end <= symbol.start < other.start for symbol in seen.symbols)


def _next_line(text: bytes, at: int) -> int:
    """Where the next line with something on it begins."""
    return text.rfind(b"\n", 0, at + len(text[at:]) - len(text[at:].lstrip())) + 1
