"""What a visit keeps for the Vault: every text that its events name."""

from tslp_litellm.dialects.values import Attempt, Carrier, Outcome, Shown, Verdict
from tslp_litellm.resolution.by_client import judge_outcome
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op

from .helpers import asked, fence, moved, unit

BASE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
CHANGED_AND_ADDED = "def one():\n    return 11\n\n\ndef three():\n    return 3\n"


def unkept(of: UnitOfWork, *before: str) -> set[str]:
    """The artifacts that the events name, and that neither this visit nor one before has kept."""
    named = {a for e in of.events for m in e.moves for a in (m.artifact, m.replaces) if a is not None}
    return named - of.contents.keys() - set(before)


def held(of: UnitOfWork) -> set[str]:
    return {k.artifact for s in of.files.values() for k in (s.file, *s.symbols.values()) if k is not None}


def test_a_fence_that_changes_one_function_and_adds_another_keeps_the_file_s_text() -> None:
    for judge in (judge_model, judge_user):
        b = unit(a_py=BASE)
        before = held(b)
        judge(b, [fence("a.py", CHANGED_AND_ADDED)], asked())
        assert moved(b, Op.PROMOTE)[:1] == ["a.py"] and moved(b, Op.DIRTY) == ["a.py"]
        assert unkept(b, *before) == set()


def test_a_secret_in_such_a_file_is_not_kept() -> None:
    b = unit(a_py=BASE.replace("2", "'hunter2'"))
    b.limits = Limits(refuses=lambda text: "hunter2" in text)
    judge_model(b, [fence("a.py", CHANGED_AND_ADDED)], asked())
    assert not any("hunter2" in text for text in b.contents.values() if isinstance(text, str))


def test_what_a_rejected_call_would_have_written_is_kept() -> None:
    b = unit()
    written = Attempt("c1", "Write", (Shown("a.py", BASE, Carrier.WRITE, whole=True),))
    judge_outcome(b, Outcome(written, Verdict.DENIED), asked())
    assert moved(b, Op.REJECT) == ["a.py"] and unkept(b) == set()
