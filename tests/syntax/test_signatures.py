"""Signatures: an entity's first lines up to its body, in every language of the corpus (SEMANTICS 10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import cases
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import outlined
from tslp_litellm.syntax.outline import Kind, Outline

CORPUS = sorted((Path(__file__).parent.parent / "corpus").glob("*.txt"))
SAMPLES = {
    "bash": {"build": "build()", "deploy": "function deploy"},
    "c": {"sum": "static int sum(const int *xs, int n)", "cart": "struct cart", "callback": "typedef int (*callback)(int);"},
    "cpp": {
        "Cart": "template <typename T> class Cart final : public Base<T>",
        "Cart.add": "void Cart::add(int x)",
        "square": "auto square = [](int x)",
        "Cart.Cart": "Cart::Cart(int n) : n_(n), m_{0}",
    },
    "csharp": {
        "Cart.Sum": "public int Sum",
        "Cart.AddAsync": '[HttpPost("add")] public async Task<int> AddAsync<U>(U item) where U : T',
        "IThing.Do": "void Do();",
    },
    "dart": {"Cart.total": "int get total", "Cart.add": "@override @protected Future<int> add(int x)", "Shape.area": "double area();"},
    "elixir": {"add": "def add(cart, x) when is_integer(x)", "add#2": "def add(cart, nil), do: cart", "Shape": "defprotocol Shape"},
    "go": {"Conn": "type Conn struct", "Conn.Close": "func (c *Conn) Close() error"},
    "java": {"Cart.total": "@Override public int total()", "Shape.area": "double area();", "Cart.Line": "static class Line"},
    "javascript": {"find": "export async function find(id)", "twice": "export const twice = (x) =>", "Store.handle": "handle = (event) =>"},
    "kotlin": {"String.initial": "val String.initial: Char", "List.second": "fun <T> List<T>.second(): T", "Shape.area": "fun area(): Double"},
    "lua": {"M.add": "function M.add(x)", "thrice": "local thrice = function(x)"},
    "php": {"Cart.add": "#[Pure] #[Route('/add')] public function add(int $x): int", "thrice": "$thrice = fn($x) =>"},
    "python": {
        "Cart": "class Cart:",
        "Cart.total": "@property def total(self):",
        "slug": "@cache @retry( times=3, ) def slug(text):",
        "double": "double = lambda x:",
    },
    "ruby": {"Cart": "class Cart < Base", "Cart.build": "def self.build(*args)", "Line": "Line = Struct.new(:price)"},
    "rust": {"Cart": "pub struct Cart", "Cart.fmt": "fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result", "Total.total": "fn total(&self) -> u32;"},
    "scala": {"Cart.add": "@inline override def add(x: Int): Int =", "Shape": "trait Shape", "Shape.area": "def area: Double"},
    "sql": {"add": "CREATE FUNCTION add(a int, b int) RETURNS int", "cart": "CREATE TABLE IF NOT EXISTS shop.cart"},
    "svelte": {"add": "function add(x: number)", "remove": "const remove = () =>"},
    "swift": {"Cart.count": "var count: Int", "Bank.deposit": "func deposit(_ n: Int) async", "Shape.name": "func name() -> String"},
    "tsx": {"Hello": "export const Hello: React.FC<Props> = ({ name }) =>", "Page": "export default function Page()"},
    "typescript": {"Shape": "export interface Shape", "pick": "export const pick = <T,>(x: T): T =>", "Base.stop": "abstract stop(): void;"},
    "vue": {"add": "function add(x: number): void", "remove": "const remove = async (line: Line) =>"},
}  # fmt: skip


def outlines(language: str) -> list[Outline]:
    return [outlined(language_named(language), case.source.encode()) for case in cases(_file(language))]


def _file(language: str) -> Path:
    return CORPUS[0].parent / f"{language}.txt"


def test_every_language_has_samples() -> None:
    assert {file.stem for file in CORPUS} == SAMPLES.keys()


@pytest.mark.parametrize("language", SAMPLES)
def test_signatures(language: str) -> None:
    found = [(s.name, seen.signature(s)) for seen in outlines(language) for s in seen.symbols]
    assert [pair for pair in SAMPLES[language].items() if pair not in found] == []


@pytest.mark.parametrize("language", SAMPLES)
def test_a_body_stands_in_its_definition_behind_its_name(language: str) -> None:
    bodies = 0
    for seen in outlines(language):
        for symbol in seen.symbols:
            signature = seen.signature(symbol)
            assert signature
            assert "\n" not in signature
            if symbol.body is not None:
                bodies += 1
                assert symbol.kind is not Kind.VALUE
                assert symbol.node_start <= symbol.inner < symbol.body <= symbol.node_end
    assert bodies > 1


def test_comments_are_no_part_of_a_signature() -> None:
    seen = outlined(
        language_named("python"), b"# Adds.\ndef add(\n    a,  # one\n    b,\n):\n    # sums\n    return a + b\n"
    )
    assert seen.signature(seen.by_name["add"]) == "def add( a, b, ):"


def test_without_a_known_body_it_is_the_first_line() -> None:
    seen = outlined(language_named("python"), b"LIMITS = {\n    'a': 1,\n}\nMAX = 3  # at most\n")
    assert [seen.signature(s) for s in seen.symbols] == ["LIMITS = {", "MAX = 3"]
    broken = outlined(language_named("haskell"), b"total :: Int -> Int\ntotal x = x\n")
    assert all(s.body is None and broken.signature(s) for s in broken.symbols)


def test_a_default_that_is_a_function_is_not_the_body() -> None:
    seen = outlined(
        language_named("javascript"), b"function f(cb = () => { return 1; }, x = 2) {\n  return cb(x);\n}\n"
    )
    assert seen.signature(seen.by_name["f"]) == "function f(cb = () => { return 1; }, x = 2)"
