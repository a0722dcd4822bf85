"""Statements that do nothing with what a function is given."""

import pytest

from tslp_litellm.syntax.idle import Idle, Words
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import measure


def words(language: str, text: str = "") -> Words:
    seen = measure(language_named(language), text.encode())
    return Words(seen, seen)


@pytest.mark.parametrize(
    ("language", "statement", "kind"),
    [
        ("python", "pass", Idle.STUB),
        ("python", "raise NotImplementedError", Idle.STUB),
        ("python", "raise ValueError('wie gehabt')", Idle.END),
        ("python", "raise errors.NotFoundError('wie gehabt')", Idle.END),
        ("ruby", "raise 'wie gehabt'", Idle.END),
        ("ruby", "fail ArgumentError, 'x'", Idle.END),
        ("go", 'log.Fatal("x")', Idle.END),
        ("go", 'return nil, fmt.Errorf("x")', Idle.VALUE),
        ("c", "assert(0);", Idle.END),
        ("swift", "throw MyError.unknown", Idle.END),
        ("php", 'throw new \\Exception("later")', Idle.END),
        ("python", "return (None, 0, '')", Idle.VALUE),
        ("rust", "Default::default()", Idle.VALUE),
        ("elixir", "{:error, :not_done}", Idle.VALUE),
        ("go", "var x int", Idle.BINDING),
        ("typescript", "const y: any = undefined", Idle.BINDING),
        ("python", "print('as it was')", Idle.SAYING),
        ("php", 'trigger_it("x")', Idle.SAYING),
        ("typescript", 'return Promise.reject(new Error("later"))', Idle.VALUE),
        ("kotlin", 'return Result.failure(IllegalStateException("x"))', Idle.VALUE),
        ("typescript", "return Promise.reject(new Error(s))", None),
        ("python", "return queue.reject(item)", None),
        ("python", "raise ValueError(s)", None),
        ("python", "raise ValueError(f'no {s}')", None),
        ("kotlin", 'error("no $s")', None),
        ("ruby", 'raise "no #{s}"', None),
        ("python", "raise", None),
        ("go", "return nil, err", None),
        ("python", "return self.total", None),
        ("python", "assert x", None),
        ("c", "assert(x);", None),
        ("python", "return load(path)", None),
        ("python", "x = load(path)", None),
        ("python", "raise " + "e" * 500, None),
    ],
)
def test_kinds(language: str, statement: str, kind: Idle | None) -> None:
    assert words(language).kind(statement) == kind


def test_a_name_that_a_body_bound_to_a_constant_is_one() -> None:
    kinds = words("javascript").kinds
    assert list(kinds(["let y = null", "return y"])) == [Idle.BINDING, Idle.VALUE]
    assert list(kinds(["let y = f(x)", "return y"])) == [None, None]


def test_what_is_called_by_name_elsewhere_is_code() -> None:
    assert words("php", '<?php function note($x) {} note("y");').kind('note("x")') is None
