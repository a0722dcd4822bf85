"""A request's parts and spans: what they are known by, and what floats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tslp_litellm.engine.demand import demand_of
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.engine.values import Request
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.plan.values import Demand
from tslp_litellm.state.markers import LEFT_OUT
from tslp_litellm.wire.anthropic_messages import AnthropicMessages

from .helpers import Session
from .test_fitting import fenced, module

Sessions = Callable[..., Session]
LISTING = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"


def test_turns_in_the_same_words_are_told_apart_when_the_client_drops_the_oldest(sessions: Sessions) -> None:
    session = sessions(limit=2_000)
    for n in range(9):
        session.ask("continue", answer=f"Part {n}: " + f"words of {n}. " * 100)
    assert "Part 0" not in str(session.sent)
    session.messages = session.messages[-6:]
    session.ask("continue")
    assert session.sent == session.messages[:-1], "three turns that were never left out, and fit"


def test_a_text_that_comes_twice_is_told_apart_when_the_client_drops_the_first(sessions: Sessions) -> None:
    session = sessions(limit=1_500)
    pasted = "Here is my a.py:\n\n" + fenced("a.py", module("one"))
    session.ask(pasted, answer="I see it.").ask(pasted, answer="I see it again.").ask("Thanks.", answer="Welcome.")
    assert [LEFT_OUT in str(message["content"]) for message in session.sent[:3]] == [True, False, False]
    session.messages = session.messages[2:]
    session.ask("Go on.")
    assert session.sent == session.messages[:-1], "the second copy is nobody's repetition"


def test_an_answer_that_comes_twice_is_told_apart_when_the_client_drops_the_first(sessions: Sessions) -> None:
    session = sessions(limit=1_500)
    written = "Here:\n\n" + fenced("a.py", module("one"))
    session.ask("Write a.py.", answer=written).ask("Write all of it again.", answer=written).ask("Thanks.")
    assert [LEFT_OUT in str(message["content"]) for message in session.sent[:4]] == [False, True, False, False]
    session.messages = session.messages[2:]
    session.ask("Go on.")
    assert session.sent == session.messages[:-1]


def demand(messages: list[dict[str, Any]]) -> Demand:
    wire, body = AnthropicMessages(), {"messages": messages}
    turn = wire.parse(body)
    request = Request("t", "w", "anthropic_messages", "m", turn, 4096, extent=lambda: wire.extent(body, turn))
    return demand_of(request, ReadingCache().talk(turn), TokenCounts(len))


def test_a_message_floats_only_whole() -> None:
    """A listing beside a result: the result goes with its call, or neither."""
    called = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "ls"}}
    answered = {"type": "tool_result", "tool_use_id": "c", "content": "a.py"}
    talk = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [called]},
        {"role": "user", "content": [answered, {"type": "text", "text": LISTING}]},
        {"role": "assistant", "content": "I looked."},
        {"role": "user", "content": "And now?"},
    ]
    more = [{"role": "user", "content": LISTING}, {"role": "assistant", "content": "ok"}, talk[-1]]
    for messages in (talk, [*talk, *more]):
        for span in demand(messages).spans:
            assert len({1, 2} & span.messages) != 1
