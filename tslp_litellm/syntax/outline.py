"""The outline of a text: its definitions, where they stand, and how much there is of each (§4.1, §7).

A definition's span is made of whole lines, with its decorators, attributes, `export` and a directly attached
comment block (SEMANTICS 1, Artifact).
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter, OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock

from tree_sitter import Node

from tslp_litellm.syntax import embedded, fallback, parsing
from tslp_litellm.syntax.languages import Language, Nature, language_named
from tslp_litellm.syntax.softened import softened
from tslp_litellm.syntax.symbols import Gap, Kind, Span, Symbol, line_end, line_start, squeeze
from tslp_litellm.syntax.tags import Tags

__all__ = ["Gap", "Kind", "Outline", "Span", "Symbol", "measure", "outline"]

SYMBOL_BYTES = 250
"""What a symbol weighs in the cache."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What the grammar says of a text. `parsed` is False where there is no usable parse.

    `by_pattern`: the symbols were found by patterns instead (`symbols.json`), which may also have seen names defined
    whose definitions they could not place: `named` holds them all.
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

    @property
    def sound(self) -> bool:
        """Parsed, and no error anywhere."""
        return self.parsed and not self.errors

    def slice(self, symbol: Symbol) -> str:
        """A symbol's artifact: its whole lines, without the last newline."""
        return self.text[symbol.start : symbol.end].decode()

    def top_level(self) -> tuple[Symbol, ...]:
        """Types, functions and the names bound to them that no other symbol holds."""
        return tuple(s for s in self.symbols if s.parent is None and s.kind is not Kind.VALUE)

    def members(self, name: str) -> tuple[Symbol, ...]:
        """What stands inside a symbol, at any depth, and what shares exactly its lines (`typedef struct t {…} t;`)."""
        holder = self.by_name[name]
        return tuple(
            s
            for s in self.symbols
            if s is not holder
            and holder.start <= s.node_start
            and s.node_end <= holder.end
            and (s.name.startswith(holder.base + ".") or (s.start, s.end) == (holder.start, holder.end))
        )

    def error_lines(self) -> Counter[bytes]:
        """The lines on which errors begin, stripped: two texts with the same ones have the same errors."""
        return Counter(
            self.text[line_start(self.text, e.start) : line_end(self.text, e.start)].strip() for e in self.errors
        )


def outline(language: Language | None, text: str) -> Outline:
    """The outline of a text, remembered by its content. Never raises: without a usable parse it says so."""
    source = text.encode()
    if language is None or (language.grammar is None and fallback.rules_for(language.name) is None):
        return Outline(source, parsed=False, prose=language is not None and language.nature is Nature.PROSE)
    return _CACHE.get(language, source)


def by_patterns(language: Language, source: bytes) -> Outline:
    """The outline of a text without a usable parse."""
    found = fallback.definitions(language.name, source)
    return Outline(
        source,
        False,
        found.symbols,
        (),
        found.comments,
        preamble=found.preamble,
        loose=found.loose,
        tokens=len(source.split()),
        by_name={symbol.name: symbol for symbol in found.symbols},
        by_pattern=bool(found.symbols),
        named=found.named,
    )


def measure(language: Language, source: bytes) -> Outline:
    """The outline, made anew."""
    tree = parsing.parse(language.grammar, source) if language.grammar else None
    if tree is None:
        return Outline(source, parsed=False)
    root = tree.root_node
    if language.components:
        return _component(language, source, root)
    if root.has_error:
        return _best(language, source, root)
    return _tagged(language, source, root, source)


def _best(language: Language, source: bytes, root: Node) -> Outline:
    """The outline by the reading with the fewest errors: as it is, softened, or as another language."""
    best, fewest = (language, root, source), len(parsing.errors(root))
    for reading in (language, *([language_named(language.otherwise)] if language.otherwise else [])):
        for text in (source, softened(reading.name, source)):
            if text is None or (reading is language and text is source) or not fewest:
                continue
            tree = parsing.parse(reading.grammar or "", text)
            if tree is not None and (found := len(parsing.errors(tree.root_node))) < fewest:
                best, fewest = (reading, tree.root_node, text), found
    language, root, text = best
    return _tagged(language, source, root, text)


