"""A matrix of roles, keys, pins, access and routes: nobody reads or changes what is not his (SEMANTICS 1 and 13).

What each caller may is said in a table here, and nowhere read off the code.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple

import pytest
from fastapi import FastAPI, Header
from fastapi.testclient import TestClient

from tests.engine.helpers import Session, make_engine, sha
from tests.gateway.test_callers import MASTER
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.gateway.attendant import Attendant
from tslp_litellm.gateway.callers import is_admin, tenant_of
from tslp_litellm.gateway.metrics import Metrics
from tslp_litellm.gateway.policies import policy_of
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.gateway.telemetry import Telemetry
from tslp_litellm.settings import Settings
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database

PIN = {"tslp_workspace": "own", "tslp_pinned": True}
KEY = "key:" + "b" * 64


class Caller(NamedTuple):
    """A key as LiteLLM hands it on; its tenant, the workspaces that it may reach in it, and whether it may write."""

    key: SimpleNamespace
    tenant: str
    reaches: tuple[str, ...] = ("own", "other")
    writes: bool = True
    hydrated: bool = True
    admin: bool = False


def key(
    team: str | None = None, role: str | None = None, api_key: str | None = "a" * 64, **said: Any
) -> SimpleNamespace:
    return SimpleNamespace(
        team_id=team, api_key=api_key, user_id=None, user_role=role, via_virtual_key=True, key_alias=None,
        metadata=said.get("key"), team_metadata=said.get("team_says"),
    )  # fmt: skip


CALLERS = {
    "plain": Caller(key("a"), "team:a"),
    "internal user": Caller(key("a", "internal_user"), "team:a"),
    "viewer of all": Caller(key("a", "proxy_admin_viewer"), "team:a"),
    "other team": Caller(key("b"), "team:b"),
    "no team": Caller(key(api_key="b" * 64), KEY),
    "master key": Caller(key(role="proxy_admin", api_key=MASTER), "local", admin=True),
    "admin of a team": Caller(key("a", "proxy_admin"), "team:a", admin=True),
    "pinned": Caller(key("a", key=PIN), "team:a", ("own",)),
    "pinned by its team": Caller(key("a", team_says=PIN), "team:a", ("own",)),
    "pinned admin": Caller(key("a", "proxy_admin", key=PIN), "team:a", ("own",)),
    "unpinned by itself": Caller(key("a", key={"tslp_pinned": False}, team_says=PIN), "team:a"),
    "reader": Caller(key("a", key={"tslp_access": "read"}), "team:a", writes=False),
    "reader by its team": Caller(key("b", team_says={"tslp_access": "read"}), "team:b", writes=False),
    "pinned reader": Caller(key("a", key={**PIN, "tslp_access": "read"}), "team:a", ("own",), writes=False),
    "off": Caller(key("a", key={"tslp": "off"}), "team:a", writes=False, hydrated=False),
    "unclear": Caller(key("a", key={"tslp_access": "readonly", "tslp_pinned": "own"}), "team:a", (), writes=False),
}
SEVERAL = ("plain", "other team", "no team", "master key", "pinned", "pinned admin", "reader", "off")
EACH = [pytest.param(name, marks=[] if name in SEVERAL else [pytest.mark.slow]) for name in CALLERS]
TENANTS = ("team:a", "team:b", KEY, "local")
PLACES = list(itertools.product(TENANTS, ("own", "other")))


def text(place: tuple[str, str]) -> str:
    return f"def area_of(r):\n    return {sha(repr(place))[:12]!r}\n"


def fence(said: str) -> str:
    return f"geo.py\n```python\n{said}```\n"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which every place has its text."""
    path = tmp_path_factory.mktemp("filled") / "tslp.db"
    database = Database(f"sqlite:///{path}")
    database.migrate()
    for tenant, workspace in PLACES:
        Session(make_engine(database, audit=False), database, workspace, tenant=tenant).ask(
            fence(text((tenant, workspace)))
        )
    database.close()
    return path


