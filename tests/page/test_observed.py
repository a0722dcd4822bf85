"""Metrics beside LiteLLM's own and spans below LiteLLM's own, in a real proxy with its `prometheus` and `otel`."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import httpx

from tests.e2e.gateway import Gateway
from tests.e2e.upstream import Upstream

SECRET_NAME = "holiday_plan_of_the_ceo"
FILE = f"src/{SECRET_NAME}.py\n```python\ndef {SECRET_NAME}():\n    return 1\n```\n"
HEADERS = {"x-tslp-workspace": "the-hidden-workspace"}


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def samples(gateway: Gateway) -> dict[str, float]:
    """What /metrics says of us: a series with its labels, and its value."""
    answer = gateway.http.get("/metrics/")
    answer.raise_for_status()
    lines = [line for line in answer.text.splitlines() if line.startswith("tslp_") and "_created" not in line]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def grown(gateway: Gateway, before: dict[str, float], name: str, by: float) -> bool:
    """Whether a series grows by so much: what is recorded is counted just after it is committed."""
    deadline = time.monotonic() + 120
    while samples(gateway).get(name, 0) - before.get(name, 0) < by and time.monotonic() < deadline:
        time.sleep(0.1)
    return samples(gateway).get(name, 0) - before.get(name, 0) == by


def test_metrics_appear_beside_litellms_own(gateway: Gateway, upstream: Upstream) -> None:
    before = samples(gateway)
    upstream.say(FILE)
    gateway.ask("chat", "openai", user("Write it"), stream=True, headers=HEADERS)
    upstream.say(f"src/{SECRET_NAME}.py\n```python\n# ... rest of the code unchanged ...\n```\n")
    gateway.ask("chat", "openai", user(f"Improve `{SECRET_NAME}`"), stream=False, headers=HEADERS)
    upstream.say("Fine.")
    gateway.ask("chat", "openai", user("Hello"), stream=False, headers={**HEADERS, "x-tslp-bypass": "true"})
    assert grown(gateway, before, 'tslp_episodes_total{outcome="recorded"}', 2)
    assert grown(gateway, before, 'tslp_episodes_total{outcome="bypassed"}', 1)
    assert grown(gateway, before, 'tslp_artifacts_total{reason="structural-parity",state="AUTHORITATIVE"}', 2)
    assert grown(gateway, before, 'tslp_artifacts_total{reason="left-out-code",state="PROPOSED"}', 1)
    assert grown(gateway, before, "tslp_hydrated_blocks_total", 1)
    after = samples(gateway)
    assert after["tslp_hydrated_tokens_total"] - before.get("tslp_hydrated_tokens_total", 0) > 20
    assert after["tslp_preflight_seconds_count"] - before.get("tslp_preflight_seconds_count", 0) == 2
    assert after["tslp_recording_seconds_count"] - before.get("tslp_recording_seconds_count", 0) == 2
    assert after["tslp_recordings"] == 0
    whole = gateway.http.get("/metrics/").text
    assert "litellm_" in whole
    ours = "\n".join(line for line in whole.splitlines() if "tslp_" in line)
    assert SECRET_NAME not in ours
    assert "hidden-workspace" not in ours


def test_metrics_are_behind_litellms_own_key_check(gateway: Gateway) -> None:
    answer = httpx.get(f"{gateway.http.base_url}/metrics/", trust_env=False)
    assert answer.status_code == 401
    assert "tslp_" not in answer.text


def test_the_doctor_says_that_it_counts(gateway: Gateway) -> None:
    checks = {c["name"]: c for c in gateway.http.get("/tslp/doctor").json()["checks"]}
    assert checks["metrics"]["status"] == "ok"
    assert "counted" in checks["metrics"]["detail"]


def spans(gateway: Gateway) -> list[dict[str, Any]]:
    """The spans that the console exporter wrote into the gateway's log."""
    text, found = (gateway.folder / "log").read_text(errors="replace"), []
    for start in (m.start() for m in re.finditer(r"^\{$", text, re.M)):
        try:
            value, _ = json.JSONDecoder().raw_decode(text[start:])
        except ValueError:
            continue
        if isinstance(value, dict) and "context" in value:
            found.append(value)
    return found


def test_spans_hang_below_litellms_own(gateway: Gateway, upstream: Upstream) -> None:
    upstream.say(FILE)
    gateway.ask("messages", "openai", user("Write it"), stream=True, headers={"x-tslp-workspace": "traced"})
    gateway.settled("traced", 1)
    deadline = time.monotonic() + 120
    made: dict[str, list[dict[str, Any]]] = {}
    while time.monotonic() < deadline and not {"tslp.preflight", "tslp.record"} <= made.keys():
        time.sleep(0.3)
        made = {}
        for span in spans(gateway):
            made.setdefault(span["name"], []).append(span)
    preflight, record = made["tslp.preflight"][-1], made["tslp.record"][-1]
    theirs = {span["context"]["span_id"]: span for name, these in made.items() for span in these if "tslp" not in name}
    assert record["parent_id"] == preflight["parent_id"]
    assert record["context"]["trace_id"] == preflight["context"]["trace_id"]
    assert any(span["context"]["trace_id"] == record["context"]["trace_id"] for span in theirs.values())
    assert record["attributes"]["tslp.outcome"] == "recorded"
    assert record["attributes"]["tslp.authoritative"] == 2
    assert preflight["attributes"]["tslp.hydrated"] == 0
    assert SECRET_NAME not in json.dumps([preflight, record])
