"""JavaScript's and TypeScript's bindings: which names reach an import or a definition of the module.

Scopes are not told apart: a name counts where the whole text binds it exactly once. A place that is not known to only
ask for a name is taken for one that binds it, so what is not known costs uses and makes none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from tslp_litellm.state.values import Doubt
from tslp_litellm.syntax.references import Bindings, Import, Reference

_NAMES = frozenset(
    {
        "identifier", "type_identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern",
    }
)  # fmt: skip
_ASKING = frozenset(
    {
        "arguments", "array", "array_type", "as_expression", "await_expression", "binary_expression", "call_expression",
        "class_heritage", "conditional_type", "constraint", "decorator", "default_type", "expression_statement",
        "extends_clause", "extends_type_clause", "generic_type", "implements_clause", "intersection_type",
        "jsx_closing_element", "jsx_expression", "jsx_opening_element", "jsx_self_closing_element", "new_expression",
        "non_null_expression", "object", "parenthesized_expression", "readonly_type", "return_statement", "lookup_type",
        "index_type_query", "computed_property_name", "rest_type", "optional_type", "template_type",
        "satisfies_expression", "sequence_expression", "spread_element", "subscript_expression",
        "template_substitution", "ternary_expression", "throw_statement", "tuple_type", "type_annotation",
        "type_arguments", "type_query", "unary_expression", "union_type", "yield_expression",
    }
)  # fmt: skip
"""Nodes that ask for every name right in them."""
_ASKING_FIELDS = frozenset(
    {
        ("arrow_function", "body"), ("assignment_expression", "right"), ("assignment_pattern", "right"),
        ("augmented_assignment_expression", "right"), ("for_in_statement", "right"), ("function_type", "return_type"),
        ("mapped_type_clause", "type"), ("object_assignment_pattern", "right"), ("optional_parameter", "value"),
        ("pair", "value"), ("public_field_definition", "value"), ("required_parameter", "value"),
        ("switch_case", "value"), ("type_alias_declaration", "value"), ("type_predicate", "type"),
        ("variable_declarator", "value"),
    }
)  # fmt: skip
"""And the fields of others in which a name is asked for."""
_CHAINS = {
    "member_expression": ("object", "property"),
    "nested_identifier": ("object", "property"),
    "nested_type_identifier": ("module", "name"),
}
"""Nodes that ask something of an object, with the fields of both."""
_DEFINING = frozenset(
    {
        "abstract_class_declaration", "class_declaration", "enum_declaration", "function_declaration",
        "generator_function_declaration", "interface_declaration", "type_alias_declaration", "variable_declarator",
    }
)  # fmt: skip
_BETWEEN = frozenset({"export_statement", "lexical_declaration", "variable_declaration"})
"""What may stand between a module and a definition of its own."""
_NAME = re.compile(r"(['\"])([^\W\d][\w$]*)\1")
"""A text that is a name."""
_REQUIRED = re.compile(r"require\(\s*(['\"])([^'\"\\]+)\1\s*\)(?:\s*\.\s*([\w$]+))?")
"""A module that a file requires, or a member of it."""
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "method_definition"})


PARENTS_MAX = 4
"""So many nodes around a name say what it is there: a definition, what may stand between, and the program. A node is
not asked for its parent: that is looked for from the root down."""


class _Reading:
    """One walk over a tree."""

    def __init__(self, root: Node) -> None:
        self.bound: Counter[str] = Counter()
        self.defined: set[str] = set()
        self.given: set[str] = set()  # what only importers see
        self.exports: dict[str, str] = {}
        self.imports: list[Import] = []
        self.passed_on: list[Import] = []
        self.found: list[Reference] = []
        self.dynamic: list[Reference] = []
        self.star = False
        self.stars: list[str] = []
        around: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
        while around:
            node, parents = around.pop()
            inside = (*parents[-PARENTS_MAX:], node)
            around.extend((child, inside) for child in self._step(node, parents))

    def _step(self, node: Node, parents: tuple[Node, ...]) -> Iterator[Node]:
        if node.type == "import_statement":
            self._take_imports(node)
        elif node.type == "export_statement" and node.child_by_field_name("declaration") is None:
            yield from self._exported(node)
        elif node.type in _CHAINS:
            yield from self._chain(node)
        elif node.type in _NAMES:
            self._take_name(node, parents)
        else:
            if node.type == "subscript_expression":
                self._take_subscript(node)
            elif node.type == "export_statement":
                self._take_default(node)
            elif node.type == "variable_declarator" and _is_top(parents):
                self.imports += _required(node)
            elif node.type == "assignment_expression":
                self._take_given(node, top=_is_top(parents[:-1]))
            yield from node.named_children

    def _take_subscript(self, node: Node) -> None:
        """`a["b"]` asks for `a.b`."""
        of, index = node.child_by_field_name("object"), node.child_by_field_name("index")
        member = _NAME.fullmatch(_text(index)) if index is not None else None
        if of is not None and of.type == "identifier" and member is not None:
            self.dynamic.append(Reference(node.start_byte, (_text(of), member[2]), Doubt.DYNAMIC))

    def _take_name(self, node: Node, parents: tuple[Node, ...]) -> None:
        name, parent = _text(node), parents[-1] if parents else None
        if parent is not None and node.type != "shorthand_property_identifier_pattern" and _asks(node, parent):
            self.found.append(Reference(node.start_byte, (name,)))
            return
        self.bound[name] += 1
        if parent is not None and parent.type in _DEFINING and _is_top(parents[:-1]):
            self.defined.add(name)

    def _chain(self, node: Node) -> Iterator[Node]:
        """`a.b.c` is one reference with its chain; of anything else only the object is looked at."""
        chain, at = list[str](), node
        while at.type in _CHAINS:
            of, asked = (at.child_by_field_name(field) for field in _CHAINS[at.type])
            if of is None or asked is None:
                return
            chain.append(_text(asked))
            at = of
        if at.type == "identifier":
            self.found.append(Reference(node.start_byte, (_text(at), *reversed(chain))))
        else:
            yield at

    def _take_imports(self, node: Node) -> None:
        source = _source(node)
        for name, holder in (found for child in node.named_children for found in _own_names(child, node)):
            self.bound[_text(name)] += 1
            if source is None:
                continue
            if holder.type in ("namespace_import", "import_require_clause"):
                self.imports.append(Import(_text(name), source, None))
            elif holder.type == "import_specifier":
                said = holder.child_by_field_name("name")
                self.imports.append(Import(_text(name), source, _text(said) if said is not None else _text(name)))
            elif holder.type == "import_clause":
                self.imports.append(Import(_text(name), source, "default"))

    def _exported(self, node: Node) -> Iterator[Node]:
        """Names that are passed on, or given out by another name, are bound to the module's importers."""
        source = _source(node)
        clauses = [child for child in node.named_children if child.type == "export_clause"]
        self.star = self.star or (source is not None and not clauses)
        if source is not None and not clauses and all(child.type != "namespace_export" for child in node.children):
            self.stars.append(source)
        for one in (specifier for clause in clauses for specifier in clause.named_children):
            name, alias = one.child_by_field_name("name"), one.child_by_field_name("alias")
            if name is None:
                continue
            out = _text(alias if alias is not None else name)
            if source is not None:
                self.bound[out] += 1
                self.passed_on.append(Import(out, source, _text(name)))
            elif alias is not None:
                self._give_out(out, _text(name))
        if source is None and not clauses:
            assigned = _assigned(node)
            value = assigned or node.child_by_field_name("value")
            if value is not None and value.type in _NAMES:
                self.found.append(Reference(value.start_byte, (_text(value),)))
                for out in ("", "default") if assigned is not None else ("default",):
                    self._give_out(out, _text(value))
            else:
                yield from node.named_children

    def _take_default(self, node: Node) -> None:
        """A declaration that is given out without its name."""
        declared = node.child_by_field_name("declaration")
        name = declared.child_by_field_name("name") if declared is not None else None
        if name is not None and any(child.type == "default" for child in node.children):
            self._give_out("default", _text(name))

    def _give_out(self, name: str, own: str) -> None:
        """A name that only importers see, of something that the module names otherwise."""
        self.bound[name] += 1
        self.exports[name] = own

    def _take_given(self, node: Node, *, top: bool) -> None:
        """A name that a CommonJS module gives out is bound for its importers: to itself, or a function right there."""
        for name, value in _given(node):
            said = value.child_by_field_name("name") if value.type == "function_expression" else value
            own = _text(said) if said is not None and said.type == "identifier" else ""
            if top and said == value and own not in ("", name):
                self._give_out(name, own)
            elif own != name:
                self.bound[name] += 1
            if top and value.type in _FUNCTIONS:
                self.given.add(name)

    def bindings(self) -> Bindings:
        once = {name for name, count in self.bound.items() if count == 1}
        own = [made for made in self.imports if made.name in once]
        imported = {made.name for made in own}
        defined = (self.defined & once) - imported
        here = defined | imported
        made_again = (self.defined | {made.name for made in self.imports}) - once
        doubts = [one for one in self.found if one.name in made_again]
        doubts += [one for one in self.dynamic if one.name in imported]
        return Bindings(
            (*own, *(made for made in self.passed_on if made.name in once)),
            tuple(sorted((one for one in self.found if one.name in here), key=lambda reference: reference.start)),
            frozenset(defined | (self.given & once)),
            frozenset(self.bound) - once,
            self.star,
            doubts=tuple(sorted(doubts, key=lambda reference: reference.start)),
            unsure=tuple(made for made in (*self.imports, *self.passed_on) if made.name not in once),
            stars=tuple(dict.fromkeys(self.stars)),
            exports={name: own for name, own in self.exports.items() if name in once},
        )


