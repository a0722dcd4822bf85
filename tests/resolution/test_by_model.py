"""The model's word must pass both gates."""

from dataclasses import replace

import pytest

from tslp_litellm.dialects.values import Carrier, Snippet
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.files import dirty
from tslp_litellm.state.events import Op
from tslp_litellm.state.values import Confidence, Flag

from .helpers import asked, edit, fence, moved, reasons, unit

BASE = (
    "import re\n\n\ndef clean(s):\n    return re.sub(r'x+', ' ', s)\n\n\ndef title(s):\n    return clean(s).title()\n"
)
CLASS = "class Account:\n    def deposit(self, n):\n        self.balance += n\n\n    def withdraw(self, n):\n        self.balance -= n\n"


def test_a_new_file_is_taken() -> None:
    b = unit()
    judge_model(b, [fence("a.py", BASE)], asked())
    assert b.file("a.py").text() == BASE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import re\n\n\ndef clean(s:\n    return s\n\n\ndef title(s):\n    return 1\n", "syntax-error"),
        ("import re\n\n\ndef clean(s):\n    return re.sub(r'y+', ' ', s)\n", "lost-symbols"),
        ("import re\n\n\ndef clean(s): ...\n\n\ndef title(s): ...\n", "left-out-code"),
        ("import re\n\n\ndef clean(s): pass\n\n\ndef title(s): pass\n", "left-out-code"),
        ("import re\n\n\ndef clean(s): return s\n\n\ndef title(s): return s\n", "collapse"),
    ],
)
def test_a_whole_file_is_judged_as_one(text: str, reason: str) -> None:
    b = unit(a_py=BASE)
    judge_model(b, [fence("a.py", text)], asked())
    assert b.file("a.py").text() == BASE
    assert reason in [r for _, r in reasons(b)]


def test_a_first_file_with_an_error_or_a_gap_is_only_proposed() -> None:
    b = unit()
    judge_model(
        b,
        [fence("a.py", "def f(:\n    pass\n"), fence("b.py", "def f():\n    # ... existing code ...\n    return 1\n")],
        asked(),
    )
    assert not b.files
    assert reasons(b) == [("a.py", "syntax-error"), ("b.py", "left-out-code")]


def test_refusals_carry_a_witness() -> None:
    b = unit(a_py=BASE)
    judge_model(b, [fence("a.py", "import re\n\n\ndef clean(s):\n    return re.sub(r'y+', ' ', s)\n")], asked())
    assert dict(b.events[0].about)["refused"] == {
        "gate": "B",
        "reason": "lost-symbols",
        "lost": ["title"],
        "needed": "all of them, or the user's word by name",
    }


def test_members_of_an_incomplete_class_count_by_themselves() -> None:
    b = unit(a_py=CLASS)
    text = "class Account:\n    # ... existing code ...\n\n    def withdraw(self, n):\n        self.balance -= n + 1\n"
    judge_model(b, [fence("a.py", text)], asked())
    assert b.file("a.py").text() == CLASS.replace("-= n", "-= n + 1")


def test_a_class_fragment_may_not_lose_members_silently() -> None:
    b = unit(a_py=CLASS + "\n\ndef other():\n    return 1\n")
    judge_model(
        b,
        [fence("a.py", "class Account:\n    def withdraw(self, n):\n        self.balance -= n + 1 + 2 + 3 + 4 + 5\n")],
        asked(),
    )
    assert reasons(b) == [("a.py::Account", "lost-symbols")]


def test_a_fragment_may_not_lose_one_of_its_decorators() -> None:
    b = unit(a_py="@final\n@cache\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n")
    judge_model(b, [fence("a.py", "@cache\ndef f():\n    return 3\n")], asked())
    assert reasons(b) == [("a.py::f", "lost-decoration")]


