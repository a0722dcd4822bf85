"""Which messages go together."""

from __future__ import annotations

from tslp_litellm.plan.spans import spans
from tslp_litellm.wire.turn import Item, ItemKind, Role


def items(script: str) -> list[Item]:
    """A conversation by letters: u and a text, s the system, c a call, r the result of the call with that place among
    the calls; `|` parts messages."""
    out, calls, results = [], 0, 0
    for n, message in enumerate(script.split("|")):
        for letter in message:
            if letter == "c":
                out.append(Item(Role.ASSISTANT, ItemKind.CALL, "{}", n, "Read", f"c{calls}"))
                calls += 1
            elif letter == "r":
                out.append(Item(Role.TOOL, ItemKind.RESULT, "x", n, call_id=f"c{results}"))
                results += 1
            elif letter in "uas":
                role = {"u": Role.USER, "a": Role.ASSISTANT, "s": Role.SYSTEM}[letter]
                out.append(Item(role, ItemKind.TEXT, "x", n))
    return out


def found(script: str, own: set[int], **more: set[int]) -> list[tuple[bool, list[int]]]:
    about = {"floating": set[int](), "kept": set[int](), "bound": set[int](), **more}
    messages = script.count("|") + 1
    return [(turn, sorted(one)) for turn, one in spans(items(script), items(script), own, messages=messages, **about)]


def test_turns_go_whole_and_the_one_that_goes_on_does_not() -> None:
    assert found("s|u|a|u|a|a|u", {1, 3, 6}) == [(True, [1, 2]), (True, [3, 4, 5])]
    assert found("u", {0}) == []
    assert found("a|a", set()) == []


def test_a_turn_does_not_begin_between_a_call_and_its_result() -> None:
    """The user says something more while a tool runs: it comes with the result."""
    assert found("u|c|ru|a|u", {0, 2, 4}) == [(True, [0, 1, 2, 3])]
    assert found("u|c|u|r|a|u", {0, 2, 5}) == [(True, [0, 1, 2, 3, 4])]


def test_what_may_not_go_keeps_its_turn_and_what_floats_belongs_to_none() -> None:
    assert found("u|a|u|a|u", {0, 2, 4}, kept={1}) == [(True, [2, 3])]
    assert found("u|a|u|a|u", {0, 4}, floating={2, 3}) == [(True, [0, 1])]
    assert found("u|s|a|u", {0, 3}) == [(True, [0, 2])]


def test_of_a_turn_of_which_something_stays_the_older_calls_go() -> None:
    assert found("u|c|r|c|r|a|u", {0, 6}, kept={4}) == [(False, [1, 2])]
    assert found("u|a|u|c|r|c|r|u", {0, 2, 7}, kept={6}) == [(True, [0, 1]), (False, [3, 4])]


def test_calls_of_a_turn_that_may_go_are_known_too() -> None:
    """Some may have gone while it went on."""
    assert found("s|u|a|u|c|r|a|u", {1, 3, 7}) == [(True, [1, 2]), (True, [3, 4, 5, 6]), (False, [4, 5])]


def test_calls_of_the_turn_that_goes_on_go_with_their_results() -> None:
    assert found("u|c|r|cc|r|r|a", {0}) == [(False, [1, 2]), (False, [3, 4, 5])]
    assert found("u|c|r|c|r", {0}, kept={4}) == [(False, [1, 2])]
    assert found("u|ac|ru|c|r", {0}) == [(False, [3, 4])], "what the user's side said stays"


def test_thinking_goes_with_its_whole_turn_or_not_at_all() -> None:
    assert found("u|c|r|c|r", {0}, bound={1}) == [(False, [3, 4])]
    assert found("u||c|r|c|r", {0}, bound={1}) == [(False, [4, 5])], "an entry of its own, before the call"
    assert found("u||a|u", {0, 3}, bound={1}) == [(True, [0, 1, 2])]
