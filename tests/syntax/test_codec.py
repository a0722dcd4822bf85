"""Outlines, bindings and commands as bytes: what comes out is what went in, for every case of the corpus."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tests.corpus import cases
from tslp_litellm.syntax.codec import ITEMS_A_LINE, decoded, decoded_bindings, encoded, encoded_bindings
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import outlined
from tslp_litellm.syntax.references import Bindings, Import, Reference

CORPUS = sorted((Path(__file__).parent.parent / "corpus").glob("*.txt"))


def test_there_is_a_corpus() -> None:
    assert len(CORPUS) > 20


@pytest.mark.parametrize("file", CORPUS, ids=lambda f: f.stem)
def test_an_outline_comes_back_as_it_was(file: Path) -> None:
    for case in cases(file):
        source = case.source.encode()
        made = outlined(language_named(file.stem), source)
        assert decoded(encoded(made), source) == made


def test_so_does_a_long_one() -> None:
    source = "".join(f"def f{n}(x):\n    return x  # {n}\n" for n in range(3 * ITEMS_A_LINE)).encode()
    made = outlined(language_named("python"), source)
    assert len(made.symbols) == 3 * ITEMS_A_LINE
    assert decoded(encoded(made), source) == made


@pytest.mark.parametrize("body", [b"", b"[1]", b'["symbols",[[1]]]', b"\xff"])
def test_what_is_no_outline_is_an_error(body: bytes) -> None:
    with pytest.raises(ValueError):
        decoded(body, b"")


def test_bindings_come_back_as_they_were_none_of_their_parts_without_a_value() -> None:
    doubts, n = (Reference(3, ("a", "b"), "dynamic"),), 3 * ITEMS_A_LINE
    some = Import("a", "./a", "b", whole=False)
    made = Bindings(
        (some, Import("c", "./c", None)), (Reference(0, ("a",)),) * n, frozenset("ab"), frozenset("cd"), True, "p", ("o",),
        doubts, (some,), ("s",), {"": "a", "default": "b"},
    )  # fmt: skip
    assert all(getattr(made, field.name) for field in fields(Bindings))
    assert decoded_bindings(encoded_bindings(made)) == made