def _tagged(language: Language, source: bytes, root: Node, text: bytes) -> Outline:
    """The outline of a tree by the language's tags query. `text` is what the parser read of the source."""
    starts, hollow = parsing.leaves(root)
    errors = _spans(sorted((*parsing.errors(root), *hollow), key=lambda node: node.start_byte))
    query = parsing.tags_query(language.name, language.grammar or "", language.wrappers)
    if query is None:
        return Outline(source, True, (), errors, nodes=root.descendant_count, tokens=len(starts))
    matches = parsing.matches(query, root)
    if matches is None:
        return Outline(source, parsed=False)
    found = Tags(source, matches, text)
    symbols = _number(found.symbols(starts, errors))
    return Outline(
        source,
        True,
        symbols,
        errors,
        tuple(found.comments),
        found.preamble,
        _loose(root, source, symbols, found),
        gaps=tuple(found.gaps),
        nodes=root.descendant_count,
        tokens=len(starts),
        by_name={symbol.name: symbol for symbol in symbols},
    )


def _component(language: Language, source: bytes, root: Node) -> Outline:
    """The outline of a single-file component: the symbols of its scripts, the figures of the whole."""
    parts = embedded.parts(root, language, source)
    if parts is None:
        return Outline(source, parsed=False)
    tree = parsing.parse(parts.language.grammar or "", parts.text)
    inner = (
        _tagged(parts.language, source, tree.root_node, source) if tree is not None else Outline(source, parsed=False)
    )
    if not inner.parsed or not parts.sections:
        return inner
    errors = {*inner.errors, *_spans(parsing.errors(root))}
    return replace(
        inner,
        errors=tuple(sorted(errors, key=lambda span: span.start)),
        comments=tuple(sorted({*inner.comments, *parts.comments}, key=lambda span: span.start)),
        sections=parts.sections,
        nodes=inner.nodes + root.descendant_count,
        tokens=inner.tokens + len(parsing.leaves(root)[0]),
    )


def _spans(nodes: list[Node]) -> tuple[Span, ...]:
    return tuple(Span(node.start_byte, node.end_byte) for node in nodes)


def _number(symbols: list[Symbol]) -> tuple[Symbol, ...]:
    """Names made unique: `name`, `name#2`, … in file order; one definition found under one name twice counts once."""
    seen: Counter[str] = Counter()
    spans: set[tuple[str, int, int]] = set()
    out = []
    for s in symbols:
        if (s.name, s.start, s.end) in spans:
            continue
        spans.add((s.name, s.start, s.end))
        seen[s.name] += 1
        out.append(s if seen[s.name] == 1 else replace(s, name=f"{s.name}#{seen[s.name]}"))
    return tuple(out)


def _loose(root: Node, source: bytes, symbols: tuple[Symbol, ...], found: Tags) -> frozenset[str]:
    """Top-level statements that hold no symbol and belong to none, white space folded."""
    ignored = {(c.start, c.end) for c in found.comments}
    starts = sorted(s.node_start for s in symbols)
    out: set[str] = set()
    covered = 0
    spans = iter(sorted((s.start, s.end) for s in symbols if s.parent is None))
    span = next(spans, None)
    for node in root.named_children:
        while span is not None and span[0] <= node.start_byte:
            covered = max(covered, span[1])
            span = next(spans, None)
        holds = bisect_left(starts, node.end_byte) > bisect_left(starts, node.start_byte)
        if not holds and node.start_byte >= covered and (node.start_byte, node.end_byte) not in ignored:
            out.add(squeeze(source[node.start_byte : node.end_byte].decode()))
    return frozenset(out)


def _weight(outline: Outline) -> int:
    """About the bytes of memory that an outline holds."""
    return len(outline.text) + SYMBOL_BYTES * len(outline.symbols)


class _Cache:
    """The last outlines, by content; bounded by what they hold."""

    def __init__(self, max_bytes: int) -> None:
        self._max, self._held = max_bytes, 0
        self._kept: OrderedDict[tuple[str, int, bytes], Outline] = OrderedDict()
        self._lock = Lock()

    def get(self, language: Language, source: bytes) -> Outline:
        key = (language.name, fallback.generation(), hashlib.sha256(source).digest())
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = measure(language, source)
        if not made.parsed:
            made = by_patterns(language, source)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._held += _weight(made)
            while self._held > self._max and len(self._kept) > 1:
                self._held -= _weight(self._kept.popitem(last=False)[1])
        return made


_CACHE = _Cache(max_bytes=4_000_000)
