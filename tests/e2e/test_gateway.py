"""A real LiteLLM proxy: three endpoints, three backends, streamed and whole, and the rules of its face."""

from __future__ import annotations

import itertools
import json
import threading

import httpx
import pytest

from .gateway import ENDPOINTS, Gateway, sha
from .upstream import Upstream

TEXT = "import math\n\n\ndef area_of(r):\n    return math.pi * r * r\n"
FENCE = f"geo.py\n```python\n{TEXT}```\n"
WAYS = list(itertools.product(ENDPOINTS, ("openai", "ollama", "anthropic"), (True, False)))
fresh = itertools.count()


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


@pytest.fixture
def workspace() -> str:
    return f"w{next(fresh)}"


@pytest.mark.parametrize(("endpoint", "backend", "stream"), WAYS)
def test_the_main_job_every_way(
    gateway: Gateway, upstream: Upstream, workspace: str, endpoint: str, backend: str, stream: bool
) -> None:
    headers = {"x-tslp-workspace": workspace}
    upstream.say(FENCE)
    answered = gateway.ask(endpoint, backend, user("Write geo.py"), stream=stream, headers=headers)
    assert answered == (200, FENCE), f"{gateway.last}\n{gateway.log()}"
    state = gateway.settled(workspace, 1)
    assert state["geo.py"] == sha(TEXT)
    upstream.say("It squares.")
    assert gateway.ask(endpoint, backend, user("What does `area_of` do?"), stream=stream, headers=headers) == (
        200,
        "It squares.",
    )
    prompt = upstream.prompts()[-1]
    assert prompt.startswith("[CURRENT STATE: AUTHORITATIVE]\nEntity: geo.py::area_of\n")
    assert prompt.endswith("\n[END CURRENT STATE]\n\nWhat does `area_of` do?")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_content_as_a_list_of_parts(gateway: Gateway, upstream: Upstream, workspace: str, endpoint: str) -> None:
    kind = "input_text" if endpoint == "responses" else "text"
    parts = [
        {"type": kind, "text": "Here:\n\n"},
        {"type": kind, "text": FENCE},
        {"type": kind, "text": "Explain `math`."},
    ]
    upstream.say("Ok.")
    assert (
        gateway.ask(
            endpoint,
            "openai",
            [{"role": "user", "content": parts}],
            stream=False,
            headers={"x-tslp-workspace": workspace},
        )[0]
        == 200
    )
    assert gateway.settled(workspace, 1)["geo.py"] == sha(TEXT)


@pytest.mark.parametrize("stream", [True, False])
def test_tool_calls_and_their_results(gateway: Gateway, upstream: Upstream, workspace: str, stream: bool) -> None:
    headers = {"x-tslp-workspace": workspace}
    tools = [{"type": "function", "function": {"name": "Write", "parameters": {"type": "object", "properties": {}}}}]
    arguments = {"file_path": "geo.py", "content": TEXT}
    upstream.say("", calls=[{"name": "Write", "arguments": arguments}])
    gateway.ask("chat", "openai", user("Write geo.py"), stream=stream, headers=headers, tools=tools)
    assert gateway.settled(workspace, 1) == {}
    call = {"id": "c1", "type": "function", "function": {"name": "Write", "arguments": json.dumps(arguments)}}
    messages = [
        *user("Write geo.py"),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "Wrote file successfully."},
    ]
    gateway.ask("chat", "openai", messages, stream=stream, headers=headers, tools=tools)
    assert gateway.settled(workspace, 2)["geo.py"] == sha(TEXT)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_workspace_that_looks_like_an_older_one_is_named(
    gateway: Gateway, upstream: Upstream, workspace: str, endpoint: str, stream: bool
) -> None:
    upstream.say("ok")
    said = {"input": "Hi."} if endpoint == "responses" else {"messages": user("Hi."), "max_tokens": 9}
    body = {"model": "openai", "stream": stream, **said}
    named = []
    for name, episodes in ((workspace, 1), (workspace.upper(), 1), (workspace, 2)):
        answer = gateway.http.post(ENDPOINTS[endpoint], json=body, headers={"x-tslp-workspace": name})
        assert answer.status_code == 200, answer.text
        named.append(answer.headers.get("x-tslp-workspace-alike"))
        gateway.settled(name, episodes)
    assert named == [None, workspace, None]


