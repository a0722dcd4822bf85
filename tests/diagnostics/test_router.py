"""The endpoints on a database that the engine filled: one entity, one episode, one text; whose they are."""

from __future__ import annotations

import functools
import os
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Header, HTTPException
from fastapi.testclient import TestClient

from tests.diagnostics.contract import hold
from tests.engine.helpers import Session, make_engine, sha
from tests.schema import renew
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.state.values import Refused
from tslp_litellm.store import refusals
from tslp_litellm.store.database import Database

FMT = "import re\n\n\ndef clean(s):\n    return re.sub(r'\\s+', ' ', s).strip()\n\n\ndef title_case(s):\n    return clean(s).title()\n"
LOSSY = "import re\n\n_SPACES = re.compile(r'\\s+')\n\n\ndef clean(s):\n    return _SPACES.sub(' ', s).strip()\n"
OPENAPI = dict[bool, dict[str, Any]]()
"""What is documented, with texts and without them: the same in each test."""
NEW_YEAR = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""When the engine of the tests lives."""


def fence(text: str) -> str:
    return f"fmt.py\n```python\n{text}```\n"


def authenticate(x_key: Annotated[str | None, Header()] = None) -> Any:
    if x_key is None:
        raise HTTPException(401, "No key.")
    return SimpleNamespace(tenant=x_key, admin=x_key == "local")


@functools.cache
def _database() -> Database:
    """One for all, as it keeps its compiled statements."""
    return Database("sqlite://")


@pytest.fixture
def database() -> Database:
    renew(_database())
    return _database()


class Asked:
    """A caller of the endpoints; every answer is held against OpenAPI."""

    def __init__(self, database: Database, debug: bool = True) -> None:
        app = FastAPI()
        view = View(database, debug=debug, faults={}, last_prompts={}, endpoints=list, clock=lambda: NEW_YEAR)
        app.include_router(make_router(view, authenticate, lambda k: k.tenant, lambda k: k.admin), prefix="/tslp")
        self.http = TestClient(app, headers={"x-key": "local", "x-tslp-workspace": "w"}, raise_server_exceptions=False)
        self.openapi = OPENAPI[debug] = OPENAPI.get(debug) or self.http.get("/openapi.json").json()

    def get(self, path: str, status: int = 200, headers: dict[str, str] | None = None, **params: Any) -> Any:
        answer = self.http.get(path, params=params, headers=headers)
        assert answer.status_code == status, answer.text
        kind, _, rest = path.removeprefix("/tslp/").partition("/")
        documented = {"episode": "/tslp/episode/{id}", "artifact": "/tslp/artifact/{hash}"}.get(kind, path)
        hold(self.openapi, documented if rest and kind != "debug" else path, answer)
        return answer.json()


@pytest.fixture
def asked(database: Database) -> Asked:
    session = Session(make_engine(database, audit=False), database)
    session.ask("Write fmt.py.", fence(FMT)).forget().ask("Make clean faster in fmt.py.", fence(LOSSY))
    return Asked(database)


class TestResume:
    def test_it_is_what_openapi_says(self, asked: Asked, database: Database) -> None:
        engine = make_engine(database, audit=False)
        edit = {"name": "edit", "arguments": {"filePath": "fmt.py", "oldString": "zzz", "newString": "y"}}
        run = {"name": "bash", "arguments": {"command": "pytest", "description": "x"}}
        session = Session(engine, database, tools=("edit", "bash")).ask("Do.", None, calls={"a": edit, "b": run})
        failed = "Could not find oldString in the file. It must match exactly."
        session.ask("decision: keep it", "ok", results={"a": failed, "b": "=== 3 passed in 0.1s ==="})
        found = asked.get("/tslp/resume")
        assert (found["errors"][0]["says"], found["stated"][0]["says"]) == (failed, "keep it")
        assert found["green"]["seq"] == found["reported"][0]["seq"]
        at = asked.get("/tslp/entity", entity="fmt.py", at="green")["as_of"]
        assert at == found["green"]

    def test_of_a_workspace_that_nobody_knows(self, asked: Asked) -> None:
        found = asked.get("/tslp/resume", workspace="nobody")
        assert (found["head"]["seq"], found["changed"], found["checkpoint"]) == (0, [], None)


class TestEntity:
    def test_the_past(self, asked: Asked) -> None:
        first = asked.get("/tslp/recent")["episodes"][-1]["episode_id"]
        assert len(asked.get("/tslp/entity", entity="fmt.py", at=first)["history"]) == 1
        before = asked.get("/tslp/entity", entity="fmt.py", at="1")
        assert (before["current"], before["history"], before["as_of"]["seq"]) == (None, [], 1)
        assert before["head"] > 1
        for entity, at in (("fmt.py", "nobody"), ("nobody.py", "1"), ("fmt.py", "green")):
            asked.get("/tslp/entity", 404, entity=entity, at=at)
        assert asked.http.get("/tslp/entity", params={"entity": "fmt.py", "at": "2026-02-30"}).status_code == 422

    def test_text_history_and_why(self, asked: Asked) -> None:
        found = asked.get("/tslp/entity", entity="fmt.py")
        assert found["current"] == {
            "artifact": sha(FMT),
            "freshness": "CLEAN",
            "source": "AST",
            "updated_at": found["current"]["updated_at"],
            "text": FMT,
        }
        lossy, first = found["history"]
        assert [row["event"] for row in found["history"]] == ["propose", "promote"]
        assert lossy["seq"] > first["seq"]
        assert (first["artifact"], first["state"], first["reason"]) == (sha(FMT), "AUTHORITATIVE", "structural-parity")
        assert (lossy["artifact"], lossy["reason"]) == (sha(LOSSY), "lost-symbols")
        assert lossy["witness"]["lost"] == ["title_case"]
        assert "`title_case`" not in lossy["says"]
        assert "Gate B misses title_case" in lossy["says"]
        assert "Gate B misses title_case" in found["why"]
        assert "the current text stays as it was" in found["why"]

    def test_who_did_it(self, database: Database) -> None:
        session, asked = Session(make_engine(database, audit=False), database), Asked(database)
        session.ask(fence(FMT))
        session.who = {"key": "ann-laptop", "user": "ann", "team": "Shop", "client": "aider/1"}
        session.ask(fence(FMT.replace("title()", "upper()")))
        row = asked.get("/tslp/entity", entity="fmt.py")["history"][0]
        assert row["by"] == {**session.who, "model": "m"}
        episode = asked.get(f"/tslp/episode/{row['episode_id']}")
        assert (episode["by"], episode["model"]) == (session.who, "m")
        newest, *before = asked.get("/tslp/recent")["episodes"]
        assert (newest["by"], newest["model"]) == (session.who, "m")
        assert [one["by"] for one in before] == [{}]

    def test_a_definition_has_its_own_history(self, asked: Asked) -> None:
        found = asked.get("/tslp/entity", entity="fmt.py::title_case")
        assert found["current"]["text"] == "def title_case(s):\n    return clean(s).title()"
        assert [row["event"] for row in found["history"]] == ["promote"]

    def test_without_debug_there_is_no_text(self, asked: Asked, database: Database) -> None:
        quiet = Asked(database, debug=False)
        assert "text" not in quiet.get("/tslp/entity", entity="fmt.py")["current"]
        assert quiet.get(f"/tslp/artifact/{sha(FMT)}", 404) == {"detail": "Not Found"}

    def test_the_history_in_pages(self, asked: Asked) -> None:
        whole = asked.get("/tslp/entity", entity="fmt.py")["history"]
        first = asked.get("/tslp/entity", entity="fmt.py", limit=1)
        rest = asked.get("/tslp/entity", entity="fmt.py", before=first["history"][-1]["seq"])
        assert first["history"] + rest["history"] == whole
        assert rest["why"] == first["why"], "why is about now, whatever page is looked at"
        assert asked.get("/tslp/entity", entity="fmt.py", before=1)["history"] == []

    def test_what_lives_has_no_tombstone_and_says_so(self, asked: Asked) -> None:
        found = asked.get("/tslp/entity", entity="fmt.py")
        assert (found["tombstone"], found["dependencies"]) == (None, "ok")
        assert asked.get("/tslp/entity", entity="fmt.py", at="1")["dependencies"] is None

    def test_a_removed_one(self, database: Database, asked: Asked) -> None:
        session = Session(make_engine(database), database, tools=("bash",))
        session.ask("Remove it.", None, calls={"c": {"name": "bash", "arguments": {"command": "rm fmt.py"}}})
        session.ask(None, "Done.", results={"c": ""})
        found = asked.get("/tslp/entity", entity="fmt.py")
        assert found["current"] is None
        assert found["dependencies"] is None
        assert found["tombstone"]["artifact"] == sha(FMT)
        assert found["history"][0]["state"] == "TOMBSTONED"
        assert "tombstone since" in found["why"]

    @pytest.mark.parametrize("entity", ["nope.py", "fmt.py::nope", "fmt.py::", "::", "%", "fmt_py", "é\u202e\x1b[31m"])
    def test_unknown_ones(self, asked: Asked, entity: str) -> None:
        asked.get("/tslp/entity", 404, entity=entity)

    @pytest.mark.parametrize(
        "params",
        [{}, {"entity": ""}, {"entity": "x", "limit": 0}, {"entity": "x", "before": "y"}, {"entity": "x" * 5000}],
    )
    def test_bad_parameters(self, asked: Asked, params: dict[str, Any]) -> None:
        asked.get("/tslp/entity", 422, **params)


class TestEpisode:
    def test_everything_recorded(self, asked: Asked) -> None:
        lossy = asked.get("/tslp/recent")["episodes"][0]
        found = asked.get(f"/tslp/episode/{lossy['episode_id']}")
        assert (found["seq"], found["at"], found["model"]) == (lossy["seq"], lossy["at"], "m")
        assert found["hydrated"] == ["fmt.py"]
        assert found["prompt"] == sha("Make clean faster in fmt.py.")
        (row,) = found["events"]
        assert (row["entity"], row["event"], row["reason"]) == ("fmt.py", "propose", "lost-symbols")
        assert row["says"].endswith("needed: all of them, or the user's word by name.")

    def test_one_whose_answer_is_under_way(self, database: Database) -> None:
        session = Session(make_engine(database), database)
        episode = session.request([{"role": "user", "content": f"I have this:\n\n{fence(FMT)}"}], None)
        found = Asked(database).get(f"/tslp/episode/{episode.id}")
        assert found["seq"] is None
        assert {row["entity"] for row in found["events"]} == {"fmt.py", "fmt.py::clean", "fmt.py::title_case"}

    def test_unknown_ones(self, asked: Asked) -> None:
        asked.get("/tslp/episode/nope", 404)
        asked.get(f"/tslp/episode/{'x' * 37}", 422)


class TestArtifact:
    def test_current_refused_and_former_texts(self, asked: Asked, database: Database) -> None:
        for text in (FMT, LOSSY, "Make clean faster in fmt.py."):
            assert asked.get(f"/tslp/artifact/{sha(text)}")["text"] == text
        assert asked.get(f"/tslp/artifact/{sha(LOSSY)}", entity="fmt.py")["text"] == LOSSY

    def test_a_hash_that_only_stands_in_somebodys_code_is_no_name(self, database: Database, asked: Asked) -> None:
        """Who knows a hash must not get its text by making the Ledger quote it."""
        other = Session(make_engine(database, audit=False), database, workspace="other")
        quoting = f"x.py\n```python\ndef f(s):\n    return 1\n\n\n) {sha(FMT)} (\n```\n"
        other.ask("Write x.py.", quoting)
        refused = asked.get("/tslp/recent", workspace="other")["episodes"][0]["artifact_states"]
        assert sha(FMT) in str([row.get("witness") for row in refused]), "the witness quotes it"
        asked.get(f"/tslp/artifact/{sha(FMT)}", 404, workspace="other")

    @pytest.mark.parametrize("artifact", ["0" * 63, "G" * 64, "..", "A" * 64])
    def test_what_is_no_hash(self, asked: Asked, artifact: str) -> None:
        answer = asked.http.get(f"/tslp/artifact/{artifact}")
        assert answer.status_code in (404, 422)


def test_secrets_are_not_shown(database: Database) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    session = Session(make_engine(database, audit=False), database)
    session.ask(f"I have conf.py:\n\nconf.py\n```python\nTOKEN = '{token}'\n```\n")
    session.ask("Break it.", f"conf.py\n```python\nTOKEN = ) '{token}'\n```\n")
    asked = Asked(database)
    found = asked.get("/tslp/entity", entity="conf.py")
    shown = [found, asked.get("/tslp/recent"), asked.get(f"/tslp/artifact/{found['current']['artifact']}")]
    shown += [asked.get(f"/tslp/episode/{e['episode_id']}") for e in asked.get("/tslp/recent")["episodes"]]
    assert "TOKEN = '" in found["current"]["text"]
    assert token not in str(shown)


class TestWhose:
    def test_another_workspace_or_tenant_sees_nothing(self, asked: Asked) -> None:
        episode = asked.get("/tslp/recent")["episodes"][0]["episode_id"]
        for path, params in (
            ("/tslp/entity", {"entity": "fmt.py"}),
            (f"/tslp/artifact/{sha(FMT)}", {}),
            (f"/tslp/artifact/{sha(FMT)}", {"entity": "fmt.py"}),
            (f"/tslp/episode/{episode}", {}),
        ):
            asked.get(path, 404, workspace="other", **params)
            asked.get(path, 404, headers={"x-key": "team:b"}, **params)
            asked.get(path, 403, headers={"x-key": "team:b"}, tenant="local", **params)
            asked.get(path, 200, headers={"x-key": "local"}, tenant="local", **params)
            assert asked.http.get(path, headers={"x-key": ""}, params=params).status_code == 404


class TestRecent:
    def test_following_misses_none(self, asked: Asked) -> None:
        whole = asked.get("/tslp/recent")["episodes"]
        assert [e["seq"] for e in whole] == sorted((e["seq"] for e in whole), reverse=True)
        seen, after = [], 0
        while page := asked.get("/tslp/recent", after=after, limit=1)["episodes"]:
            seen = page + seen
            after = page[0]["seq"]
        assert seen == whole

    def test_a_workspace_that_looks_like_an_older_one(self, database: Database) -> None:
        engine, asked = make_engine(database, audit=False), Asked(database)
        for name in ("w", "W"):
            Session(engine, database, name).ask("Write.", fence(FMT))
        assert asked.get("/tslp/state", workspace="W")["alike"] == ["w"]
        assert asked.get("/tslp/state", workspace="vv").get("alike") is None
        assert "alike" not in asked.get("/tslp/state"), "the older one is not told"

    def test_states_say_their_source(self, asked: Asked) -> None:
        assert {e["source"] for e in asked.get("/tslp/state")["entities"]} == {"AST"}

    def test_bad_parameters(self, asked: Asked) -> None:
        for params in ({"limit": 0}, {"limit": 201}, {"after": -1}, {"after": "x"}, {"after": 2**40}):
            asked.get("/tslp/recent", 422, **params)


class TestState:
    def test_a_small_one_is_whole(self, asked: Asked) -> None:
        found = asked.get("/tslp/state")
        assert set(found) == {"tenant", "workspace", "workspaces", "entities", "tombstones"}

    def test_pages_make_the_whole(self, asked: Asked, database: Database) -> None:
        engine = make_engine(database, audit=False)
        Session(engine, database).ask("Write a.py.", fence(FMT).replace("fmt", "a"))
        Session(engine, database).ask("Write z.py.", fence(FMT).replace("fmt", "z"))
        session = Session(engine, database, tools=("bash",))
        session.ask("Remove it.", None, calls={"c": {"name": "bash", "arguments": {"command": "rm fmt.py"}}})
        session.ask(None, "Done.", results={"c": ""})
        whole = asked.get("/tslp/state")
        assert whole["tombstones"]
        assert len(whole["entities"]) > 3
        for limit in (1, 2, 4, 9):
            entities, graves, after, pages = [], [], None, 0
            while True:
                page = asked.get("/tslp/state", limit=limit, **({"after": after} if after else {}))
                assert len(page["entities"]) + len(page["tombstones"]) <= limit
                entities += page["entities"]
                graves += page["tombstones"]
                pages += 1
                after = page.get("next")
                if after is None:
                    break
            assert (entities, graves) == (whole["entities"], whole["tombstones"])
            assert pages == -(-(len(entities) + len(graves)) // limit), "the last page knows that it is the last"

    def test_what_did_not_change_is_not_read(self, asked: Asked, database: Database) -> None:
        answer = asked.http.get("/tslp/state")
        said: list[str] = []
        with database.reading() as connection:
            driver: Any = connection.connection.driver_connection
        driver.set_trace_callback(said.append)
        again = asked.http.get("/tslp/state", headers={"If-None-Match": answer.headers["ETag"]})
        driver.set_trace_callback(None)
        assert again.status_code == 304
        assert not [statement for statement in said if "state_map" in statement or "FROM events" in statement]

    def test_bad_parameters(self, asked: Asked) -> None:
        for params in ({"limit": 0}, {"limit": 10**6}, {"limit": "x"}, {"after": "x" * 5000}):
            asked.get("/tslp/state", 422, **params)
        assert asked.get("/tslp/state", after="~")["entities"] == []
        asked.get("/tslp/state", after="nul\0")


class TestProcess:
    def test_health_with_and_without_the_database(self, asked: Asked, database: Database) -> None:
        for params in ({}, {"deep": 0}, {"deep": 1}):
            assert asked.get("/tslp/health", **params) == {"status": "ok"}
        with database.writing() as connection:
            connection.exec_driver_sql("ALTER TABLE workspaces RENAME TO elsewhere")
        assert asked.get("/tslp/health", deep=0) == {"status": "ok"}
        asked.get("/tslp/health", 503, deep=1)

    def test_the_doctor_reads_all_of_the_database_once_for_all(self, asked: Asked, database: Database) -> None:
        said: list[str] = []
        with database.reading() as connection:
            driver: Any = connection.connection.driver_connection
        driver.set_trace_callback(said.append)
        for key in ("local", "team:b", "local"):
            found = {c["name"]: c for c in asked.get("/tslp/doctor", headers={"x-key": key})["checks"]}
            assert found["database"]["detail"].startswith("sqlite: ok (looked at ")
            assert found["parser"]["status"] in ("ok", "warn"), "other tests may have had texts refused"
        driver.set_trace_callback(None)
        assert sum("quick_check" in statement for statement in said) == 1

    def test_a_file_that_was_cut_is_looked_at_anew(self, tmp_path: Path) -> None:
        database = Database(f"sqlite:///{tmp_path / 'tslp.db'}")
        database.migrate()
        Session(make_engine(database, audit=False), database).ask("Write fmt.py.", fence(FMT))
        database.checkpoint()
        view = View(database, debug=False, faults={}, last_prompts={}, endpoints=list)
        before = view.database_seen()
        Session(make_engine(database, audit=False), database).ask("Write a.py.", fence(FMT).replace("fmt", "a"))
        database.checkpoint()
        assert view.database_seen() == before, "it grows"
        os.truncate(tmp_path / "tslp.db", 20_000)
        assert view.database_seen() != before
        database.close()

    def test_a_text_that_no_parser_could_read(self, asked: Asked, database: Database) -> None:
        before = asked.http.get("/tslp/entity", params={"entity": "fmt.py::clean"}).headers["ETag"]
        with database.writing() as connection:
            refusals.remember(connection, [Refused(sha(FMT), "python", "timeout")])
        for entity in ("fmt.py", "fmt.py::clean"):
            found = asked.get("/tslp/entity", entity=entity)
            assert found["refused"] == "timeout"
            assert "ran out of time" in found["why"]
        held = {"If-None-Match": before}
        assert asked.http.get("/tslp/entity", params={"entity": "fmt.py::clean"}, headers=held).status_code == 200


def test_a_database_that_cannot_be_read_is_said(asked: Asked, database: Database) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE event_paths")
    assert "can't be read" in asked.get("/tslp/entity", 503, entity="fmt.py")["detail"]
    assert asked.get("/tslp/health") == {"status": "ok"}
    assert asked.get("/tslp/doctor")["status"] in ("ok", "degraded", "failed")


def test_everything_is_found_by_an_index(asked: Asked, database: Database) -> None:
    """No request walks the whole Ledger."""
    episode = asked.get("/tslp/recent")["episodes"][0]["episode_id"]
    said: list[str] = []
    with database.reading() as connection:
        driver: Any = connection.connection.driver_connection
    driver.set_trace_callback(said.append)
    asked.get("/tslp/entity", entity="fmt.py")
    for at in ("3", episode, "2026-01-01"):
        asked.get("/tslp/entity", entity="fmt.py", at=at)
    asked.get("/tslp/recent")
    asked.get("/tslp/recent", after=1)
    asked.get(f"/tslp/episode/{episode}")
    driver.set_trace_callback(None)
    walked = [statement for statement in said if "FROM events" in statement]
    assert len(walked) == 45
    for statement in walked:
        plan = [str(step) for step in driver.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()]
        assert not any("SCAN" in step or step.endswith("events_1 (workspace_id=?)')") for step in plan), (
            statement,
            plan,
        )


def test_every_answer_is_documented(asked: Asked) -> None:
    for path, methods in asked.openapi["paths"].items():
        assert set(methods) == {"get"}, "they only read"
        said = methods["get"]
        assert said["summary"]
        assert said["description"]
        assert said["tags"] == ["TSLP diagnostics"]
        assert "$ref" in said["responses"]["200"]["content"]["application/json"]["schema"], path
