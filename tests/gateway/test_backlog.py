"""What the database could not take: in order, by workspace, bounded."""

from __future__ import annotations

from tslp_litellm.engine import Request
from tslp_litellm.gateway.backlog import ANSWERS_MAX, Backlog
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.wire.turn import Turn


def answer(workspace: str, tenant: str = "local") -> Delivered:
    return Delivered(Request(tenant, workspace, "acompletion", "m", Turn(())))


def test_answers_come_back_in_order_by_workspace() -> None:
    backlog = Backlog()
    first, other, second = answer("a"), answer("b"), answer("a")
    for added in (first, other, second):
        assert backlog.add(added) is None
    assert backlog.first(("local", "a")) is first
    backlog.stuck.add(("local", "a"))
    backlog.done(first)
    assert backlog.first(("local", "a")) is second
    assert backlog.stuck, "there is more that waits"
    backlog.done(second)
    assert (backlog.first(("local", "a")), backlog.stuck, len(backlog)) == (None, set(), 1)
    backlog.done(second)
    assert backlog.workspaces() == [("local", "b")]


def test_an_answer_like_another_is_not_the_same() -> None:
    backlog = Backlog()
    one, two = answer("a"), answer("a")
    backlog.add(one)
    backlog.add(two)
    backlog.done(two)
    assert backlog.first(("local", "a")) is one


def test_the_oldest_is_given_up() -> None:
    backlog = Backlog()
    made = [answer(f"w{n}") for n in range(ANSWERS_MAX + 1)]
    lost = [backlog.add(added) for added in made]
    assert [one for one in lost if one is not None] == [made[0]]
    assert len(backlog) == ANSWERS_MAX


def test_who_has_the_most_gives_up_first() -> None:
    backlog = Backlog()
    small, *many = answer("a", "small"), *(answer(f"w{n}", "large") for n in range(ANSWERS_MAX))
    lost = [backlog.add(added) for added in (small, *many)]
    assert [one for one in lost if one is not None] == [many[0]]
    assert backlog.first(small.key) is small
