"""The shadow audit and user verification behind a real proxy: by its own router, past its hooks, in nobody's way."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .gateway import ENDPOINTS, Gateway, sha
from .nursery import Nursery, NurseryGateway
from .upstream import Upstream

FMT = "import re\n\n\ndef clean(s):\n    return re.sub(r'\\s+', ' ', s).strip()\n\n\ndef title_case(s):\n    return clean(s).title()\n"
LOSSY = "import re\n\n_SPACES = re.compile(r'\\s+')\n\n\ndef clean(s):\n    return _SPACES.sub(' ', s).strip()\n"
fresh = itertools.count()


def fence(text: str) -> str:
    return f"fmt.py\n```python\n{text}```\n"


def verdict(status: str) -> str:
    return json.dumps({"entity": "fmt.py", "status": status})


@pytest.fixture(scope="module")
def audited(upstream: Upstream, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with NurseryGateway(
        tmp_path_factory.mktemp("audited"), upstream.port, nursery=nursery, settings={"audit": True}
    ) as running:
        yield running


def eventually(what: Callable[[], bool], seconds: float = 120) -> bool:
    deadline = time.monotonic() + seconds
    while not what() and time.monotonic() < deadline:
        time.sleep(0.05)
    return what()


class Chat:
    """A conversation through a gateway."""

    def __init__(self, gateway: Gateway, upstream: Upstream, endpoint: str = "chat", model: str = "openai") -> None:
        self.gateway, self.upstream, self.endpoint, self.model = gateway, upstream, endpoint, model
        self.workspace, self.messages = f"audit{next(fresh)}", list[dict[str, Any]]()

    def ask(self, prompt: str, answer: str, stream: bool = True) -> Chat:
        self.messages.append({"role": "user", "content": prompt})
        headers = {"x-tslp-workspace": self.workspace}
        said = self.gateway.ask(self.endpoint, self.model, self.messages, stream=stream, headers=headers)
        assert said == (200, answer)
        self.messages.append({"role": "assistant", "content": answer})
        return self

    def lossy(self) -> Chat:
        self.upstream.say(fence(FMT))
        self.ask("Write fmt.py.", fence(FMT)).gateway.settled(self.workspace, 1)
        self.upstream.say(fence(LOSSY))
        return self

    def holds(self, text: str) -> bool:
        return self.gateway.state(self.workspace).get("fmt.py") == sha(text)

    def audit_check(self) -> dict[str, str]:
        checks = self.gateway.http.get("/tslp/doctor").json()["checks"]
        return next(c for c in checks if c["name"] == "audit")


@pytest.mark.parametrize(
    ("endpoint", "model"), [*((e, "openai") for e in ENDPOINTS), ("chat", "ollama"), ("chat", "anthropic")]
)
def test_a_completed_audit_by_the_model_that_answered(
    audited: Gateway, upstream: Upstream, endpoint: str, model: str
) -> None:
    chat = Chat(audited, upstream, endpoint, model).lossy()
    upstream.say(verdict("completed"))
    chat.ask("Make clean faster in fmt.py.", fence(LOSSY))
    assert eventually(lambda: chat.holds(LOSSY)), audited.log()
    assert upstream.prompts()[-1].startswith("Entity: fmt.py\n"), "nothing of ours was put in front of it"
    assert len(audited.episodes(chat.workspace)) == 2, "an audit is no episode"
    assert audited.state("default") == {}
    reasons = {s["reason"] for s in audited.episodes(chat.workspace)[0]["artifact_states"]}
    assert "shadow-audit" in reasons
    assert chat.audit_check()["status"] == "ok"
    assert "last: fmt.py promoted" in chat.audit_check()["detail"]


def test_a_slow_audit_delays_nobody_and_comes_too_late(audited: Gateway, upstream: Upstream) -> None:
    chat = Chat(audited, upstream).lossy()
    upstream.say(verdict("completed"), delay=2.0)
    chat.ask("Make clean faster in fmt.py.", fence(LOSSY))
    assert eventually(lambda: "Entity: fmt.py" in upstream.prompts()[-1])
    upstream.say("It cleans.")
    chat.ask("What does it do?", "It cleans.")
    assert eventually(lambda: "last: fmt.py late" in chat.audit_check()["detail"])
    assert chat.holds(FMT)


def test_an_audit_that_fails_is_shown_and_heals(audited: Gateway, upstream: Upstream) -> None:
    chat = Chat(audited, upstream).lossy()
    upstream.say(status=500)
    chat.ask("Make clean faster in fmt.py.", fence(LOSSY))
    assert eventually(lambda: chat.audit_check()["status"] == "warn")
    assert "fault:" in chat.audit_check()["detail"]
    assert chat.holds(FMT)
    other = Chat(audited, upstream).lossy()
    upstream.say("I think it is fine.")
    other.ask("Make clean faster in fmt.py.", fence(LOSSY))
    assert eventually(lambda: "last: fmt.py malformed" in chat.audit_check()["detail"])
    assert chat.audit_check()["status"] == "ok"
    assert other.holds(FMT)


def test_a_user_who_goes_on_verifies(gateway: Gateway, upstream: Upstream) -> None:
    chat = Chat(gateway, upstream).lossy()
    chat.ask("Make clean faster in fmt.py.", fence(LOSSY))
    assert gateway.settled(chat.workspace, 2)["fmt.py"] == sha(FMT)
    assert chat.audit_check()["detail"] == "off"
    upstream.say("Sure.")
    chat.ask("Now add a docstring to clean in fmt.py.", "Sure.")
    assert gateway.settled(chat.workspace, 3)["fmt.py"] == sha(LOSSY)
    reasons = {s["reason"] for s in gateway.episodes(chat.workspace)[0]["artifact_states"]}
    assert reasons == {"user-verification"}


@pytest.mark.slow
def test_at_the_end_an_open_audit_is_dropped(upstream: Upstream, tmp_path: Path) -> None:
    gateway = Gateway(tmp_path, upstream.port, settings={"audit": True})
    gateway.start()
    try:
        assert gateway.wait_until_ready(), gateway.log()
        chat = Chat(gateway, upstream).lossy()
        upstream.say(verdict("completed"), delay=60.0)
        chat.ask("Make clean faster in fmt.py.", fence(LOSSY))
        assert eventually(lambda: "Entity: fmt.py" in upstream.prompts()[-1])
    finally:
        gateway.stop()
    assert gateway.process.returncode != -9, "it went by itself, without waiting for the audit"
