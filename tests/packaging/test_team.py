"""`examples/team/config.yaml` in a real proxy. LiteLLM's own database needs Prisma's engines, so keys and teams come from
LiteLLM's `custom_auth`; everything else is the example as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.gateway import KEY, Gateway
from tests.e2e.upstream import Upstream

from . import postgresql

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "team"
CART = "def total(items):\n    return sum(items)\n"
AUTH = """
from litellm.proxy._types import LitellmUserRoles, UserAPIKeyAuth

KEYS = {
    "sk-ana": ("team-shop", "shop-main"), "sk-ben": ("team-shop", "shop-main"), "sk-cleo": ("team-other", "shop-main"),
}

async def authenticate(request, api_key: str) -> UserAPIKeyAuth:
    api_key = api_key.removeprefix("Bearer ")
    if api_key == %r:
        return UserAPIKeyAuth(api_key=api_key, user_role=LitellmUserRoles.PROXY_ADMIN)
    if api_key not in KEYS:
        raise Exception("no such key")
    team, workspace = KEYS[api_key]
    return UserAPIKeyAuth(api_key=api_key, team_id=team, metadata={"tslp_workspace": workspace},
                          user_role=LitellmUserRoles.INTERNAL_USER)
"""


class TeamGateway(Gateway):
    """The example's configuration, with `custom_auth`."""

    def __init__(self, folder: Path, upstream: Upstream, database_url: str) -> None:
        variables = {
            "LITELLM_MASTER_KEY": KEY,
            "OLLAMA_API_BASE": f"http://127.0.0.1:{upstream.port}",
            "TSLP_DATABASE_URL": database_url,
        }
        super().__init__(folder, upstream.port, environment=variables)
        config: dict[str, Any] = yaml.safe_load((EXAMPLE / "config.yaml").read_text())
        config["general_settings"]["custom_auth"] = "team_auth.authenticate"
        (folder / "team_auth.py").write_text(AUTH % KEY)
        self.config.write_text(yaml.safe_dump(config))

    def as_(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def entities(self, key: str, **query: str) -> list[str]:
        answer = self.http.get("/tslp/state", headers=self.as_(key), params=query)
        assert answer.status_code == 200, answer.text
        return [e["entity"] for e in answer.json()["entities"]]


DATABASES = [
    "sqlite",
    pytest.param(
        "postgresql", marks=pytest.mark.skipif(not postgresql.AVAILABLE, reason="PostgreSQL's programs are not here")
    ),
]


@pytest.fixture(scope="module", params=DATABASES)
def gateway(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamGateway]:
    folder = tmp_path_factory.mktemp("team")
    with Upstream() as upstream:
        if request.param == "sqlite":
            with TeamGateway(folder / "g", upstream, f"sqlite:///{folder / 't.db'}") as running:
                running.upstream = upstream
                yield running
        else:
            with (
                postgresql.server(folder / "pg") as port,
                TeamGateway(folder / "g", upstream, f"postgresql+psycopg://tslp:t@127.0.0.1:{port}/tslp") as running,
            ):
                running.upstream = upstream
                yield running


@pytest.mark.slow
def test_the_example_serves_a_team(gateway: TeamGateway) -> None:
    shown = [{"role": "user", "content": f"Here it is:\n\nsrc/cart.py\n```python\n{CART}```\n"}]
    status, said = gateway.ask("chat", "coder", shown, stream=False, headers=gateway.as_("sk-ana"))
    assert status == 200, said
    deadline = time.monotonic() + 120
    while not gateway.entities("sk-ana", workspace="shop-main") and time.monotonic() < deadline:
        time.sleep(0.1)
    # The key's metadata named the workspace; a key of the same team shares it, one of another team does not.
    assert gateway.entities("sk-ana", workspace="shop-main") == ["src/cart.py", "src/cart.py::total"]
    assert gateway.entities("sk-ben", workspace="shop-main") == ["src/cart.py", "src/cart.py::total"]
    assert gateway.entities("sk-cleo", workspace="shop-main") == []
    # The state is hydrated for the team, and for nobody else.
    prompt = [{"role": "user", "content": "What does `total` do?"}]
    gateway.ask("chat", "coder", prompt, stream=False, headers=gateway.as_("sk-ben"))
    assert CART.rstrip() in gateway.upstream.prompts()[-1]
    gateway.ask("chat", "coder", prompt, stream=False, headers=gateway.as_("sk-cleo"))
    assert gateway.upstream.prompts()[-1] == prompt[0]["content"]


@pytest.mark.slow
def test_only_the_administrator_names_a_tenant(gateway: TeamGateway) -> None:
    query = {"tenant": "team:team-shop", "workspace": "shop-main"}
    assert gateway.entities(KEY, **query) == ["src/cart.py", "src/cart.py::total"]
    refused = gateway.http.get("/tslp/state", headers=gateway.as_("sk-cleo"), params=query)
    assert refused.status_code == 403
    assert gateway.http.get("/tslp/state", headers=gateway.as_("sk-nobody")).status_code in (401, 500)


@pytest.mark.slow
def test_the_example_keeps_prompts_to_itself(gateway: TeamGateway) -> None:
    assert gateway.http.get("/tslp/debug/last-prompt", headers=gateway.as_("sk-ana")).status_code == 404
    doctor = gateway.http.get("/tslp/doctor").json()
    assert doctor["status"] == "ok", doctor


@pytest.mark.slow
def test_two_workers_come_up(tmp_path: Path) -> None:
    """The command of the example: gunicorn, two workers, one database."""
    with Upstream() as upstream:
        gateway = TeamGateway(tmp_path, upstream, f"sqlite:///{tmp_path / 't.db'}")
        arguments = ["--port", str(gateway.port), "--host", "127.0.0.1", "--num_workers", "2", "--run_gunicorn"]
        with (tmp_path / "log").open("ab") as log:
            process = subprocess.Popen(
                [gateway.command, "--config", gateway.config, *arguments],
                cwd=tmp_path,
                env=gateway.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
            gateway.process = process
            try:
                assert gateway.wait_until_ready(), gateway.log()
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                assert len(children) >= 2
                for _ in range(6):
                    assert gateway.http.get("/tslp/health", timeout=30).status_code == 200
            finally:
                process.terminate()
                process.wait(60)


def test_the_example_needs_only_what_it_says() -> None:
    """Every variable that it reads is explained at its head or in docs/settings.md."""
    text = (EXAMPLE / "config.yaml").read_text()
    explained = text + (ROOT / "docs" / "settings.md").read_text()
    for name in set(re.findall(r"os\.environ/(\w+)", text)):
        assert f"`{name}`" in explained or f"#   {name}" in explained
    assert yaml.safe_load(text)["tslp"]["debug"] is False
    assert os.access(EXAMPLE / "databases.sh", os.X_OK)


def test_the_databases_script_wants_passwords() -> None:
    done = subprocess.run(
        ["sh", EXAMPLE / "databases.sh"], check=False, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "set LITELLM_DB_PASSWORD" in done.stderr
