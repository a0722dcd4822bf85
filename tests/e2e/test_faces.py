"""The guardrail face, both faces at once, faults while running, and settings that stop the start."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from .gateway import ENDPOINTS, Gateway, sha
from .nursery import Nursery, NurseryGateway
from .upstream import Upstream

TEXT = "def area_of(r):\n    return 3 * r * r\n"
FENCE = f"geo.py\n```python\n{TEXT}```\n"


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


@pytest.fixture(scope="module")
def guarded(upstream: Upstream, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with NurseryGateway(
        tmp_path_factory.mktemp("guardrail"), upstream.port, nursery=nursery, face="guardrail"
    ) as running:
        yield running


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize("stream", [True, False])
def test_the_guardrail_does_the_main_job(guarded: Gateway, upstream: Upstream, endpoint: str, stream: bool) -> None:
    workspace = f"guarded-{endpoint}-{stream}"
    headers = {"x-tslp-workspace": workspace}
    upstream.say(FENCE)
    assert guarded.ask(endpoint, "openai", user("Write geo.py"), stream=stream, headers=headers) == (200, FENCE)
    assert guarded.settled(workspace, 1)["geo.py"] == sha(TEXT)
    guarded.ask(endpoint, "openai", user("What does `area_of` do?"), stream=stream, headers=headers)
    assert upstream.prompts()[-1].count("[CURRENT STATE: AUTHORITATIVE]") == 1
    guarded.settled(workspace, 2)


def test_both_faces_are_one(upstream: Upstream, nursery: Nursery, tmp_path: Path) -> None:
    with NurseryGateway(tmp_path, upstream.port, nursery=nursery, face="both") as gateway:
        headers = {"x-tslp-workspace": "both"}
        for stream in (True, False):
            upstream.say(FENCE)
            gateway.ask("chat", "openai", user("Write geo.py"), stream=stream, headers=headers)
        gateway.ask("chat", "openai", user("What does `area_of` do?"), stream=True, headers=headers)
        assert upstream.prompts()[-1].count("[CURRENT STATE: AUTHORITATIVE]") == 1
        gateway.settled("both", 3)


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "status"), [("pass", 200), ("block", 503)])
def test_a_broken_database(upstream: Upstream, tmp_path: Path, policy: str, status: int) -> None:
    """The request goes on, or is refused; `/doctor` says so; when the fault is gone, all is well again."""
    with Gateway(tmp_path, upstream.port, settings={"on_error": policy}) as gateway:
        headers = {"x-tslp-workspace": "w"}
        upstream.say(FENCE)
        gateway.ask("chat", "openai", user("Write geo.py"), stream=False, headers=headers)
        gateway.settled("w", 1)
        with sqlite3.connect(gateway.database) as db:
            db.execute("ALTER TABLE state_map RENAME TO hidden")
        got, _ = gateway.ask("chat", "openai", user("What does `area_of` do?"), stream=False, headers=headers)
        assert got == status
        assert gateway.http.get("/tslp/doctor").json()["status"] != "ok"
        with sqlite3.connect(gateway.database) as db:
            db.execute("ALTER TABLE hidden RENAME TO state_map")
        assert gateway.ask("chat", "openai", user("What does `area_of` do?"), stream=False, headers=headers)[0] == 200
        assert "Entity: geo.py::area_of" in upstream.prompts()[-1]
        assert gateway.http.get("/tslp/doctor").json()["status"] == "ok"
        assert gateway.log().count("Traceback") <= 2, "a fault is logged once, not with every request"


BAD = [
    ("callback", {"hydration_token_max": 5}, {}, "hydration_token_max"),
    pytest.param("guardrail", {"tombstone_episodes": "many"}, {}, "tombstone_episodes", marks=pytest.mark.slow),
    pytest.param("callback", {}, {"TSLP_ON_ERROR": "explode"}, "TSLP_ON_ERROR", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("face", "settings", "environment", "words"), BAD)
def test_a_bad_setting_stops_the_start_with_its_name(
    upstream: Upstream,
    nursery: Nursery,
    tmp_path: Path,
    face: str,
    settings: dict[str, object],
    environment: dict[str, str],
    words: str,
) -> None:
    gateway = NurseryGateway(
        tmp_path, upstream.port, nursery=nursery, face=face, settings=settings, environment=environment
    )
    gateway.start()
    try:
        assert not gateway.wait_until_ready()
        assert words in gateway.log()
    finally:
        gateway.stop()


@pytest.mark.slow
def test_a_start_that_is_stopped_has_failed(upstream: Upstream, tmp_path: Path) -> None:
    gateway = Gateway(tmp_path, upstream.port, settings={"hydration_token_max": 5})
    gateway.start()
    try:
        assert gateway.process.wait(120) != 0
    finally:
        gateway.stop()
