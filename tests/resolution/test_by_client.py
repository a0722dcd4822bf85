"""Tool calls wait for their result; what a client confirms is true."""

import pytest

from tslp_litellm.dialects.values import (
    Attempt,
    Carrier,
    Edit,
    FileChange,
    Outcome,
    Refusal,
    Removal,
    Replacement,
    Shown,
    Verdict,
)
from tslp_litellm.resolution.by_client import judge_attempt, judge_outcome
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.state.values import Flag

from .helpers import asked, moved, reasons, unit

BASE = "import re\n\n\ndef clean(s):\n    return re.sub(r'x', 'y', s)\n\n\ndef title(s):\n    return clean(s).title()\n"
CLEAN = "import re\n\n\ndef clean(s):\n    return re.sub(r'x', 'z', s)\n"


def write(text: str, path: str = "a.py") -> Attempt:
    return Attempt("c1", "Write", (Shown(path, text, Carrier.WRITE, whole=True),))


def after(b: UnitOfWork, attempt: Attempt, verdict: Verdict, *stated: Shown) -> UnitOfWork:
    judge_attempt(b, attempt, asked())
    judge_outcome(b, Outcome(attempt, verdict, stated), asked())
    return b


def test_a_call_alone_is_only_proposed() -> None:
    b = unit()
    judge_attempt(b, write(BASE), asked())
    assert reasons(b) == [("a.py", "awaiting-result")]
    assert not b.files


def test_success_makes_it_true_and_failure_rejects_it() -> None:
    assert after(unit(), write(BASE), Verdict.SUCCESS).file("a.py").text() == BASE
    for verdict in (Verdict.FAILURE, Verdict.DENIED):
        b = after(unit(a_py=BASE), write("x = 1\n"), verdict)
        assert b.file("a.py").text() == BASE
        assert moved(b, Op.REJECT) == ["a.py"]


def test_what_the_guards_would_have_refused_is_true_all_the_same_and_said() -> None:
    b = after(unit(a_py=BASE), write(CLEAN), Verdict.SUCCESS)
    assert b.file("a.py").text() == CLEAN
    assert moved(b, Op.TOMBSTONE) == ["a.py::title"]
    assert b.flags == [Flag("confirmed", ("a.py",), "lost-symbols")]
    b = after(unit(), write("def f():\n    # ... existing code ...\n"), Verdict.SUCCESS)
    assert b.flags == [Flag("confirmed", ("a.py",), "left-out-code")]
    assert any(m.reason == "client-confirmation:left-out-code" for e in b.events for m in e.moves)


def test_an_unclear_result_leaves_a_tracked_file_unknown() -> None:
    b = after(unit(a_py=BASE), write("x = 1\n"), Verdict.UNKNOWN)
    assert b.file("a.py").text() is None
    assert not after(unit(), write("x = 1\n"), Verdict.UNKNOWN).files


def test_a_text_that_the_client_states_is_the_truth() -> None:
    stated = Shown("a.py", "formatted = 1\n", Carrier.ATTACHMENT, whole=True)
    assert after(unit(), write("x=1\n"), Verdict.SUCCESS, stated).file("a.py").text() == "formatted = 1\n"
    assert after(unit(a_py=BASE), write("x=1\n"), Verdict.FAILURE, stated).file("a.py").text() == "formatted = 1\n"


def swap(old: str, new: str = "fresh") -> Edit:
    return Edit("a.py", (Replacement(old, new),), Carrier.TOOL_EDIT)


def whole(text: str) -> Shown:
    return Shown("a.py", text, Carrier.WRITE, whole=True)


@pytest.mark.parametrize(
    ("refusal", "change", "known"),
    [
        (Refusal.ABSENT, swap("'y'"), False),
        (Refusal.ABSENT, swap("'q'"), True),
        (Refusal.SEVERAL, swap("'y'"), False),
        (Refusal.SEVERAL, swap("'q'"), False),
        (Refusal.SEVERAL, swap("clean"), True),
        (Refusal.GONE, swap("'q'"), False),
        (Refusal.GONE, Removal("a.py", Carrier.TOOL_EDIT), False),
        (Refusal.SAME, whole(BASE), True),
        (Refusal.SAME, whole(CLEAN), False),
        (Refusal.SAME, swap("'y'"), False),
        (Refusal.UNKNOWN, swap("'y'"), False),
        (Refusal.UNKNOWN, swap("'q'"), True),
        (Refusal.UNKNOWN, whole(CLEAN), True),
        (Refusal.OTHER, swap("'y'"), True),
    ],
)
def test_a_refusal_that_our_text_does_not_bear_out(refusal: Refusal, change: FileChange, known: bool) -> None:
    b = unit(a_py=BASE)
    judge_outcome(b, Outcome(Attempt("c1", "Edit", (change,)), Verdict.FAILURE, refusal=refusal), asked())
    assert b.file("a.py").text() == (BASE if known else None)
    other = unit(b_py=BASE)
    judge_outcome(other, Outcome(Attempt("c1", "Edit", (change,)), Verdict.FAILURE, refusal=refusal), asked())
    assert other.file("b.py").text() == BASE
