"""What the database could not take: in order, by workspace, bounded."""

from __future__ import annotations

from tslp_litellm.engine import Request
from tslp_litellm.gateway.backlog import TURNS_MAX, Backlog, Turn
from tslp_litellm.wire.turn import Answer
from tslp_litellm.wire.turn import Turn as WireTurn


def turn(workspace: str) -> Turn:
    return Turn(Request("local", workspace, "acompletion", "m", WireTurn(())), Answer())


def test_turns_come_back_in_order_by_workspace() -> None:
    backlog = Backlog()
    first, other, second = turn("a"), turn("b"), turn("a")
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
    assert backlog.scopes() == [("local", "b")]


def test_equal_turns_are_not_the_same() -> None:
    backlog = Backlog()
    one, two = turn("a"), turn("a")
    assert one == two
    backlog.add(one)
    backlog.add(two)
    backlog.done(two)
    assert backlog.first(("local", "a")) is one


def test_the_oldest_is_given_up() -> None:
    backlog = Backlog()
    made = [turn(f"w{n}") for n in range(TURNS_MAX + 1)]
    lost = [backlog.add(added) for added in made]
    assert [one for one in lost if one is not None] == [made[0]]
    assert len(backlog) == TURNS_MAX
