"""Which window a model has, and what proves it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from tslp_litellm.gateway.ollama import Told, told
from tslp_litellm.gateway.windows import Deployment, Window, Windows, announce, deployment, said

SERVER = ("http://localhost:11434", "qwen:7b")


def waited() -> None:
    for thread in threading.enumerate():
        if thread.name == "tslp-window":
            thread.join()


def windows(setting: object, *deployments: Deployment, asks: Callable[[str, str], Told] = lambda *_: Told()) -> Windows:
    return Windows(setting, lambda _: deployments, asks)  # type: ignore[arg-type]


def test_the_setting_wins_for_all_models_or_by_name() -> None:
    stated = Deployment((Window(4_096, "num_ctx"),))
    assert windows(8_192, stated).of("any") == Window(8_192, "window_tokens")
    by_name = windows({"small": 2_048, "local/*": 16_384}, stated)
    assert by_name.of("small") == Window(2_048, "window_tokens")
    assert by_name.of("local/x") == Window(16_384, "window_tokens")
    assert by_name.of("other") == Window(4_096, "num_ctx")


def test_of_several_deployments_and_statements_the_smallest_counts() -> None:
    several = [
        deployment({"num_ctx": 8_192}, {"max_input_tokens": 32_768}, "m"),
        deployment({}, {"max_input_tokens": 6_000}, "m"),
    ]
    assert windows(None, *several).of("m") == Window(6_000, "max_input_tokens")
    assert windows(None, several[0], Deployment()).of("m") == Window(8_192, "num_ctx")


@pytest.mark.parametrize("params", [{}, {"num_ctx": 0}, {"num_ctx": "many"}, {"num_ctx": True}, {"max_tokens": 4_096}])
def test_nothing_else_proves_one(params: dict[str, object]) -> None:
    """LiteLLM's table says what a model could take, and `max_tokens` how long an answer may be."""
    one = deployment({"model": "openai/gpt-4o", **params}, {"max_tokens": 128_000}, "gpt-4o")
    assert windows(None, one).of("gpt-4o") is None


def test_ollama_is_asked_beside_the_request_and_seldom() -> None:
    asked: list[tuple[str, str]] = []
    gate = threading.Event()

    def asks(base: str, model: str) -> Told:
        gate.wait(5)
        asked.append((base, model))
        return Told(4_096, 32_768)

    found = windows(None, Deployment(ollama=SERVER), asks=asks)
    assert found.of("m") is None, "nobody waits for a server"
    assert found.of("m") is None
    gate.set()
    waited()
    assert found.of("m") == Window(4_096, "ollama")
    assert asked == [SERVER]


def test_a_window_that_is_not_known_yet_is_asked_for_again() -> None:
    now, answers = [0.0], [Told(), Told(None, 32_768), Told(8_192, 32_768)]
    found = Windows(None, lambda _: [Deployment(ollama=SERVER)], lambda *_: answers.pop(0), lambda: now[0])
    for moment, expected in ((0.0, None), (5.0, None), (11.0, None), (22.0, Window(8_192, "ollama"))):
        now[0] = moment
        found.of("m")
        waited()
        assert found.of("m") == expected
    assert not answers


def test_a_server_gives_no_more_than_the_model_has() -> None:
    found = windows(None, Deployment((Window(131_072, "num_ctx"),), SERVER), asks=lambda *_: Told(None, 32_768))
    found.of("m")
    waited()
    assert found.of("m") == Window(32_768, "the model's most")


def test_which_server_and_which_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
    assert deployment({"model": "ollama_chat/*"}, {}, "ollama/qwen:7b").ollama == SERVER
    assert deployment({"model": "ollama/a", "api_base": "http://x:1/"}, {}, "m").ollama == ("http://x:1", "a")
    assert (
        deployment({"model": "ollama_chat/*", "api_base": "os.environ/OLLAMA_API_BASE"}, {}, "ollama/*").ollama is None
    )
    assert deployment({"model": "openai/a"}, {}, "m").ollama is None


PS = {"models": [{"name": "qwen:7b", "model": "qwen:7b", "context_length": 4_096}]}
SHOW = {
    "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32_768},
    "parameters": "stop x\nnum_ctx   8192\n",
}


@pytest.mark.parametrize(
    ("running", "shown", "model", "expected"),
    [
        (PS, SHOW, "qwen:7b", Told(4_096, 32_768)),
        ({"models": []}, SHOW, "qwen:7b", Told(8_192, 32_768)),
        (PS, SHOW, "qwen", Told(8_192, 32_768)),
        ({"models": []}, {"model_info": SHOW["model_info"]}, "qwen:7b", Told(None, 32_768)),
        ({"models": [{"name": "qwen:latest", "context_length": 2_048}]}, {}, "qwen", Told(2_048, None)),
        ("nonsense", ["nonsense"], "qwen", Told(None, None)),
        (
            {"models": [{"name": 3, "context_length": "x"}, None]},
            {"model_info": None, "parameters": 3},
            "q",
            Told(None, None),
        ),
    ],
)
def test_what_ollama_says(running: object, shown: object, model: str, expected: Told) -> None:
    """What runs counts, then the Modelfile; the model's most is no window."""
    assert told(running, shown, model) == expected


def test_each_models_window_is_told_or_what_to_set() -> None:
    found = Windows({"known": 8_192}, lambda _: [])
    rows = said(found, ["known", "other"])
    assert [(model, known) for model, known, _ in rows] == [("known", True), ("other", False)]
    assert rows[0][2] == "8192 tokens (window_tokens)"
    assert "num_ctx" in rows[1][2]


async def _announced(monkeypatch: pytest.MonkeyPatch, **more: int) -> None:
    monkeypatch.setattr("tslp_litellm.gateway.windows.names", lambda: ["known", "other", "more"])
    monkeypatch.setattr("tslp_litellm.gateway.windows.ASKED_WITHIN_S", 0)
    await announce(Windows({"known": 8_192, **more}, lambda _: []))


def test_the_start_says_them(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_announced(monkeypatch))
    known, unknown = capfd.readouterr().err.splitlines()
    assert known == "TSLP: the window of known: 8192 tokens (window_tokens)"
    assert unknown.startswith("TSLP: the window of other, more: unknown")


def test_the_start_says_which_are_of_no_model(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(_announced(monkeypatch, codr=8_192, **{"oth*": 8_192}))
    assert capfd.readouterr().err.splitlines()[-1] == "TSLP: `window_tokens` names what is no model here: codr"
