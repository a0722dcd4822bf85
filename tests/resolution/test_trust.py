"""Whose word makes a text the truth, at the one place where every judgement asks (SEMANTICS 13)."""

from __future__ import annotations

import itertools

import pytest

from tslp_litellm.dialects.values import Applied, ApplierChat, Block, Carrier, Shown
from tslp_litellm.resolution.by_applier import judge_applied
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.candidates import Candidate, open_candidates, promote
from tslp_litellm.resolution.files import adopt, dirty, remove
from tslp_litellm.resolution.trust import HISTORY, Trust, admits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.state.values import Grant, Origin, Source

from .helpers import asked, edit, fence, moved, reasons, unit

TEXT = "def f():\n    return 1\n"
OTHER = "def f():\n    return 2\n"
CLOSED = [Trust.CLIENT, Trust.HUMAN]
WORDS = list(itertools.product([*Origin, None], [*Carrier, HISTORY, None], [*Grant, None]))


def trusted(trust: Trust, **files: str) -> UnitOfWork:
    made = unit(**files)
    made.trust = trust
    return made


def test_each_trust_admits_less_than_the_one_before() -> None:
    for word in WORDS:
        said = [admits(trust, *word) for trust in Trust]
        assert said == sorted(said, reverse=True), word


def test_human_is_the_users_own_showing_and_nothing_else() -> None:
    admitted = {word for word in WORDS if admits(Trust.HUMAN, *word)}
    shown = {Carrier.FENCE, Carrier.LISTING, Carrier.ATTACHMENT, HISTORY}
    assert admitted == {(Origin.USER, carrier, Grant.WRITE_HEAD) for carrier in shown}


def test_client_is_no_word_of_the_models() -> None:
    for origin, carrier, grant in WORDS:
        of_model = grant in (Grant.PARITY, Grant.AUDIT, Grant.USER_VERIFICATION)
        assert admits(Trust.CLIENT, origin, carrier, grant) == (origin in (Origin.USER, Origin.TOOL) and not of_model)


@pytest.mark.parametrize("trust", CLOSED)
@pytest.mark.parametrize("origin", [Origin.USER, Origin.TOOL, Origin.MODEL, Origin.AUDIT])
@pytest.mark.parametrize("grant", [*Grant, None])
@pytest.mark.parametrize("end", [False, True])
def test_what_is_not_admitted_makes_the_file_dirty(
    trust: Trust, origin: Origin, grant: Grant | None, end: bool
) -> None:
    of = trusted(trust, a_py=TEXT)
    state = of.file("a.py")
    change = remove(state, "deleted") if end else adopt(state, OTHER, Source.AST, "x")
    done = of.change(change, origin=origin, carrier=Carrier.READ, grant=grant)
    assert done == admits(trust, origin, Carrier.READ, grant)
    if not done:
        assert moved(of, Op.PROMOTE) == moved(of, Op.TOMBSTONE) == []
        assert moved(of, Op.DIRTY) == ["a.py", "a.py::f"]
        assert of.contents == {}
        assert dict(of.events[0].about)["trust"] == trust


@pytest.mark.parametrize("trust", CLOSED)
@pytest.mark.parametrize(
    "said",
    [
        fence("a.py", OTHER),
        edit("a.py", ("    return 1\n", "    return 2\n")),
        fence("b.py", TEXT),
        fence("a.py", "def f():\n    return 3\n"),
    ],
)
def test_the_models_text_stays_proposed(trust: Trust, said: object) -> None:
    of = trusted(trust, a_py=TEXT)
    judge_model(of, [said], asked())  # type: ignore[list-item]
    assert moved(of, Op.PROMOTE) == moved(of, Op.DIRTY) == []
    assert {reason for _, reason in reasons(of)} == {"model-not-trusted"}
    assert of.file("a.py").text() == TEXT


@pytest.mark.parametrize("trust", CLOSED)
def test_a_fragment_of_the_models_stays_proposed(trust: Trust) -> None:
    whole = "import re\n\n\n" + TEXT + "\n\ndef g():\n    return f()\n"
    of = trusted(trust, a_py=whole)
    judge_model(of, [fence("a.py", OTHER)], asked())
    assert reasons(of) == [("a.py::f", "model-not-trusted")]
    assert of.file("a.py").text() == whole


@pytest.mark.parametrize("trust", CLOSED)
def test_what_the_model_repeats_is_no_proposal(trust: Trust) -> None:
    of = trusted(trust, a_py="import re\n\n\n" + TEXT + "\n\ndef g():\n    return f()\n")
    judge_model(of, [fence("a.py", TEXT)], asked())
    assert of.events == []


@pytest.mark.parametrize("trust", CLOSED)
def test_a_candidate_of_such_a_turn_waits_for_nobody(trust: Trust) -> None:
    of = trusted(trust, a_py=TEXT)
    judge_model(of, [fence("a.py", OTHER)], asked())
    (candidate,) = open_candidates([(n, e.moves, dict(e.about)) for n, e in enumerate(of.events)])
    assert not candidate.waits
    later = unit(a_py=TEXT)  # another caller, who trusts all
    for grant in (Grant.AUDIT, Grant.USER_VERIFICATION):
        assert not promote(later, candidate, OTHER, grant, origin=Origin.USER)
    assert later.file("a.py").text() == TEXT


@pytest.mark.parametrize("trust", CLOSED)
def test_such_a_turn_promotes_no_candidate(trust: Trust) -> None:
    candidate = Candidate("a.py", "0" * 64, Source.AST, "lost-symbols", 1)
    assert not promote(trusted(trust, a_py=TEXT), candidate, OTHER, Grant.USER_VERIFICATION, origin=Origin.USER)
    assert promote(unit(a_py=TEXT), candidate, OTHER, Grant.USER_VERIFICATION, origin=Origin.USER)


@pytest.mark.parametrize("trust", CLOSED)
def test_what_a_client_applies_itself_is_unknown_until_it_lists_the_file(trust: Trust) -> None:
    of, chat = trusted(trust, a_py=TEXT), ApplierChat(files=("a.py",))
    block = Block("a.py", "    return 1\n", "    return 2\n")
    context = asked(chat=chat, forms=frozenset({Carrier.SEARCH_REPLACE}))
    judge_applied(of, Applied((block,), Carrier.SEARCH_REPLACE, chat, frozenset()), context)
    assert of.file("a.py").text() is None
    assert ("a.py", "model-not-trusted") in reasons(of)
    judge_user(of, [Shown("a.py", OTHER, Carrier.LISTING, whole=True)], asked())
    assert of.file("a.py").text() == OTHER


def test_a_paste_is_the_truth_under_human() -> None:
    of = trusted(Trust.HUMAN, a_py=TEXT)
    judge_user(of, [fence("a.py", OTHER)], asked())
    assert of.file("a.py").text() == OTHER


def test_who_may_only_read_leads_to_nothing() -> None:
    of = trusted(Trust.NOBODY, a_py=TEXT)
    judge_user(of, [fence("a.py", OTHER), fence("b.py", TEXT), Shown("a.py", OTHER, Carrier.READ, whole=True)], asked())
    judge_model(of, [fence("a.py", OTHER), edit("a.py", ("    return 1\n", "    return 2\n"))], asked())
    for change in (remove(of.file("a.py"), "deleted"), dirty(of.file("a.py"), "drift")):
        assert not of.change(change, origin=Origin.TOOL)
    assert of.file("a.py").text() == TEXT
    assert of.events == []
