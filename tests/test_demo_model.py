"""The offline demo model answers as it says."""

import asyncio
import importlib
from typing import Any

import pytest

from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.dialects.values import Shown, Snippet


@pytest.fixture(scope="module")
def demo() -> Any:
    """Imported here, as LiteLLM with it takes seconds."""
    return importlib.import_module("tslp_litellm.demo_model")


def user(text: object) -> list[dict[str, object]]:
    return [{"role": "user", "content": text}]


def test_it_says_what_it_is(demo: Any) -> None:
    for prompt in ("Write demo/greeter.py", "Let `greet` shout.", "Hello"):
        assert demo.reply(user(prompt)).startswith(demo.INTRODUCTION)


def test_its_code_is_evidence(demo: Any) -> None:
    (shown,) = read_answer(demo.reply(user("Write demo/greeter.py with greet.")))
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text) == ("demo/greeter.py", demo.GREETER)
    (shown,) = read_answer(demo.reply(user("Let `greet` shout.")))
    assert isinstance(shown, Snippet), "small models seldom name the file"
    assert shown.text == demo.SHOUTED
    (shown,) = read_answer(demo.reply(user("Tidy demo/greeter.py.")))
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text) == ("demo/greeter.py", demo.TIDIED)


def test_it_reports_what_it_was_sent(demo: Any) -> None:
    block = "[CURRENT STATE: AUTHORITATIVE]\nEntity: a.py::f\nArtifact: 0\n\nx\n[END CURRENT STATE]\n\nWhat now?"
    assert "a.py::f" in demo.reply(user(block))
    assert "a.py::f" in demo.reply(user([{"type": "text", "text": block}]))
    assert "no current code" in demo.reply(user("What now?"))


def test_streams_say_the_same(demo: Any) -> None:
    async def collect() -> str:
        model = demo.OfflineDemoModel()
        return "".join([c["text"] async for c in model.astreaming(model="m", messages=user("Hello  there"))])

    assert asyncio.run(collect()) == demo.reply(user("Hello  there"))
