"""Several versions of one entity in one answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tslp_litellm.dialects.values import Carrier, Edit, Evidence, Shown, Snippet, Standing
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.unit_of_work import UnitOfWork

from .helpers import asked, edit, fence, known, reasons, unit

BASE = "import re\n\n\ndef slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
ONE, TWO = "def slug(s):\n    return s.strip().lower()\n", "def slug(s):\n    return ' '.join(s.split()).lower()\n"


def judged(*pieces: Evidence) -> UnitOfWork:
    b = unit(a_py=BASE)
    judge_model(b, pieces, asked("Make slug strip."))
    return b


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
    assert b.file("a.py").text() == BASE
    assert {reason for _, reason in reasons(b)} == {"several-versions"}
    assert dict(b.events[0].about)["refused"]["gate"] == "A"


@pytest.mark.parametrize("language", ["python", ""])
@pytest.mark.parametrize("labelled", [ONE, BASE.replace("s.lower()", "s.strip()")])
def test_code_without_a_path_may_be_another_version(labelled: str, language: str) -> None:
    b = judged(fence("a.py", labelled), Snippet(TWO, language))
    assert b.file("a.py").text() == BASE
    assert (reasons(b)[0][1]) == "several-versions"


@pytest.mark.parametrize(
    "text", [ONE, "def slug(s):\n    return s.lower()\n", "def main():\n    print(slug('A'))\n", "slug('A')\n"]
)
def test_a_quotation_or_an_example_is_no_version(text: str) -> None:
    assert "strip" in (judged(fence("a.py", ONE), Snippet(text, "python")).file("a.py").text() or "")


def test_a_method_shown_without_its_type_is_a_version_of_it() -> None:
    base = "class Cart:\n    def total(self):\n        return 0\n"
    b = unit(a_py=base)
    judge_model(
        b, [fence("a.py", base.replace("0", "1")), Snippet("def total(self):\n    return 2\n", "python")], asked()
    )
    assert b.file("a.py").text() == base


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


SHOUTED = "    return s.upper()\n"


def alternative(piece: Edit) -> Edit:
    return replace(piece, standing=Standing.ALTERNATIVE)


OTHER = edit("a.py", ("    return s.lower()\n", SHOUTED))
WHOLE = fence("a.py", BASE.replace("s.lower()", "s.strip().lower()"))


@pytest.mark.parametrize(
    "pieces",
    [
        [WHOLE, OTHER],
        [WHOLE, alternative(OTHER)],
        [fence("a.py", ONE), OTHER],
        [edit("a.py", ("    return s.lower()\n", "    return s.strip()\n")), alternative(OTHER)],
        [fence("a.py", BASE.replace("s.title()", "s.capitalize()")), OTHER],
    ],
)
def test_a_text_and_an_edit_of_what_was_before(pieces: list[Evidence]) -> None:
    b = judged(*pieces)
    assert b.file("a.py").text() == BASE
    assert {reason for _, reason in reasons(b)} == {"several-versions"}


@pytest.mark.parametrize(
    "pieces",
    [
        [fence("a.py", BASE.replace("s.lower()", "s.upper()")), OTHER],
        [fence("a.py", "def title(s):\n    return s.capitalize()\n"), OTHER],
        [fence("a.py", BASE.replace("s.lower()", "s.strip()")), edit("a.py", ("    return s.strip()\n", SHOUTED))],
        [OTHER],
    ],
)
def test_an_edit_that_goes_with_what_is_shown(pieces: list[Evidence]) -> None:
    assert SHOUTED in (judged(*pieces).file("a.py").text() or "")


def test_an_alternative_alone_is_no_change() -> None:
    assert judged(alternative(OTHER)).file("a.py").text() == BASE


def test_a_version_under_a_short_path() -> None:
    b = UnitOfWork({"src/util.py": known("src/util.py", BASE)})
    judge_model(b, [fence("src/util.py", ONE), fence("util.py", TWO)], asked())
    assert b.file("src/util.py").text() == BASE
    assert {reason for _, reason in reasons(b)} == {"several-versions"}


def test_new_files_whose_names_end_alike() -> None:
    b = unit()
    judge_model(b, [fence("src/new.py", BASE), fence("new.py", BASE.replace("lower", "upper"))], asked())
    assert not b.file("src/new.py").tracked
    b = unit()
    judge_model(b, [fence("src/new.py", BASE), fence("new.py", "def main():\n    return 1\n")], asked())
    assert b.file("src/new.py").tracked


def test_a_call_that_would_write_another_version() -> None:
    written = Shown("a.py", BASE.replace("s.lower()", "s.upper()"), Carrier.WRITE, whole=True)
    b = unit(a_py=BASE)
    judge_model(b, [WHOLE], asked(), [written])
    assert b.file("a.py").text() == BASE
    b = unit(a_py=BASE)
    judge_model(b, [fence("a.py", written.text)], asked(), [written])
    assert b.file("a.py").text() == written.text


@pytest.mark.parametrize("other", ["/w/a.py", "/srv/app/a.py", "C:/app/a.py", "app/a.py"])
def test_one_file_by_its_path_from_another_folder(other: str) -> None:
    b = judged(fence("a.py", BASE.replace("s.lower()", "s.strip()")), fence(other, BASE.replace("s.lower()", "s")))
    assert b.file("a.py").text() == BASE
    assert {reason for _, reason in reasons(b)} == {"several-versions"}
