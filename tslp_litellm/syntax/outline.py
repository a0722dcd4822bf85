"""The outline of a text: its definitions, where they stand, and how much there is of each (§4.1, §7).

A definition's span is made of whole lines, with its decorators, attributes, `export` and a directly attached
comment block (SEMANTICS 1, Artifact).
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

from tree_sitter import Node

from tslp_litellm.syntax import parsing
from tslp_litellm.syntax.languages import Language


class Kind(StrEnum):
    """What a symbol is. Values (constants, variables) do not count for parity."""

    TYPE = "type"
    FUNCTION = "function"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. Offsets are bytes of the UTF-8 text; `start:end` are whole lines without the last newline.

    `alone`: it shares none of its lines with other code, so it can be cut out and replaced.
    """

    name: str
    kind: Kind
    parent: str | None
    start: int
    end: int
    node_start: int
    node_end: int
    alone: bool
    sound: bool
    nodes: int
    tokens: int

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


@dataclass(frozen=True, slots=True)
class Outline:
    """What the grammar says of a text. `parsed` is False where there is no usable parse."""

    text: bytes
    parsed: bool
    symbols: tuple[Symbol, ...] = ()
    errors: tuple[Span, ...] = ()
    comments: tuple[Span, ...] = ()
    preamble: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    gaps: tuple[Gap, ...] = ()
    nodes: int = 0
    tokens: int = 0
    by_name: dict[str, Symbol] = field(default_factory=dict)

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
        """What stands inside a symbol, at any depth."""
        holder = self.by_name[name]
        return tuple(
            s
            for s in self.symbols
            if s is not holder
            and holder.start <= s.node_start
            and s.node_end <= holder.end
            and s.name.startswith(holder.base + ".")
        )

    def error_lines(self) -> Counter[bytes]:
        """The lines on which errors begin, stripped: two texts with the same ones have the same errors."""
        return Counter(
            self.text[_line_start(self.text, e.start) : _line_end(self.text, e.start)].strip() for e in self.errors
        )


@dataclass(frozen=True, slots=True)
class _Definition:
    node: Node
    kind: Kind | None  # None: an extension, a container that is no symbol
    name: str
    container: str | None


def outline(language: Language | None, text: str) -> Outline:
    """The outline of a text, remembered by its content. Never raises: without a usable parse it says so."""
    source = text.encode()
    if language is None or language.grammar is None:
        return Outline(source, parsed=False)
    return _CACHE.get(language, source)


def measure(language: Language, source: bytes) -> Outline:
    """The outline, made anew."""
    tree = parsing.parse(language.grammar, source) if language.grammar else None
    if tree is None:
        return Outline(source, parsed=False)
    root = tree.root_node
    starts = parsing.leaf_starts(root)
    errors = tuple(Span(node.start_byte, node.end_byte) for node in parsing.errors(root))
    query = parsing.tags_query(language.name, language.grammar)
    if query is None:
        return Outline(source, True, (), errors, nodes=root.descendant_count, tokens=len(starts))
    found = _Tags(source, language, parsing.matches(query, root))
    symbols = _number(found.symbols(starts, errors))
    return Outline(
        source,
        True,
        symbols,
        errors,
        tuple(found.comments),
        found.preamble,
        _loose(root, source, symbols, found),
        tuple(found.gaps),
        root.descendant_count,
        len(starts),
        {symbol.name: symbol for symbol in symbols},
    )