def test_chunks_go_out_at_once_and_unchanged(gateway: Gateway, upstream: Upstream, workspace: str) -> None:
    """The last chunk is not even made before the first has arrived."""
    arrived = threading.Event()
    text = "one two three four five six seven eight nine ten"
    upstream.say(text, until=arrived)
    body = {"model": "openai", "stream": True, "messages": user("Count.")}
    with gateway.http.stream("POST", ENDPOINTS["chat"], json=body, headers={"x-tslp-workspace": workspace}) as answer:
        lines = (json.loads(line[5:]) for line in answer.iter_lines() if line.startswith("data: {"))
        first = next(lines)
        arrived.set()
        said = [choice["delta"].get("content") or "" for chunk in (first, *lines) for choice in chunk["choices"]]
    assert "".join(said) == text


def test_a_client_that_leaves_changes_nothing(gateway: Gateway, upstream: Upstream, workspace: str) -> None:
    upstream.say(FENCE, gap=0.1)
    body = {"model": "openai", "stream": True, "messages": user("Write geo.py")}
    with gateway.http.stream("POST", ENDPOINTS["chat"], json=body, headers={"x-tslp-workspace": workspace}) as answer:
        next(answer.iter_lines())
    assert gateway.settled(workspace, 1) == {}


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_client_that_leaves_before_a_whole_answer_changes_nothing(
    gateway: Gateway, upstream: Upstream, workspace: str, endpoint: str
) -> None:
    """LiteLLM makes the answer to its end, for nobody."""
    upstream.say(FENCE, delay=1)
    message = {"input" if endpoint == "responses" else "messages": user("Write geo.py")}
    body = {"model": "openai", "max_tokens": 4096, **message}
    with pytest.raises(httpx.ReadTimeout):
        gateway.http.post(ENDPOINTS[endpoint], json=body, headers={"x-tslp-workspace": workspace}, timeout=0.5)
    assert gateway.settled(workspace, 1) == {}


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_stream_that_breaks_changes_nothing(
    gateway: Gateway, upstream: Upstream, workspace: str, endpoint: str
) -> None:
    upstream.say(FENCE, cut=5)
    with pytest.raises((httpx.HTTPError, AssertionError, KeyError)):
        gateway.ask(endpoint, "openai", user("Write geo.py"), stream=True, headers={"x-tslp-workspace": workspace})
        raise AssertionError
    assert gateway.settled(workspace, 1) == {}


def test_a_failing_model_still_lets_the_user_speak(gateway: Gateway, upstream: Upstream, workspace: str) -> None:
    upstream.say(status=500)
    status, _ = gateway.ask("chat", "openai", user(FENCE), stream=False, headers={"x-tslp-workspace": workspace})
    assert status == 500
    assert gateway.settled(workspace, 1)["geo.py"] == sha(TEXT)


def test_the_bypass_header(gateway: Gateway, upstream: Upstream, workspace: str) -> None:
    headers = {"x-tslp-workspace": workspace}
    upstream.say(FENCE)
    gateway.ask("chat", "openai", user("Write geo.py"), stream=False, headers=headers)
    gateway.settled(workspace, 1)
    gateway.ask(
        "chat",
        "openai",
        user("geo.py\n```python\nx = 1\n```\nWhat of `area_of`?"),
        stream=False,
        headers={**headers, "x-tslp-bypass": "true"},
    )
    assert "[CURRENT STATE" not in upstream.prompts()[-1]
    assert gateway.settled(workspace, 1)["geo.py"] == sha(TEXT)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_the_workspace_in_the_body(gateway: Gateway, upstream: Upstream, workspace: str, endpoint: str) -> None:
    upstream.say(FENCE)
    gateway.ask(endpoint, "openai", user("Write geo.py"), stream=False, metadata={"tslp_workspace": workspace})
    assert gateway.settled(workspace, 1)["geo.py"] == sha(TEXT)
    assert "tslp_workspace" not in json.dumps(upstream.seen[-1][1])


