"""What clients say they did: writes, edits, removals, moves, drift, and their own diffs."""

import pytest

from tslp_litellm.dialects.values import (
    Attempt,
    Carrier,
    Drift,
    Edit,
    EditStep,
    FileChange,
    Insertion,
    Outcome,
    Removal,
    Replacement,
    Shown,
    Transfer,
    Verdict,
)
from tslp_litellm.resolution.by_client import judge_attempt, judge_outcome
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op

from .helpers import asked, known, moved, reasons

A = "import re\n\n\ndef clean(s):\n    return re.sub(r'x', 'y', s)\n"
B = "def other():\n    return 1\n"
TWICE = "def a():\n    return None\n\n\ndef b():\n    return None\n"
T = Carrier.TOOL_EDIT


def files(**texts: str) -> UnitOfWork:
    states = [known(name.replace("__", "/").replace("_py", ".py"), text) for name, text in texts.items()]
    return UnitOfWork({state.path: state for state in states})


def edit(*steps: EditStep, path: str = "a.py", stated: bool = False) -> Edit:
    return Edit(path, steps, T, stated)


def after(
    b: UnitOfWork,
    *changes: FileChange,
    verdict: Verdict = Verdict.SUCCESS,
    stated: tuple[FileChange, ...] = (),
    root: str | None = None,
    certain: bool = True,
    **more: bool,
) -> UnitOfWork:
    attempt = Attempt("c", "Edit", changes, "edit", certain)
    judge_attempt(b, attempt, asked(root=root))
    judge_outcome(b, Outcome(attempt, verdict, stated, **more), asked(root=root))
    return b


def texts(b: UnitOfWork) -> dict[str, str | None]:
    return {path: state.text() for path, state in b.files.items() if state.tracked}


SWAP = Replacement("'y'", "'z'")
SWAPPED = A.replace("'y'", "'z'")


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ((SWAP,), SWAPPED),
        ((SWAP, Replacement("'z'", "'w'")), A.replace("'y'", "'w'")),
        ((Replacement("", B),), B),
        ((Insertion("import os", 1),), "import os\n" + A),
        ((Insertion("# end\n"),), A + "# end\n"),
        ((Insertion("# end", exact=True),), A + "# end"),
        ((Replacement("not there", "x"),), None),
        ((Replacement("s", "t"),), None),
        ((Replacement("s", "t", everywhere=True),), A.replace("s", "t")),
        ((Insertion("x", 99),), None),
        ((SWAP, Replacement("not there", "x")), None),
    ],
)
def test_a_confirmed_edit_is_exact_or_the_file_is_of_unknown_text(
    steps: tuple[EditStep, ...], text: str | None
) -> None:
    assert texts(after(files(a_py=A), edit(*steps))) == {"a.py": text}


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Replacement("    return None\n", "    return 2\n", lines=True, line=6), TWICE[:-5] + "2\n"),
        (Replacement("    return None\n", "    return 2\n", lines=True, line=2), TWICE.replace("None", "2", 1)),
        (Replacement("    return None\n", "    return 2\n", lines=True, scope="def b():"), TWICE[:-5] + "2\n"),
        (Replacement("    return None\n", "    return 2\n", lines=True, line=4), None),
        (Replacement("    return None\n", "    return 2\n", lines=True, scope="def c():"), None),
        (Replacement("    return None\n", "    return 2\n", lines=True), None),
    ],
)
def test_a_line_or_a_scope_tells_which_one_is_meant(step: Replacement, text: str | None) -> None:
    assert texts(after(files(a_py=TWICE), edit(step))) == {"a.py": text}


def test_the_client_s_own_diff_says_what_it_did_where_the_edit_does_not() -> None:
    loose = edit(Replacement("return re.sub(r'x',  'y', s)", "return s"))
    own = edit(Replacement("    return re.sub(r'x', 'y', s)\n", "    return s\n", lines=True, line=5), stated=True)
    b = after(files(a_py=A), loose, stated=(own,))
    assert texts(b) == {"a.py": "import re\n\n\ndef clean(s):\n    return s\n"}


def test_a_diff_that_does_not_fit_leaves_the_text_unknown() -> None:
    own = edit(Replacement("nowhere\n", "x\n", lines=True, line=5), stated=True)
    assert texts(after(files(a_py=A), edit(SWAP), stated=(own,))) == {"a.py": None}


def test_a_new_file_s_only_replacement_is_its_text() -> None:
    assert texts(after(files(), edit(Replacement("whatever", B)), created=True)) == {"a.py": B}
    assert texts(after(files(), edit(Replacement("whatever", B)))) == {}


def test_an_edit_of_an_unknown_file_says_nothing() -> None:
    assert texts(after(files(), edit(SWAP))) == {}
    assert texts(after(files(), edit(Replacement("", B)))) == {"a.py": B}


@pytest.mark.parametrize("verdict", [Verdict.FAILURE, Verdict.DENIED])
def test_what_failed_changes_nothing(verdict: Verdict) -> None:
    changes: tuple[FileChange, ...] = (edit(SWAP), Removal("a.py", T), Transfer("a.py", "b.py", T), Drift(("a.py",), T))
    for change in changes:
        b = after(files(a_py=A), change, verdict=verdict)
        assert texts(b) == {"a.py": A}
        assert ("a.py", str(verdict)) in reasons(b)


def test_what_may_have_been_done_in_part_is_unknown() -> None:
    assert texts(after(files(a_py=A), edit(SWAP), verdict=Verdict.FAILURE, certain=False)) == {"a.py": None}
    assert texts(after(files(a_py=A), edit(SWAP), verdict=Verdict.UNKNOWN)) == {"a.py": None}
    assert texts(after(files(a_py=A), edit(SWAP), verdict=Verdict.DENIED, certain=False)) == {"a.py": A}


