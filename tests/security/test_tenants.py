"""No tenant reads or changes another's state: every caller on every route of the diagnostics, and on the engine.

The routes are taken from the router's own OpenAPI description, so that a new one is covered by being there. The same
matrix on a real proxy is in `test_tenants_on_a_proxy.py`.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI, Header
from fastapi.testclient import TestClient
from sqlalchemy import event

from tests.engine.helpers import make_engine, sha
from tests.security.callers import BY_KEY, BY_NAME, CALLERS, FIRST, TENANTS, Caller, others
from tests.security.routes import Names, calls, operations
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.engine import Engine, Request
from tslp_litellm.gateway.callers import is_admin, tenant_of
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.wire.openai_chat import OpenAIChat

CHAT = OpenAIChat()
ROUTES = {"/tslp/health", "/tslp/doctor", "/tslp/recent", "/tslp/state", "/tslp/debug/last-prompt", "/tslp/diff"}


def mark(tenant: str) -> str:
    """A word that is in everything of one tenant, and nowhere else."""
    return "canary" + sha(tenant)[:10]


@dataclass
class World:
    engine: Engine
    database: Database
    client: TestClient
    schema: dict[str, Any]
    names: dict[str, Names]
    statements: list[tuple[str, Any]]

    def get(self, caller: Caller, path: str, query: dict[str, str], headers: dict[str, str]) -> Any:
        return self.client.get(path, params=query, headers={**headers, "authorization": f"Bearer {caller.key}"})

    def state(self, caller: Caller) -> Any:
        with self.database.reading() as connection:
            return queries.state(connection, tenant_of(caller.auth()), self.names[caller.tenant].workspace)


def turn(engine: Engine, caller: Caller, workspace: str, prompt: str, answer: str = "ok") -> Any:
    """One whole turn as a caller."""
    body = {"messages": [{"role": "user", "content": prompt}]}
    request = Request(
        tenant_of(caller.auth()), workspace, "acompletion", f"model-{mark(caller.tenant)}", CHAT.parse(body)
    )
    episode = engine.preflight(request)
    said = {"role": "assistant", "content": answer}
    engine.record(episode, CHAT.whole({"choices": [{"message": said, "finish_reason": "stop"}]}))
    return episode


def code(word: str) -> str:
    return f"{word}.py\n```python\ndef {word}_f():\n    return '{word}'\n\n\ndef {word}_g():\n    return 2\n```\n"


def fill(engine: Engine, tenant: str, prompts: dict[tuple[str, str], dict[str, Any]]) -> Names:
    """A tenant's state: a file, a refused candidate with a witness, a tombstone, a last prompt."""
    word, caller = mark(tenant), FIRST[tenant]
    workspace = f"ws-{word}"
    episode = turn(engine, caller, workspace, code(word))
    turn(
        engine,
        caller,
        workspace,
        f"Change `{word}_f`.",
        f"{word}.py\n```python\ndef {word}_f():\n    # ... {word}\n```\n",
    )
    turn(engine, caller, workspace, f"{word}_old.py\n```python\nx = '{word}'\n\n\ndef gone():\n    pass\n```\n")
    turn(engine, caller, workspace, f"{word}_old.py\n```python\nx = '{word}'\n```\n")
    prompts[tenant_of(caller.auth()), workspace] = {
        "episode_id": episode.id, "model": word, "messages": [{"role": "user", "content": code(word)}],
        "hydrated": [f"{word}.py"], "notices": [word],
    }  # fmt: skip
    text = code(word).split("```python\n")[1].removesuffix("```\n")
    return Names(tenant_of(caller.auth()), workspace, f"{word}.py::{word}_f", sha(text), episode.id)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    database = Database("sqlite://")
    database.migrate()
    engine = make_engine(database)
    prompts: dict[tuple[str, str], dict[str, Any]] = {}

    def authenticate(authorization: str = Header()) -> Any:
        return BY_KEY[authorization.removeprefix("Bearer ")].auth()

    faults = {"recording": f"ValueError: {' '.join(map(mark, TENANTS))}"}
    view = View(database, debug=True, faults=faults, last_prompts=prompts, endpoints=list)
    app = FastAPI()
    app.include_router(make_router(view, authenticate, tenant_of, is_admin), prefix="/tslp")
    names = {tenant: fill(engine, tenant, prompts) for tenant in TENANTS}
    statements: list[tuple[str, Any]] = []
    event.listen(
        database._reader, "before_cursor_execute", lambda _c, _k, sql, given, _x, _m: statements.append((sql, given))
    )
    with TestClient(app, raise_server_exceptions=False) as client:  # one event loop for all that is asked
        yield World(engine, database, client, app.openapi(), names, statements)
    database.close()


