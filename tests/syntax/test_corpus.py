"""Every language's corpus: source in, outline out."""

from pathlib import Path

import pytest

from tests.corpus import Case, cases, rendered

FILES = sorted((Path(__file__).parent.parent / "corpus").glob("*.txt"))
ALL = [(file.stem, case) for file in FILES for case in cases(file)]


@pytest.mark.parametrize(("language", "case"), ALL, ids=[f"{name}: {case.title}" for name, case in ALL])
def test_outline(language: str, case: Case) -> None:
    assert case.expected, "an outline is expected of every case"
    assert rendered(language, case.source) == case.expected