def test_the_workspace_that_the_client_states(gateway: Gateway, upstream: Upstream) -> None:
    folder = f"/home/dev/p{next(fresh)}"
    upstream.say(f"{folder}/src/geo.py\n```python\n{TEXT}```\n")
    system = {"role": "system", "content": f"<env>\n  Working directory: {folder}\n</env>"}
    gateway.ask("chat", "openai", [system, *user("Write it")], stream=False)
    assert gateway.settled(folder, 1)["src/geo.py"] == sha(TEXT)


def test_requests_wait_for_the_answers_before_them(gateway: Gateway, upstream: Upstream, workspace: str) -> None:
    """The last byte of an answer has gone out: the very next request knows it."""
    big = "import math\n\n\n" + "".join(f"def f_{n}(x):\n    return x + {n}\n\n\n" for n in range(1500))
    for turn in range(3):
        text = big + f"def last_{turn}(x):\n    return x\n"
        upstream.say(f"big.py\n```python\n{text}```\n")
        headers = {"x-tslp-workspace": workspace}
        gateway.ask("chat", "openai", user("Write big.py, remove last_0 and last_1"), stream=True, headers=headers)
        gateway.ask("chat", "openai", user(f"What does `last_{turn}` do?"), stream=False, headers=headers)
        assert f"Entity: big.py::last_{turn}\n" in upstream.prompts()[-1]


@pytest.mark.parametrize(
    ("endpoint", "backend", "last"),
    [("messages", "anthropic", "message_stop"), ("responses", "openai", "response.completed")],
)
@pytest.mark.parametrize("leaves", [False, True])
def test_the_last_event_ends_an_answer(
    gateway: Gateway, upstream: Upstream, workspace: str, endpoint: str, backend: str, last: str, leaves: bool
) -> None:
    """A client goes on at the API's last event, though the model's server keeps the stream open, and may hang up."""
    headers = {"x-tslp-workspace": workspace}
    upstream.say(FENCE, linger=3)
    message = {"input" if endpoint == "responses" else "messages": user("Write geo.py")}
    body = {"model": backend, "stream": True, "max_tokens": 4096, **message}
    with gateway.http.stream("POST", ENDPOINTS[endpoint], json=body, headers=headers) as answer:
        lines = answer.iter_lines()
        assert any(last in line for line in lines)
        if leaves:
            answer.close()
        gateway.ask(endpoint, backend, user("What does `area_of` do?"), stream=False, headers=headers)
    assert "Entity: geo.py::area_of\n" in upstream.prompts()[-1]


def test_many_clients_at_once(gateway: Gateway, upstream: Upstream, workspace: str) -> None:
    def talk(n: int) -> None:
        text = f"f{n}.py\n```python\ndef f_{n}(x):\n    return {n}\n```\n"
        gateway.ask("chat", "openai", user(text), stream=n % 2 == 0, headers={"x-tslp-workspace": workspace})

    threads = [threading.Thread(target=talk, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = gateway.settled(workspace, 16)
    assert {f"f{n}.py" for n in range(16)} <= state.keys()


def test_other_call_types_pass_untouched(gateway: Gateway) -> None:
    assert gateway.http.post("/v1/embeddings", json={"model": "openai", "input": "x"}).status_code in (404, 500)
    assert gateway.http.get("/tslp/doctor").json()["status"] in ("ok", "degraded")


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "user", "content": "a\ud800b"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": None}]}]},
        {"messages": [{"role": "user", "content": "x" * 3_000_000}]},
        {"messages": [{"role": "user", "content": "```" * 5000}]},
        {"messages": [{"role": "user", "content": "a.py\n```python\n" + "(" * 20000 + "\n```"}]},
    ],
)
def test_odd_requests_are_no_fault_of_ours(gateway: Gateway, workspace: str, body: dict[str, object]) -> None:
    raw = json.dumps({"model": "openai", **body}).encode("utf-8", "surrogatepass")
    answer = gateway.http.post(
        ENDPOINTS["chat"], content=raw, headers={"x-tslp-workspace": workspace, "content-type": "application/json"}
    )
    assert answer.status_code in (200, 400), answer.text[:300]
    faults = next(c for c in gateway.http.get("/tslp/doctor").json()["checks"] if c["name"] == "faults")
    assert faults["status"] == "ok", faults