class _Tags:
    """One text's query matches, sorted out."""

    def __init__(self, source: bytes, language: Language, matches: list[parsing.Match]) -> None:
        self.source = source
        self.wrappers = language.wrappers
        self.definitions: dict[tuple[int, str], _Definition] = {}
        self.local: set[tuple[int, int]] = set()
        self.scope: set[tuple[int, int]] = set()
        self.comments: list[Span] = []
        self.attributes: list[Span] = []
        self.gaps: list[Gap] = []
        self.attached: dict[int, int] = {}  # row -> first row of the comment or attribute that fills it
        preamble: set[str] = set()
        for captures in matches:
            self._take(captures, preamble)
        self.preamble = frozenset(preamble)
        self.comments.sort(key=lambda span: span.start)

    def _take(self, captures: parsing.Match, preamble: set[str]) -> None:
        for key, nodes in captures.items():
            if key.startswith("definition.") or key == "extension":
                kind = None if key == "extension" else Kind(key.removeprefix("definition."))
                container = self._text(captures["container"][0]) if "container" in captures else None
                for name in captures["name"]:
                    self._define(_Definition(nodes[0], kind, self._text(name), container), name.start_byte)
            elif key == "preamble":
                preamble.update(_squeeze(self._text(node)) for node in nodes)
            elif key == "local":
                self.local.update((n.start_byte, n.end_byte) for n in nodes)
            elif key == "scope":
                self.scope.update((n.start_byte, n.end_byte) for n in nodes)
            elif key == "gap":
                self.gaps.extend(Gap(n.start_byte, n.parent is not None and _statements(n.parent) == 1) for n in nodes)
            elif key in ("comment", "attribute"):
                for node in nodes:
                    (self.comments if key == "comment" else self.attributes).append(
                        Span(node.start_byte, node.end_byte)
                    )
                    self._attach(node)

    def _define(self, new: _Definition, name_start: int) -> None:
        """Several patterns may find one name: a function or type tells more than a value."""
        key = (name_start, new.name)
        old = self.definitions.get(key)
        if old is None or (old.kind is Kind.VALUE and new.kind is not Kind.VALUE):
            self.definitions[key] = new

    def _attach(self, node: Node) -> None:
        first, last = node.start_point.row, node.end_point.row
        if node.end_point.column == 0 and last > first:
            last -= 1
        body = self.source[node.start_byte : node.end_byte]
        file_level = body.startswith((b"//!", b"/*!")) or (node.start_byte == 0 and body.startswith(b"#!"))
        before = self.source[_line_start(self.source, node.start_byte) : node.start_byte]
        after = self.source[node.end_byte : _line_end(self.source, node.end_byte)] if node.end_point.column else b""
        if not file_level and not before.strip() and not after.strip():
            self.attached.update(dict.fromkeys(range(first, last + 1), first))

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode()

    def symbols(self, leaf_starts: list[int], errors: tuple[Span, ...]) -> list[Symbol]:
        """The definitions as symbols, nested, in file order; what stands inside a function is no symbol."""
        rows = _row_starts(self.source)
        scopes = sorted(
            [(d.node.start_byte, -d.node.end_byte, 0, d) for d in self.definitions.values()]
            + [(start, -end, 1, None) for start, end in self.local - self.scope],
            key=lambda s: s[:3],
        )
        stack: list[tuple[int, _Definition | None, str | None]] = []  # end, definition (None: local scope), full name
        found: list[Symbol] = []
        for start, minus_end, _, definition in scopes:
            while stack and start >= stack[-1][0]:
                stack.pop()
            if definition is None or definition.kind is None:
                stack.append((-minus_end, definition, definition.name if definition else None))
                continue
            if any(d is None or d.kind is Kind.FUNCTION for _, d, _ in stack):
                continue
            parent = next((name for _, _, name in reversed(stack)), definition.container)
            full = f"{parent}.{definition.name}" if parent else definition.name
            found.append(self._symbol(definition, full, parent, rows, leaf_starts, errors))
            stack.append((-minus_end, definition, full))
        return found

    def _symbol(
        self,
        definition: _Definition,
        name: str,
        parent: str | None,
        rows: list[int],
        leaf_starts: list[int],
        errors: tuple[Span, ...],
    ) -> Symbol:
        assert definition.kind is not None
        node = definition.node
        while (outer := node.parent) is not None and outer.type in self.wrappers and self._only_child(outer, node):
            node = outer
        first = node.start_point.row
        while first - 1 in self.attached:
            first = self.attached[first - 1]
        end = _line_end(self.source, node.end_byte - 1 if node.end_point.column == 0 else node.end_byte)
        start = rows[first]
        begun = self._before(rows[node.start_point.row], node.start_byte)
        rest = self._after(node.end_byte, end)
        tokens = bisect_left(leaf_starts, node.end_byte) - bisect_left(leaf_starts, node.start_byte)
        sound = not any(
            node.start_byte <= e.start <= node.end_byte or e.start <= node.start_byte < e.end for e in errors
        )
        return Symbol(
            name,
            definition.kind,
            parent,
            start,
            end,
            node.start_byte,
            node.end_byte,
            alone=not begun and rest in (b"", b";", b","),
            sound=sound,
            nodes=node.descendant_count,
            tokens=tokens,
        )

    def _only_child(self, outer: Node, node: Node) -> bool:
        """A wrapper belongs to its definition only if it holds no second one (`const a = 1, b = 2`)."""
        return sum(child.type == node.type for child in outer.named_children) == 1

    def _before(self, start: int, end: int) -> bytes:
        """What stands on a definition's first line before it, attributes aside."""
        for attribute in self.attributes:
            if start <= attribute.start and attribute.end <= end:
                start = attribute.end
        return self.source[start:end].strip()

    def _after(self, start: int, end: int) -> bytes:
        """What stands on a definition's last line after it, comments aside."""
        at = bisect_left(self.comments, start, key=lambda span: span.start)
        if at < len(self.comments):
            end = min(end, self.comments[at].start)
        return self.source[start:end].strip()


def _statements(block: Node) -> int:
    """The statements of a block, without comments and docstrings."""
    return sum(not child.is_extra and child.type != "string" for child in block.named_children)


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
        name = s.name if seen[s.name] == 1 else f"{s.name}#{seen[s.name]}"
        out.append(
            Symbol(
                name, s.kind, s.parent, s.start, s.end, s.node_start, s.node_end, s.alone, s.sound, s.nodes, s.tokens
            )
        )
    return tuple(out)


def _loose(root: Node, source: bytes, symbols: tuple[Symbol, ...], found: _Tags) -> frozenset[str]:
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
            out.add(_squeeze(source[node.start_byte : node.end_byte].decode()))
    return frozenset(out)


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _row_starts(source: bytes) -> list[int]:
    starts, at = [0], source.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = source.find(b"\n", at + 1)
    return starts


def _line_start(source: bytes, offset: int) -> int:
    return source.rfind(b"\n", 0, offset) + 1


def _line_end(source: bytes, offset: int) -> int:
    end = source.find(b"\n", offset)
    end = len(source) if end < 0 else end
    return end - 1 if end > offset and source[end - 1 : end] == b"\r" else end


class _Cache:
    """The last outlines, by content; bounded by the bytes of text they hold."""

    def __init__(self, max_bytes: int) -> None:
        self._max, self._held = max_bytes, 0
        self._kept: OrderedDict[tuple[str, bytes], Outline] = OrderedDict()
        self._lock = Lock()

    def get(self, language: Language, source: bytes) -> Outline:
        key = (language.name, hashlib.sha256(source).digest())
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = measure(language, source)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._held += len(source)
            while self._held > self._max and len(self._kept) > 1:
                self._held -= len(self._kept.popitem(last=False)[1].text)
        return made


_CACHE = _Cache(max_bytes=4_000_000)
