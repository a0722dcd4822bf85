"""Definitions by patterns: what they find in each language, and what they leave alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.syntax import fallback
from tslp_litellm.syntax.fallback import packaged_file
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import by_patterns
from tslp_litellm.syntax.patterns import PatternError, table

SAMPLES: dict[str, tuple[str, dict[str, str]]] = {
    "perl": (
        "#!/usr/bin/perl\nuse strict;\n\n=pod\n\nsub not_code {\n}\n\n=cut\n\n# Adds.\nsub add {\n    my ($a, $b) = @_;\n"
        "    if ($a) {\n        return $a + $b;\n    }\n}\n\nsub one { return 1; }\n\nsub odd {\n    my $x = '}';\n}\n\n1;\n__END__\nsub dead {\n}\n",
        {"add": "# Adds.\nsub add {", "one": "sub one { return 1; }"},
    ),
    "r": (
        "library(stats)\n\n# Mean.\nmean2 <- function(x,\n                  y) {\n  (x + y) / 2\n}\n\nid = function(x) x\n\nmy.fun <- function(x) {\n  x\n}\n",
        {"mean2": "# Mean.\nmean2 <- function(x,"},
    ),
    "julia": (
        'module M\n\nconst LIMIT = 3\n\n"""\n    area(r)\n\nfunction not_code(x)\nend\n"""\nfunction area(r)\n    if r > 0\n        return pi * r^2\n    end\nend\n\n'
        "sq(x) = x * x\n\nstruct Point\n    x::Int\nend\n\nover(x::Int) = 1\nover(x::String) = 2\n\nend\n",
        {"LIMIT": "const LIMIT = 3", "area": "function area(r)", "sq": "sq(x) = x * x", "Point": "struct Point"},
    ),
    "haskell": (
        "module Main where\n\nimport Data.List\n\ndata Shape = Circle Double\n  | Square Double\n  deriving Show\n\n-- | Area.\narea :: Shape -> Double\narea (Circle r) = pi * r * r\narea (Square s)\n  | s > 0 = s * s\n  | otherwise = 0\n\nmain :: IO ()\nmain = do\n  print 1\n  where x = 1\n",
        {"Shape": "data Shape = Circle", "area": "-- | Area.\narea :: Shape", "main": "main :: IO ()"},
    ),
    "clojure": (
        '(ns app.core\n  (:require [clojure.string :as str]))\n\n;; Greets.\n(defn greet\n  "Says hello."\n  [name]\n  (str "Hello, " name))\n\n(def limit 3)\n\n(defrecord Point [x y])\n\n(defn broken [x\n)\n',
        {"greet": ";; Greets.\n(defn greet", "limit": "(def limit 3)", "Point": "(defrecord Point [x y])"},
    ),
    "erlang": (
        "-module(m).\n-export([fact/1]).\n-record(user, {name,\n  age}).\n\n%% Factorial.\nfact(0) -> 1;\nfact(N) ->\n  N * fact(N - 1).\n\ntwice(X) -> 2 * X.\n",
        {"user": "-record(user", "fact": "%% Factorial.\nfact(0) -> 1;", "twice": "twice(X) -> 2 * X."},
    ),
    "groovy": (
        "package x\n\n/* class NotCode {\n*/\nclass Cart {\n    List items = []\n\n    // Sums.\n    def total() {\n        items.sum {\n            it.price\n        }\n    }\n\n    String name(int n) {\n        if (n > 0) {\n            return 'a'\n        }\n        return 'b'\n    }\n}\n\ndef main(args) {\n    println new Cart().total()\n}\n",
        {
            "Cart": "class Cart {",
            "Cart.total": "    // Sums.\n    def total()",
            "Cart.name": "    String name(",
            "main": "def main(",
        },
    ),
    "powershell": (
        "<#\nfunction Not-Code {\n}\n#>\n# Gets.\nfunction Get-Thing {\n    param([string]$Name)\n    if ($Name) {\n        $Name\n    }\n}\n\nclass Point {\n    [int]$X\n}\n",
        {"Get-Thing": "# Gets.\nfunction Get-Thing", "Point": "class Point {"},
    ),
    "zig": (
        'const std = @import("std");\n\npub const Point = struct {\n    x: i32,\n\n    pub fn norm(self: Point) i32 {\n        return self.x;\n    }\n};\n\n/// Adds.\npub fn add(\n    a: i32,\n    b: i32,\n) i32 {\n    return a + b;\n}\n',
        {
            "std": "const std =",
            "Point": "pub const Point",
            "Point.norm": "    pub fn norm",
            "add": "/// Adds.\npub fn add(",
        },
    ),
    "nim": (
        "import strutils\n\n# Adds.\nproc add*(a, b: int): int =\n  ## Docs.\n  result = a + b\n\nproc over(a: int) = discard\nproc over(a: string) = discard\n\ntemplate twice(x: untyped): untyped =\n  x + x\n",
        {"add": "# Adds.\nproc add*", "twice": "template twice"},
    ),
    "ocaml": (
        'open Printf\n\n(* let not_code x =\n   1 *)\ntype shape =\n  | Circle of float\n  | Square of float\n\nlet area s =\n  match s with\n  | Circle r -> r\n  | Square a -> a *. a\n\nlet rec even n = n = 0 || odd (n - 1)\nand odd n = n <> 0 && even (n - 1)\n\nlet limit = 3\n\nlet xs = [\n  1;\n]\n\nlet () = printf "x"\n',
        {
            "shape": "type shape =",
            "area": "let area s =",
            "even": "let rec even n",
            "odd": "and odd n",
            "limit": "let limit = 3",
        },
    ),
    "fsharp": (
        "module M\n\nopen System\n\ntype Cart() =\n    let mutable n = 0\n    member this.Add(x) =\n        n <- n + x\n    member this.Total = n\n\n// Adds.\nlet add a b =\n    a + b\n\nlet limit = 3\n",
        {
            "Cart": "type Cart() =",
            "Cart.Add": "    member this.Add",
            "Cart.Total": "    member this.Total",
            "add": "// Adds.\nlet add",
            "limit": "let limit = 3",
        },
    ),
    "objc": (
        "#import <Foundation/Foundation.h>\n\n@implementation Cart\n\n// Sums.\n- (int)total {\n    return 1;\n}\n\n- (void)add:(int)x to:(int)y\n{\n    if (x) {\n        y = x;\n    }\n}\n\n@end\n\nstatic int helper(int a) {\n    return a;\n}\n",
        {
            "Cart": "@implementation Cart",
            "Cart.total": "// Sums.\n- (int)total",
            "Cart.add": "- (void)add:",
            "helper": "static int helper",
        },
    ),
    "fortran": (
        "module m\n  implicit none\ncontains\n  subroutine inner()\n  end subroutine inner\nend module m\n\n! Adds.\nsubroutine add(a, b)\n  integer :: a, b\n  a = a + b\nend subroutine add\n\ninteger function twice(x)\n  integer :: x\n  twice = 2 * x\nend function\n",
        {"add": "! Adds.\nsubroutine add", "twice": "integer function twice"},
    ),
    "cobol": (
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. PAYROLL.\nPROCEDURE DIVISION.\nMAIN-PARA.\n    DISPLAY 'HI'.\n    STOP RUN.\nEND PROGRAM PAYROLL.\n",
        {"PAYROLL": "PROGRAM-ID. PAYROLL."},
    ),
}


@pytest.fixture
def _own_rules() -> Iterator[None]:
    yield
    fallback.install(None)


def test_every_language_of_the_file_has_a_sample() -> None:
    rules = table(json.loads(packaged_file().read_text("utf-8")))
    assert rules.keys() == SAMPLES.keys()


@pytest.mark.parametrize("language", SAMPLES)
def test_what_is_found(language: str) -> None:
    text, wanted = SAMPLES[language]
    seen = by_patterns(language_named(language), text.encode())
    assert seen.by_pattern
    assert {s.name for s in seen.symbols} == wanted.keys()
    for symbol in seen.symbols:
        assert seen.slice(symbol).startswith(wanted[symbol.name])
        assert f"{seen.slice(symbol)}\n" in text


def test_ends() -> None:
    def found(language: str, text: str) -> list[str]:
        seen = outline(language_named(language), text)
        return [seen.slice(s) for s in seen.symbols]

    body = "sub f {\n    return {\n        a => 1,\n    };\n}"
    assert found("perl", body + "\n\nprint f();\n") == [body]
    assert found("perl", body.replace("\n", "\r\n") + "\r\nf();\r\n") == [body.replace("\n", "\r\n")]
    assert found("perl", "sub f\n{\n    1;\n}\n") == ["sub f\n{\n    1;\n}"]
    assert found("perl", "sub f { if (1) {\n  2 }\n}\n") == ["sub f { if (1) {\n  2 }\n}"]


@pytest.mark.parametrize(
    "text",
    [
        "sub f {\n    print <<EOT;\nflush left\nEOT\n}\n",  # a here-document leaves the layout
        "sub f {\n    my $re = qr/{/;\n}\n\nsub g;\n",  # a brace in a pattern
        "sub f {\n    1;\n",  # never closed
        "sub f {\n    1;\n  }\n",  # closed elsewhere
        "sub f {\n    1;\n} print 2;\n",  # something else on the last line
        "sub f {\n    1;\n}\n\nsub f {\n    2;\n}\n",  # twice
        "if (1) {\n    sub f {\n        1;\n    }\n}\n",  # inside something else
        "sub f;\n",
        "x" * 600 + "\n",
    ],
)
def test_in_doubt_only_the_file(text: str) -> None:
    assert outline(language_named("perl"), text).symbols == ()


def test_a_name_that_was_seen_but_not_placed_is_not_lost() -> None:
    seen = outline(language_named("perl"), "sub f {\n    print <<EOT;\nflush left\nEOT\n}\n")
    assert seen.named == {"f"}


def one(pattern: str, **more: Any) -> dict[str, Any]:
    return {"perl": {"definitions": {"sub": {"pattern": pattern, "kind": "function", "end": "braces", **more}}}}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (one(r"^sub (?P<name>\w+"), ["perl.sub", "compile"]),
        (one(r"^sub (\w+)"), ["perl.sub", "group `name`"]),
        (one(r"(?P<name>\w*)"), ["perl.sub", "empty string"]),
        (one(r"^sub (?P<name>\w+)", end="somehow"), ["perl.sub", "end"]),
        (one(r"^sub (?P<name>\w+)", end="close"), ["perl.sub", "close"]),
        (one(r"^sub (?P<name>\w+)", end="close", close="("), ["perl.sub.close", "compile"]),
        (one(r"^sub (?P<name>\w+)", kind="thing"), ["perl.sub", "kind"]),
        (one(r"^sub (?P<name>\w+)", color="red"), ["perl.sub.color"]),
        ({"perl": {"skips": [["("]]}}, ["perl.skips"]),
        ({"perl": {"skips": [["(", ")"]]}}, ["perl.skips", "compile"]),
        ({"perl": {"comments": [""]}}, ["perl.comments"]),
        ({"perl": []}, ["perl"]),
        ({"klingon": {}}, ["klingon"]),
        ([], ["object"]),
    ],
)
def test_bad_patterns_are_refused_by_name(content: Any, words: list[str]) -> None:
    with pytest.raises(PatternError) as error:
        table(content, "mine.json")
    for word in words:
        assert word in str(error.value)


@pytest.mark.usefixtures("_own_rules")
def test_a_text_on_which_a_pattern_takes_too_long_has_no_definitions() -> None:
    fallback.install(table(one(r"^sub (?P<name>(?:a|aa)+)\{")))
    assert by_patterns(language_named("perl"), b"sub aa{\n}\n").symbols
    assert not by_patterns(language_named("perl"), b"sub aa{\n}\n\nsub " + b"a" * 400 + b"\n").symbols


@pytest.mark.usefixtures("_own_rules")
def test_ones_own_rules_win_language_by_language() -> None:
    fallback.install(table(one(r"^routine (?P<name>\w+)")))
    assert [s.name for s in by_patterns(language_named("perl"), b"routine f {\n}\n\nsub g {\n}\n").symbols] == ["f"]
    assert by_patterns(language_named("nim"), SAMPLES["nim"][0].encode()).symbols
