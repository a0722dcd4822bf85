"""LiteLLM's `/openapi.json` beside what the gateway really answers under /tslp."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.diagnostics.contract import hold

from .gateway import Gateway
from .upstream import Upstream

FENCE = "geo.py\n```python\ndef area_of(r):\n    return 3 * r * r\n```\n"
BROKEN = "geo.py\n```python\ndef area_of(r:\n    return 3 * r * r\n```\n"


def pair(before: str, after: str) -> dict[str, str]:
    return {"before_artifact": before, "after_artifact": after}


@pytest.fixture(scope="module")
def openapi(gateway: Gateway) -> dict[str, Any]:
    found: dict[str, Any] = gateway.http.get("/openapi.json").json()
    return found


def test_what_is_answered_is_what_is_documented(gateway: Gateway, upstream: Upstream, openapi: dict[str, Any]) -> None:
    headers = {"x-tslp-workspace": "openapi"}
    for prompt, answer in (("Write geo.py", FENCE), ("Now geo.py anew", BROKEN)):
        upstream.say(answer)
        gateway.ask("chat", "openai", [{"role": "user", "content": prompt}], stream=False, headers=headers)
    state = gateway.settled("openapi", 2)
    refused, _ = gateway.episodes("openapi")
    assert "witness" in refused["artifact_states"][0]
    asked: list[tuple[str, str, dict[str, Any], int]] = [
        ("/tslp/health", "", {}, 200),
        ("/tslp/doctor", "", {}, 200),
        ("/tslp/state", "", {}, 200),
        ("/tslp/recent", "", {}, 200),
        ("/tslp/recent", "", {"limit": "many"}, 422),
        ("/tslp/debug/last-prompt", "", {}, 200),
        ("/tslp/debug/last-prompt", "", {"workspace": "none"}, 404),
        ("/tslp/resume", "", {}, 200),
        ("/tslp/overview", "", {}, 200),
        ("/tslp/entity", "", {"entity": "geo.py"}, 200),
        ("/tslp/entity", "", {"entity": "geo.py::nope"}, 404),
        ("/tslp/entity", "", {}, 422),
        ("/tslp/episode/{id}", refused["episode_id"], {}, 200),
        ("/tslp/episode/{id}", "nope", {}, 404),
        ("/tslp/artifact/{hash}", state["geo.py"], {}, 200),
        ("/tslp/artifact/{hash}", "0" * 64, {}, 404),
        ("/tslp/artifact/{hash}", "xyz", {}, 422),
        (
            "/tslp/diff",
            "",
            {"entity": "geo.py", **pair(state["geo.py"], refused["artifact_states"][0]["artifact"])},
            200,
        ),
        ("/tslp/diff", "", {"entity": "geo.py", **pair(state["geo.py"], "0" * 64)}, 404),
        ("/tslp/diff", "", {"entity": "geo.py", **pair(state["geo.py"], "xyz")}, 422),
    ]
    for path, last, params, status in asked:
        answer = gateway.http.get(path.partition("{")[0] + last, params=params, headers=headers)
        assert answer.status_code == status, (path, answer.text)
        hold(openapi, path, answer)
    assert {path for path, *_ in asked} == {path for path in openapi["paths"] if path.startswith("/tslp/")}


def test_the_key_is_documented_and_asked_for(gateway: Gateway, openapi: dict[str, Any]) -> None:
    documented = {path: said["get"] for path, said in openapi["paths"].items() if path.startswith("/tslp/")}
    assert documented
    for path, said in documented.items():
        assert said["security"], path
        assert {name for way in said["security"] for name in way} <= openapi["components"]["securitySchemes"].keys()
        for headers in ({}, {"Authorization": "Bearer sk-wrong"}):
            url = str(gateway.http.base_url) + path.replace("{id}", "x").replace("{hash}", "0" * 64)
            answer = httpx.get(url, params={"entity": "geo.py"}, headers=headers, trust_env=False)
            assert answer.status_code in (400, 401, 500), "no other: the key is checked before anything is looked up"
            hold(openapi, path, answer)
