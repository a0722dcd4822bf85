"""Reports of failed and undone edits reinstate the truth before."""

from tslp_litellm.dialects.values import Carrier, Edit, Replacement, Report, Shown
from tslp_litellm.resolution.by_report import Past, judge_report
from tslp_litellm.resolution.files import adopt
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import Grant, Replaced, Source, artifact_hash

from .helpers import asked, edit, unit

V1 = "def a():\n    return 1\n\n\ndef b():\n    return 1\n"
ONE, TWO = (
    ("def a():\n    return 1\n", "def a():\n    return 2\n"),
    ("def b():\n    return 1\n", "def b():\n    return 2\n"),
)
V2 = V1.replace(*ONE).replace(*TWO)
BOTH = (edit("a.py", ONE, TWO),)


def replaced(before: str | None = V1, made: str = V2) -> dict[str, Replaced]:
    return {"a.py": Replaced(artifact_hash(made), before)}


def text(b: UnitOfWork) -> str | None:
    return b.file("a.py").text()


def test_one_of_two_edits_failed() -> None:
    b = unit(a_py=V2)
    judge_report(b, Report(False, (TWO[0],)), Past("e1", BOTH, replaced()), asked())
    assert text(b) == V1.replace(*ONE)
    assert [dict(e.about).get("reinstates") for e in b.events] == ["e1"]


def test_all_edits_failed_where_the_report_does_not_say_which() -> None:
    b = unit(a_py=V2)
    judge_report(b, Report(False), Past("e1", BOTH, replaced()), asked())
    assert text(b) == V1


def test_an_edit_that_failed_made_a_new_file() -> None:
    b = unit(a_py=V2)
    judge_report(b, Report(False), Past("e1", BOTH, replaced(before=None)), asked())
    assert not b.file("a.py").tracked


def test_a_refused_edit_that_passed_after_all_is_applied() -> None:
    """The answer's edits were all refused (one did not match); the client applied the other one."""
    wrong = ("def c():\n", "def d():\n")
    b = unit(a_py=V1)
    judge_report(b, Report(False, (wrong[0],)), Past("e1", (edit("a.py", ONE, wrong),), {}), asked())
    assert text(b) == V1.replace(*ONE)


def test_a_passed_edit_that_does_not_fit_leaves_the_text_unknown() -> None:
    b = unit(a_py=V1)
    past = Past("e1", (edit("a.py", ("def x():\n", "def y():\n"), TWO),), {})
    judge_report(b, Report(False, (TWO[0],)), past, asked())
    assert text(b) is None


def test_what_moved_since_is_unknown() -> None:
    b = unit(a_py=V1 + "\nc = 1\n")
    judge_report(b, Report(False, (TWO[0],)), Past("e1", BOTH, replaced()), asked())
    assert text(b) is None


def test_files_that_the_request_shows_are_settled() -> None:
    b = unit(a_py=V2)
    judge_report(b, Report(False), Past("e1", BOTH, replaced(), frozenset({"a.py"})), asked())
    judge_report(b, Report(True), Past("e1", BOTH, replaced(), frozenset({"a.py"})), asked())
    assert text(b) == V2
    assert b.events == []


def test_undone() -> None:
    b = unit(a_py=V2, b_py="x = 1\n")
    judge_report(b, Report(True), Past("e1", BOTH, replaced()), asked())
    assert text(b) == V1
    assert b.file("b.py").text() == "x = 1\n"


def test_an_undone_file_that_has_changed_again_is_unknown() -> None:
    b = unit(a_py="z = 1\n")
    judge_report(b, Report(True), Past("e1", BOTH, replaced()), asked())
    assert text(b) is None


def test_nothing_was_said_and_nothing_replaced() -> None:
    b = unit(a_py=V1)
    judge_report(b, Report(False), Past(None, (), {}), asked())
    judge_report(b, Report(True), Past(None, (), {}), asked())
    assert text(b) == V1
    assert b.events == []


def test_a_whole_file_that_failed() -> None:
    b = unit(a_py=V2)
    said = (Shown("a.py", V2, Carrier.FENCE),)
    judge_report(b, Report(False), Past("e1", said, replaced()), asked())
    assert text(b) == V1


def test_a_file_under_its_absolute_path() -> None:
    b = unit(a_py=V2)
    said = (Edit("/w/a.py", BOTH[0].steps, Carrier.SEARCH_REPLACE),)
    judge_report(b, Report(False, (ONE[0],)), Past("e1", said, replaced()), asked(root="/w"))
    assert text(b) == V1.replace(*TWO)


def test_an_edit_without_old_text_that_passed() -> None:
    new = (Edit("c.py", (Replacement("", "x = 1\n"),), Carrier.SEARCH_REPLACE),)
    b = unit(a_py=V2)
    b.change(adopt(b.file("c.py"), "x = 1\n", Source.AST, Grant.PARITY))
    judge_report(b, Report(False, (ONE[0],)), Past("e1", (*new, *BOTH), replaced()), asked())
    assert b.file("c.py").text() == "x = 1\n"