def test_a_method_alone_under_its_files_label_is_that_method() -> None:
    b = unit(a_py=CLASS + "\n\ndef other():\n    return 1\n")
    judge_model(b, [fence("a.py", "def withdraw(self, n):\n    self.balance -= 2 * n\n")], asked())
    assert reasons(b) == []
    assert "    def withdraw(self, n):\n        self.balance -= 2 * n\n" in (b.file("a.py").text() or "")


def test_a_function_of_a_methods_name_is_no_method() -> None:
    b = unit(a_py=CLASS + "\n\ndef other():\n    return 1\n")
    judge_model(b, [fence("a.py", "def withdraw(account, n):\n    account.balance -= 2 * n\n")], asked())
    assert reasons(b) == [("a.py::withdraw", "leaf-of-another")]
    assert "withdraw" not in b.file("a.py").symbols


def test_one_of_several_definitions_of_a_name_and_signature_is_ambiguous() -> None:
    b = unit(a_go="package a\n\nfunc init() {\n\tone()\n}\n\nfunc init() {\n\ttwo()\n}\n")
    judge_model(b, [fence("a.go", "func init() {\n\tthree()\n}\n")], asked())
    assert ("a.go::init", "ambiguous") in reasons(b)
    assert not any(b.file("a.go").symbols[name].clean for name in ("init", "init#2"))


def test_a_rename_is_flagged_and_the_old_name_kept() -> None:
    b = unit(a_py=BASE)
    judge_model(b, [fence("a.py", BASE.replace("title(s)", "titled(s)"))], asked("Clean up a.py."))
    assert b.file("a.py").text() == BASE
    assert b.flags == [Flag("rename", ("a.py::title", "a.py::titled"))]
    judge_model(b, [fence("a.py", BASE.replace("title(s)", "titled(s)"))], asked("Rename title to titled."))
    assert b.file("a.py").text() == BASE.replace("title(s)", "titled(s)")
    assert moved(b, Op.TOMBSTONE) == ["a.py::title"]


def test_a_rename_that_nobody_asked_for_brings_no_caller_of_the_new_name() -> None:
    """In a file without imports, too."""
    base = "def clean(s):\n    return s.strip('x')\n\n\ndef title(s):\n    return clean(s).title()\n"
    b = unit(a_py=base)
    judge_model(b, [fence("a.py", base.replace("clean", "strip"))], asked("Improve a.py."))
    assert b.file("a.py").text() == base
    assert reasons(b) == [("a.py", "rename-unconfirmed")]


def test_a_rename_in_a_fragment_is_no_new_definition() -> None:
    b = unit(a_py=BASE)
    judge_model(b, [fence("a.py", "def titled(s):\n    return clean(s).title()\n")], asked("Clean up a.py."))
    assert reasons(b) == [("a.py::titled", "rename-unconfirmed")]
    assert b.flags == [Flag("rename", ("a.py::title", "a.py::titled"))]
    judge_model(b, [fence("a.py", "def titled(s):\n    return clean(s).title()\n")], asked("Rename title to titled."))
    assert "titled" in b.file("a.py").symbols


def test_the_text_of_another_file_is_not_taken_for_this_one() -> None:
    other = "def one(x):\n    return x + 1\n\n\ndef two(x):\n    return x + 2\n"
    b = unit(a_py=BASE, b_py=other)
    judge_model(b, [fence("a.py", other), fence("b.py", BASE)], asked("Clean up."))
    assert reasons(b) == [("a.py", "text-of-another-file"), ("b.py", "text-of-another-file")]
    assert b.file("a.py").text() == BASE