class TestDiagnostics:
    def test_health_and_doctor(self, gateway: Gateway) -> None:
        assert gateway.http.get("/tslp/health").json() == {"status": "ok"}
        doctor = gateway.http.get("/tslp/doctor").json()
        names = {c["name"] for c in doctor["checks"]}
        assert {"database", "wal", "migrations", "disk", "parser", "faults"} <= names
        assert any(name.startswith("model endpoint") for name in names)
        assert doctor["status"] == "ok", doctor

    @pytest.mark.parametrize("path", ["health", "doctor", "recent", "state", "debug/last-prompt"])
    def test_no_key_no_answer(self, gateway: Gateway, path: str) -> None:
        for headers in ({}, {"Authorization": "Bearer sk-wrong"}):
            answer = httpx.get(f"{gateway.http.base_url}/tslp/{path}", headers=headers, trust_env=False)
            assert answer.status_code in (400, 401, 403, 500)
            assert "entities" not in answer.text

    @pytest.mark.parametrize("path", ["memory", "search", "replay", "summaries", "similar", "rewrite"])
    def test_excluded_paths_do_not_exist(self, gateway: Gateway, path: str) -> None:
        assert gateway.http.get(f"/tslp/{path}").status_code == 404
        assert gateway.http.post(f"/tslp/{path}").status_code in (404, 405)

    @pytest.mark.parametrize("path", ["health", "doctor", "recent", "state", "debug/last-prompt"])
    def test_they_only_read(self, gateway: Gateway, path: str) -> None:
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert gateway.http.request(method, f"/tslp/{path}").status_code == 405

    def test_shapes(self, gateway: Gateway, upstream: Upstream, workspace: str) -> None:
        headers = {"x-tslp-workspace": workspace}
        upstream.say(FENCE)
        gateway.ask("chat", "openai", user("Write geo.py"), stream=False, headers=headers)
        gateway.settled(workspace, 1)
        state = gateway.http.get("/tslp/state", headers=headers).json()
        assert (state["tenant"], state["workspace"]) == ("local", workspace)
        assert workspace in state["workspaces"]
        assert set(state["entities"][0]) == {"entity", "artifact", "freshness", "source", "updated_at"}
        assert state["tombstones"] == []
        (episode,) = gateway.episodes(workspace)
        assert set(episode) == {
            "episode_id",
            "seq",
            "at",
            "started_at",
            "model",
            "by",
            "injected",
            "entities",
            "artifact_states",
            "dirtied",
            "front",
            "words",
        }
        told = {"entity", "artifact", "state", "confidence", "reason", "verdict", "says"}
        assert set(episode["artifact_states"][0]) == told
        assert len(episode["started_at"]) == len("2026-01-01T00:00:00.000Z")
        prompt = gateway.http.get("/tslp/debug/last-prompt", headers=headers).json()
        assert set(prompt) == {"episode_id", "model", "messages", "hydrated", "notices"}
        assert prompt["messages"] == user("Write geo.py")
        assert gateway.http.get("/tslp/recent", params={"limit": 0}).status_code == 422

    def test_the_admin_may_name_a_tenant(self, gateway: Gateway) -> None:
        answer = gateway.http.get("/tslp/state", params={"tenant": "team:none"})
        assert answer.status_code == 200
        assert (answer.json()["tenant"], answer.json()["entities"]) == ("team:none", [])
