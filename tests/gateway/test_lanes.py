"""The order of the wire as a state machine: what may begin, together or alone, and what has to wait."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.gateway.lanes import Lanes, Taken
from tslp_litellm.state.names import WorkspaceKey

A, B, C = (WorkspaceKey("t", name) for name in "abc")


@dataclass(frozen=True)
class Job:
    name: str
    alone: bool = False


def names(taken: Taken[Job] | None) -> list[str] | None:
    return [job.name for job in taken.entries] if taken is not None else None


def filled(writers: int = 1, together: int = 64) -> Lanes[Job]:
    lanes: Lanes[Job] = Lanes(writers, together)
    for key, name in ((A, "a1"), (A, "a2"), (B, "b1"), (A, "a3")):
        lanes.add(key, Job(name))
    return lanes


def test_what_waits_is_taken_together_and_each_lane_keeps_its_order() -> None:
    lanes = filled()
    first = lanes.take()
    assert names(first) == ["a1", "a2", "a3", "b1"]
    lanes.add(A, Job("a4"))
    assert lanes.take() is None, "one writer"
    assert first is not None
    lanes.done(first)
    assert names(lanes.take()) == ["a4"]


def test_several_writers_take_one_workspace_each() -> None:
    lanes = filled(writers=2)
    lanes.add(C, Job("c1"))
    assert [names(lanes.take()) for _ in range(3)] == [["a1", "a2", "a3"], ["b1"], None]


def test_no_more_than_so_many_at_once() -> None:
    assert names(filled(together=2).take()) == ["a1", "a2"]


def test_work_of_another_kind_is_done_alone_in_its_place() -> None:
    lanes = filled()
    lanes.add(A, Job("audit", alone=True))
    lanes.add(A, Job("a4"))
    first = lanes.take()
    assert names(first) == ["a1", "a2", "a3", "b1"]
    assert first is not None
    lanes.done(first)
    audit = lanes.take()
    assert names(audit) == ["audit"]
    assert lanes.take() is None, "what is behind it waits"
    assert audit is not None
    lanes.done(audit)
    assert names(lanes.take()) == ["a4"]


def test_work_alone_waits_for_no_writer() -> None:
    lanes = filled()
    lanes.take()
    lanes.add(C, Job("audit", alone=True))
    assert names(lanes.take()) == ["audit"]


def test_what_work_has_become_takes_its_place() -> None:
    lanes: Lanes[Job] = Lanes(1, 64)
    lanes.add(A, Job("large", alone=True))
    lanes.add(A, Job("a2"))
    large = lanes.take()
    assert large is not None
    lanes.done(large, Job("judged"))
    assert names(lanes.take()) == ["judged", "a2"]


def test_the_last_of_a_workspace_is_known_until_it_is_done() -> None:
    lanes: Lanes[Job] = Lanes(1, 64)
    assert lanes.last(A) is None
    lanes.add(A, Job("large", alone=True))
    large = lanes.take()
    assert large is not None
    judged = Job("judged")
    lanes.done(large, judged)
    assert lanes.last(A) is judged
    assert lanes.all_last() == [judged]
    taken = lanes.take()
    assert taken is not None
    lanes.done(taken)
    assert (lanes.last(A), lanes.all_last(), lanes.take()) == (None, [], None)


@given(
    st.lists(st.tuples(st.sampled_from([A, B, C]), st.booleans()), max_size=30),
    st.integers(1, 3),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
def test_whatever_ends_when_each_lane_keeps_its_order(
    asked: list[tuple[WorkspaceKey, bool]], writers: int, together: int, chance: object
) -> None:
    """Jobs come, and lots end, in any order: nothing is lost, doubled or overtaken, and no lane is worked on twice."""
    lanes: Lanes[Job] = Lanes(writers, together)
    coming = [(key, Job(str(n), alone)) for n, (key, alone) in enumerate(asked)]
    running: list[Taken[Job]] = []
    began: dict[WorkspaceKey, list[str]] = {A: [], B: [], C: []}
    for at in itertools.count():
        if at < len(coming):
            lanes.add(*coming[at])
        while (taken := lanes.take()) is not None:
            assert not {key for one in running for key in one.lanes} & set(taken.lanes)
            running.append(taken)
            assert sum(not one.alone for one in running) <= writers
            assert len(taken.entries) <= together
            for key, jobs in taken.lanes.items():
                began[key] += [job.name for job in jobs]
        if at >= len(coming) and not running:
            break
        if running and (at >= len(coming) or chance.random() < 0.5):  # type: ignore[attr-defined]
            lanes.done(running.pop(chance.randrange(len(running))))  # type: ignore[attr-defined]
    assert began == {key: [job.name for k, job in coming if k == key] for key in (A, B, C)}