class TestErrorsInAFragment:
    """After an error a grammar goes on as best it can: what it makes of the rest is not believed."""

    JS = "class Cart {\n  add(x) {\n    this.n += x;\n  }\n}\n\nfunction total(c) {\n  return c.n;\n}\n\nconst other = () => 1;\n"

    def test_what_is_new_beside_an_error_is_refused(self) -> None:
        b = unit(a_js=self.JS)
        judge_model(
            b, [fence("a.js", "function broken() {\n  this.n += ;\n}\n\nfunction fresh() {\n  return 1;\n}\n")], asked()
        )
        assert ("a.js::fresh", "syntax-error") in reasons(b)

    def test_a_body_cut_short_by_a_brace_is_refused(self) -> None:
        b = unit(a_js=self.JS)
        judge_model(b, [fence("a.js", "function total(c) {\n  return c.m;\n}\n  more();\n}\n")], asked())
        assert reasons(b) == [("a.js::total", "syntax-error")]

    def test_a_known_definition_far_from_the_error_counts(self) -> None:
        b = unit(a_js=self.JS)
        text = "function total(c) {\n  return c.m;\n}\n\nclass Cart {\n  add(x) {\n    this.n += ;\n  }\n}\n"
        judge_model(b, [fence("a.js", text)], asked())
        assert b.file("a.js").text() == self.JS.replace("c.n", "c.m")

    def test_a_line_of_dots_is_no_error(self) -> None:
        b = unit(a_js=self.JS)
        text = "class Cart {\n  ...\n\n  add(x) {\n    this.n += 2 * x;\n  }\n}\n"
        judge_model(b, [fence("a.js", text)], asked())
        assert b.file("a.js").text() == self.JS.replace("+= x", "+= 2 * x")


def test_text_is_talk_where_the_client_edits_by_tools() -> None:
    b = unit(a_py=BASE)
    judge_model(
        b,
        [fence("a.py", BASE.replace("title", "t")), edit("a.py", ("import re\n", "import os\n"))],
        asked(forms=frozenset()),
    )
    assert b.file("a.py").text() == BASE
    assert {r for _, r in reasons(b)} == {"client-edits-otherwise"}


class TestEdits:
    def test_on_the_truth(self) -> None:
        b = unit(a_py=BASE)
        judge_model(b, [edit("a.py", ("import re\n", "import regex as re\n"))], asked())
        assert b.file("a.py").text() == BASE.replace("import re\n", "import regex as re\n")
        assert b.file("a.py").file is not None
        assert b.file("a.py").file.source == "edit"  # type: ignore[union-attr]

    def test_all_or_none_of_a_file(self) -> None:
        b = unit(a_py=BASE)
        judge_model(b, [edit("a.py", ("import re\n", "import os\n")), edit("a.py", ("nowhere\n", "x\n"))], asked())
        assert b.file("a.py").text() == BASE
        assert reasons(b) == [("a.py", "not-one-match")]

    def test_on_an_unknown_base(self) -> None:
        b = unit(a_py=BASE)
        b.files["a.py"] = dirty(b.file("a.py"), "drift")[0]
        judge_model(b, [edit("a.py", ("import re\n", "import os\n")), edit("n.py", ("x\n", "y\n"))], asked())
        assert reasons(b) == [("a.py", "base-unknown"), ("n.py", "not-one-match")]

    def test_a_new_file(self) -> None:
        b = unit()
        judge_model(b, [edit("n.py", ("", "x = 1\n"))], asked())
        assert b.file("n.py").text() == "x = 1\n"

    def test_edits_pass_the_gates_too(self) -> None:
        b = unit(a_py=BASE)
        judge_model(b, [edit("a.py", ("def title(s):\n    return clean(s).title()\n", ""))], asked())
        assert reasons(b) == [("a.py", "lost-symbols")]


class TestDirt:
    def test_a_file_of_unknown_text_is_not_replaced_by_the_model(self) -> None:
        b = unit(a_py=BASE)
        b.files["a.py"] = dirty(b.file("a.py"), "drift")[0]
        judge_model(b, [fence("a.py", BASE.replace("x+", "y+"))], asked())
        assert reasons(b) == [("a.py", "base-unknown")]

    def test_but_one_where_only_a_place_was_unknown_is(self) -> None:
        b = unit(a_py=BASE)
        judge_model(b, [fence("a.py", "def extra(s):\n    return s\n")], asked())
        assert b.file("a.py").text() is None
        whole = BASE + "\n\ndef extra(s):\n    return s\n"
        judge_model(b, [fence("a.py", whole)], asked())
        assert b.file("a.py").text() == whole


