"""Stubs in every language: what does nothing with what a function is given stands for no code, in any words."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.unit_of_work import UnitOfWork

from .helpers import asked, known


@dataclass(frozen=True)
class Sample:
    """A file whose lines with `|` in front are a body, the sign of a comment, and what may stand for the body. `ends`:
    those that may stand for a part of it, too."""

    text: str
    sign: str
    ends: tuple[str, ...]
    wholes: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def body(self) -> list[str]:
        return [line[1:] for line in self.lines if line.startswith("|")]

    def of(self, body: list[str]) -> str:
        """The file with another body."""
        first = self.lines.index("|" + self.body[0])
        return "\n".join([*self.lines[:first], *body, *self.lines[first + len(self.body) :]])


# fmt: off
SAMPLES = {
    'a.py': Sample('import re\n\n\ndef one(x):\n|    y = x + 1\n|    put(y)\n|    return y * 2\n\n\ndef two(z):\n    return one(z) + one(z + 1)\n', '#', ("raise RuntimeError('wie gehabt')", "raise Exception('wie gehabt')"), ('return None', 'return 0', "return 'wie gehabt'", 'y = None\n    return y', 'y = ...\n    return y', 'return dict()', 'del x\n    return []')),
    'a.js': Sample("import a from 'a';\n\nexport function one(x) {\n|  const y = x + 1;\n|  put(y);\n|  return y * 2;\n}\n\nexport function two(z) {\n  return a(z, z + 1);\n}\n", '//', ("throw new Error('wie gehabt');",), ('return null;', "return 'wie gehabt';", 'const y = undefined;\n  return y;', 'let y = null;\n  return y;', 'return Promise.resolve(null);', 'return new Map();')),
    'a.ts': Sample("import a from 'a';\n\nexport function one(x: number): number {\n|  const y = x + 1;\n|  put(y);\n|  return y * 2;\n}\n\nexport function two(z: number) {\n  return a(z, z + 1);\n}\n", '//', ("throw new Error('wie gehabt');",), ('return null as any;', 'const y: any = undefined;\n  return y;', 'let y = null!;\n  return y;')),
    'a.go': Sample('package a\n\nimport "os"\n\nfunc F(n int) (int, error) {\n|\tx := g(n)\n|\tos.Exit(x)\n|\treturn x + h(n), nil\n}\n\nfunc G(n int) int {\n\treturn n * n * F(n)\n}\n', '//', ('panic("wie gehabt")',), ('return 0, nil', 'return 0, errors.New("wie gehabt")', 'return 0, fmt.Errorf("wie gehabt")', 'log.Fatal("wie gehabt")\n\treturn 0, nil', 'var x int\n\treturn x, nil', 'return &T{}, nil', '_ = n\n\treturn make([]T, 0), nil')),
    'a.rs': Sample('use a::b;\n\npub fn f(n: u32) -> u32 {\n|    let x = b(n);\n|    put(x);\n|    x + n * 2\n}\n\npub fn g(n: u32) -> u32 {\n    f(n) * f(n + 1)\n}\n', '//', ('todo!()', 'unimplemented!("wie gehabt")', 'panic!("wie gehabt")', 'Err("wie gehabt".into())', 'Err(anyhow!("wie gehabt"))', 'bail!("wie gehabt")'), ('0', 'let x = todo!();\n    x', 'vec![]', 'Ok(Vec::new())', 'let _ = x;\n    Default::default()')),
    'a.rb': Sample("require 'set'\n\ndef one(x)\n|  y = x + 1\n|  puts y\n|  y * 2\nend\n\ndef two(z)\n  one(z) + one(z + 1)\nend\n", '#', ("raise 'wie gehabt'", "fail 'wie gehabt'", 'raise NotImplementedError', "raise StandardError, 'wie gehabt'", 'raise "TODO"', "abort 'wie gehabt'", "raise ArgumentError.new('wie gehabt')"), ('nil',)),
    'A.java': Sample('package a;\n\nclass A {\n    int one(int x) {\n|        int y = x + 1;\n|        put(y);\n|        return y * 2;\n    }\n\n    int two(int z) {\n        return one(z) + one(z + 1);\n    }\n}\n', '//', ('throw new IllegalStateException("wie gehabt");', 'throw new UnsupportedOperationException();'), ('return 0;', 'int y = 0;\n        return y;', 'return List.of();', 'return new ArrayList<>();', 'return Optional.empty();')),
    'a.c': Sample('#include <b.h>\n\nint one(int x) {\n|    int y = x + 1;\n|    put(y);\n|    return y * 2;\n}\n\nint two(int z) {\n    return one(z) + one(z + 1);\n}\n', '//', ('abort();', 'assert(0);', 'exit(1);', '__builtin_trap();'), ('return 0;', 'int y = 0;\n    return y;', 'return -1;')),
    'a.cpp': Sample('#include <b>\n\nint one(int x) {\n|    int y = x + 1;\n|    put(y);\n|    return y * 2;\n}\n\nint two(int z) {\n    return one(z) + one(z + 1);\n}\n', '//', ('throw std::logic_error("wie gehabt");', 'std::abort();', 'std::terminate();', 'throw "wie gehabt";'), ('return {};', 'return std::nullopt;', '(void)x;\n    return std::vector<int>{};')),
    'A.cs': Sample('namespace A;\n\nclass A\n{\n    int One(int x)\n    {\n|        var y = x + 1;\n|        Put(y);\n|        return y * 2;\n    }\n\n    int Two(int z) => One(z) + One(z + 1);\n}\n', '//', ('throw new InvalidOperationException("wie gehabt");', 'throw new Exception("wie gehabt");'), ('return default;', 'return default!;', 'return Task.FromResult(0);', 'return string.Empty;')),
    'a.php': Sample('<?php\n\nnamespace A;\n\nfunction one($x) {\n|    $y = $x + 1;\n|    put($y);\n|    return $y * 2;\n}\n\nfunction two($z) {\n    return one($z) + one($z + 1);\n}\n', '//', ('throw new \\Exception("wie gehabt");', 'throw new \\RuntimeException("TODO");', 'die("wie gehabt");', 'exit("wie gehabt");', 'trigger_error("wie gehabt");', 'throw new Exception;'), ('return null;', 'return array();')),
    'a.kt': Sample('package a\n\nfun one(x: Int): Int {\n|    val y = x + 1\n|    put(y)\n|    return y * 2\n}\n\nfun two(z: Int) = one(z) + one(z + 1)\n', '//', ('TODO()', 'TODO("wie gehabt")', 'error("wie gehabt")', 'throw IllegalStateException("wie gehabt")', 'throw Exception()'), ('return 0', 'return emptyList()')),
    'a.swift': Sample('import A\n\nfunc one(_ x: Int) -> Int {\n|    let y = x + 1\n|    put(y)\n|    return y * 2\n}\n\nfunc two(_ z: Int) -> Int {\n    return one(z) + one(z + 1)\n}\n', '//', ('fatalError("wie gehabt")', 'fatalError()', 'preconditionFailure("wie gehabt")', 'throw MyError.unknown'), ('return 0', 'return .init()', '_ = x\n    return []')),
    'A.scala': Sample('package a\n\nobject A {\n  def one(x: Int): Int = {\n|    val y = x + 1\n|    put(y)\n|    y * 2\n  }\n\n  def two(z: Int): Int = one(z) + one(z + 1)\n}\n', '//', ('???', 'throw new Exception("wie gehabt")', 'sys.error("wie gehabt")', 'throw new NotImplementedError'), ('0',)),
    'a.lua': Sample("local a = require('a')\n\nlocal function one(x)\n|  local y = x + 1\n|  print(y)\n|  return y * 2\nend\n\nlocal function two(z)\n  return one(z) + one(z + 1)\nend\n\nreturn { one = one, two = two }\n", '--', ('error("wie gehabt")', "error('wie gehabt')", 'assert(false, "wie gehabt")'), ('return nil', 'return nil, "wie gehabt"', 'local y = nil\n  return y')),
    'a.dart': Sample("import 'a.dart';\n\nint one(int x) {\n|  final y = x + 1;\n|  put(y);\n|  return y * 2;\n}\n\nint two(int z) {\n  return one(z) + one(z + 1);\n}\n", '//', ('throw UnimplementedError();', "throw UnimplementedError('wie gehabt');", "throw 'wie gehabt';", "throw Exception('wie gehabt');"), ('return 0;',)),
    'a.ex': Sample('defmodule A do\n  import B\n\n  def one(x) do\n|    y = x + 1\n|    put(y)\n|    y * 2\n  end\n\n  def two(z) do\n    one(z) + one(z + 1)\n  end\nend\n', '#', ('raise "wie gehabt"', 'raise ArgumentError, "wie gehabt"', 'throw :todo', '{:error, :not_done}'), ('nil', ':ok')),
    'a.pl': Sample('package A;\nuse strict;\n\nsub one {\n|    my ($x) = @_;\n|    put($x);\n|    return $x * 2;\n}\n\nsub two {\n    my ($z) = @_;\n    return one($z) + one($z + 1);\n}\n\n1;\n', '#', ('die "wie gehabt";', "die 'wie gehabt';", 'croak "wie gehabt";', 'die;', '...;'), ('return;', 'return undef;')),
    'a.R': Sample('library(b)\n\none <- function(x) {\n|  y <- x + f(x)\n|  put(y)\n|  y * 2\n}\n\ntwo <- function(z) {\n  one(z) + one(z + 1)\n}\n', '#', ('stop("wie gehabt")', 'invisible(NULL)'), ('NULL', 'return(NULL)', 'y <- NULL\n  y')),
    'a.jl': Sample('module A\nusing B\n\nfunction one(x)\n|    y = x + f(x)\n|    put(y)\n|    return y * 2\nend\n\nfunction two(z)\n    one(z) + one(z + 1)\nend\nend\n', '#', ('error("wie gehabt")', 'throw(ErrorException("wie gehabt"))'), ('nothing', 'return nothing')),
    'a.zig': Sample('const b = @import("b");\n\npub fn one(x: i32) i32 {\n|    const y = x + 1;\n|    b.put(y);\n|    return y * 2;\n}\n\npub fn two(z: i32) i32 {\n    return one(z) + one(z + 1);\n}\n', '//', ('@panic("wie gehabt");', 'unreachable;', '@compileError("wie gehabt");'), ('return undefined;', 'return error.Todo;', 'return 0;')),
    'a.nim': Sample('import b\n\nproc one(x: int): int =\n|  let y = x + 1\n|  put(y)\n|  result = y * 2\n\nproc two(z: int): int =\n  one(z) + one(z + 1)\n', '#', ('discard', 'raise newException(ValueError, "wie gehabt")', 'quit("wie gehabt")'), ('result = 0',)),
    'a.sol': Sample('pragma solidity ^0.8.0;\n\ncontract A {\n    function one(uint x) public returns (uint) {\n|        uint y = x + f(x);\n|        emit L(y);\n|        return y * 2;\n    }\n\n    function two(uint z) public returns (uint) {\n        return one(z) + one(z + 1);\n    }\n}\n', '//', ('revert("wie gehabt");', 'revert();', 'require(false, "wie gehabt");', 'revert NotImplemented();', 'assert(false);'), ('return 0;',)),
    'a.sh': Sample('#!/bin/bash\nset -e\n\none() {\n|  local y=$((x + 1))\n|  put "$y"\n|  cp "$y" "$z"\n}\n\ntwo() {\n  one a && one b\n}\n\ntwo "$@"\n', '#', ('exit 1',), (':', 'true', 'return 0', 'echo "wie gehabt"', 'return 1', 'echo "wie gehabt" >&2\n  exit 1')),
    'a.hs': Sample('module A where\n\nimport Data.List\n\none :: Int -> Int\none x =\n|  let y = x + f x\n|      z = g y\n|  in y * z\n\ntwo :: Int -> Int\ntwo z = one z + one (z + 1)\n', '--', ('undefined', 'error "wie gehabt"', 'pure ()'), ()),
    'a.clj': Sample('(ns a (:require [b]))\n\n(defn one [x]\n|  (let [y (inc x)]\n|    (put y)\n|    (* y 2)))\n\n(defn two [z]\n  (+ (one z) (one (inc z))))\n', ';;', ('(throw (Exception. "wie gehabt")))', '(throw (UnsupportedOperationException.)))'), ('nil)',)),
    'a.erl': Sample('-module(a).\n-export([one/1]).\n\none(X) ->\n|    Y = X + 1,\n|    put(Y),\n|    Y * 2.\n\ntwo(Z) ->\n    one(Z) + one(Z + 1).\n', '%', ('error(wie).', 'erlang:error(not_done).', 'throw(wie).'), ('ok.',)),
    'a.groovy': Sample('package a\n\ndef one(x) {\n|    def y = x + 1\n|    put(y)\n|    return y * 2\n}\n\ndef two(z) {\n    return one(z) + one(z + 1)\n}\n', '//', ('throw new Exception("wie gehabt")', 'error("wie gehabt")', "error 'wie gehabt'"), ('return null',)),
    'a.ps1': Sample('param($a)\n\nfunction One($x) {\n|    $y = $x + 1\n|    Put-It $y\n|    return $y * 2\n}\n\nfunction Two($z) {\n    return (One $z) + (One $z)\n}\n', '#', ('throw "wie gehabt"', 'exit 1'), ('return', 'return $null', 'Write-Error "wie gehabt"')),
    'a.ml': Sample('open List\n\nlet one x =\n|  let y = x + f x in\n|  put y;\n|  y * 2\n\nlet two z = one z + one (z + 1)\n', '(*', ('failwith "wie gehabt"', 'assert false', 'raise Not_found'), ('()',)),
    'a.fs': Sample('module A\n\nlet one x =\n|    let y = x + 1\n|    put y\n|    y * 2\n\nlet two z = one z + one (z + 1)\n', '//', ('failwith "wie gehabt"', 'raise (System.NotImplementedException())'), ('()', '0')),
    'a.m': Sample('#import <A.h>\n\n@implementation A\n\n- (int)one:(int)x {\n|    int y = x + 1;\n|    put(y);\n|    return y * 2;\n}\n\n- (int)two:(int)z {\n    return one(z) + one(z + 1);\n}\n\n@end\n', '//', ('@throw [NSException new];', 'abort();', 'NSAssert(NO, @"wie gehabt");'), ('return 0;', 'return nil;')),
    'a.f90': Sample('module a\ncontains\nfunction one(x) result(y)\n|    y = x + 1\n|    call put(y)\n|    y = y * 2\nend function\n\nfunction two(z) result(w)\n    w = one(z) + one(z + 1)\nend function\nend module\n', '!', ('error stop "wie gehabt"', 'stop'), ('y = 0',)),
    'q.sql': Sample('create table a (b int);\n\ncreate function one(x int) returns int as $$\nbegin\n|  insert into a values (x);\n|  update a set b = b + x;\n|  return x * 2;\nend;\n$$ language plpgsql;\n', '--', ("raise exception 'wie gehabt';", 'null;'), ('return null;', 'return 0;')),
    'a.vue': Sample('<template>\n  <p>{{ one }}</p>\n</template>\n\n<script>\nexport function one(x) {\n|  const y = x + 1;\n|  put(y);\n|  return y * 2;\n}\n</script>\n', '//', ("throw new Error('wie gehabt');",), ('return null;',)),
}
# fmt: on


def is_taken(path: str, base: str, text: str) -> bool:
    unit = UnitOfWork({path: known(path, base)})
    judge_model(unit, [Shown(path, text, Carrier.FENCE, language="")], asked("Please go on."))
    return unit.file(path).text() != base


def indented(sample: Sample, *lines: str) -> list[str]:
    first = sample.body[0]
    return [first[: len(first) - len(first.lstrip())] + line for line in lines]


def remark(sample: Sample, words: str) -> str:
    return f"{sample.sign} {words}" + (" *)" if sample.sign == "(*" else "")


def changed(line: str) -> str:
    """A line that is edited beside what is left out."""
    for old, new in (
        ("1", "7"),
        ("f(x)", "k(x)"),
        ("f x", "k x"),
        ("@_", "@_, 7"),
        ("(n)", "(n, 7)"),
        ("inc x", "dec x"),
        ("(x)", "(x, 7)"),
    ):
        if old in line:
            return line.replace(old, new)
    raise AssertionError(line)


ALL = [(path, stub) for path, s in SAMPLES.items() for stub in (*s.ends, *s.wholes)]
ENDS = [(path, stub) for path, s in SAMPLES.items() for stub in s.ends]


@pytest.mark.parametrize(("path", "stub"), ALL)
def test_a_body_that_is_only_a_stub(path: str, stub: str) -> None:
    sample = SAMPLES[path]
    base = sample.of(sample.body)
    assert not is_taken(path, base, sample.of(indented(sample, stub)))
    assert not is_taken(path, base, sample.of(indented(sample, remark(sample, "wie gehabt"), stub)))


@pytest.mark.parametrize(("path", "stub"), ENDS)
def test_a_stub_behind_a_line_that_stands_or_changed(path: str, stub: str) -> None:
    sample = SAMPLES[path]
    base, first = sample.of(sample.body), sample.body[0]
    assert not is_taken(path, base, sample.of([first, *indented(sample, stub)]))
    assert not is_taken(path, base, sample.of([changed(first), *indented(sample, stub)]))


@pytest.mark.parametrize("path", SAMPLES)
@pytest.mark.parametrize("words", ["wie gehabt", "... same as before"])
def test_a_comment_behind_a_line_that_changed(path: str, words: str) -> None:
    sample = SAMPLES[path]
    text = sample.of([changed(sample.body[0]), *indented(sample, remark(sample, words))])
    assert not is_taken(path, sample.of(sample.body), text)


@pytest.mark.parametrize("path", SAMPLES)
def test_a_line_that_changed_is_an_edit(path: str) -> None:
    sample = SAMPLES[path]
    first, *rest = sample.body
    assert is_taken(path, sample.of(sample.body), sample.of([changed(first), *rest]))
    comment = indented(sample, remark(sample, "one more"))
    assert is_taken(path, sample.of(sample.body), sample.of([*comment, changed(first), *rest]))


@pytest.mark.parametrize("put", ["...", "…", "[...]"])
@pytest.mark.parametrize("path", [p for p in SAMPLES if p not in ("a.clj", "q.sql", "a.pl")])
def test_dots_for_a_value(path: str, put: str) -> None:
    sample = SAMPLES[path]
    first, *rest = sample.body
    sign = next(sign for sign in (":=", "<-", "=") if sign in first)
    front, end = first.partition(sign)[0], ";" if first.endswith(";") else ""
    for name in (front, front.replace("y", "rows").replace("x :", "rows :")):
        text = sample.of([f"{name}{sign}{'' if path == 'a.sh' else ' '}{put}{end}", *rest])
        assert not is_taken(path, sample.of(sample.body), text)