def foreign(text: str, caller: Caller, *sent: str) -> list[str]:
    """The marks of other tenants in a text, what the caller itself had sent left out."""
    for word in sorted(sent, key=len, reverse=True):
        text = text.replace(json.dumps(word)[1:-1], "").replace(word, "")
    return [t for t in TENANTS if t != caller.tenant and mark(t) in text]


def test_the_tenants_are_who_they_should_be() -> None:
    """Callers share a tenant if and only if they should."""
    for one, other in itertools.combinations(CALLERS, 2):
        same = tenant_of(one.auth()) == tenant_of(other.auth())
        assert same == (one.tenant == other.tenant), (one.name, other.name)
    assert [c.name for c in CALLERS if is_admin(c.auth())] == ["boss"]
    assert all(len(tenant_of(c.auth())) <= 255 for c in CALLERS)


def test_every_route_is_in_the_matrix(world: World) -> None:
    found = operations(world.schema, "/tslp")
    assert found.keys() >= ROUTES
    for path, item in found.items():
        assert set(item) == {"get"}, "what only observes has no other method"
        assert list(calls(path, item, world.names["team1"], world.names["team2"])), path


def neighbour(caller: Caller) -> Caller:
    """One other tenant's caller, another for each."""
    there = others(caller)
    return there[CALLERS.index(caller) % len(there)]


PAIRS = [(caller, neighbour(caller)) for caller in CALLERS]


def reads(world: World, caller: Caller, other: Caller) -> None:
    for path, item in operations(world.schema, "/tslp").items():
        scoped = any(p["name"] == "tenant" for p in item["get"].get("parameters", ()))
        for call in calls(path, item, world.names[other.tenant], world.names[caller.tenant]):
            answer = world.get(caller, call.path, call.query, call.headers)
            assert answer.status_code < 500, (call, answer.text)
            if not caller.admin:
                sent = (*call.query.values(), *call.headers.values(), call.path.rpartition("/")[2])
                assert not foreign(answer.text, caller, *sent), (call, answer.text)
                assert answer.status_code == 403 or not (call.names_a_tenant and scoped), call


def test_nothing_of_another_tenant_is_readable(world: World) -> None:
    for caller, other in PAIRS[::8]:
        reads(world, caller, other)


@pytest.mark.slow
@pytest.mark.parametrize("caller", CALLERS, ids=[c.name for c in CALLERS])
def test_nothing_of_any_other_tenant_is_readable(world: World, caller: Caller) -> None:
    for other in others(caller):
        reads(world, caller, other)


@pytest.mark.parametrize(
    "caller",
    [pytest.param(c, id=c.name, marks=pytest.mark.slow if n % 3 else ()) for n, c in enumerate(FIRST.values())],
)
def test_of_ones_own_everything_is_readable(world: World, caller: Caller) -> None:
    """Else nothing of another's would be, whatever the routes did."""
    own = world.names[caller.tenant]
    for path, item in operations(world.schema, "/tslp").items():
        for call in calls(path, item, own, own):
            if not call.names_a_tenant and own.workspace in (call.query.get("workspace"), *call.headers.values()):
                answer = world.get(caller, call.path, call.query, call.headers)
                assert answer.status_code == 200, (call, answer.text)


def test_no_text_of_another_tenant_stands_beside_ones_own(world: World) -> None:
    for caller, other in PAIRS:
        own, theirs = world.names[caller.tenant], world.names[other.tenant]
        for entity, one in itertools.product((own.entity, theirs.entity), (theirs.artifact, sha("nobody"))):
            for before, after in ((own.artifact, one), (one, own.artifact)):
                pair = {"entity": entity, "before_artifact": before, "after_artifact": after}
                answer = world.get(caller, "/tslp/diff", {"workspace": own.workspace, **pair}, {})
                assert (answer.status_code, answer.json()) == (404, {"detail": "Not Found"})


def tells_apart(world: World, caller: Caller, other: Caller) -> None:
    own, theirs = world.names[caller.tenant], world.names[other.tenant]
    nobody = Names("team:nobody", "ws-nobody", "nobody.py::f", sha("nobody"), "id-0000")
    for path, item in operations(world.schema, "/tslp").items():
        for mine, made_up in zip(calls(path, item, theirs, own), calls(path, item, nobody, own), strict=True):
            found = world.get(caller, mine.path, mine.query, mine.headers)
            none = world.get(caller, made_up.path, made_up.query, made_up.headers)
            assert (found.status_code, neutral(found.text, theirs)) == (none.status_code, neutral(none.text, nobody))


def test_what_another_has_can_not_be_told_from_what_nobody_has(world: World) -> None:
    for caller, other in PAIRS[::12]:
        if not caller.admin:
            tells_apart(world, caller, other)


