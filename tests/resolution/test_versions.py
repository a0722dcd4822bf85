"""Several versions of one entity in one answer."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.values import Carrier, Evidence, Snippet
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.unit_of_work import UnitOfWork

from .helpers import asked, edit, fence, reasons, unit

BASE = "import re\n\n\ndef slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
ONE, TWO = "def slug(s):\n    return s.strip().lower()\n", "def slug(s):\n    return ' '.join(s.split()).lower()\n"


def judged(*pieces: Evidence) -> UnitOfWork:
    b = unit(a_py=BASE)
    judge_model(b, pieces, asked("Make slug strip."))
    return b


def held(b: UnitOfWork) -> str:
    """The text as it was, which is DIRTY: one of the versions is most likely on the user's disk."""
    file = b.file("a.py").file
    assert file is not None and not file.clean
    return file.text


@pytest.mark.parametrize(
    "pieces",
    [
        [fence("a.py", ONE), fence("a.py", TWO)],
        [fence("a.py", BASE.replace("s.lower()", "s")), fence("a.py", TWO)],
        [fence("a.py", BASE.replace("s.lower()", "s")), fence("a.py", BASE.replace("s.lower()", "s.strip()"))],
    ],
)
def test_none_of_them_counts(pieces: list[Evidence]) -> None:
    b = judged(*pieces)
    assert held(b) == BASE
    assert {reason for _, reason in reasons(b)} == {"several-versions"}
    assert dict(b.events[0].about)["refused"]["gate"] == "A"


@pytest.mark.parametrize("language", ["python", ""])
@pytest.mark.parametrize("labelled", [ONE, BASE.replace("s.lower()", "s.strip()")])
def test_code_without_a_path_may_be_another_version(labelled: str, language: str) -> None:
    b = judged(fence("a.py", labelled), Snippet(TWO, language))
    assert held(b) == BASE
    assert (reasons(b)[0][1]) == "several-versions"


@pytest.mark.parametrize(
    "text", [ONE, "def slug(s):\n    return s.lower()\n", "def main():\n    print(slug('A'))\n", "slug('A')\n"]
)
def test_a_quotation_or_an_example_is_no_version(text: str) -> None:
    assert "strip" in (judged(fence("a.py", ONE), Snippet(text, "python")).file("a.py").text() or "")


def test_what_is_the_same_in_each_version_is_no_longer_sure() -> None:
    """A caller that both versions change alike: its old text would be shown as current else."""
    base = BASE + "\n\ndef headline(s):\n    return slug(title(s))\n"
    b = unit(a_py=base)
    new = base.replace("slug(", "to_slug(")
    judge_model(
        b,
        [fence("a.py", new), fence("a.py", new.replace("s.lower()", "s.strip()"))],
        asked("Rename slug in a.py to to_slug."),
    )
    assert held(b) == base and reasons(b)[0][1] == "several-versions"
    assert {name for name, known in b.file("a.py").symbols.items() if not known.clean} == {"slug", "headline"}


def test_a_method_shown_without_its_type_is_a_version_of_it() -> None:
    base = "class Cart:\n    def total(self):\n        return 0\n"
    b = unit(a_py=base)
    judge_model(
        b, [fence("a.py", base.replace("0", "1")), Snippet("def total(self):\n    return 2\n", "python")], asked()
    )
    assert held(b) == base


def test_the_same_text_again_is_one_version() -> None:
    assert "strip" in (judged(fence("a.py", ONE), fence("a.py", ONE + "\n")).file("a.py").text() or "")


def test_fragments_of_different_definitions_are_no_versions() -> None:
    text = judged(fence("a.py", ONE), fence("a.py", "def title(s):\n    return s.capitalize()\n")).file("a.py").text()
    assert text == BASE.replace("s.lower()", "s.strip().lower()").replace("s.title()", "s.capitalize()")


def test_edits_apply_in_order() -> None:
    b = judged(
        edit("a.py", ("    return s.lower()\n", "    return s.strip()\n")),
        edit("a.py", ("    return s.strip()\n", "    return s.strip().lower()\n")),
    )
    assert b.file("a.py").text() == BASE.replace("s.lower()", "s.strip().lower()")


def test_a_new_file_in_pieces_is_no_file() -> None:
    b = unit()
    judge_model(b, [fence("b.py", "import re\n"), fence("b.py", ONE)], asked("Explain it step by step."))
    assert not b.file("b.py").tracked


def test_a_client_that_takes_texts_itself_takes_them_as_it_does() -> None:
    b = unit(a_py=BASE)
    whole = [fence("a.py", BASE.replace("s.lower()", "s.strip()")), fence("a.py", BASE.replace("s.lower()", "s"))]
    judge_model(b, whole, asked(forms=frozenset({Carrier.FENCE})))
    assert "several-versions" not in {reason for _, reason in reasons(b)}