def bindings(root: Node) -> Bindings:
    """The imports of a tree, what it passes on, and the references to names that it binds exactly once."""
    return _Reading(root).bindings()


def _asks(node: Node, parent: Node) -> bool:
    if parent.type in _ASKING:
        return True
    return any(
        one == node for kind, field in _ASKING_FIELDS if kind == parent.type
        for one in parent.children_by_field_name(field)
    )  # fmt: skip


def _is_top(parents: tuple[Node, ...]) -> bool:
    """Whether no more than what may stand there is between the program and a definition. `parents`: those that are
    nearest to it."""
    at = next((node for node in reversed(parents) if node.type not in _BETWEEN), None)
    return at is not None and at.type == "program"


def _assigned(node: Node) -> Node | None:
    """What TypeScript's `export = a` gives out."""
    return node.named_children[0] if any(child.type == "=" for child in node.children) else None


def _source(node: Node) -> str | None:
    """The module of an import or of what is passed on; of TypeScript's `import a = require("…")` it stands deeper."""
    inner = [child for child in node.named_children if child.type == "import_require_clause"]
    source = (inner[0] if inner else node).child_by_field_name("source")
    return _text(source)[1:-1] if source is not None else None


def _required(node: Node) -> Iterator[Import]:
    """What a declarator binds by `require`: the module, a member of it, or those of a pattern."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    said = _REQUIRED.fullmatch(_text(value)) if value is not None else None
    if name is None or said is None:
        return
    if name.type == "identifier":
        yield Import(_text(name), said[2], said[3])
    for one in name.named_children if not said[3] else ():
        member, bound = one.child_by_field_name("key"), one.child_by_field_name("value")
        if one.type == "shorthand_property_identifier_pattern":
            yield Import(_text(one), said[2], _text(one))
        elif member is not None and bound is not None and bound.type == "identifier":
            yield Import(_text(bound), said[2], _text(member))


def _given(node: Node) -> Iterator[tuple[str, Node]]:
    """The names that an assignment gives out, each with its value: `exports.a = …`, `module.exports = { a }`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    of, name = left.child_by_field_name("object"), left.child_by_field_name("property")
    if of is not None and name is not None and _is_exports(of):
        yield _text(name), right
    elif _is_exports(left) and right.type == "object":
        for one in right.named_children:
            key = one.child_by_field_name("key") or one.child_by_field_name("name")
            if key is not None and key.type != "computed_property_name":
                yield _text(key).strip("'\""), one.child_by_field_name("value") or one


def _is_exports(node: Node) -> bool:
    """Whether a node is `exports` or `module.exports`."""
    of = node.child_by_field_name("object") if node.type == "member_expression" else node
    return of is not None and of.type == "identifier" and _text(node) in ("exports", "module.exports")


def _own_names(node: Node, holder: Node) -> Iterator[tuple[Node, Node]]:
    """The names that an import binds, each with the node it is right in: of a specifier the alias, if it has one."""
    if node.type == "identifier":
        yield node, holder
    elif node.type == "import_specifier":
        name = node.child_by_field_name("alias") or node.child_by_field_name("name")
        if name is not None:
            yield name, node
    elif node.type != "string":
        for child in node.named_children:
            yield from _own_names(child, node)


def _text(node: Node) -> str:
    return (node.text or b"").decode()