class TestSnippets:
    def test_symbols_of_one_file_are_inferred(self) -> None:
        b = unit(a_py=BASE)
        judge_model(b, [Snippet("def clean(s):\n    return 1\n", "python")], asked())
        assert [(m.entity, m.confidence) for e in b.events for m in e.moves] == [("a.py::clean", Confidence.INFERRED)]

    def test_unknown_symbols_are_unresolved(self) -> None:
        b = unit(a_py=BASE)
        judge_model(b, [Snippet("def nobody():\n    return 1\n", "python")], asked())
        assert [(m.op, m.entity, m.confidence) for e in b.events for m in e.moves] == [
            (Op.LOG, None, Confidence.UNRESOLVED)
        ]

    def test_symbols_in_two_files_are_unresolved(self) -> None:
        b = unit(a_py=BASE, b_py=BASE)
        judge_model(b, [Snippet("def clean(s):\n    return 1\n", "python")], asked())
        assert reasons(b) == [(None, "no-path")]

    def test_calls_without_a_definition_are_no_source_code(self) -> None:
        b = unit(a_py=BASE)
        judge_model(b, [Snippet("print(clean(1))\n", "python")], asked())
        assert not b.events


def test_a_definition_that_went_to_another_file_is_flagged_as_a_rename() -> None:
    moved = "def render(x):\n    return x.strip().title() + str(len(x))\n"
    before = f"import re\n\n\ndef keep():\n    return re.compile('a').match('b')\n\n\n{moved}"
    after = before.replace("\n\n" + moved, "")
    b = unit(a_py=before)
    judge_model(b, [fence("a.py", after), fence("b.py", moved)], asked("Tidy up."))
    assert b.file("a.py").text() == before
    assert [f.entities for f in b.flags if f.kind == "rename"] == [("a.py::render", "b.py::render")]


def test_a_definition_that_was_asked_to_move_moves_in_one_step() -> None:
    moved = "def render(x):\n    return x.strip().title() + str(len(x))\n"
    before = f"import re\n\n\ndef keep():\n    return re.compile('a').match('b')\n\n\n{moved}"
    after = before.replace("\n\n" + moved, "")
    b = unit(a_py=before)
    judge_model(b, [fence("a.py", after), fence("b.py", moved)], asked("Move `render` from a.py to b.py."))
    assert b.file("a.py").text() == after
    assert b.file("b.py").text() == moved
    assert b.flags == []


def test_a_fence_is_the_whole_file_where_the_client_takes_it_as_one() -> None:
    b = unit(a_py="def one():\n    return 1\n\n\ndef two():\n    return 2\n")
    judge_model(b, [fence("a.py", "def one():\n    return 11\n")], asked(forms=frozenset({Carrier.FENCE})))
    assert b.file("a.py").text() == "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
    judge_model(b, [fence("a.py", "def one():\n    return 11\n")], asked())
    assert b.file("a.py").text() == "def one():\n    return 11\n\n\ndef two():\n    return 2\n"


def test_a_part_with_a_merge_left_undone_proves_nothing() -> None:
    b = unit(a_py=BASE)
    new = "def clean(s):\n    return s.upper()\n"
    judge_model(b, [fence("a.py", f"{new}\n\n<<<<<<< ours\nX = 1\n=======\nX = 2\n>>>>>>> theirs\n")], asked())
    assert b.file("a.py").text() == BASE
    assert reasons(b) == [("a.py", "syntax-error")]


def test_a_text_whose_info_string_says_more_than_its_path_proves_nothing() -> None:
    b = unit(a_py="def f():\n    return 1\n")
    judge_model(b, [replace(fence("a.py", "def f():\n    return 2\n"), doubted=True)], asked("Change f."))
    assert b.file("a.py").text() == "def f():\n    return 1\n"
