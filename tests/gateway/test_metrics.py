"""What is counted, and what isn't: rolled back work, and everything where prometheus_client is missing."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tslp_litellm.diagnostics.checks import metrics_check
from tslp_litellm.engine import Engine, Request
from tslp_litellm.gateway.metrics import Metrics
from tslp_litellm.gateway.telemetry import OPEN_MAX, Telemetry, parent_span
from tslp_litellm.settings import Settings
from tslp_litellm.store.database import Database
from tslp_litellm.wire.turn import Answer, Item, ItemKind, Role, Turn


class Counted:
    """Stands where Metrics stands, and remembers what it was told."""

    off = None

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.told.append((name, *values))

    def counts(self) -> Counter[tuple[Any, ...]]:
        return Counter(self.told)


@pytest.fixture
def database() -> Database:
    made = Database("sqlite://")
    made.migrate()
    return made


def engine(database: Database) -> Engine:
    ids = iter(range(10_000))
    return Engine(
        database,
        Settings(),
        now=lambda: "2026-01-01T00:00:00.000Z",
        new_id=lambda: str(next(ids)),
        count_tokens=lambda text: len(text.split()),
    )


def request(text: str) -> Request:
    return Request("t", "w", "acompletion", "m", Turn((Item(Role.USER, ItemKind.TEXT, text),)))


FILE = "a.py\n```python\ndef f():\n    return 1\n```\n"


def test_an_episode_from_its_request_to_its_record(database: Database) -> None:
    counted = Counted()
    telemetry = Telemetry(counted)  # type: ignore[arg-type]
    database.observe = telemetry.committed
    visits = engine(database)
    episode = visits.preflight(request(FILE))
    telemetry.attended(episode, None, 0.25)
    telemetry.ended(episode)
    visits.record(episode, Answer((Item(Role.ASSISTANT, ItemKind.TEXT, "Fine."),), complete=True))
    counts = counted.counts()
    assert counts["artifact", "AUTHORITATIVE", "user-write-head"] == 2
    assert counts["preflight", 0.25, 0, 0] == 1
    assert counts["episode", "recorded"] == 1
    assert [told for told in counted.told if told[0] == "waiting"] == [("waiting", 1), ("waiting", 0)]
    again = visits.preflight(request("What does `f` do?"))
    telemetry.attended(again, None, 0.1)
    telemetry.ended(again)
    visits.record(again, Answer())
    counts = counted.counts()
    assert counts["preflight", 0.1, 1, 0] == 1
    assert counts["episode", "cut-short"] == 1
    assert counts["tokens", again.injected] == 1
    assert again.injected > 0


def test_what_is_rolled_back_is_not_counted(database: Database) -> None:
    heard: list[Any] = []
    database.observe = heard.extend
    visits = engine(database)
    episode = visits.preflight(request(FILE))
    before = len(heard)
    assert before > 0
    with pytest.raises(RuntimeError), database.writing() as connection:
        connection.info["tslp_appended"].append(("e", object()))
        raise RuntimeError
    assert len(heard) == before
    visits.record(episode, Answer())
    assert len(heard) > before


def test_its_own_faults_reach_nobody(database: Database) -> None:
    class Broken(Counted):
        def __getattr__(self, name: str) -> Any:
            raise OSError(name)

    telemetry = Telemetry(Broken())  # type: ignore[arg-type]
    database.observe = telemetry.committed
    visits = engine(database)
    episode = visits.preflight(request(FILE))
    telemetry.attended(episode, object(), 0.1)
    telemetry.ended(episode)
    assert visits.record(episode, Answer()) == []


def test_requests_that_never_end_are_let_go_of() -> None:
    telemetry = Telemetry(Counted())  # type: ignore[arg-type]
    for n in range(OPEN_MAX + 10):
        episode = SimpleNamespace(id=str(n), injected=0, hydrated=(), notices=(), side=False)
        telemetry.attended(episode, None, 0.0)  # type: ignore[arg-type]
        telemetry.ended(episode)  # type: ignore[arg-type]
    assert len(telemetry._open) == OPEN_MAX
    assert telemetry._ended == OPEN_MAX


def test_without_prometheus_client_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    metrics = Metrics()
    assert metrics.off == "prometheus_client is not installed"
    metrics.episode("recorded")
    metrics.artifact("PROPOSED", None)
    metrics.preflight(0.1, 1, 1)
    metrics.tokens(1)
    metrics.recorded(0.1)
    metrics.waiting(1)
    metrics.fault("recording")
    metrics.audit("promoted", 0)
    assert metrics_check(metrics.off).status == "ok"
    assert "not installed" in metrics_check(metrics.off).detail


def test_every_metric_can_be_counted() -> None:
    prometheus = pytest.importorskip("prometheus_client")
    registry = prometheus.CollectorRegistry()
    metrics = Metrics(registry)
    assert metrics.off is None
    metrics.episode("side")
    metrics.artifact("PROPOSED", None)
    metrics.preflight(0.2, 2, 3)
    metrics.tokens(7)
    metrics.recorded(0.1)
    metrics.waiting(4)
    metrics.size(4096)
    metrics.fault("recording")
    metrics.audit(None, 5)
    metrics.audit("promoted", 4)
    said = prometheus.generate_latest(registry).decode()
    for line in (
        'tslp_episodes_total{outcome="side"} 1.0',
        'tslp_artifacts_total{reason="",state="PROPOSED"} 1.0',
        "tslp_hydrated_blocks_total 2.0",
        "tslp_hydrated_tokens_total 7.0",
        "tslp_notices_total 3.0",
        'tslp_faults_total{where="recording"} 1.0',
        'tslp_audits_total{conclusion="promoted"} 1.0',
        "tslp_audit_queue 4.0",
        "tslp_recordings 4.0",
        "tslp_database_bytes 4096.0",
        "tslp_preflight_seconds_count 1.0",
        "tslp_recording_seconds_count 1.0",
    ):
        assert line in said, line
    again = Metrics(registry)
    assert again.off is not None, "the names are taken: a second one does not count twice"


def test_workers_are_counted_together(tmp_path: Path) -> None:
    prometheus = pytest.importorskip("prometheus_client")
    from prometheus_client.multiprocess import MultiProcessCollector

    count = (
        "from tslp_litellm.gateway.metrics import Metrics; m = Metrics(); assert m.off is None; "
        "m.episode('side'); m.waiting(2); m.preflight(0.2, 1, 0); input()"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", count],
            env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)},
            stdin=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    try:
        deadline = time.monotonic() + 120
        said = ""
        while "tslp_preflight_seconds_count 2.0" not in said and time.monotonic() < deadline:
            time.sleep(0.1)
            registry = prometheus.CollectorRegistry()
            MultiProcessCollector(registry, str(tmp_path))
            with contextlib.suppress(struct.error):  # a worker is about to make its file
                said = prometheus.generate_latest(registry).decode()
        for line in (
            'tslp_episodes_total{outcome="side"} 2.0',
            "tslp_recordings 4.0",
            "tslp_hydrated_blocks_total 2.0",
            "tslp_preflight_seconds_count 2.0",
        ):
            assert line in said, said
    finally:
        for worker in workers:
            worker.communicate(b"\n")


def test_the_parent_span_is_litellms_or_none() -> None:
    span = SimpleNamespace(get_span_context=lambda: None)
    assert parent_span(SimpleNamespace(parent_otel_span=span), {}) is span
    assert parent_span(SimpleNamespace(), {"metadata": {"litellm_parent_otel_span": span}}) is span
    assert parent_span(SimpleNamespace(), {"litellm_metadata": {"litellm_parent_otel_span": span}}) is span
    assert parent_span(SimpleNamespace(), {"metadata": {"litellm_parent_otel_span": "placeholder"}}) is None
    assert parent_span(SimpleNamespace(), {}) is None
