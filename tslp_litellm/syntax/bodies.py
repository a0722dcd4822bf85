"""Where the body of a definition begins: what stands before it is its signature (SEMANTICS 10)."""

from __future__ import annotations

from collections import deque

from tree_sitter import Node

BODIES = frozenset(
    {
        "accessor_list", "arrow_expression_clause", "class_body", "column_definitions", "computed_property",
        "create_query", "declaration_list", "do_block", "enum_class_body", "field_declaration_list", "function_body",
        "template_body",
    }
)  # fmt: skip
"""Nodes that are bodies, in grammars that do not name the field in which one stands."""
DEPTH_MAX, NODES_MAX, CHILDREN_MAX = 6, 64, 32
"""How far a body is looked for: it may be that of a function which the definition's name is bound to."""


def body_of(node: Node) -> int | None:
    """The byte at which the body of a definition begins, the nearest one to the definition itself."""
    waiting = deque([(node, 0)])
    for _ in range(NODES_MAX):
        if not waiting:
            return None
        at, depth = waiting.popleft()
        if (body := at.child_by_field_name("body")) is not None:
            return body.start_byte
        children = at.named_children if at.named_child_count <= CHILDREN_MAX else []
        for child in children:
            if child.type in BODIES:
                return child.start_byte
        if depth < DEPTH_MAX:
            waiting.extend((child, depth + 1) for child in children)
    return None
