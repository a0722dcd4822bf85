"""Which file a piece of code belongs to: structure, sentence, place, in this order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tslp_litellm.dialects.values import Ground, Shown, Snippet
from tslp_litellm.placing.rules import place
from tslp_litellm.placing.values import Placed, Unplaced

from .helpers import by_model, tracked

A = "def load(path):\n    return open(path)\n\n\ndef save(path):\n    return path\n"
B = "def load(path):\n    return path\n"
CART = "class Cart:\n    def add(self):\n        pass\n\n    def total(self):\n        return 1\n"
SAVE = Snippet("def save(path):\n    return 9\n", "python")


def path(found: Placed) -> str | None:
    return found.path if isinstance(found, Shown) else None


class TestSentence:
    def above(self, sentence: str, text: str = B) -> Snippet:
        return Snippet(text, "python", sentence)

    @pytest.mark.parametrize(
        "sentence",
        ["Here is `new/b.py`:", "This is new/b.py now:", "**new/b.py** as follows:", "My new/b.py looks like this:"],
    )
    def test_a_sentence_that_ends_in_the_path(self, sentence: str) -> None:
        found = place(self.above(sentence), by_model(), tracked())
        assert isinstance(found, Shown)
        assert (found.path, found.by, found.part) == ("new/b.py", Ground.SENTENCE, False)

    @pytest.mark.parametrize(
        "sentence", ["See new/b.py.", "new/b.py is slow because of this loop:", "Here it is:", "In a.ts:"]
    )
    def test_others_say_nothing(self, sentence: str) -> None:
        assert path(place(self.above(sentence), by_model(), tracked())) is None

    def test_a_part_is_said_to_be_one(self) -> None:
        found = place(self.above("Continuing `new/b.py`:"), by_model(), tracked())
        assert isinstance(found, Shown)
        assert found.part

    def test_a_tracked_file_must_share_a_definition(self) -> None:
        other = "def other():\n    return 1\n"
        assert path(place(self.above("Here is a.py:", other), by_model(), tracked(a_py=A))) is None

    def test_what_defines_nothing_founds_no_file(self) -> None:
        assert path(place(self.above("Here is new/b.py:", "print(1)\n"), by_model(), tracked())) is None


class TestPlace:
    @pytest.mark.parametrize(
        "prose",
        [
            "Write a function `slug` in src/a.py.",
            "add slug to the file src/a.py please",
            "Create a new file called src/a.py with a function `slug`.",
            "Create src/a.py with slug(s).",
            "Please make a new file src/a.py with slug(s).",
            "I need a module named `src/a.py`. It should define slug.",
        ],
    )
    def test_the_prompt_puts_it_there(self, prose: str) -> None:
        slug = Snippet("def slug(s):\n    return s\n", "python")
        assert path(place(slug, by_model(prose), tracked())) == "src/a.py"
        assert path(place(slug, by_model(prose, "src/a.py"), tracked(src__a_py=A))) == "src/a.py"

    @pytest.mark.parametrize(
        "prose",
        [
            "Write a function in src/a.py.",
            "Write slug like src/a.py does.",
            "Use src/a.py to write slug.",
            "Write slug in src/a.py and src/b.py.",
            "Write slug.",
        ],
    )
    def test_in_doubt_it_does_not(self, prose: str) -> None:
        assert path(place(Snippet("def slug(s):\n    return s\n", "python"), by_model(prose), tracked())) is None

    def test_a_constant_alone_is_put_there_and_what_uses_a_name_is_not(self) -> None:
        asked = by_model("Introduce a constant SLUG_MAX in src/a.py.", "src/a.py")
        known = tracked(src__a_py=A)
        assert path(place(Snippet("SLUG_MAX = 40\n", "python"), asked, known)) == "src/a.py"
        assert path(place(Snippet("SLUG_MAX = 40\nprint(SLUG_MAX)\n", "python"), asked, known)) is None

    def test_of_constants_beside_what_is_asked_for_those_come_along_that_are_new_and_used(self) -> None:
        """A real 1.5B model showed a constant of the file, with another value, and one of its own for nothing."""
        code = Snippet("A_LIMIT = 9\nA_RATE = 2\n\n\ndef slug(s):\n    return s[:A_LIMIT] * A_RATE\n", "python")
        unused = replace(code, text=f"A_BASE = 3\n{code.text}")
        asked = by_model("Add a function `slug` to src/a.py.", "src/a.py")
        found = place(unused, asked, tracked(src__a_py="A_LIMIT = 40\n\n\n" + A))
        assert isinstance(found, Shown)
        assert (found.path, found.text.strip()) == ("src/a.py", code.text.replace("A_LIMIT = 9\n", "").strip())
        new = place(code, asked, tracked(src__b_py="A_LIMIT = 40\n"))
        assert isinstance(new, Shown)
        assert new.text == code.text, "a constant of another file is new in this one"


class TestNewMember:
    @pytest.mark.parametrize("prose", ["Add a method clear to Cart in src/cart.py.", "Cart needs `clear`"])
    def test_it_is_of_the_type_that_the_prompt_mentions(self, prose: str) -> None:
        clear = Snippet("def clear(self):\n    self.items = []\n", "python")
        asked = by_model(prose, "src/cart.py", entities=("src/cart.py::Cart",))
        found = place(clear, asked, tracked(src__cart_py=CART))
        assert isinstance(found, Shown)
        assert (found.path, found.container, found.by) == ("src/cart.py", "Cart", Ground.PLACE)

    def test_another_type_is_none(self) -> None:
        dog = Snippet("class Dog(Cart):\n    def speak(self):\n        return 1\n", "python")
        asked = by_model("Add a class Dog that extends Cart.", entities=("src/cart.py::Cart",))
        assert path(place(dog, asked, tracked(src__cart_py=CART))) is None

    def test_in_go_it_names_its_type_itself(self) -> None:
        known = tracked(a_go="package a\n\ntype A struct{}\n\nfunc (a *A) F() {}\n")
        reset = Snippet("func (a *A) Reset() {\n}\n", "go")
        assert path(place(reset, by_model("Add Reset to A.", entities=("a.go::A",)), known)) == "a.go"
        assert path(place(reset, by_model("Improve A.", entities=("a.go::A",)), known)) is None

    def test_a_function_is_none(self) -> None:
        asked = by_model("Add clear beside Cart.", entities=("c.py::Cart",))
        assert path(place(Snippet("def clear(cart):\n    pass\n", "python"), asked, tracked(c_py=CART))) is None


def test_by_what_has_no_label_a_mere_question_is_answered() -> None:
    asked = by_model("Why is `save` in a.py so slow?", "a.py")
    assert place(SAVE, asked, tracked(a_py=A)) == Unplaced(SAVE.text, "python", ("a.py",), ("save",), "only-asked")
    assert path(place(SAVE, by_model("a.py\n\nExplain `save`.", "a.py"), tracked(a_py=A))) is None, (
        "a label is no sentence"
    )
