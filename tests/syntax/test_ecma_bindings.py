"""JavaScript's and TypeScript's bindings: what is bound once in the whole text, and only asked for elsewhere."""

from __future__ import annotations

import pytest
from tree_sitter import Parser

from tslp_litellm.syntax.ecma_bindings import bindings
from tslp_litellm.syntax.parsing import grammar
from tslp_litellm.syntax.references import Bindings, Import

SLUG = "import { slug } from './slug';\n"


def read(source: str, language: str = "typescript") -> Bindings:
    root = Parser(grammar(language)).parse(source.encode()).root_node
    assert not root.has_error
    return bindings(root)


def chains(source: str, language: str = "typescript") -> list[str]:
    return [".".join(one.chain) for one in read(source, language).references]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("import { slug } from './slug';", [Import("slug", "./slug", "slug")]),
        ("import { slug as s, type T } from './slug';", [Import("s", "./slug", "slug"), Import("T", "./slug", "T")]),
        ("import type { T } from './t';", [Import("T", "./t", "T")]),
        ("import * as ns from './ns';", [Import("ns", "./ns", None)]),
        ("import main, { slug } from './m';", [Import("main", "./m", "default"), Import("slug", "./m", "slug")]),
        ("export { x as y } from './x';", [Import("y", "./x", "x")]),
        ("import './side';", []),
        ("import { a } from './a'; import { a } from './b';", []),
        ("import { a } from './a'; export { b as a } from './b';", []),
    ],
)
def test_what_is_imported_and_passed_on(text: str, made: list[Import]) -> None:
    assert list(read(text).imports) == made


@pytest.mark.parametrize(
    "asking",
    [
        "const a = slug(1);",
        "function f(): slug { return 1 as never; }",
        "const f = () => slug;",
        "const f = (x = slug) => x;",
        "const o = { slug };",
        "const o = { key: slug };",
        "class C extends slug {}",
        "class C implements slug {}",
        "type T = slug | null;",
        "type T = () => slug;",
        "type T = Map<string, slug>;",
        "let t = `${slug}`;",
        "if (slug) {}",
        "for (const x of slug) {}",
        "export default slug;",
        "new slug();",
        "function f(x: unknown): x is slug { return true; }",
        "@slug class C {}",
    ],
)
def test_where_a_name_is_asked_for(asking: str) -> None:
    assert chains(SLUG + asking) == ["slug"]


@pytest.mark.parametrize(
    "binding",
    [
        "function f(slug) { return slug(1); }",
        "function f({ slug }) { return slug(1); }",
        "function f({ key: slug }) { return slug(1); }",
        "function f([slug]) { return slug(1); }",
        "function f({ slug = 1 }) { return slug; }",
        "const f = slug => slug(1);",
        "const f = function slug() { return slug(1); };",
        "{ const slug = 1; } slug(1);",
        "try {} catch (slug) { slug(1); }",
        "for (const slug of []) { slug(1); }",
        "slug = 1; slug(1);",
        "slug++; slug(1);",
        "[slug] = [1]; slug(1);",
        "({ slug } = { slug: 1 }); slug(1);",
        "function f<slug>(x: slug) {}",
        "export { other as slug }; slug(1);",
        "namespace slug { export const x = 1; } slug(1);",
    ],
)
def test_a_second_binding_anywhere_makes_no_name_certain(binding: str) -> None:
    assert chains(SLUG + binding) == []


def test_chains_members_and_keys() -> None:
    text = "import * as ns from './ns';\nns.a.b(1);\nns?.c;\nlet t: ns.T;\no.ns; f({ ns: 1 });\nns[0].d;\n"
    assert chains(text) == ["ns.a.b", "ns.c", "ns.T", "ns"]


def test_definitions_are_the_modules_own() -> None:
    text = "export function f() { function g() {} g(); }\nexport const h = 1;\nclass C {}\ntype T = C;\nf(); g(); h;\n"
    assert read(text).defined == {"f", "h", "C", "T"}
    assert chains(text) == ["C", "f", "h"]


def test_a_name_that_is_only_passed_on_is_not_asked_for() -> None:
    assert chains("export { fetch } from './net';\nfetch(1);\n") == []
    assert read("export * from './net';").star


def test_components_ask_by_their_tags() -> None:
    assert chains("import { Card } from './card';\nconst p = <Card title='x' />;\n", "tsx") == ["Card"]
    assert chains("import { a } from './a';\nconst p = <b>{a}</b>;\n", "javascript") == ["a"]
