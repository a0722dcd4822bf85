"""Bindings of languages that one query describes (`queries/uses/<language>.scm`; SEMANTICS 10, Use).

Scopes are not told apart: a name counts where the whole text binds it exactly once, or nowhere and it is asked for. A
place that the query does not know to only ask for a name is taken for one that binds it, so what is not known costs
uses and makes none. Captures:

- `ask` only asks for a name; `bind` binds one, whatever else it looks like;
- `chain` is names with members asked of them; `head` and `tail` are such a pair that has no node of its own;
- `tag` binds a name that only `tagged` places ask for (C: `struct a`);
- `skip` neither asks for a name of the file's scope nor binds one; nor does `quiet`, unless something else is said;
- `member` is one that a type declares and does not define; `inherits` stands where something in a type has members of
  another one;
- `import` is read by its text (`import_texts`); `package` is the declared one.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from tree_sitter import Node, Query, QueryCursor

from tslp_litellm.syntax import parsing
from tslp_litellm.syntax.import_texts import READERS, Read
from tslp_litellm.syntax.references import THIS, Bindings, Import, Reference

_NAMES = frozenset(
    {
        "alias", "constant", "identifier", "name", "namespace_identifier", "package_identifier", "simple_identifier",
        "type_identifier", "word",
    }
)  # fmt: skip
_CHAIN = re.compile(r"[^\W\d][\w$]*(?:(?:::|->|\.|\\)[^\W\d][\w$]*)+")
_BETWEEN = re.compile(r"::|->|\.|\\")


@cache
def _query(language: str, grammar: str) -> Query | None:
    written = parsing.patterns_of(f"uses/{language}")
    return Query(parsing.grammar(grammar), "\n".join(written)) if written else None


class _Reading:
    """One walk over a tree, by what the query captured."""

    def __init__(self, root: Node, query: Query, read: Read) -> None:
        self.bound: Counter[str] = Counter()
        self.found: list[Reference] = []
        self.imports: list[Import] = []
        self.opens: list[str] = []
        self.star = False
        self.stars: list[str] = []
        self._packages = set[str]()
        self._asks, self._binds, self._skips, self._chains = set[int](), set[int](), set[int](), set[int]()
        self._quiet = set[int]()
        self._kinds = {"ask": self._asks, "bind": self._binds, "chain": self._chains, "quiet": self._quiet}
        self._kinds |= dict.fromkeys(("skip", "tail"), self._skips)
        self._tails = dict[int, str]()
        self._tags, self._tagged = dict[int, str](), set[int]()  # nodes with their names; places
        self._read = read
        for _, captures in QueryCursor(query).matches(root):
            self._take(captures)
        stack = [root]
        while stack:
            node = stack.pop()
            if node.id not in self._skips:
                stack.extend(node.named_children if not self._is_read(node) else ())

    def _take(self, captures: parsing.Match) -> None:
        for key, nodes in captures.items():
            ids = {node.id for node in nodes}
            if key in self._kinds:
                self._kinds[key] |= ids
            elif key in ("member", "inherits"):
                told = {node.start_byte: _text(node) if key == "member" else "*" for node in nodes}
                self.found += [Reference(at, (THIS, name)) for at, name in told.items()]
            elif key == "tag":
                self._tags |= {node.id: _text(node) for node in nodes}
            elif key == "tagged":
                self._asks |= ids
                self._tagged |= {node.start_byte for node in nodes}
            elif key == "head":
                self._tails[nodes[0].id] = _text(captures["tail"][0]) if "tail" in captures else ""
            elif key == "package":
                self._packages.add(_text(nodes[0]))
                self._skips |= ids
            elif key == "import":
                self._skips |= ids
                self._import(_text(nodes[0]))

    def _import(self, text: str) -> None:
        for made in self._read(text):
            if made.member == "*":
                self.star = True
                self.stars.append(made.module)
            elif made.name == "":
                self.opens.append(made.module)
            else:
                self.bound[made.name] += 1
                self.imports.append(made)

    def _is_read(self, node: Node) -> bool:
        """Take a name, or names with members; whether all below the node is read with that."""
        if node.id in self._chains and _CHAIN.fullmatch(text := _text(node)):
            self.found.append(Reference(node.start_byte, tuple(_BETWEEN.split(text))))
            return True
        if node.type not in _NAMES:
            return False
        text = _text(node)
        if node.id in self._tails:
            tail = self._tails[node.id]
            self.found.append(Reference(node.start_byte, (text, tail) if tail else (text,)))
        elif node.id in self._asks and node.id not in self._binds:
            self.found.append(Reference(node.start_byte, (text,)))
        elif node.id in self._binds or node.id not in self._quiet:
            self.bound[text] += 1
        return True

    def bindings(self) -> Bindings:
        once = {name for name, count in self.bound.items() if count == 1}
        imports = tuple(made for made in self.imports if made.name in once)
        tags = {name for node, name in self._tags.items() if node not in self._skips}
        found = sorted(
            (r for r in self.found if r.name not in tags or r.start in self._tagged),
            key=lambda reference: reference.start,
        )
        return Bindings(
            imports,
            tuple(r for r in found if r.name not in self.bound or r.name in once),
            frozenset(once) - {made.name for made in imports},
            frozenset(self.bound) - once,
            self.star,
            self._packages.pop() if len(self._packages) == 1 else "",  # of several nobody tells which
            tuple(dict.fromkeys(self.opens)),
            tuple(r for r in found if r.name in self.bound and r.name not in once),
            tuple(made for made in self.imports if made.name not in once),
            tuple(dict.fromkeys(self.stars)),
        )


def bindings(root: Node, language: str, grammar: str) -> Bindings | None:
    """The bindings of a tree; None where no query describes its language."""
    query, read = _query(language, grammar), READERS.get(language)
    return _Reading(root, query, read).bindings() if query is not None and read is not None else None


def _text(node: Node) -> str:
    return (node.text or b"").decode()
