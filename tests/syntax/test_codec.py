"""Outlines and commands as bytes: what comes out is what went in, for every case of the corpus."""

from __future__ import annotations

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


def test_bindings_come_back_as_they_were() -> None:
    names = [f"name_{n}" for n in range(ITEMS_A_LINE + 1)]
    made = Bindings(
        (Import("a", "a.b", None, whole=False), Import("f", "..m", "g")),
        tuple(Reference(n, (name, "member")) for n, name in enumerate(names)),
        frozenset(names),
        frozenset({"twice"}),
        star=True,
    )
    assert decoded_bindings(encoded_bindings(made)) == made


@pytest.mark.parametrize("body", [b"", b"{}", b'[["imports", 1]]', b'["imports", [["a"]]]', b'["other", []]'])
def test_what_is_no_bindings_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError):
        decoded_bindings(body)
