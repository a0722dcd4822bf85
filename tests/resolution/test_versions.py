"""Several versions of one entity in one answer."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.values import Carrier, Evidence, Snippet
from tslp_litellm.placing.values import Play
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.unit_of_work import UnitOfWork

from .helpers import asked, edit, fence, known, reasons, unit

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


# -- in one fence

OLD, SHOUTS = "def slug(s):\n    return s.lower()\n", "def slug(s, sep='-'):\n    return s.upper()\n"
CART = (
    "class Cart:\n    n = 0\n\n    def add(self):\n        self.n += 1\n\n    def total(self):\n        return self.n\n"
)
CALC = "class Calc {\n    int base;\n\n    int add(int a, int b) {\n        return a + b;\n    }\n}\n"
TS = "export function load(a: string) {\n  return a;\n}\n"


def after(path: str, base: str, text: str, prompt: str = "Change it.") -> UnitOfWork:
    state = known(path, base)
    b = UnitOfWork({path: state}, {name: frozenset([path]) for name in state.symbols})
    judge_model(b, [Snippet(text, "")], asked(prompt, play=Play(paths=frozenset([path]))))
    return b


@pytest.mark.parametrize(
    ("path", "base", "text", "old", "new"),
    [
        ("a.py", BASE, f"# Before\n{OLD}\n# After\n{ONE}", OLD, ONE),
        ("a.py", BASE, f"{OLD}\n\n{SHOUTS}", OLD, SHOUTS),
        ("a.py", BASE, f"# New:\n\n{ONE}\n# Old:\n\n{TWO}", OLD, ONE),
        ("a.py", BASE, BASE.replace(OLD, f"# Before\n{TWO}\n# After\n{ONE}"), OLD, ONE),
        ("a.py", BASE, BASE.replace(OLD, f"{ONE}\n\n# Before\n{OLD}"), OLD, ONE),
        ("a.py", f"{BASE}\n\nN = 1\n\n\ndef last():\n    return N\n", f"{OLD}\n\ndef title(s):\n    return s.title()\n\n\n# now\n{ONE}", OLD, ONE),
        ("a.py", BASE, f"# Old\n{OLD}\n# New\n{ONE}\n# Alternative\n{TWO}", OLD, ONE),
        ("a.py", CART, "# Before\ndef total(self):\n    return self.n\n\n# After\ndef total(self):\n    return 2\n", "return self.n\n", "return 2\n"),
        ("a.py", CART, f"# Before\n{CART}\n\n# After\n{CART.replace('return self.n', 'return 2')}", "return self.n\n", "return 2\n"),
        ("Calc.java", CALC, CALC.replace("    int add", "    // Before\n    int add").replace("    }\n}", "    }\n\n    // After\n    int add(int a, int b) {\n        return sum(a, b);\n    }\n}"), "a + b", "sum(a, b)"),
        ("a.ts", TS, f"// Before\n{TS}\n// After\n{TS.replace('string)', 'string, b = 1)')}", "string)", "string, b = 1)"),
        ("a.rs", "impl Cart {\n    fn n(&self) -> u8 {\n        1\n    }\n}\n", "impl Cart {\n    fn n(&self) -> u8 {\n        1\n    }\n}\n\nimpl Cart {\n    fn n(&self) -> u8 {\n        2\n    }\n}\n", "1", "2"),
    ],
)  # fmt: skip
def test_the_old_text_beside_the_new_one_is_no_version(path: str, base: str, text: str, old: str, new: str) -> None:
    assert after(path, base, text).file(path).text() == base.replace(old, new)


@pytest.mark.parametrize("text", [f"# Option 1\n{ONE}\n# Option 2\n{TWO}", f"{ONE}\n\n{TWO}"])
def test_two_in_one_fence_are_several_versions(text: str) -> None:
    b = after("a.py", BASE, text)
    assert held(b) == BASE and reasons(b) == [("a.py", "several-versions")]
    assert {name for name, one in b.file("a.py").symbols.items() if not one.clean} == {"slug"}


_OVERLOADED = "from typing import overload\n\n\n@overload\ndef slug(s: str) -> str: ...\n@overload\ndef slug(s: int) -> str: ...\ndef slug(s):\n    return str(s)\n"


@pytest.mark.parametrize(
    ("path", "base", "text", "name"),
    [
        ("a.py", OLD, _OVERLOADED, "slug#3"),
        ("a.py", OLD, "try:\n    from x import y\n\n    def slug(s):\n        return y(s)\nexcept ImportError:\n    def slug(s):\n        return s.lower()\n", "slug#2"),
        ("a.py", "class A:\n    @property\n    def n(self):\n        return 1\n", "class A:\n    @property\n    def n(self):\n        return 1\n\n    @n.setter\n    def n(self, v):\n        pass\n", "A.n#2"),
        ("Calc.java", CALC, CALC.replace("    }\n}", "    }\n\n    double add(double a, double b) {\n        return a + b;\n    }\n}"), "Calc.add#2"),
        ("a.ts", TS, f"export function load(a: string): string;\nexport function load(a: number): string;\n{TS.replace('string', 'any')}", "load#3"),
        ("a.cpp", "class V {\n  int* at(int i) { return d + i; }\n};\n", "class V {\n  int* at(int i) { return d + i; }\n  const int* at(int i) const { return d + i; }\n};\n", "V.at#2"),
        ("a.rs", "fn f() -> u8 {\n    0\n}\n", "#[cfg(unix)]\nfn f() -> u8 {\n    1\n}\n\n#[cfg(windows)]\nfn f() -> u8 {\n    0\n}\n", "f#2"),
    ],
)  # fmt: skip
def test_what_the_language_lets_stand_together_stays(path: str, base: str, text: str, name: str) -> None:
    b = after(path, base, text)
    assert name in b.file(path).symbols and not reasons(b)


def test_all_of_a_file_with_a_definition_written_twice_is_taken_as_it_is() -> None:
    text = BASE.replace(OLD, f"{ONE}\n\n{TWO}")
    assert after("a.py", BASE, text).file("a.py").text() == text
