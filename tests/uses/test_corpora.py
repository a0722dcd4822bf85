"""Uses in files of every language whose uses are read, labelled by hand: none is wrong, and those that a reader of this
kind can prove are found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.uses.reading import known, uses
from tslp_litellm.uses.modules import READ

CORPORA = sorted((Path(__file__).parent / "corpora").glob("*.txt"))
PROVEN = ("go", "rust", "java", "csharp", "ruby", "php", "kotlin", "c", "cpp")
"""Languages of which enough is labelled to say how many uses are found."""
LABELS_MIN, RECALL_MIN = 30, 0.7


def corpus(text: str) -> tuple[dict[str, str], set[str], set[str]]:
    """The files of a corpus, its uses that are found, and those that are not: `user -> used route`, a line each. Uses
    by a file outside of all definitions are not labelled."""
    shown, _, labels = text.partition("--- uses\n")
    found, _, missed = labels.partition("--- missed\n")
    parts = (part.partition("\n") for part in re.split(r"^=== ", shown, flags=re.MULTILINE)[1:])
    return {path: body for path, _, body in parts}, set(found.splitlines()), set(missed.splitlines())


@pytest.mark.parametrize("file", CORPORA, ids=lambda file: file.stem)
def test_the_uses_are_those_that_were_labelled(file: Path) -> None:
    texts, labels, missed = corpus(file.read_text("utf-8"))
    files = known(texts)
    found = {f"{u.user} -> {u.used} {u.route}" for path in files for u in uses(path, files) if u.user.symbol}
    assert sorted(found - labels - missed) == [], "wrong"
    assert sorted(labels - found) == [], "missed"
    assert sorted(missed & found) == [], "found, and not known to be"


def test_every_language_has_a_corpus() -> None:
    ours = {"python", "javascript", "typescript", "tsx"}  # held to real packages, and to test_following.py
    assert {language(file) for file in CORPORA} == READ - ours


@pytest.mark.parametrize("name", PROVEN)
def test_most_uses_are_found(name: str) -> None:
    read = [corpus(file.read_text("utf-8")) for file in CORPORA if language(file) == name]
    found, missed = (sum(len(one[at]) for one in read) for at in (1, 2))
    assert found + missed >= LABELS_MIN
    assert found / (found + missed) >= RECALL_MIN


def language(file: Path) -> str:
    return file.stem.partition("-")[0]
