"""Code that belongs to the file in which its definitions stand."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.values import Shown, Snippet
from tslp_litellm.placing.rules import place
from tslp_litellm.placing.values import Placed, Unplaced

from .helpers import by_model, by_user, tracked

A = "def load(path):\n    return open(path)\n\n\ndef save(path):\n    return path\n"
B = "def load(path):\n    return path\n"
CART = "class Cart:\n    def add(self):\n        pass\n\n    def total(self):\n        return 1\n"
LOAD = Snippet("def load(path):\n    return 9\n", "python")
SAVE = Snippet("def save(path):\n    return 9\n", "python")
TOTAL = "def total(self):\n    return 2\n"


def path(found: Placed) -> str | None:
    return found.path if isinstance(found, Shown) else None


class TestStructure:
    def test_the_model_s_code_counts_for_a_file_in_play(self) -> None:
        known = tracked(a_py=A)
        assert path(place(SAVE, by_model("Go.", "a.py"), known)) == "a.py"
        assert path(place(SAVE, by_model("Go.", entities=("a.py::save",)), known)) == "a.py"
        assert path(place(SAVE, by_model("Go.", before=("a.py",)), known)) == "a.py"
        assert place(SAVE, by_model("Go."), known) == Unplaced(SAVE.text, "python", ("a.py",), ("save",))

    def test_the_user_s_code_counts_for_the_only_file_that_defines_it(self) -> None:
        known = tracked(a_py=A, b_py=B)
        assert path(place(SAVE, by_user(), known)) == "a.py"
        assert place(LOAD, by_user(), known) == Unplaced(LOAD.text, "python", ("a.py", "b.py"), ("load",))
        assert path(place(LOAD, by_user("mine", "b.py"), known)) == "b.py"

    def test_of_several_files_the_one_that_is_named_with_its_path_is_meant(self) -> None:
        asked = by_model("Let b.py sort.", "b.py", entities=("a.py::load",), before=("a.py", "b.py"))
        assert path(place(LOAD, asked, tracked(a_py=A, b_py=B))) == "b.py"

    def test_all_that_is_tracked_must_stand_in_one_file(self) -> None:
        both = Snippet("def save(p):\n    pass\n\n\ndef other():\n    pass\n", "python")
        known = tracked(a_py=A, c_py="def other():\n    return 1\n")
        assert path(place(both, by_user(), known)) is None

    def test_what_is_new_beside_it_does_no_harm(self) -> None:
        more = Snippet(SAVE.text + "\n\ndef fresh():\n    return 1\n", "python")
        assert path(place(more, by_user(), tracked(a_py=A))) == "a.py"

    def test_another_language_is_another_name(self) -> None:
        assert (
            path(place(Snippet("function save(p) {\n  return p;\n}\n", "javascript"), by_user(), tracked(a_py=A)))
            is None
        )

    def test_a_part_of_a_file_that_brings_what_is_asked_for_in_another_language_is_of_neither(self) -> None:
        known = tracked(a_py=A, b_ts="export function load(): void {}\n\nexport function rest(): void {}\n")
        text = "export function save(): void {}\n\nexport function load(): void {}\n"
        asked = by_model("Now `save` in a.py.", "a.py", "b.ts", entities=("a.py::save",))
        assert path(place(Snippet(text, "typescript"), asked, known)) is None
        ported = Snippet(text.replace("load(): void {}", "load(): void { save(); }"), "typescript")
        assert path(place(ported, asked, known)) == "b.ts", "`Write it for b.ts, too, and use it there.`"
        whole = Snippet(text + "\nexport function rest(): void {}\n", "typescript")
        assert path(place(whole, asked, known)) == "b.ts", "`Write it in TypeScript, too.`"
        method = "func (c *Cart) total() int {\n\treturn %d\n}\n"
        known = tracked(a_go="package a\n\nfunc f() {}\n\ntype Cart struct{}\n\n" + method % 1)
        asked = by_model("Now `Cart.total`.", entities=("a.go::Cart.total",))
        assert path(place(Snippet(method % 2, "go"), asked, known)) == "a.go"

    def test_a_fence_without_a_language_is_read_as_what_it_looks_like(self) -> None:
        assert path(place(Snippet(SAVE.text, ""), by_user(), tracked(a_py=A))) == "a.py"

    def test_a_fence_under_another_language_s_word_is_read_as_what_it_looks_like(self) -> None:
        text = "export function save(p: string): string {\n  return p;\n}\n"
        known = tracked(a_ts=text, a_py=A)
        changed = text.replace("return p", "return p + p")
        assert path(place(Snippet(changed, "python"), by_model("Go.", "a.ts"), known)) == "a.ts"
        assert path(place(Snippet(changed, "python"), by_model("Go.", "a.py"), known)) is None
        assert path(place(Snippet(changed, "bash"), by_model("Go.", "a.ts"), known)) is None, (
            "shell fences are commands"
        )
        assert path(place(Snippet(changed, "text"), by_model("Go.", "a.ts"), known)) is None, (
            "nor is it said to be code"
        )

    def test_values_beside_other_statements_use_what_there_is(self) -> None:
        known = tracked(a_py="app = 1\n\n\ndef f():\n    return app\n")
        assert path(place(Snippet("app = f()\nprint(app)\n", "python"), by_user(), known)) is None
        assert path(place(Snippet("app = f()\nother = 2\n", "python"), by_user(), known)) is None
        assert path(place(Snippet("app = 2\n", "python"), by_user(), known)) == "a.py"

    def test_a_text_with_errors_is_nobodys(self) -> None:
        assert path(place(Snippet("def save(path:\n    return 9\n", "python"), by_user(), tracked(a_py=A))) is None


class TestMembers:
    @pytest.mark.parametrize("text", [TOTAL, "    def total(self):\n        return 2\n"])
    def test_a_method_alone_is_of_the_type_that_has_it(self, text: str) -> None:
        found = place(Snippet(text, "python"), by_model("Go.", "c.py"), tracked(c_py=CART))
        assert isinstance(found, Shown)
        assert (found.path, found.container) == ("c.py", "Cart")
        assert found.text == "class Cart:\n    def total(self):\n        return 2\n"

    def test_of_several_types_the_one_that_is_named(self) -> None:
        known = tracked(c_py=CART + "\n\n" + CART.replace("Cart", "Bag"))
        assert path(place(Snippet(TOTAL, "python"), by_user(), known)) is None
        found = place(Snippet(TOTAL, "python"), by_model("Go.", entities=("c.py::Bag.total",)), known)
        assert isinstance(found, Shown)
        assert found.container == "Bag"
