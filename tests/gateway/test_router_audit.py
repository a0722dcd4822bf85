"""Asking through the proxy's router: what is sent, whose it is, and that we know our own calls."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from tslp_litellm.engine import Question
from tslp_litellm.gateway import router_audit

CALLER = {"user_api_key": "hash", "user_api_key_team_id": "t"}
QUESTION = Question("local", "w", "c", "e", "a.py", "0" * 64, True, "Entity: a.py", "coder", CALLER)


class Router:
    def __init__(self, finish: str = "stop") -> None:
        self.sent: dict[str, Any] = {}
        self.finish = finish

    async def acompletion(self, **sent: Any) -> Any:
        self.sent = sent
        return SimpleNamespace(
            choices=[SimpleNamespace(finish_reason=self.finish, message=SimpleNamespace(content="said"))]
        )


def ask(monkeypatch: pytest.MonkeyPatch, router: Router | None, model: str | None = None) -> str:
    monkeypatch.setattr("litellm.proxy.proxy_server.llm_router", router)
    return asyncio.run(router_audit.ask(QUESTION, model, 5.0))


def test_the_model_that_answered_is_asked_unless_another_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    router = Router()
    assert ask(monkeypatch, router) == "said"
    assert router.sent["model"] == "coder"
    assert router.sent["timeout"] == 5.0
    assert not router.sent["stream"]
    ask(monkeypatch, router, "auditor")
    assert router.sent["model"] == "auditor"


def test_its_cost_is_booked_where_the_answers_was_and_our_hooks_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    router = Router()
    ask(monkeypatch, router)
    metadata = router.sent["metadata"]
    assert metadata.items() >= CALLER.items()
    assert router_audit.is_own_call({"metadata": metadata})
    assert router_audit.is_own_call({"metadata": {}, "litellm_metadata": metadata})
    assert router.sent["extra_headers"] == {"x-tslp-bypass": "true"}


@pytest.mark.parametrize("data", [{}, {"metadata": None}, {"metadata": {"tslp_audit": "true"}}, {"metadata": []}])
def test_nobody_else_passes_for_us(data: dict[str, Any]) -> None:
    assert not router_audit.is_own_call(data)


def test_a_reply_that_was_cut_short_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="cut short"):
        ask(monkeypatch, Router("length"))


def test_without_a_router_there_is_nobody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="no models"):
        ask(monkeypatch, None)


def test_the_callers_metadata_is_found_wherever_litellm_puts_it() -> None:
    assert router_audit.caller_of({"metadata": {**CALLER, "tags": ["x"]}}) == CALLER
    assert router_audit.caller_of({"metadata": {"user_id": "theirs"}, "litellm_metadata": CALLER}) == CALLER
    assert router_audit.caller_of({}) == {}
