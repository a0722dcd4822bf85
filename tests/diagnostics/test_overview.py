"""A workspace in figures: what is counted, over which part of the Ledger, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.diagnostics.test_router import FMT, LOSSY, NEW_YEAR, Asked, database, fence
from tests.engine.helpers import Session, make_engine
from tslp_litellm.diagnostics import overview
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.store.database import Database

__all__ = ["database"]
PYTEST = {"name": "bash", "arguments": {"command": "pytest", "description": "x"}}


@pytest.fixture
def session(database: Database) -> Session:
    made = Session(make_engine(database, audit=False), database)
    made.who = {"client": "aider"}
    return made.ask("Write fmt.py.", fence(FMT)).forget()


def test_what_was_said_and_what_came_of_it(session: Session, database: Database) -> None:
    session.ask("Make clean faster in fmt.py.", fence(LOSSY)).forget()
    session.ask("Tidy clean in fmt.py.", "fmt.py\n```python\ndef clean(s):\n    # ... unchanged ...\n```\n").forget()
    session.who, session.tools = {}, ("bash",)
    for said in ("=== 3 passed in 0.1s ===", "=== 1 failed in 0.1s ===", "=== 2 passed in 0.1s ==="):
        session.forget().ask("Do.", None, calls={"a": PYTEST}).ask(None, "ok", results={"a": said})
    sed = {"name": "bash", "arguments": {"command": "sed -i s/a/b/ fmt.py", "description": "x"}}
    session.forget().ask("Do.", None, calls={"a": sed}).ask(None, "ok", results={"a": ""})
    found = Asked(database).get("/tslp/overview")
    recent = session.recent()
    assert found["episodes"] == len(recent) == 11
    assert found["injected"] == sum(one["injected"] for one in recent) > 0
    assert found["given"] == sum(bool(one["front"]) for one in recent) == 2
    assert {row["reason"]: row["count"] for row in found["refused"]} == {"lost-symbols": 1, "left-out-code": 1}
    assert all(row["says"] for row in found["refused"])
    assert (found["losses"], found["collapses"]) == (1, 1)
    assert found["tests"] == {"green": 2, "red": 1}
    state = session.state().values()
    assert found["dirty"] == sum(text == "DIRTY" for text in state) > 0
    assert found["clean"] == len(state) - found["dirty"]
    day = {"day": "2026-01-01", "episodes": 11, "injected": found["injected"], "refused": 2, "green": 2, "red": 1}
    assert found["days"] == [day]
    aider = {"client": "aider", "episodes": 3, "injected": found["injected"]}
    assert found["clients"] == [{"client": None, "episodes": 8, "injected": 0}, aider]
    assert (found["since"], found["cut"]) == (recent[-1]["at"], False)


def test_what_was_left_out_to_fit_a_window(database: Database) -> None:
    session = Session(make_engine(database, audit=False), database, limit=3000)
    for n in range(12):
        session.ask(f"Tell me of {n}: {'word ' * 300}", f"{n} is a number. {'So it is. ' * 100}")
    found = Asked(database).get("/tslp/overview")
    fits = [body.get("fit", "") for body in session.events("episode.recorded")]
    assert found["left_out"] == sum(int(fit.partition("=")[2]) for fit in fits if "=" in fit) > 0


def test_what_share_of_the_windows_was_taken(session: Session, database: Database) -> None:
    session.ask("Make clean faster in fmt.py.", "ok")
    assert Asked(database).get("/tslp/overview")["share"] is None  # no window is known yet
    known = Session(make_engine(database, audit=False), database, limit=3000)
    known.ask("Make clean in fmt.py faster.", "ok").forget().ask("Look at squeeze in fmt.py.", "ok").forget()
    known.ask("Thank you.", "ok")  # nothing stands in front of it
    given = [body for body in known.events("episode.recorded") if body.get("window")]
    assert [body["window"] for body in given] == [3000] * len(given)
    assert (
        Asked(database).get("/tslp/overview")["share"]
        == sum(body["injected"] for body in given) / (3000 * len(given))
        > 0
    )


def test_only_what_is_new_enough_is_counted(session: Session, database: Database) -> None:
    session.ask("Make clean faster in fmt.py.", fence(LOSSY))
    with database.reading() as connection:
        last = overview.overview(connection, "local", "w", NEW_YEAR + timedelta(days=overview.DAYS - 1))
        after = overview.overview(connection, "local", "w", NEW_YEAR + timedelta(days=overview.DAYS))
    assert (last["episodes"], last["losses"], last["cut"]) == (2, 1, False)
    assert (after["episodes"], after["losses"], after["since"], after["days"]) == (0, 0, None, [])
    assert after["clean"] == last["clean"] == 3


def test_and_no_more_than_so_many(session: Session, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    session.ask("Make clean faster in fmt.py.", fence(LOSSY)).forget().ask("Thanks.", "ok")
    monkeypatch.setattr(overview, "EPISODES_MAX", 1)
    found = Asked(database).get("/tslp/overview")
    assert (found["episodes"], found["cut"], found["losses"]) == (1, True, 0), "the refusal was of an episode before"
    assert found["since"] == session.recent()[0]["at"]


def test_nobody_was_here(database: Database) -> None:
    found = Asked(database).get("/tslp/overview", workspace="nobody")
    assert (found["episodes"], found["days"], found["workspaces"], found["since"]) == (0, [], [], None)


def test_unchanged_figures_are_not_sent_again(session: Session, database: Database) -> None:
    asked = Asked(database)
    tag = asked.http.get("/tslp/overview").headers["ETag"]
    assert asked.http.get("/tslp/overview", headers={"If-None-Match": tag}).status_code == 304
    Session(session.engine, database, "other").ask("Hi.", "ok")
    again = asked.http.get("/tslp/overview", headers={"If-None-Match": tag})
    assert [one["workspace"] for one in again.json()["workspaces"]] == ["other", "w"]


class TestPinned:
    @pytest.fixture
    def pinned(self, session: Session, database: Database) -> Iterator[TestClient]:
        Session(session.engine, database, "W").ask("Hi.", "ok")
        view = View(database, debug=True, faults={}, last_prompts={}, endpoints=list)
        app = FastAPI()
        key: Any = SimpleNamespace()
        app.include_router(make_router(view, lambda: key, lambda _: "local", lambda _: False, lambda _: "W"))
        with TestClient(app) as client:
            yield client

    def test_a_key_sees_its_own_workspace_only(self, pinned: TestClient) -> None:
        found = pinned.get("/overview?workspace=w").json()
        assert (found["workspace"], found["workspaces"]) == ("W", [{"workspace": "W", "episodes": 1}])
        assert "alike" not in found
