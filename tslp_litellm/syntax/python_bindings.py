"""What the names in a Python text are bound to (SEMANTICS 10, Use): imports, and references that reach the module's
scope. Runs in the parser's process, on a tree.

Owns Python's scopes as far as they hide a name; refuses what is bound twice, by a star import or in a scope of its own.
Where it is in doubt it takes a name for hidden: a use that is missed is honest, one that is wrong is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from tslp_litellm.state.values import Doubt
from tslp_litellm.syntax.references import Bindings, Import, Reference

_FUNCTIONS = frozenset({"function_definition", "lambda"})
_COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)
_CLASS = "class_definition"
_PATTERNS = frozenset(
    {
        "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target", "tuple", "list",
        "list_splat", "parenthesized_expression", "dictionary_splat_pattern", "expression_list",
    }
)  # fmt: skip
"""What a target is made of, down to the names that it binds."""
_TARGETS = {
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "for_in_clause": "left",
    "named_expression": "name",
    "function_definition": "name",
    "class_definition": "name",
    "default_parameter": "name",
    "typed_default_parameter": "name",
    "aliased_import": "alias",
}
"""The field in which a node holds what it binds."""
_WHOLLY = frozenset(
    {
        "delete_statement", "nonlocal_statement", "as_pattern_target", "dictionary_splat_pattern",
    }
)  # fmt: skip
"""Nodes every name in which counts as bound."""
_NAME = re.compile(r"(['\"])([^\W\d]\w*)\1")
"""A text that is a name."""
_IMPORTS = frozenset({"import_statement", "import_from_statement", "future_import_statement"})


DEPTH_MAX = 50
"""Scopes in each other, at most, out of which names are followed."""


@dataclass(slots=True)
class _Scope:
    """One scope: what it is, what holds it, and how often it binds each name."""

    kind: str
    outer: _Scope | None
    bound: Counter[str] = field(default_factory=Counter)
    depth: int = 0


class _Reading:
    """One walk over a tree."""

    def __init__(self, root: Node) -> None:
        self.module = _Scope("module", None)
        self.imports: list[Import] = []
        self.star = -1
        self.stars: list[str] = []
        self.bound_at: dict[str, int] = {}
        self.found: list[tuple[Reference, _Scope]] = []
        self.dynamic: list[tuple[Reference, _Scope]] = []
        stack: list[tuple[Node, _Scope, bool]] = [(root, self.module, False)]
        while stack:
            node, scope, binds = stack.pop()
            stack.extend(self._step(node, scope, binds))

    def _step(self, node: Node, scope: _Scope, binds: bool) -> Iterator[tuple[Node, _Scope, bool]]:
        """A node's children, each with the scope it stands in and whether the names in it are bound."""
        if node.type in _IMPORTS:
            self._take_imports(node, scope)
        elif node.type == "identifier":
            self._take_name(node, scope, binds)
        elif node.type == "global_statement":
            self._take_global(node, scope)
        elif node.type == "attribute":
            yield from self._attribute(node, scope)
        elif node.type == "keyword_argument":
            yield from ((child, scope, False) for child in _children(node, "value"))
        elif node.type == "generic_type":  # `a[b]`: what stands in its brackets is asked for, not made a parameter
            for child in node.named_children:
                inside = child.named_children if child.type == "type_parameter" else (child,)
                yield from ((one, scope, False) for one in inside)
        elif node.type in ("case_pattern", "type_parameter"):
            for name in _names(node):
                self._take_name(name, scope, True)
        elif node.type == "type_alias_statement":
            for name in _names(node.named_children[0]):
                self._take_name(name, scope, True)
            yield from ((child, scope, False) for child in node.named_children[1:])
        else:
            yield from self._within(node, scope, binds)

    def _take_call(self, node: Node, scope: _Scope) -> None:
        """`getattr(a, "b")` asks for `a.b`."""
        called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if called is None or given is None or _text(called) != "getattr" or given.named_child_count < 2:
            return
        of, member = given.named_children[0], _NAME.fullmatch(_text(given.named_children[1]))
        if of.type == "identifier" and member is not None:
            self.dynamic.append((Reference(node.start_byte, (_text(of), member[2]), Doubt.DYNAMIC), scope))

    def _within(self, node: Node, scope: _Scope, binds: bool) -> Iterator[tuple[Node, _Scope, bool]]:
        inner = scope
        if node.type == "call":
            self._take_call(node, scope)
        if node.type in _FUNCTIONS or node.type in _COMPREHENSIONS or node.type == _CLASS:
            inner = _Scope(node.type, scope, depth=scope.depth + 1)
        target = _TARGETS.get(node.type)
        named = {child.id for child in _children(node, target)} if target else frozenset[int]()
        parameters = node.type in ("parameters", "lambda_parameters", "typed_parameter")
        for child in node.named_children:
            if child.id in named:
                yield child, _holder(node, scope), True
            elif node.type in _WHOLLY or parameters:
                yield child, inner, node.type in _WHOLLY or child.type in ("identifier", *_PATTERNS)
            else:
                yield child, inner, binds and node.type in _PATTERNS

    def _attribute(self, node: Node, scope: _Scope) -> Iterator[tuple[Node, _Scope, bool]]:
        """`a.b.c` is one reference with its chain; of anything else only the object is looked at."""
        chain, at = list[str](), node
        while at.type == "attribute":
            name, holder = at.child_by_field_name("attribute"), at.child_by_field_name("object")
            if name is None or holder is None:
                return
            chain.append(_text(name))
            at = holder
        if at.type == "identifier":
            parts = (_text(at), *reversed(chain))
            self.found.append((Reference(node.start_byte, parts), scope))
        else:
            yield at, scope, False

    def _take_name(self, node: Node, scope: _Scope, binds: bool) -> None:
        name = _text(node)
        if not binds:
            self.found.append((Reference(node.start_byte, (name,)), scope))
            return
        self._bind(name, scope, node.start_byte)

    def _take_global(self, node: Node, scope: _Scope) -> None:
        for name in map(_text, node.named_children):
            self._bind(name, scope, node.start_byte)
            if scope is not self.module:
                self.module.bound[name] += 2  # another scope may bind it at any time

    def _bind(self, name: str, scope: _Scope, at: int) -> None:
        scope.bound[name] += 1
        if scope is self.module:
            self.bound_at[name] = at

    def _take_imports(self, node: Node, scope: _Scope) -> None:
        module = node.child_by_field_name("module_name")
        source = _text(module) if module is not None else None
        if any(child.type == "wildcard_import" for child in node.named_children):
            self.star = max(self.star, node.start_byte)
            self.stars += [source] if source is not None else []
        for child in _children(node, "name"):
            alias = child.child_by_field_name("alias")
            named = child.child_by_field_name("name") if alias is not None else child
            said = _text(named) if named is not None else ""
            name = _text(alias) if alias is not None else said.partition(".")[0]
            self._bind(name, scope, child.start_byte)
            if scope is self.module and node.type != "future_import_statement":
                whole = alias is not None or "." not in said
                made = Import(name, source or said, said if source else None, whole=bool(source) or whole)
                self.imports.append(made)

    def bindings(self) -> Bindings:
        """What is bound exactly once, and behind the last star import, which may bind anything again."""
        once = {n for n, count in self.module.bound.items() if count == 1 and self.bound_at.get(n, -1) > self.star}
        imports = tuple(sorted((m for m in self.imports if m.name in once), key=lambda made: self.bound_at[made.name]))
        found = (made for made, scope in self.found if made.name in once and self._reaches(made.name, scope))
        return Bindings(
            imports,
            tuple(sorted(found, key=lambda reference: reference.start)),
            frozenset(once) - {made.name for made in imports},
            frozenset(self.module.bound) - once,
            star=self.star >= 0,
            doubts=tuple(sorted(self._doubts(once, {made.name for made in imports}), key=lambda made: made.start)),
            unsure=tuple(made for made in self.imports if made.name not in once),
            stars=tuple(dict.fromkeys(self.stars)),
        )

    def _doubts(self, once: Collection[str], imported: Collection[str]) -> Iterator[Reference]:
        """What is hidden by a scope, and what the module binds several times, or not at all beside a star import."""
        for made, scope in self.found:
            if made.name in once:
                if not self._reaches(made.name, scope):
                    yield replace(made, why=Doubt.SHADOWED)
            elif (self.stars or made.name in self.module.bound) and self._reaches(made.name, scope):
                yield made
        yield from (made for made, scope in self.dynamic if made.name in imported and self._reaches(made.name, scope))

    def _reaches(self, name: str, scope: _Scope) -> bool:
        """Whether no scope on the way to the module's binds a name; not asked where that is long. A class hides it only
        from what stands in it directly."""
        if scope.depth > DEPTH_MAX:
            return False
        at, direct = scope, True
        while at.outer is not None:
            if at.bound[name] and (at.kind != _CLASS or direct):
                return False
            direct = direct and at.kind in _COMPREHENSIONS
            at = at.outer
        return True


def bindings(root: Node) -> Bindings:
    """The imports of a Python tree, and the references to names that its module binds exactly once."""
    return _Reading(root).bindings()


def _holder(node: Node, scope: _Scope) -> _Scope:
    """The scope that a target binds in: `:=` passes comprehensions by."""
    while node.type == "named_expression" and scope.kind in _COMPREHENSIONS and scope.outer is not None:
        scope = scope.outer
    return scope


def _names(node: Node) -> Iterator[Node]:
    """All names below a node: which of a pattern's are captures is not asked."""
    stack = [node]
    while stack:
        at = stack.pop()
        if at.type == "identifier":
            yield at
        stack.extend(at.named_children)


def _children(node: Node, name: str) -> list[Node]:
    return node.children_by_field_name(name)


def _text(node: Node) -> str:
    return (node.text or b"").decode()
