"""Uses in files of every language whose uses are read, labelled by hand: none is wrong, and those that a reader of this
kind can prove are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.uses.reading import known, uses
from tslp_litellm.uses.modules import READ

CORPORA = sorted((Path(__file__).parent / "corpora").glob("*.txt"))


def corpus(text: str) -> tuple[dict[str, str], set[str]]:
    """The files of a corpus, and its uses: `user -> used route`, a line each. Uses by a file outside of all
    definitions are not labelled."""
    shown, _, labels = text.partition("--- uses\n")
    parts = (part.partition("\n") for part in shown.split("=== ")[1:])
    return {path: body for path, _, body in parts}, set(labels.splitlines())


@pytest.mark.parametrize("file", CORPORA, ids=lambda file: file.stem)
def test_the_uses_are_those_that_were_labelled(file: Path) -> None:
    texts, labels = corpus(file.read_text("utf-8"))
    files = known(texts)
    found = {f"{u.user} -> {u.used} {u.route}" for path in files for u in uses(path, files) if u.user.symbol}
    assert sorted(found - labels) == [], "wrong"
    assert sorted(labels - found) == [], "missed"


def test_every_language_has_a_corpus() -> None:
    ours = {"python", "javascript", "typescript", "tsx"}  # held to real packages, and to test_following.py
    assert {file.stem for file in CORPORA} == READ - ours
