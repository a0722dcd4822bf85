"""Python's bindings: what reaches the module's scope, against Python's own symbol tables."""

from __future__ import annotations

import ast
import inspect
import symtable
import textwrap
from collections import Counter
from collections.abc import Iterator

import idna.core
import jinja2.compiler
import jinja2.parser
import pytest
import yaml.constructor
import yaml.scanner
from tree_sitter import Parser

from tslp_litellm.syntax.parsing import grammar
from tslp_litellm.syntax.python_bindings import bindings
from tslp_litellm.syntax.references import Bindings, Import

MODULES = (ast, inspect, textwrap, symtable, idna.core, jinja2.compiler, jinja2.parser, yaml.constructor, yaml.scanner)


def read(source: str) -> Bindings:
    return bindings(Parser(grammar("python")).parse(source.encode()).root_node)


def chains(source: str) -> list[str]:
    return [".".join(reference.chain) for reference in read(source).references]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from .m import f\ndef g():\n    return f(1)\n", ["f"]),
        ("from .m import f\ndef g(f):\n    return f(1)\n", []),
        ("from .m import f\ndef g():\n    f = round\n    return f(1)\n", []),
        ("from .m import f\nf = 2\ndef g():\n    return f\n", []),
        ("from .m import f\ndef g():\n    global f\n    f = 2\ndef h():\n    return f\n", []),
        ("from .m import f\nclass C:\n    def f(self):\n        return f(self)\n", ["f"]),
        ("from .m import f\nclass C:\n    f = 1\n    x = f\n", []),
        ("from .m import f\nx = [f for f in range(3)]\n", []),
        ("from .m import f\nx = [f(n) for n in range(3)]\n", ["f"]),
        ("from .m import f\ndef g():\n    return [(f := n) for n in range(3)], f\n", []),
        ("from .m import f\ndef g(x=f):\n    return x\n", ["f"]),
        ("from .m import f\ntry:\n    pass\nexcept E as f:\n    pass\nf()\n", []),
        ("from .m import f\ndef g(x):\n    match x:\n        case [f]:\n            return f\n", []),
        ("from .m import f\ndef g(*f, **k):\n    return f, k\n", []),
        ("from .m import f\ndef g(x: f, *, y: f = 1) -> f:\n    return h(f=x)\n", ["f", "f", "f"]),
        ("from .m import f\ndef g(x):\n    return x.f\n", []),
        ("from .m import f\nx = lambda f: f(1)\n", []),
        ("from .m import f\ndef g():\n    from .n import f\n    return f()\n", []),
        ("from .m import f\nwith g() as (f, h):\n    f()\n", []),
        ("from .m import T\ndef g[T](x: T) -> T:\n    return x\n", []),
        ("from .m import T\ntype T = int\nx: T = 1\n", []),
        ("from .m import f\ndel f\nf()\n", []),
        ("from .m import f\nx = f'{f(1)}'\n", ["f"]),
        ("from .m import f\n@f\ndef g():\n    def h():\n        return [lambda: f for _ in f]\n", ["f", "f", "f"]),
        ("import a.b\ndef g():\n    return a.b.c(1)\n", ["a.b.c"]),
        ("from .m import f\nfrom .n import *\ndef g():\n    return f()\n", []),
        ("from .n import *\nfrom .m import f\ndef g():\n    return f()\n", ["f"]),
        ("try:\n    from a import f\nexcept E:\n    from b import f\nf()\n", []),
    ],
)
def test_a_name_counts_where_it_is_bound_exactly_once_in_the_modules_scope(source: str, found: list[str]) -> None:
    assert chains(source) == found


def test_an_import_says_what_it_binds() -> None:
    source = "import a.b\nimport c.d as e\nfrom ..m import f as g, h\nfrom __future__ import annotations\n"
    assert read(source).imports == (
        Import("a", "a.b", None, whole=False),
        Import("e", "c.d", None),
        Import("g", "..m", "f"),
        Import("h", "..m", "h"),
    )


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from tables(child)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_reference_is_one_by_pythons_own_symbol_table(module: object) -> None:
    source = inspect.getsource(module)  # type: ignore[arg-type]
    source = source.replace("from __future__ import annotations", "")  # under it, annotations are in no table
    top = symtable.symtable(source, "module", "exec")
    by_python = {
        symbol.get_name()
        for table in tables(top)
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (table is top or symbol.is_global())
    }
    hidden = Counter[tuple[int, str]]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            local = symtable_of(top, node.name, node.lineno)
            names = {symbol.get_name() for symbol in local.get_symbols() if symbol.is_local()} if local else set()
            for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1):
                hidden.update((line, name) for name in names)
    found = read(source).references
    assert len(found) > 3
    lines = [source.encode().count(b"\n", 0, reference.start) + 1 for reference in found]
    assert {reference.name for reference in found} <= by_python
    assert [r for r, line in zip(found, lines, strict=True) if hidden[line, r.name]] == []


def symtable_of(top: symtable.SymbolTable, name: str, line: int) -> symtable.SymbolTable | None:
    fits = [t for t in tables(top) if t.get_name() == name and t.get_type() == "function" and t.get_lineno() == line]
    return fits[0] if len(fits) == 1 else None
