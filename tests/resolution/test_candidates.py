"""Which candidates wait for authority, and what makes an end of it."""

from __future__ import annotations

from typing import Any

import pytest

from tslp_litellm.resolution.candidates import open_candidates, paths_of
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.values import Confidence

B: dict[str, Any] = {"origin": "model", "refused": {"gate": "B"}}
HASH = "0" * 64


def propose(entity: str, artifact: str = HASH, confidence: str = Confidence.CONFIRMED) -> Move:
    return Move(Op.PROPOSE, entity, artifact, confidence, "lost-symbols", "edit")


def names(*judged: tuple[Move, dict[str, Any]]) -> list[tuple[str, str]]:
    return [
        (c.entity, c.artifact) for c in open_candidates((n, [move], about) for n, (move, about) in enumerate(judged))
    ]


def test_what_failed_gate_b_alone() -> None:
    assert names((propose("a.py"), B)) == [("a.py", HASH)]
    assert names((propose("a.py"), {**B, "refused": {"gate": "A"}})) == []
    assert names((propose("a.py"), {"origin": "model"})) == []
    assert names((propose("a.py"), {**B, "origin": "user"})) == []
    assert names((propose("a.py", confidence=Confidence.INFERRED), B)) == []
    assert open_candidates([(7, [propose("a.py")], B)])[0].at == 7
    assert open_candidates([(7, [propose("a.py")], B)])[0].source == "edit"


def test_the_latest_of_an_entity_counts() -> None:
    assert names((propose("a.py"), B), (propose("a.py", "1" * 64), B)) == [("a.py", "1" * 64)]
    assert names((propose("a.py"), B), (propose("a.py", "1" * 64), {"origin": "model"})) == []


def test_what_the_answer_itself_made_true_later() -> None:
    assert names((propose("a.py"), B), (Move(Op.PROMOTE, "a.py::f", HASH), {})) == []
    assert names((propose("a.py::A"), B), (Move(Op.PROMOTE, "a.py::B", HASH), {})) == [("a.py::A", HASH)]
    assert names((propose("a.py"), B), (Move(Op.PROMOTE, "b.py", HASH), {})) == [("a.py", HASH)]
    assert names((propose("a.py"), B), (Move(Op.LOG, None, HASH), {})) == [("a.py", HASH)]


@pytest.mark.parametrize(
    ("candidate", "moved", "expected"),
    [
        ("a.py", "a.py::f", True),
        ("a.py::A", "a.py", False),
        ("a.py::A", "a.py::B", False),
        ("a.py::A", "a.py::A.f", True),
        ("a.py::A.f", "a.py::A", True),
        ("a.py::A.f", "a.py::A.f", True),
        ("a.py::A", "a.py::Ab", False),
    ],
)
def test_what_touches_a_candidate(candidate: str, moved: str, expected: bool) -> None:
    for op in (Op.PROMOTE, Op.TOMBSTONE, Op.DIRTY, Op.PROPOSE, Op.REJECT):
        left = open_candidates([(0, [propose(candidate)], B), (1, [Move(op, moved, HASH)], {})])
        assert not left if expected else [one.entity for one in left] == [candidate]


def test_the_files_that_moves_speak_of() -> None:
    assert paths_of([Move(Op.DIRTY, "a.py::f"), Move(Op.PROPOSE, "b.py", HASH), Move(Op.LOG, "c.py")]) == {
        "a.py",
        "b.py",
    }
