"""Tree-sitter: trees, their errors and tokens, and the matches of a language's tags query.

Nothing here is bounded in time: the process that it runs in is (`tslp_litellm.parser`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

import tree_sitter_language_pack as pack
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

ERROR_CHILDREN_MAX = 2000

Match = dict[str, list[Node]]
_PATTERN = re.compile(r"^[^\s;].*(?:\n[ \t)].*)*", re.M)
"""A pattern of a query file: what begins a line, and the indented lines below it."""
_INHERITS = re.compile(r"\A; inherits: (\w+)\n")
"""The first line of a query file that goes on from another one."""


@cache
def grammar(name: str) -> Grammar:
    """A grammar of the language pack; LookupError where the pack has none of that name."""
    return pack.get_language(name)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class TagsQuery:
    """A language's tags query: what may begin anywhere, and what must begin at a child of the root.

    In the file, the latter is a pattern that names the root. Asked with the root in it, every pattern would be tried
    on every child of the root, which takes longer than all the rest on a wide root.
    """

    root: str
    deep: Query | None
    top: Query | None


@cache
def tags_query(language: str, grammar_name: str, wrappers: frozenset[str] = frozenset()) -> TagsQuery | None:
    """The language's definitions (`queries/<language>.scm`) and its wrappers; None where it has no such file."""
    written = patterns_of(language)
    if not written:
        return None
    known = grammar(grammar_name)
    root = Parser(known).parse(b"").root_node.type
    outer = [f"({kind}) @wrapper" for kind in sorted(wrappers) if known.id_for_node_kind(kind, True) is not None]
    patterns = [*written, *outer]
    below = f"({root} "
    top = [f"({pattern.removeprefix(below)}" for pattern in patterns if pattern.startswith(below)]
    deep = [pattern for pattern in patterns if not pattern.startswith(below)]
    return TagsQuery(root, *(Query(known, "\n".join(some)) if some else None for some in (deep, top)))


def patterns_of(name: str) -> list[str]:
    """The patterns of a query file, by its path below `queries/`, behind those of the file that it goes on from."""
    file = resources.files(__package__) / "queries" / f"{name}.scm"
    text = file.read_text("utf-8") if file.is_file() else ""
    folder, slash, _ = name.rpartition("/")
    other = _INHERITS.match(text)
    return [*(patterns_of(f"{folder}{slash}{other[1]}") if other else ()), *_PATTERN.findall(text)]


def parse(grammar_name: str, source: bytes) -> Tree | None:
    """The tree of a text; None where there is no usable one (no grammar, or a NUL in it)."""
    if b"\0" in source:  # lexers take a NUL for the end, again and again
        return None
    try:
        return Parser(grammar(grammar_name)).parse(source)
    except (ValueError, LookupError):
        return None


def matches(query: TagsQuery, root: Node) -> list[Match] | None:
    """All matches of a query below a node; None where the tree is too broken to be worth it.

    Queries on a very wide ERROR node take time that grows with the square of its width.
    """
    if any(node.child_count > ERROR_CHILDREN_MAX for node in errors(root)):
        return None
    found = [captures for _, captures in QueryCursor(query.deep).matches(root)] if query.deep is not None else []
    if query.top is not None and root.type == query.root:
        cursor = QueryCursor(query.top)
        cursor.set_max_start_depth(1)
        found += [captures for _, captures in cursor.matches(root)]
    return found


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
