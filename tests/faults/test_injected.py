"""Each fault of ours in turn, in a real proxy: the request passes, or is refused with 503; logged once; it heals."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import pytest

from tests.e2e.gateway import ENDPOINTS
from tests.e2e.nursery import Nursery
from tests.e2e.upstream import Upstream

from .conftest import Faulty, block_of, fence_of, user

pytestmark = pytest.mark.slow
fresh = itertools.count()
BEFORE = {
    "open": "unable to open database file",
    "begin": "database is locked",
    "parser": "injected",
    "hydration": "injected",
    "tokenizer": "injected",
    "wire": "injected",
}
"""Faults of the first visit, with their cause as it must be shown."""
AFTER = {
    "recording": "injected",
    "queue": "injected",
    "answer": "injected",
}
"""Faults of the second visit, when the answer is on its way: nothing can be refused any more."""


@pytest.fixture(scope="module", params=["pass", "block"])
def gateway(
    request: pytest.FixtureRequest, nursery: Nursery, upstream: Upstream, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp(request.param)
    settings = {"on_error": request.param, "audit": "all", "hydration_tokens_max": 150}  # so few that they are counted
    made = Faulty(folder, upstream, nursery=nursery, settings=settings)
    made.policy = request.param
    with made:
        yield made


@pytest.fixture
def workspace(gateway: Faulty) -> Iterator[str]:
    name = f"w{next(fresh)}"
    gateway.inject()
    gateway.say("Write geo.py", fence_of(1), name)
    gateway.settled(name, 1)
    yield name
    gateway.inject()


def eventually_ok(gateway: Faulty) -> None:
    deadline = time.monotonic() + 120
    while gateway.doctor()[1]["faults"]["status"] != "ok" and time.monotonic() < deadline:
        time.sleep(0.1)
    assert gateway.doctor()[1]["faults"]["status"] == "ok", gateway.doctor()[1]["faults"]


def failures(log: str) -> list[str]:
    return [line for line in log.splitlines() if "TSLP: " in line and " failed" in line]


@pytest.mark.parametrize("fault", BEFORE)
def test_before_the_model_is_called(gateway: Faulty, upstream: Upstream, workspace: str, fault: str) -> None:
    begun = len(gateway.whole_log())
    gateway.inject(fault)
    for n, (endpoint, stream) in enumerate(itertools.product(ENDPOINTS, (True, False))):
        seen = len(upstream.seen)
        text = f"What does `area_of` do? And this?\n\n{fence_of(10 + n)}" if fault == "parser" else "And `area_of`?"
        status = gateway.say(text, "It squares.", workspace, endpoint, stream)
        if gateway.policy == "block":
            assert (status, len(upstream.seen)) == (503, seen)
        else:
            assert status == 200
            assert "[CURRENT STATE" not in upstream.prompts()[-1]
    status, checks = gateway.doctor()
    assert status != "ok"
    assert BEFORE[fault] in checks["faults"]["detail"], checks
    said = failures(gateway.whole_log()[begun:])
    assert [line for line in said if "pre-flight" in line and BEFORE[fault] in line], said
    assert len(said) == len(set(said)) <= 3, "a fault is logged once"
    gateway.inject()
    if fault == "parser" and gateway.policy == "pass":  # what the user showed went out unread
        assert "[CURRENT STATE" not in gateway.shown(workspace)
        assert gateway.say(f"{fence_of(20)}\nKeep this.", "Yes.", workspace) == 200
    for endpoint in ENDPOINTS:
        assert "Entity: geo.py::area_of" in gateway.shown(workspace, endpoint)
    eventually_ok(gateway)


@pytest.mark.parametrize("fault", AFTER)
def test_after_the_answer(gateway: Faulty, upstream: Upstream, workspace: str, fault: str) -> None:
    begun = len(gateway.whole_log())
    gateway.inject(fault)
    for n, (endpoint, stream) in enumerate(itertools.product(ENDPOINTS, (True, False)), 10):
        assert gateway.say("Write geo.py", fence_of(n), workspace, endpoint, stream) == 200
    deadline = time.monotonic() + 120
    while not failures(gateway.whole_log()[begun:]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert AFTER[fault] in gateway.doctor()[1]["faults"]["detail"]
    said = failures(gateway.whole_log()[begun:])
    assert len(said) == len(set(said)) == 1, "a fault is logged once"
    gateway.inject()
    assert gateway.say(f"{fence_of(20)}\nKeep this.", "Yes.", workspace) == 200
    # In other words than before: the same would ask for another answer in the place of the last one.
    assert gateway.say("Write geo.py again", fence_of(21), workspace) == 200
    assert block_of(21) in gateway.shown(workspace)
    eventually_ok(gateway)


@pytest.mark.parametrize("fault", ["recording", "answer"])
def test_what_a_lost_turn_may_have_changed_is_not_shown(gateway: Faulty, workspace: str, fault: str) -> None:
    assert gateway.say(f"{fence_of(1)}\nKeep this.", "Yes.", workspace) == 200
    assert block_of(1) in gateway.shown(workspace)
    gateway.inject(fault)
    assert gateway.say("Write geo.py", fence_of(2), workspace) == 200
    assert "[CURRENT STATE" not in gateway.shown(workspace), "what is known is older than what was said"
    gateway.inject()
    assert "[CURRENT STATE" not in gateway.shown(workspace)
    assert gateway.say(f"{fence_of(3)}\nKeep this.", "Yes.", workspace) == 200
    assert block_of(3) in gateway.shown(workspace)


def test_an_audit_that_can_not_be_recorded(gateway: Faulty, workspace: str) -> None:
    gateway.inject("audit")
    assert gateway.say("Write geo.py", fence_of(30), workspace) == 200
    deadline = time.monotonic() + 120
    while gateway.doctor()[0] == "ok" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "recording an audit" in gateway.doctor()[1]["faults"]["detail"]
    assert block_of(30) in gateway.shown(workspace), "the truth does not wait for an audit"


class TestWhatTheDatabaseCouldNotTake:
    """A turn that went on without the database is recorded when it works again; nothing stale is shown before."""

    @pytest.mark.parametrize("fault", ["open", "begin", "write", "commit"])
    @pytest.mark.parametrize("said", ["by the user", "by the model"])
    def test_it_is_recorded_later(self, gateway: Faulty, workspace: str, fault: str, said: str) -> None:
        if gateway.policy == "block":
            pytest.skip("a refused request has nothing to record")
        gateway.inject(fault)
        pasted = said == "by the user"
        words, answer = (f"{fence_of(2)}\nKeep this.", "Yes.") if pasted else ("Write geo.py", fence_of(2))
        assert gateway.say(words, answer, workspace) == 200
        assert "[CURRENT STATE" not in gateway.shown(workspace), "what is known is older than what was said"
        gateway.inject()
        assert block_of(2) in gateway.shown(workspace)
        assert len(gateway.settled(workspace, 4)) == 3
        eventually_ok(gateway)

    def test_it_is_recorded_though_nobody_asks(self, gateway: Faulty, workspace: str) -> None:
        if gateway.policy == "block":
            pytest.skip("a refused request has nothing to record")
        gateway.inject("commit")
        assert gateway.say("Write geo.py", fence_of(3), workspace) == 200
        deadline = time.monotonic() + 120
        while "wait to be recorded" not in gateway.doctor()[1]["faults"]["detail"] and time.monotonic() < deadline:
            time.sleep(0.05)
        assert "1 answers wait to be recorded" in gateway.doctor()[1]["faults"]["detail"]
        gateway.inject()
        gateway.settled(workspace, 2)
        eventually_ok(gateway)

    def test_an_answer_that_fails_to_be_recorded_holds_up_its_workspace_only(
        self, gateway: Faulty, workspace: str
    ) -> None:
        if gateway.policy == "pass":
            pytest.skip("the other policy")
        others = [f"{workspace}-{n}" for n in range(2)]
        for other in others:
            gateway.say("Write geo.py", fence_of(1), other)
            gateway.settled(other, 1)
        gateway.inject("write")
        assert gateway.say("Write geo.py again", fence_of(4), workspace) == 200
        for other in others:  # what waits is tried again with the second, and fails again
            assert gateway.say("And `area_of`?", "Yes.", workspace) == 503
            assert block_of(1) in gateway.shown(other)
        gateway.inject()
        assert block_of(4) in gateway.shown(workspace)
        eventually_ok(gateway)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_refusal_is_an_error_in_the_shape_of_its_api(gateway: Faulty, workspace: str, endpoint: str) -> None:
    if gateway.policy == "pass":
        pytest.skip("nothing is refused")
    gateway.inject("wire")
    sent = {"messages": user("Hi"), "max_tokens": 5} if endpoint != "responses" else {"input": user("Hi")}
    for stream in (True, False):
        body = {"model": "openai", "stream": stream, **sent}
        answer = gateway.http.post(ENDPOINTS[endpoint], json=body, headers={"x-tslp-workspace": workspace})
        assert answer.status_code == 503
        assert answer.headers["content-type"].startswith("application/json")
        assert "on_error: block" in answer.json()["error"]["message"]
