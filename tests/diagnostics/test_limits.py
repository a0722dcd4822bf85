"""How often a caller may ask: the bucket by its properties, and the routes that count."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from tests.diagnostics.contract import hold
from tests.diagnostics.test_router import authenticate
from tslp_litellm.diagnostics import limits
from tslp_litellm.diagnostics.limits import Limits, take
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.store.database import Database

SMALL = 2e-6


def granted(gaps: Sequence[float], every_s: float, burst: int) -> list[float]:
    """The times at which somebody who asks after these gaps, and as he is told after each refusal, is let through."""
    full_at, now, times = 0.0, 0.0, list[float]()
    for gap in gaps:
        now += gap
        full_at, wait = take(full_at, now, every_s, burst)
        if wait > 0:
            now += wait
            full_at, again = take(full_at, now, every_s, burst)
            assert again == 0
        times.append(now)
    return times


@given(st.lists(st.floats(0, 5), max_size=60), st.sampled_from([0.05, 0.3, 2.0]), st.integers(1, 8))
def test_no_stretch_of_time_lets_through_more_than_a_full_bucket_and_what_came_since(
    gaps: list[float], every_s: float, burst: int
) -> None:
    times = granted(gaps, every_s, burst)
    for n, first in enumerate(times):
        for count, last in enumerate(times[n:], 1):
            assert count <= burst + (last - first + SMALL) / every_s


@given(st.integers(1, 200), st.sampled_from([0.05, 2.0]), st.integers(1, 8))
def test_who_asks_no_more_often_than_the_bucket_fills_never_waits(count: int, every_s: float, burst: int) -> None:
    full_at = 0.0
    for n in range(count):
        full_at, wait = take(full_at, n * every_s, every_s, burst)
        assert wait == 0


def test_each_has_a_bucket_of_his_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, refused = SimpleNamespace(now=0.0), list[None]()
    one = Limits(2, lambda: clock.now, lambda: refused.append(None))
    assert [one.wait("a"), one.wait("a"), one.wait("b")] == [0, 0, 0]
    assert (one.wait("a"), one.wait("b"), len(refused)) == (30, 0, 1)
    clock.now += 30
    assert (one.wait("a"), one.wait("a"), len(refused)) == (0, 30, 2)
    monkeypatch.setattr(limits, "BUCKETS_MAX", 2)
    assert one.wait("c") == 0
    assert set(one._full_at) == {"b", "c"}


def test_without_a_limit_nobody_waits() -> None:
    one = Limits(0, lambda: 0.0, lambda: None)
    assert not any(one.wait("a") for _ in range(5_000))


def test_what_counts_and_what_is_said() -> None:
    database, asked = Database("sqlite://"), list[tuple[str, str]]()
    database.migrate()
    app, limit = FastAPI(), Limits(3, lambda: 0.0, lambda: None)

    def wait_of(key: SimpleNamespace, address: str) -> float:
        asked.append((key.tenant, address))
        return limit.wait(key.tenant)

    view = View(database, debug=False, faults={}, last_prompts={}, endpoints=list)
    router = make_router(view, authenticate, lambda k: k.tenant, lambda _: False, wait_of=wait_of)
    app.include_router(router, prefix="/tslp")
    http, own = TestClient(app), {"x-key": "ann"}
    openapi = http.get("/openapi.json").json()
    assert [http.get("/tslp/health", headers=own).status_code for _ in range(9)] == [200] * 9
    assert http.get("/tslp/state").status_code == 401
    assert asked == []
    first = http.get("/tslp/state", headers=own)
    again = http.get("/tslp/state", headers={**own, "If-None-Match": first.headers["ETag"]})
    deep = http.get("/tslp/health?deep=1", headers=own)
    assert (first.status_code, again.status_code, deep.status_code) == (200, 304, 200)
    for path in [path for path in openapi["paths"] if path.startswith("/tslp/")]:
        answer = http.get(path, params={"deep": "1"}, headers=own)
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "20"), path
        hold(openapi, path, answer)
    assert http.get("/tslp/state", headers={"x-key": "bob"}).status_code == 200
    assert set(asked) == {("ann", "testclient"), ("bob", "testclient")}
    database.close()
