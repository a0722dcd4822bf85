"""The tenants' matrix on a real proxy with custom auth, and what is left of the keys in files and logs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.gateway import ENDPOINTS, KEY, Gateway
from tests.e2e.upstream import Upstream
from tests.security.callers import BY_NAME, CALLERS, FIRST, PREFIX, TENANTS, Caller
from tests.security.routes import Names, calls, operations
from tests.security.test_tenants import code, foreign, mark, neighbour
from tslp_litellm.gateway.callers import tenant_of

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
MODEL = {"chat": "openai", "messages": "anthropic", "responses": "openai"}


def sendable(given: dict[str, str]) -> dict[str, str]:
    """Headers as HTTP has them: no white space at the ends."""
    return {name: value.strip() for name, value in given.items()}


@pytest.fixture(scope="module")
def upstream() -> Iterator[Upstream]:
    with Upstream() as made:
        yield made


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory, upstream: Upstream) -> Iterator[Gateway]:
    folder = tmp_path_factory.mktemp("tenants")
    (folder / "identities.py").write_text("from tests.security.callers import authenticate\n")
    made = Gateway(
        folder,
        upstream.port,
        environment={"PYTHONPATH": str(ROOT)},
        general={"custom_auth": "identities.authenticate"},
    )
    with made:
        yield made


def headers(caller: Caller, **more: str) -> dict[str, str]:
    return {"authorization": f"Bearer {caller.key}", **more}


def ask(gateway: Gateway, caller: Caller, endpoint: str, prompt: str, workspace: str, stream: bool, how: str) -> None:
    """A turn that names its workspace by the header or in the body's metadata."""
    messages = [{"role": "user", "content": prompt}]
    more: dict[str, Any] = {"metadata": {"tslp_workspace": workspace}} if how == "body" else {}
    given = headers(caller, **({"x-tslp-workspace": workspace} if how == "header" else {}))
    status, text = gateway.ask(endpoint, MODEL[endpoint], messages, stream=stream, headers=given, **more)
    assert status == 200, text


def state(gateway: Gateway, tenant: str, workspace: str) -> Any:
    query = {"tenant": tenant, "workspace": workspace}
    found = gateway.http.get("/tslp/state", params=query, headers=headers(BY_NAME["boss"]))
    assert found.status_code == 200, found.text
    return {e["entity"]: e["artifact"] for e in found.json()["entities"]}


@pytest.fixture(scope="module")
def names(gateway: Gateway) -> dict[str, Names]:
    """Each tenant's own file, shown by one of the three APIs."""
    found = {}
    ways = itertools.cycle(itertools.product(ENDPOINTS, (False, True), ("header", "body")))
    for tenant in TENANTS:
        word, caller = mark(tenant), FIRST[tenant]
        endpoint, stream, how = next(ways)
        ask(gateway, caller, endpoint, code(word), f"ws-{word}", stream, how)
        held = state(gateway, tenant_of(caller.auth()), f"ws-{word}")
        assert set(held) == {f"{word}.py", f"{word}.py::{word}_f", f"{word}.py::{word}_g"}
        entity = f"{word}.py::{word}_f"
        seen = gateway.http.get("/tslp/recent", params={"workspace": f"ws-{word}"}, headers=headers(caller))
        episodes = seen.json()["episodes"] or [{"episode_id": "?"}]
        found[tenant] = Names(tenant_of(caller.auth()), f"ws-{word}", entity, held[entity], episodes[0]["episode_id"])
    return found


def test_without_a_known_key_there_is_nothing(gateway: Gateway, names: dict[str, Names]) -> None:
    schema = gateway.http.get("/openapi.json").json()
    routes = operations(schema, "/tslp")
    assert {"/tslp/state", "/tslp/recent", "/tslp/doctor", "/tslp/health", "/tslp/debug/last-prompt"} <= routes.keys()
    with httpx.Client(base_url=str(gateway.http.base_url), trust_env=False) as http:
        for given in ({}, {"authorization": "Bearer sk-wrong"}, {"authorization": f"Bearer {KEY}"}, {"x-api-key": "a"}):
            refused = http.get("/v1/models", headers=given).status_code
            assert refused in (401, 403, 500), "without prisma, LiteLLM says 500 where it means 401"
            for path, item in routes.items():
                for call in calls(path, item, names["team1"], names["team1"]):
                    answer = http.get(call.path, params=call.query, headers={**sendable(call.headers), **given})
                    assert answer.status_code == refused, (call, answer.text)
                    assert "canary" not in answer.text.replace(names["team1"].workspace, "")


@pytest.mark.parametrize("caller", CALLERS, ids=[c.name for c in CALLERS])
def test_nothing_of_another_tenant_is_readable(gateway: Gateway, names: dict[str, Names], caller: Caller) -> None:
    other = neighbour(caller)
    for path, item in operations(gateway.http.get("/openapi.json").json(), "/tslp").items():
        for call in calls(path, item, names[other.tenant], names[caller.tenant]):
            answer = gateway.http.get(
                call.path, params=call.query, headers={**sendable(call.headers), **headers(caller)}
            )
            assert answer.status_code < 500, answer.text
            if not caller.admin:
                sent = (*call.query.values(), *call.headers.values(), call.path.rpartition("/")[2])
                assert not foreign(answer.text, caller, *sent), (call, answer.text)


@pytest.mark.parametrize(("endpoint", "stream"), list(itertools.product(ENDPOINTS, (False, True))))
def test_nothing_of_another_tenant_is_hydrated_or_changed(
    gateway: Gateway, upstream: Upstream, names: dict[str, Names], endpoint: str, stream: bool
) -> None:
    for caller, how in zip(FIRST.values(), itertools.cycle(("header", "body"))):
        other = neighbour(caller)
        theirs, word = names[other.tenant], mark(other.tenant)
        before = state(gateway, theirs.tenant, theirs.workspace)
        upstream.say(f"{word}.py\n```python\ndef {word}_f():\n    return 'x'\n```\n")
        ask(
            gateway,
            caller,
            endpoint,
            f"Change `{word}_f` in {word}.py, `{theirs.entity}`.",
            theirs.workspace,
            stream,
            how,
        )
        assert f"return '{word}'" not in "".join(upstream.prompts())
        assert state(gateway, theirs.tenant, theirs.workspace) == before


def test_no_key_is_stored_or_logged(gateway: Gateway, names: dict[str, Names]) -> None:
    assert names
    files = [f for f in gateway.folder.iterdir() if f.name.startswith("tslp.db") or f.name == "log"]
    assert {"tslp.db", "log"} <= {f.name for f in files}
    for file in files:
        held = file.read_bytes()
        assert PREFIX.encode() not in held, file.name
        assert b"a-key-of-another-form" not in held, file.name
        assert KEY.encode() not in held, file.name
    assert b"team:team1" in b"".join(f.read_bytes() for f in files)
