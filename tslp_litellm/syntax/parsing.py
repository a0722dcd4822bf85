"""Tree-sitter, kept polite: parsing yields the interpreter lock and gives up after a time.

tree-sitter holds the GIL while it parses. Reading the text through a callback, in small pieces, gives other
threads (the event loop above all) their turn between two pieces.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
import sys
import time
from dataclasses import dataclass
from functools import cache
from importlib import resources

import tree_sitter_language_pack as pack
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

AT_ONCE_BYTES = 16_384
"""A text that is parsed within two milliseconds may hold the GIL for that long."""
PIECE_BYTES = 4096
WINDOW_BYTES = 8192
"""What a query looks through at a time: a millisecond's worth."""
ERROR_CHILDREN_MAX = 2000
TIMEOUT_S = 3.0
YIELD_S = 0.001
"""For how long the GIL may be held before other threads get their turn."""
MAX_BYTES = 8_000_000

Match = dict[str, list[Node]]
_PATTERN = re.compile(r"^[^\s;].*(?:\n[ \t)].*)*", re.M)
"""A pattern of a query file: what begins a line, and the indented lines below it."""


@cache
def grammar(name: str) -> Grammar:
    """A grammar of the language pack; LookupError where the pack has none of that name."""
    return pack.get_language(name)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class TagsQuery:
    """A language's tags query: what may begin anywhere, and what must begin at a child of the root.

    In the file, the latter is a pattern that names the root. Asked with the root in it, every pattern would be tried
    on every child of the root for every window, which takes longer than all the rest on a wide root.
    """

    root: str
    deep: Query | None
    top: Query | None


@cache
def tags_query(language: str, grammar_name: str, wrappers: frozenset[str] = frozenset()) -> TagsQuery | None:
    """The language's definitions (`queries/<language>.scm`) and its wrappers; None where it has no such file."""
    file = resources.files(__package__) / "queries" / f"{language}.scm"
    if not file.is_file():
        return None
    known = grammar(grammar_name)
    root = Parser(known).parse(b"").root_node.type
    outer = [f"({kind}) @wrapper" for kind in sorted(wrappers) if known.id_for_node_kind(kind, True) is not None]
    patterns = [*_PATTERN.findall(file.read_text("utf-8")), *outer]
    below = f"({root} "
    top = [f"({pattern.removeprefix(below)}" for pattern in patterns if pattern.startswith(below)]
    deep = [pattern for pattern in patterns if not pattern.startswith(below)]
    return TagsQuery(root, *(Query(known, "\n".join(some)) if some else None for some in (deep, top)))


def _give_way() -> None:
    """Let another thread have the GIL. A clock that is tampered with may refuse to wait for no time at all."""
    with contextlib.suppress(OSError):
        time.sleep(0)


class _Turns:
    """Lets other threads have the GIL for a moment, and knows when time is up."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._deadline = self._last + TIMEOUT_S

    def give(self) -> float:
        """A turn, if the last one was long enough ago; the time."""
        now = time.monotonic()
        if now - self._last > YIELD_S:
            _give_way()
            self._last = time.monotonic()
        return now

    def overdue(self, _offset: int, _has_error: bool) -> bool:
        """tree-sitter's progress callback, which it also asks while it balances the tree."""
        return self.give() > self._deadline


class _Reader:
    """Hands a text to tree-sitter in pieces, and lets go of the GIL in between: lexers and predicates look back.

    py-tree-sitter keeps a reference to each piece for ever (0.25, 0.26). Only the latest piece is in use, so the
    surplus reference of the one before is given back; where a version keeps none, there is none to give.
    """

    def __init__(self, source: bytes, turns: _Turns) -> None:
        self._source, self._piece, self._turns = source, b"", turns

    def __call__(self, offset: int, _point: object) -> bytes:
        self._turns.give()
        self._give_back()
        self._piece = self._source[offset : offset + PIECE_BYTES]
        return self._piece

    def __del__(self) -> None:
        self._give_back()

    def _give_back(self) -> None:
        piece, self._piece = self._piece, b""
        if len(piece) > 1:  # shorter ones are the interpreter's own
            for _ in range(sys.getrefcount(piece) - _OWN_REFERENCES):
                _release(piece)


_OWN_REFERENCES = 2
"""A local variable's, and the argument's of the function that counts."""
_release = ctypes.pythonapi.Py_DecRef
_release.argtypes, _release.restype = [ctypes.py_object], None


def parse(grammar_name: str, source: bytes) -> Tree | None:
    """The tree of a text; None where there is no usable one (no grammar, no text, too large, out of time)."""
    if len(source) > MAX_BYTES or b"\0" in source:  # lexers take a NUL for the end, again and again
        return None
    try:
        parser = Parser(grammar(grammar_name))
        if len(source) <= AT_ONCE_BYTES:
            return parser.parse(source)
        turns = _Turns()
        return parser.parse(_Reader(source, turns), progress_callback=turns.overdue)
    except (ValueError, LookupError):
        return None


def matches(query: TagsQuery, root: Node) -> list[Match] | None:
    """All matches of a query below a node; None where the tree is too broken to be worth it, or time is up.

    Asked window by window, so that the GIL is let go of in between. Queries on a very wide ERROR node take time that
    grows with the square of its width.
    """
    if any(node.child_count > ERROR_CHILDREN_MAX for node in errors(root)):
        return None
    deadline = time.monotonic() + TIMEOUT_S
    found: dict[tuple[tuple[str, int], ...], Match] = {}
    cursors = [QueryCursor(query.deep)] if query.deep is not None else []
    if query.top is not None and root.type == query.root:
        cursors.append(QueryCursor(query.top))
        cursors[-1].set_max_start_depth(1)
    for start in range(root.start_byte, root.end_byte + 1, WINDOW_BYTES):
        if time.monotonic() > deadline:
            return None
        for cursor in cursors:
            cursor.set_byte_range(start, start + WINDOW_BYTES)
            for _, captures in cursor.matches(root):
                found[tuple(sorted((name, node.id) for name, nodes in captures.items() for node in nodes))] = captures
            _give_way()
    return list(found.values())


def errors(root: Node) -> list[Node]:
    """The ERROR and MISSING nodes of a tree, outermost only."""
    found: list[Node] = []
    stack = [root] if root.has_error else []
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.append(node)
        else:
            stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return sorted(found, key=lambda node: node.start_byte)


def leaves(root: Node) -> tuple[list[int], list[Node]]:
    """Where the leaves of a tree (its tokens) begin, in bytes, ascending; and the definitions that lack their block,
    which Python's grammar lets pass."""
    cursor, starts, hollow = root.walk(), [], []
    while True:
        if cursor.goto_first_child():
            continue
        node = cursor.node
        if node is not None:
            starts.append(node.start_byte)
            if node.type == "block" and node.start_byte == node.end_byte and node.parent is not None:
                hollow.append(node.parent)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return starts, hollow