@pytest.fixture
def attendant(filled: Path, tmp_path: Path) -> Iterator[Attendant]:
    url = f"sqlite:///{shutil.copy(filled, tmp_path)}"
    made = Attendant(Runtime(Settings(database_url=url, audit=False, debug=True), len), Telemetry(Metrics()))
    yield made
    asyncio.run(made.runtime.close())


def states(attendant: Attendant) -> dict[tuple[str, str], Any]:
    with attendant.runtime.database.reading() as connection:
        found = {(t, w): queries.state(connection, t, w) for t, w in PLACES}
    return {place: (state["entities"], state["tombstones"]) for place, state in found.items()}


PROMPT = "What does `area_of` in geo.py do? Make it return 1, please."
ANSWER = fence("def area_of(r):\n    return 1\n")
ROUTES = {
    "acompletion": (
        lambda p: {"messages": [{"role": "user", "content": p}]},
        {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": ANSWER}}]},
    ),
    "anthropic_messages": (
        lambda p: {"messages": [{"role": "user", "content": p}]},
        {"content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn", "role": "assistant"},
    ),
    "aresponses": (
        lambda p: {"input": p},
        {
            "status": "completed",
            "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]}],
        },
    ),
}


def named(way: str, workspace: str) -> dict[str, Any]:
    if way == "header":
        return {"proxy_server_request": {"headers": {"X-TSLP-Workspace": workspace}}, "metadata": {}}
    return {"metadata": {"tslp_workspace": workspace}}


async def turn(attendant: Attendant, caller: Caller, route: str, prompt: str, way: str, workspace: str) -> str:
    """One request and its answer; what the model was sent."""
    make, answer = ROUTES[route]
    data = {**make(prompt), **named(way, workspace), "model": "m"}
    await attendant.pre_call(caller.key, data, route)
    sent = json.dumps({name: data.get(name) for name in ("messages", "input")})
    await attendant.success(data, answer)
    await attendant.runtime.drain()
    return sent


ALL = list(itertools.product(ROUTES, ("header", "body"), ("own", "other")))
PAIRS = [ALL[n] for n in (0, 3, 5, 6, 8, 11)]
"""Each route with each way, each route with each workspace, each way with each workspace."""


@pytest.mark.parametrize(
    "requests", [pytest.param(PAIRS, id="pairs"), pytest.param(ALL, id="all", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", CALLERS)
def test_no_request_reads_or_changes_what_is_not_its_callers(
    attendant: Attendant, name: str, requests: list[tuple[str, str, str]]
) -> None:
    caller, seen = CALLERS[name], set[str]()
    for route, way, workspace in requests:
        before = states(attendant)
        prompt = f"{PROMPT} ({route}, {way}, {workspace})"
        sent = asyncio.run(turn(attendant, caller, route, prompt, way, workspace))
        pinned = caller.reaches == ("own",)
        place = (caller.tenant, "own" if pinned else workspace)
        for other in PLACES:
            may_see = caller.hydrated and other == place and place[1] in caller.reaches
            assert may_see or text(other).splitlines()[1].strip() not in sent, other
        after = states(attendant)
        changed = {other for other in PLACES if before[other] != after[other]}
        assert changed <= ({place} if caller.writes else set())
        seen |= {place[1]} if "Entity: geo.py" in sent else set()
    assert seen == (set(caller.reaches) if caller.hydrated else set())
    fresh = states(attendant)
    reached = {(caller.tenant, workspace) for workspace in caller.reaches}
    wrote = {place for place in PLACES if fresh[place][0][0]["artifact"] == sha("def area_of(r):\n    return 1\n")}
    assert wrote == (reached if caller.writes else set())


@pytest.mark.parametrize("pinned", [True, False])
def test_who_is_pinned_hears_of_no_other_workspace(attendant: Attendant, pinned: bool) -> None:
    alike = key("a", key={"tslp_workspace": "OWN", "tslp_pinned": pinned})
    data = {**ROUTES["acompletion"][0](PROMPT), "metadata": {}, "model": "m"}
    asyncio.run(attendant.pre_call(alike, data, "acompletion"))
    assert ("x-tslp-workspace-alike" in (attendant.headers(data) or {})) is not pinned
    asyncio.run(attendant.success(data, ROUTES["acompletion"][1]))


@pytest.fixture
def http(attendant: Attendant) -> Iterator[TestClient]:
    app = FastAPI()

    def authenticate(x_caller: Annotated[str, Header()]) -> SimpleNamespace:
        return CALLERS[x_caller].key

    runtime = attendant.runtime
    for place in PLACES:
        runtime.last_prompts[WorkspaceKey(*place)] = {
            "episode_id": "e", "model": "m", "messages": [text(place)], "hydrated": [], "notices": [],
        }  # fmt: skip
    view = View(runtime.database, debug=True, faults={}, last_prompts=runtime.last_prompts, endpoints=list)
    router = make_router(view, authenticate, tenant_of, is_admin, lambda key: policy_of(key).pin)
    app.include_router(router, prefix="/tslp")
    with TestClient(app) as client:  # one event loop for all that a test asks
        yield client


def routes(http: TestClient, attendant: Attendant) -> list[tuple[str, dict[str, str]]]:
    """Each endpoint, with what it would need to know of every place."""
    with attendant.runtime.database.reading() as connection:
        episodes = [queries.recent(connection, t, w, 1)["episodes"][0]["episode_id"] for t, w in PLACES]
    return [
        ("state", {}), ("recent", {}), ("entity", {"entity": "geo.py"}), ("debug/last-prompt", {}),
        *(("diff", compared(sha(text(place)), sha(text(place)))) for place in PLACES),
        *((f"episode/{one}", {}) for one in episodes), *((f"artifact/{sha(text(place))}", {}) for place in PLACES),
    ]  # fmt: skip


def compared(before: str, after: str) -> dict[str, str]:
    return {"entity": "geo.py", "before_artifact": before, "after_artifact": after}


@pytest.mark.parametrize("name", EACH)
def test_no_text_stands_beside_one_of_another_workspace(http: TestClient, name: str) -> None:
    for workspace, other in itertools.product(("own", "other"), PLACES):
        mine = CALLERS[name].tenant, workspace
        for pair in itertools.permutations((mine, other)) if other != mine else ():
            given = {**compared(*(sha(text(place)) for place in pair)), "workspace": workspace}
            assert http.get("/tslp/diff", params=given, headers={"x-caller": name}).status_code == 404


@pytest.mark.parametrize("name", EACH)
def test_no_endpoint_tells_what_is_not_its_callers(attendant: Attendant, http: TestClient, name: str) -> None:
    caller, told = CALLERS[name], set[tuple[str, str]]()
    before = states(attendant)
    asked = itertools.product(routes(http, attendant), (None, *TENANTS), ("own", "other"))
    for n, ((path, given), tenant, workspace) in enumerate(asked):
        by_header = n // 2 % 2 == 0  # each tenant's in the one way for one route, in the other for the next
        params = {**given, **({"tenant": tenant} if tenant else {}), **({} if by_header else {"workspace": workspace})}
        headers = {"x-caller": name, **({"x-tslp-workspace": workspace} if by_header else {})}
        answer = http.get(f"/tslp/{path}", params=params, headers=headers)
        assert answer.status_code in ((200, 404) if tenant is None or caller.admin else (200, 403, 404))
        for place in PLACES:
            if sha(text(place)) in answer.text.replace(path, "") or text(place).splitlines()[1].strip() in answer.text:
                told.add(place)
        if caller.reaches == ("own",):
            assert "other" not in answer.text
    reached = {(caller.tenant, workspace) for workspace in caller.reaches}
    assert told == (set(PLACES) if caller.admin else reached)
    assert states(attendant) == before
