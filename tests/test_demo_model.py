"""The offline demo model answers as it says."""

import asyncio

from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.demo_model import GREETER, INTRODUCTION, SHOUTED, TIDIED, OfflineDemoModel, reply
from tslp_litellm.dialects.values import Shown, Snippet


def user(text: object) -> list[dict[str, object]]:
    return [{"role": "user", "content": text}]


def test_it_says_what_it_is() -> None:
    for prompt in ("Write demo/greeter.py", "Let `greet` shout.", "Hello"):
        assert reply(user(prompt)).startswith(INTRODUCTION)


def test_its_code_is_evidence() -> None:
    (shown,) = read_answer(reply(user("Write demo/greeter.py with greet.")))
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text) == ("demo/greeter.py", GREETER)
    (shown,) = read_answer(reply(user("Let `greet` shout.")))
    assert isinstance(shown, Snippet), "small models seldom name the file"
    assert shown.text == SHOUTED
    (shown,) = read_answer(reply(user("Tidy demo/greeter.py.")))
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text) == ("demo/greeter.py", TIDIED)


def test_it_reports_what_it_was_sent() -> None:
    block = "[CURRENT STATE: AUTHORITATIVE]\nEntity: a.py::f\nArtifact: 0\n\nx\n[END CURRENT STATE]\n\nWhat now?"
    assert "a.py::f" in reply(user(block))
    assert "a.py::f" in reply(user([{"type": "text", "text": block}]))
    assert "no current code" in reply(user("What now?"))


def test_streams_say_the_same() -> None:
    async def collect() -> str:
        model = OfflineDemoModel()
        return "".join([c["text"] async for c in model.astreaming(model="m", messages=user("Hello  there"))])

    assert asyncio.run(collect()) == reply(user("Hello  there"))
