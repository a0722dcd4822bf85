"""Where answers come from: a gateway's State Map in pages is the database's whole one."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.engine.helpers import sha
from tslp_litellm.cli import source
from tslp_litellm.cli.source import DatabaseSource, GatewaySource
from tslp_litellm.cli.terminal import Unreachable
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.state.values import Refused
from tslp_litellm.store import refusals

from .conftest import BETTER, Shell


class _Asked(TestClient):
    """A client that notes what it asks."""

    def __init__(self, app: FastAPI, asked: list[str]) -> None:
        super().__init__(app)
        self.event_hooks["request"].append(lambda sent: asked.append(str(sent.url)))


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_gateways_pages_are_followed(shell: Shell, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    app = FastAPI()
    view = View(shell.database, debug=True, faults={}, last_prompts={}, endpoints=list)
    app.include_router(make_router(view, lambda: None, lambda _: "local", lambda _: True), prefix="/tslp")
    asked: list[str] = []

    def client(**_: object) -> httpx.Client:
        return _Asked(app, asked)

    monkeypatch.setattr(source, "PAGE", size)
    monkeypatch.setattr(source.httpx, "Client", client)
    whole = DatabaseSource(shell.database, "local", "default", []).state()
    asked.clear()
    assert GatewaySource("http://testserver", None, None, "default").state() == whole
    names = len(whole["entities"]) + len(whole["tombstones"])
    assert len(asked) == -(-names // size)


class _Limited:
    """A gateway that says so often to come again later before it answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, refusals: int, after: str | None) -> None:
        self.left, self.after, self.slept = refusals, after, list[float]()
        made, transport = httpx.Client, httpx.MockTransport(self.answer)
        monkeypatch.setattr(source.httpx, "Client", lambda **_: made(transport=transport))
        monkeypatch.setattr(source.time, "sleep", self.slept.append)

    def answer(self, _: httpx.Request) -> httpx.Response:
        if not self.left:
            return httpx.Response(200, json={"status": "ok", "checks": []})
        self.left -= 1
        headers = {"Retry-After": self.after} if self.after is not None else {}
        return httpx.Response(
            429, json={"detail": "The diagnostics are asked too often: again in 7 s."}, headers=headers
        )


def test_a_gateway_that_says_when_to_come_again_is_asked_then(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = _Limited(monkeypatch, 2, "7")
    assert GatewaySource("http://testserver", None, None, "w").doctor()["status"] == "ok"
    assert limited.slept == [7, 7]


@pytest.mark.parametrize(("refusals", "after", "slept"), [(3, "7", 2), (1, "3600", 0), (1, None, 0), (1, "soon", 0)])
def test_one_that_says_so_again_is_told_of(
    monkeypatch: pytest.MonkeyPatch, refusals: int, after: str | None, slept: int
) -> None:
    limited = _Limited(monkeypatch, refusals, after)
    with pytest.raises(Unreachable, match="HTTP 429: The diagnostics are asked too often"):
        GatewaySource("http://testserver", None, None, "w").doctor()
    assert len(limited.slept) == slept


def test_a_text_that_no_parser_could_read_is_said(shell: Shell) -> None:
    assert "parser" not in shell.run("why", "fmt.py").stdout
    with shell.database.writing() as connection:
        refusals.remember(connection, [Refused(sha(BETTER), "python", "memory")])
    assert "The parser ran out of memory on the current text of its file" in shell.run("why", "fmt.py").stdout
    assert "1 texts refused (1 by memory)" in shell.run("doctor").stdout


def test_a_workspace_that_nobody_named_is_that_of_the_settings(bare: Shell) -> None:
    bare.client("shop").ask("Here it is.\n\na.py\n```python\nA = 1\n```")
    assert bare.json("state")["entities"] == []
    with (bare.folder / "config.yaml").open("a") as config:
        config.write("  workspace: shop\n")
    assert bare.json("state")["workspace"] == "shop"
    bare.run("forget", "a.py")
    assert {row["freshness"] for row in bare.json("state")["entities"]} == {"DIRTY"}


def test_a_gateway_says_which_workspace_is_meant_where_none_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = FastAPI()
    view = View(shell.database, debug=True, faults={}, last_prompts={}, endpoints=list)
    routes = make_router(view, lambda: None, lambda _: "local", lambda _: True, unnamed=lambda _: "shop")
    app.include_router(routes, prefix="/tslp")
    monkeypatch.setattr(source.httpx, "Client", lambda **_: TestClient(app))
    assert GatewaySource("http://testserver", None, None, None).workspace == "shop"
    assert GatewaySource("http://testserver", None, None, "w").workspace == "w"


def test_a_url_without_its_scheme_is_told_how_it_is_written(bare: Shell) -> None:
    said = bare.run("state", "--url", "localhost:4000", status=2).output
    assert "localhost:4000 has no scheme: write http://localhost:4000" in said


def test_a_config_that_is_named_and_is_not_there(bare: Shell) -> None:
    """Not the defaults in its place."""
    assert "There is no nope.yaml" in bare.run("state", "--config", "nope.yaml", status=3).output
