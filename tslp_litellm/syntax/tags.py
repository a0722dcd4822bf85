"""A tags query's matches, sorted out: which definitions stand where, inside what, with what belongs to them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from tree_sitter import Node

from tslp_litellm.syntax.bodies import body_of
from tslp_litellm.syntax.naming import READINGS, plain
from tslp_litellm.syntax.parsing import Match
from tslp_litellm.syntax.symbols import Gap, Kind, Span, Symbol, line_end, line_start, row_starts, squeeze

_SPECS = frozenset({"type_spec", "type_alias", "const_spec", "var_spec"})
_BLANK = re.compile(rb"\s*")


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition's node and name. `kind` is None for an extension: a container that is no symbol."""

    node: Node
    kind: Kind | None
    name: str
    container: str | None


@dataclass(frozen=True, slots=True)
class _Region:
    """Something that holds other definitions. `definition` is None for a local scope, which hides what it holds."""

    start: int
    end: int
    definition: Definition | None
    outer: tuple[int, int]
    name: str | None = None

    @property
    def hides(self) -> bool:
        return self.definition is None or self.definition.kind is Kind.FUNCTION


class Tags:
    """One text's query matches. Only `symbols` is left to be asked."""

    def __init__(self, source: bytes, matches: list[Match], read: bytes | None = None) -> None:
        self.source = source
        self._read = read if read is not None else source  # what the parser was given: macros are no code in it
        self.comments: list[Span] = []
        self.gaps: list[Gap] = []
        self._holders: dict[int, Node] = {}  # node in a wrapper -> the wrapper
        self._attributes: list[Span] = []
        self._definitions: dict[tuple[int, str], Definition] = {}
        self._local: set[tuple[int, int]] = set()
        self._open: set[tuple[int, int]] = set()
        self._heads: dict[int, int] = {}  # end of a node that begins what follows it -> its start
        self._tails: dict[int, Node] = {}  # start of a node that ends what stands before it
        self._attached: dict[int, int] = {}  # row -> first row of the comment or attribute that fills it
        self._statements: dict[int, int] = {}
        preamble: set[str] = set()
        for captures in matches:
            self._take(captures, preamble)
        self.preamble = frozenset(preamble)
        for spans in (self.comments, self._attributes):
            spans.sort(key=lambda span: span.start)

    def _take(self, captures: Match, preamble: set[str]) -> None:
        for key, nodes in captures.items():
            if key.startswith("definition.") or key == "extension":
                self._take_definition(key, nodes[0], captures)
            elif key == "preamble":
                preamble.update(squeeze(self._text(node)) for node in nodes)
            elif key in ("local", "scope"):
                spans = self._local if key == "local" else self._open
                spans.update((node.start_byte, node.end_byte) for node in nodes)
            elif key == "gap":
                self.gaps += [Gap(node.start_byte, self._alone_in_block(node)) for node in nodes]
            elif key in ("comment", "attribute"):
                for node in nodes:
                    spans_of = self.comments if key == "comment" else self._attributes
                    spans_of.append(Span(node.start_byte, node.end_byte))
                    self._attach(node)
            else:
                self._take_neighbour(key, nodes)

    def _take_definition(self, key: str, node: Node, captures: Match) -> None:
        kind = None if key == "extension" else Kind(key.removeprefix("definition."))
        container = plain(self._text(captures["container"][0])) if "container" in captures else None
        for reading in captures.keys() & READINGS.keys():
            for name in captures[reading]:
                said = READINGS[reading](self._text(name))
                self._define(Definition(node, kind, said, container), name.start_byte)

    def _take_neighbour(self, key: str, nodes: list[Node]) -> None:
        """What belongs to a definition without standing in its node: what wraps, begins or ends it."""
        if key == "wrapper":
            self._holders.update((child.id, node) for node in nodes for child in node.named_children)
        elif key == "head":
            self._heads.update((node.end_byte, node.start_byte) for node in nodes)
        elif key == "tail":
            self._tails.update((node.start_byte, node) for node in nodes)

    def _alone_in_block(self, node: Node) -> bool:
        """Whether a node is all that its block holds, comments and docstrings aside."""
        if node.parent is None:
            return False
        if node.parent.id not in self._statements:
            self._statements[node.parent.id] = _statements(node.parent)
        return self._statements[node.parent.id] == 1

    def _define(self, new: Definition, name_start: int) -> None:
        """Several patterns may find one name: what is more than a value, or has a container, tells more."""
        key = (name_start, new.name)
        old = self._definitions.get(key)
        if old is None or (old.kind is Kind.VALUE, old.container is None) > (
            new.kind is Kind.VALUE,
            new.container is None,
        ):
            self._definitions[key] = new

    def _attach(self, node: Node) -> None:
        """Note a comment or attribute that fills its lines, unless it speaks of the whole file."""
        first, last = node.start_point.row, node.end_point.row
        if node.end_point.column == 0 and last > first:
            last -= 1
        body = self.source[node.start_byte : node.end_byte]
        file_level = body.startswith((b"//!", b"/*!")) or (node.start_byte == 0 and body.startswith(b"#!"))
        before = self.source[line_start(self.source, node.start_byte) : node.start_byte]
        after = self.source[node.end_byte : line_end(self.source, node.end_byte)] if node.end_point.column else b""
        if not file_level and not before.strip() and not after.strip():
            self._attached.update(dict.fromkeys(range(first, last + 1), first))

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode()

    def symbols(self, leaf_starts: list[int], errors: tuple[Span, ...]) -> list[Symbol]:
        """The definitions as symbols, nested, in file order; what stands inside a function is no symbol."""
        rows = row_starts(self.source)
        stack: list[_Region] = []
        found: list[Symbol] = []
        for scope in self._scopes():
            while stack and scope.start >= stack[-1].end:
                stack.pop()
            definition = scope.definition
            if definition is None or definition.kind is None:
                stack.append(scope)
                continue
            holders = [
                s for s in stack if s.outer != scope.outer
            ]  # `int a, b;`, `typedef struct t {} t;`: side by side
            if any(s.hides for s in holders):
                continue
            prefix = next((s.name for s in reversed(holders)), definition.container)
            full = f"{prefix}.{definition.name}" if prefix else definition.name
            parent = next((s.name for s in reversed(holders) if s.definition and s.definition.kind), None)
            found.append(self._symbol(definition, full, parent, rows, leaf_starts, errors))
            stack.append(_Region(scope.start, scope.end, definition, scope.outer, full))
        return found

    def _scopes(self) -> list[_Region]:
        """All that can hold definitions, outer ones first."""
        scopes = [_Region(a, b, None, (a, b)) for a, b in self._local - self._open]
        for d in self._definitions.values():
            outer = self._wrapped(d.node)
            name = d.name if d.kind is None else None
            end = self._tail(d.node.end_byte)[0]
            scopes.append(_Region(d.node.start_byte, end, d, (outer.start_byte, max(end, outer.end_byte)), name))
        return sorted(scopes, key=lambda s: (s.start, -s.end, s.definition is None))

    def _wrapped(self, node: Node) -> Node:
        """A definition's node with what wraps nothing else: `export`, decorators, a declaration of one name."""
        while (outer := self._holders.get(node.id)) is not None and _only_child(outer, node):
            node = outer
        return node

    def _head(self, start: int) -> int:
        """Where a definition begins with the siblings in front that belong to it."""
        end = start
        while self._heads and end:
            while self.source[end - 1 : end].isspace():
                end -= 1
            if end not in self._heads:
                break
            start = end = self._heads[end]
        return start

    def _tail(self, end: int) -> tuple[int, int]:
        """Where a definition ends with the siblings behind it that belong to it, and how many nodes these have."""
        nodes = 0
        while (node := self._tail_at(end)) is not None:
            end, nodes = node.end_byte, nodes + node.descendant_count
        return end, nodes

    def _tail_at(self, end: int) -> Node | None:
        """The sibling behind a place that belongs to what ends there."""
        blank = _BLANK.match(self.source, end) if self._tails else None
        return self._tails.get(blank.end()) if blank else None

    def _symbol(
        self,
        definition: Definition,
        name: str,
        parent: str | None,
        rows: list[int],
        leaf_starts: list[int],
        errors: tuple[Span, ...],
    ) -> Symbol:
        assert definition.kind is not None
        node = self._wrapped(definition.node)
        begin, (stop, more) = self._head(node.start_byte), self._tail(node.end_byte)
        row = first = bisect_right(rows, begin) - 1
        while first - 1 in self._attached:
            first = self._attached[first - 1]
        end = line_end(self.source, stop - 1 if self.source[stop - 1 : stop] == b"\n" else stop)
        begun = self._before(rows[row], begin)
        rest = self._after(stop, end)
        return Symbol(
            name,
            definition.kind,
            parent,
            start=rows[first],
            end=end,
            node_start=begin,
            node_end=stop,
            inner=definition.node.start_byte,
            alone=not begun and rest in (b"", b";", b","),
            sound=not _overlaps(errors, begin, stop),
            nodes=node.descendant_count + more,
            tokens=bisect_left(leaf_starts, stop) - bisect_left(leaf_starts, begin),
            body=self._body(definition),
        )

    def _body(self, definition: Definition) -> int | None:
        """Where a definition's body begins, in its node or in a sibling behind it; values have none."""
        if definition.kind is Kind.VALUE:
            return None
        found = body_of(definition.node)
        tail = self._tail_at(definition.node.end_byte) if found is None else None
        return found if tail is None else tail.start_byte

    def _before(self, start: int, end: int) -> bytes:
        """What stands on a definition's first line before it, attributes aside."""
        at = bisect_left(self._attributes, start, key=lambda span: span.start)
        while at < len(self._attributes) and self._attributes[at].end <= end:
            start, at = self._attributes[at].end, at + 1
        return self._read[start:end].strip()

    def _after(self, start: int, end: int) -> bytes:
        """What stands on a definition's last line after it, comments aside."""
        at = bisect_left(self.comments, start, key=lambda span: span.start)
        if at < len(self.comments):
            end = min(end, self.comments[at].start)
        return self._read[start:end].strip()


def _overlaps(errors: tuple[Span, ...], begin: int, stop: int) -> bool:
    """Whether one of some spans (sorted, apart from each other) begins in a stretch or reaches into it."""
    at = bisect_left(errors, begin, key=lambda span: span.start)
    return (at < len(errors) and errors[at].start <= stop) or (at > 0 and errors[at - 1].end > begin)


def _only_child(outer: Node, node: Node) -> bool:
    """Whether a wrapper holds no second definition (`const a = 1, b = 2`)."""
    kinds = _SPECS if node.type in _SPECS else {node.type}
    return sum(child.type in kinds for child in outer.named_children) == 1


def _statements(block: Node) -> int:
    """The statements of a block, without comments and docstrings."""
    return sum(not child.is_extra and child.type != "string" for child in block.named_children)
