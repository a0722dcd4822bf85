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
CALL = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "ls"}}
RESULT = {"type": "tool_result", "tool_use_id": "c", "content": "a.py"}
WHOLE_FORMAT = "You MUST use this *file listing* format:"
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


def demand(messages: list[dict[str, Any]]) -> Demand:
    wire, body = AnthropicMessages(), {"messages": messages}
    turn = wire.parse(body)
    request = Request("t", "w", "anthropic_messages", "m", turn, 4096, extent=lambda: wire.extent(body, turn))
    return demand_of(request, ReadingCache().talk(turn), TokenCounts(len))


def test_a_message_floats_only_whole() -> None:
    """A listing beside a result: the result goes with its call, or neither."""
    talk = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [CALL]},
        {"role": "user", "content": [RESULT, {"type": "text", "text": LISTING}]},
        {"role": "assistant", "content": "I looked."},
        {"role": "user", "content": "And now?"},
    ]
    more = [{"role": "user", "content": LISTING}, {"role": "assistant", "content": "ok"}, talk[-1]]
    for messages in (talk, [*talk, *more]):
        for span in demand(messages).spans:
            assert len({1, 2} & span.messages) != 1


def test_no_line_of_ours_may_stand_in_the_models_own_words() -> None:
    """It answers as it finds itself to have answered; what a client applies would then be written on the disk."""
    talk = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "I looked."},
        {"role": "user", "content": "Again."},
        {"role": "assistant", "content": [{"type": "text", "text": "I do."}, CALL]},
        {"role": "user", "content": [RESULT]},
    ]
    may = {part.text: part.open for part in demand(talk).parts}
    assert may == {"Look.": True, "I looked.": False, "Again.": False, "I do.": False} | {RESULT["content"]: False} | {
        text: False for text in may if text.startswith("{")
    }


def test_what_aider_would_write_is_left_whole(sessions: Sessions) -> None:
    """Its older answers leave with their turns."""
    session = sessions(limit=2_000)
    session.messages = [{"role": "system", "content": WHOLE_FORMAT}]
    for word in ("one", "two", "three", "four"):
        session.ask(f"Write {word}.", answer=fenced("a.py", module(word, 50)))
    session.ask("Thanks.")
    said = [message["content"] for message in session.sent]
    assert session.episode is not None
    assert session.episode.fit.startswith("fitted")
    assert not any(LEFT_OUT in text for text in said)
    assert fenced("a.py", module("four", 50)) in said
    assert fenced("a.py", module("one", 50)) not in said