@pytest.mark.slow
@pytest.mark.parametrize("caller", [c for c in CALLERS if not c.admin], ids=lambda c: c.name)
def test_what_others_have_can_not_be_told_from_what_nobody_has(world: World, caller: Caller) -> None:
    for other in others(caller)[:: 1 if caller.name in ("alice", "team2", "jwt-bob") else 6]:
        tells_apart(world, caller, other)


def neutral(text: str, names: Names) -> str:
    """An answer without the names that were asked for, and without the time that has passed since the doctor looked."""
    text = re.sub(r"looked at \d+ s ago", "looked at", text)
    for field in ("workspace", "entity", "artifact", "episode", "tenant"):
        text = text.replace(getattr(names, field), f"<{field}>")
    return text


def test_the_admin_and_nobody_else_may_name_a_tenant(world: World) -> None:
    theirs = world.names["team2"]
    query = {"tenant": theirs.tenant, "workspace": theirs.workspace}
    found = world.get(BY_NAME["boss"], "/tslp/state", query, {})
    assert [e["entity"] for e in found.json()["entities"]][0] == f"{mark('team2')}.py"
    for caller in CALLERS:
        if not caller.admin:
            assert world.get(caller, "/tslp/state", query, {}).status_code == 403
            own = {"tenant": tenant_of(caller.auth())}
            assert world.get(caller, "/tslp/state", own, {}).status_code == 403, "not even one's own"


@pytest.mark.parametrize("caller", FIRST.values(), ids=[c.name for c in FIRST.values()])
def test_nothing_of_another_tenant_is_writable_or_shown_to_a_model(world: World, caller: Caller) -> None:
    before = {t: world.state(FIRST[t]) for t in TENANTS}
    for other in dict.fromkeys((neighbour(caller), others(caller)[0], FIRST["team1"], FIRST["local"])):
        if other.tenant == caller.tenant:
            continue
        theirs, word = world.names[other.tenant], mark(other.tenant)
        prompt = f"Change `{word}_f` in {word}.py, `{theirs.entity}`."
        asked = turn(
            world.engine,
            caller,
            theirs.workspace,
            prompt,
            f"{word}.py\n```python\ndef {word}_f():\n    return 'x'\n```\n",
        )
        assert (asked.hydrated, asked.notices) == ((), ())
        turn(world.engine, caller, theirs.workspace, f"{word}.py\n```python\ndef {word}_f():\n    return 'y'\n```\n")
    after = {t: world.state(FIRST[t]) for t in TENANTS if t != caller.tenant}
    assert after == {t: state for t, state in before.items() if t != caller.tenant}
    assert world.state(caller)["entities"] == before[caller.tenant]["entities"]


SCOPED = ("events", "event_paths", "state_map", "tombstones", "conversations", "conversation_items")


def test_what_is_asked_of_the_database_does_not_hang_on_other_tenants(world: World) -> None:
    """Time is not measured: each statement is bound to one workspace, and there are as many whatever others hold."""
    caller = BY_NAME["alice"]
    alone = Database("sqlite://")
    alone.migrate()
    prompts: dict[tuple[str, str], dict[str, Any]] = {}
    fill(make_engine(alone), caller.tenant, prompts)
    lonely: list[tuple[str, Any]] = []
    event.listen(alone._reader, "before_cursor_execute", lambda _c, _k, sql, given, _x, _m: lonely.append((sql, given)))
    app = FastAPI()
    view = View(alone, debug=True, faults={}, last_prompts=prompts, endpoints=list)
    app.include_router(make_router(view, caller.auth, tenant_of, is_admin), prefix="/tslp")
    own = world.names[caller.tenant]
    with TestClient(app) as client:
        for had in (client.get("/tslp/doctor"), world.get(caller, "/tslp/doctor", {}, {})):
            assert had.status_code == 200, "the look at all of the database, which all tenants share, was had"
        for path, item in operations(world.schema, "/tslp").items():
            for call in calls(path, item, own, own):
                world.statements.clear()
                lonely.clear()
                world.get(caller, call.path, call.query, call.headers)
                client.get(call.path, params=call.query, headers=call.headers)
                assert [sql for sql, _ in world.statements] == [sql for sql, _ in lonely], call
                for sql, _given in world.statements:
                    touched = [t for t in SCOPED if f"FROM {t}" in sql.replace("\n", "") or f"JOIN {t}" in sql]
                    bound = re.search(r"workspace_id (= \?|IS NULL)", sql) is not None
                    assert not touched or (bound and all(f"{t}.workspace_id" in sql for t in touched)), sql
    alone.close()
