"""What was seen, added up, and held against the goals."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from benchmarks.sight import tables, tallies
from benchmarks.sight.measures import Found, Seen
from benchmarks.sight.playing import Setting
from benchmarks.sight.workloads import Workload


def seen(copies: int = 1, **other: Any) -> Seen:
    usual: dict[str, Any] = {"size": 10, "fits": True, "can_fit": True, "task": True, "task_alone": True}
    usual |= {"task_can": True, "found": (Found("a.py", True, copies),), "injected": 100, "redundant": 0}
    return Seen(**{**usual, "prefilled": 100, **other})


def played(bare: Seen, ours: Seen, *, loop: bool = False, **setting: str) -> dict[str, Any]:
    call = SimpleNamespace(loop=loop, task="Change a.py.")
    about = {"workload": Workload("replay", "h11"), "setting": Setting(8192, **setting), "state": {"a.py": "1"}}
    return {**about, "rows": [(call, bare, ours)]}


def test_a_row_for_bare_and_one_for_each_setting() -> None:
    bare = seen(2, injected=0)
    rows = tallies.rows([played(bare, seen(prefilled=150)), played(bare, seen(fitted=True), history="current")])
    assert [row["with"] for row in rows] == ["bare", "tslp, history keep", "tslp, history current"]
    assert [row["one"] for row in rows] == [0.0, 1.0, 1.0]
    assert [row["prefill_chat"] for row in rows] == [1.0, 1.5, 1.0]
    assert [row["prefill_loop"] for row in rows] == [None, None, None]
    assert [row["one_fitted"] for row in rows] == [None, None, 1.0]


def test_what_could_not_be_there_is_in_no_share() -> None:
    none = seen(found=(Found("a.py", False, 0),), task=False, task_can=False, fits=False, can_fit=False)
    (bare, _) = tallies.rows([played(none, none)])
    assert bare["present"] is bare["task"] is bare["fit_possible"] is None
    assert (bare["fit"], bare["task_cut"], bare["task_cut_alone"]) == (0.0, 0, 1)


def test_a_state_map_that_the_window_changes_is_told() -> None:
    one, other = played(seen(), seen()), played(seen(), seen(), history="current")
    other["state"] = {"a.py": "2"}
    goals = {what: met for what, _, _, met in tables.goals(tallies.rows([one, other]))}
    assert not goals["State Maps that differ with the window"]


def test_each_goal_that_is_missed_is_missed() -> None:
    poor = seen(0, fits=False, task=False, redundant=50, prefilled=300, fitted=True)
    made = [played(seen(), poor, loop=n, history="keep") for n in (False, True)]
    made += [played(seen(), poor, history="current")]
    goals = tables.goals(tallies.rows(made))
    missed = {what for what, _, _, met in goals if not met}
    assert len(missed) >= 7, goals
    good = [played(seen(), seen(), loop=n) for n in (False, True)]
    assert all(met for *_, met in tables.goals(tallies.rows(good)))


def test_the_worst_requests_are_named() -> None:
    (found,) = tallies.worst([played(seen(), seen(0))])
    assert (found["absent"], found["lost"], found["request"]) == (["a.py"], False, 0)