def test_a_file_that_moved_is_unknown_until_its_text_is_stated() -> None:
    assert texts(after(files(a_py=A), edit(SWAP), verdict=Verdict.FAILURE, moved=True)) == {"a.py": None}
    shown = Shown("a.py", B, Carrier.ATTACHMENT, whole=True)
    assert texts(after(files(a_py=A), edit(SWAP), verdict=Verdict.FAILURE, moved=True, stated=(shown,))) == {"a.py": B}


def test_removals() -> None:
    b = after(files(a_py=A, src__b_py=B), Removal("a.py", T))
    assert texts(b) == {"src/b.py": B}
    assert moved(b, Op.TOMBSTONE) == ["a.py", "a.py::clean"]
    assert texts(after(files(a_py=A, src__b_py=B), Removal("src", T))) == {"a.py": A, "src/b.py": B}
    assert texts(after(files(a_py=A, src__b_py=B, src__c_py=B), Removal("src", T, tree=True))) == {"a.py": A}


def test_moves_and_copies() -> None:
    assert texts(after(files(a_py=A), Transfer("a.py", "b.py", T))) == {"b.py": A}
    assert texts(after(files(a_py=A), Transfer("a.py", "b.py", T, keep=True))) == {"a.py": A, "b.py": A}
    assert texts(after(files(a_py=A, b_py=B), Transfer("a.py", "b.py", T))) == {"b.py": A}
    assert texts(after(files(a_py=A), Transfer("a.py", "b.py", T, steps=(SWAP,)))) == {"b.py": SWAPPED}
    assert texts(after(files(a_py=A, lib__b_py=B), Transfer("a.py", "lib", T))) == {"lib/a.py": A, "lib/b.py": B}
    assert texts(after(files(src__a_py=A, src__b_py=B), Transfer("src", "lib", T))) == {"lib/a.py": A, "lib/b.py": B}


def test_a_move_of_what_nobody_knows_makes_its_target_unknown() -> None:
    assert texts(after(files(b_py=B), Transfer("x.py", "b.py", T))) == {"b.py": None}
    assert texts(after(files(a_py=A), Transfer("a.py", "b.py", T, steps=(Replacement("no", "x"),)))) == {}


@pytest.mark.parametrize("source", ["/tmp/n.py", "../q/b.py", "/w/q/b.py", "/dev/stdin", "x" * 2000])
@pytest.mark.parametrize("keep", [False, True])
def test_so_does_one_of_what_lies_elsewhere(source: str, keep: bool) -> None:
    assert texts(after(files(b_py=B), Transfer(source, "b.py", T, keep=keep), root="/tmp/w/p")) == {"b.py": None}


def test_what_goes_elsewhere_is_gone_and_nothing_else() -> None:
    assert texts(after(files(b_py=B), Transfer("b.py", "/tmp/b.py", T, keep=True)))["b.py"] == B
    assert "b.py" not in texts(after(files(b_py=B), Transfer("b.py", "/tmp/b.py", T)))
    assert texts(after(files(b_py=B), Transfer("/tmp/a.py", "/tmp/c.py", T))) == {"b.py": B}


def test_drift() -> None:
    three = {"a_py": A, "src__b_py": B, "src__c_py": B}
    assert texts(after(files(**three), Drift(("a.py",), T))) == {"a.py": None, "src/b.py": B, "src/c.py": B}
    assert texts(after(files(**three), Drift(("src/",), T))) == {"a.py": A, "src/b.py": None, "src/c.py": None}
    for everything in (Drift((), T), Drift((".",), T), Drift(("./",), T)):
        assert set(texts(after(files(**three), everything)).values()) == {None}
    assert texts(after(files(**three), Drift(("/w/a.py",), T), root="/w"))["a.py"] is None


HUNK = Replacement(
    "def clean(s):\n    return re.sub(r'x', 'y', s)\n", "def clean(s):\n    return s\n", lines=True, line=4
)


def said(b: UnitOfWork, *changes: FileChange) -> dict[str, str | None]:
    judge_user(b, changes, asked())
    return texts(b)


def test_a_diff_whose_new_side_stands_changes_nothing() -> None:
    new = "import re\n\n\ndef clean(s):\n    return s\n"
    b = files(a_py=new)
    assert said(b, edit(HUNK, stated=True)) == {"a.py": new}
    assert b.events == []


def test_a_diff_whose_old_side_stands_is_applied_else_the_text_is_unknown() -> None:
    assert said(files(a_py=A), edit(HUNK, stated=True)) == {"a.py": "import re\n\n\ndef clean(s):\n    return s\n"}
    assert said(files(a_py=B), edit(HUNK, stated=True)) == {"a.py": None}
    assert said(files(), edit(HUNK, stated=True)) == {}


def test_a_diff_that_fills_an_empty_file() -> None:
    assert said(files(a_py=""), edit(Replacement("", B), stated=True)) == {"a.py": B}
    assert said(files(), edit(Replacement("", B), stated=True)) == {"a.py": B}
    assert said(files(a_py=A), edit(Replacement("", B), stated=True)) == {"a.py": None}


def test_a_diff_that_adds_the_final_newline() -> None:
    step = Replacement("x = 1", "x = 1\n", lines=True, line=1)
    assert said(files(a_py="x = 1"), edit(step, stated=True)) == {"a.py": "x = 1\n"}
