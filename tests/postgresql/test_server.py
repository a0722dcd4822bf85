"""What only a PostgreSQL server does: writers side by side, restarts, roles, what its texts can't hold."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy.exc import DatabaseError, DBAPIError

from tslp_litellm.cli.configured import existing_database
from tslp_litellm.engine import Request
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.settings import Settings
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.maintenance import rebuild, verify
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.wire.openai_chat import OpenAIChat
from tslp_litellm.wire.turn import Answer

from ..postgres import Server, wait_until
from ..store.helpers import AT, TENANT, known, show

CHAT = OpenAIChat()


@pytest.fixture
def database(postgresql_url: str) -> Iterator[Database]:
    made = Database(postgresql_url)
    made.migrate()
    yield made
    made.close()


def fence(n: int) -> str:
    return f"Here it is.\n\nsrc/a.py\n```python\ndef value():\n    return {n}\n```\n"


def test_all_may_start_at_once(postgresql: Server) -> None:
    gate, url = Barrier(6), postgresql.database()

    def start(_: int) -> None:
        made = Database(url)
        gate.wait()
        made.migrate()
        made.close()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(start, range(6)))


def test_writers_of_one_workspace_lose_nothing(database: Database, postgresql_url: str) -> None:
    """Two gateways, each with its own connections, and no lock between them but the database's."""
    gateways = [Database(postgresql_url) for _ in range(2)]

    def write(n: int) -> None:
        with gateways[n % 2].writing() as connection:
            store = WorkspaceWriter(connection, TENANT, "shared", AT)
            store.append([Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m")))], f"e{n}", AT)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(80)))
    assert verify(database) == []
    with database.reading() as connection:
        assert len(queries.recent(connection, TENANT, "shared", 100)["episodes"]) == 80
    for gateway in gateways:
        gateway.close()


def test_the_same_texts_in_any_order_are_no_deadlock(database: Database) -> None:
    texts = {f"{n:064x}": f"text {n}" for n in range(40)}

    def write(n: int) -> None:
        order = sorted(texts, reverse=bool(n % 2))
        with database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, f"w{n}", AT)
            for artifact in order:
                store.put({artifact: texts[artifact] + f" {n // 8}"})

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(64)))


def test_a_text_is_there_for_the_transaction_that_puts_it(database: Database) -> None:
    text = "x = 1\n"
    show(database, "a.py", text)
    with database.writing() as connection:
        store = WorkspaceWriter(connection, TENANT, "w", AT)
        artifact = known(database, "a.py").file
        assert artifact is not None
        assert store.texts([artifact.artifact]) == {artifact.artifact: text}


def test_what_reads_cannot_write_and_sees_one_moment(database: Database) -> None:
    show(database, "a.py", "x = 1\n")
    with database.reading() as connection:
        before = queries.state(connection, TENANT, "w")
        show(database, "a.py", "x = 2\n")
        assert queries.state(connection, TENANT, "w") == before
    for attempt in ("DELETE FROM state_map", "SET TRANSACTION READ WRITE"):
        with pytest.raises(DatabaseError), database.reading() as connection:
            connection.exec_driver_sql("SELECT 1")
            connection.exec_driver_sql(attempt)


def test_diagnostics_have_a_role_of_their_own(database: Database, postgresql: Server, postgresql_url: str) -> None:
    name = postgresql_url.rsplit("/", 1)[1]
    role = f"reader_{name}"
    show(database, "a.py", "x = 1\n")
    postgresql.sql(name, f"CREATE ROLE {role} LOGIN")
    postgresql.sql(name, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
    settings = Settings(database_url=postgresql_url, reader_database_url=postgresql.url(name, role))
    both = existing_database(settings)
    with both.diagnostics.reading() as connection:
        assert connection.exec_driver_sql("SELECT current_user").scalar() == role
        assert len(queries.state(connection, TENANT, "w")["entities"]) == 2
    with both.reading() as connection:
        assert connection.exec_driver_sql("SELECT current_user").scalar() == "postgres"
    both.close()


def test_names_that_it_cannot_hold_fail_nothing(database: Database) -> None:
    for name in ("nul\0nul", "half\ud800", "ünï☃", "x" * 512):
        with database.writing() as connection:
            WorkspaceWriter(connection, TENANT, name, AT).append(
                [Event(EventKind.EPISODE, (), (("started_at", AT), ("model", "m")))], "e", AT
            )
        with database.reading() as connection:
            queries.state(connection, TENANT, name)
    assert verify(database) == []
    show(database, "ünï.py", "x = '\0'\n")
    assert known(database, "ünï.py").text() == "x = '\0'\n"


def test_rebuilding_while_others_write_and_open_workspaces(database: Database) -> None:
    with ThreadPoolExecutor(4) as threads:
        writing = [threads.submit(show, database, f"f{n}.py", f"x = {n}\n", space=f"w{n % 30}") for n in range(60)]
        for _ in range(6):
            rebuild(database)
        for done in writing:
            done.result()
    assert verify(database) == []


def test_what_was_delivered_while_the_server_is_away_is_recorded_when_it_is_back(
    postgresql: Server, postgresql_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    runtime, other = Runtime(Settings(database_url=postgresql_url), len), Database(postgresql_url)

    def request(text: str) -> Request:
        return Request("local", "w", "acompletion", "m", CHAT.parse({"messages": [{"role": "user", "content": text}]}))

    def answer(text: str) -> Answer:
        return CHAT.whole({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})

    async def play() -> None:
        first = await runtime.preflight(request("Write src/a.py"))
        postgresql.stop("immediate")
        try:
            await runtime.deliver(Delivered(first, lambda: answer(fence(1))))
            for _ in range(4):
                with pytest.raises(Exception):  # noqa: B017 - which one depends on the moment
                    await runtime.preflight(request("Change `value`"))
        finally:
            await asyncio.to_thread(postgresql.start)
        await runtime.drain()
        later = await runtime.preflight(request("Change `value` in src/a.py"))
        assert "return 1" in later.preface
        await runtime.deliver(Delivered(later, lambda: answer("Well.")))
        await runtime.drain()
        assert not other.marks.elsewhere(WorkspaceKey("local", "w")), "nobody waits for what is recorded"

    with caplog.at_level(logging.ERROR, logger="tslp_litellm"):
        asyncio.run(play())
    assert verify(runtime.database) == []
    with runtime.database.reading() as connection:
        assert len(queries.recent(connection, "local", "w", 10)["episodes"]) == 2
    assert "recording" not in runtime.faults.open
    asyncio.run(runtime.close())
    other.close()


def test_a_mark_is_seen_elsewhere_until_it_is_taken_away(postgresql_url: str, tmp_path: Path) -> None:
    here, there = Database(postgresql_url), Database(postgresql_url)
    scope = WorkspaceKey("local", "w")
    assert not there.marks.elsewhere(scope)
    here.marks.mark(scope)
    here.marks.mark(scope)
    assert not here.marks.elsewhere(scope)
    assert there.marks.elsewhere(scope)
    assert not there.marks.elsewhere(WorkspaceKey("local", "other"))
    here.marks.unmark(scope)
    assert there.marks.elsewhere(scope)
    here.marks.unmark(scope)
    assert not there.marks.elsewhere(scope)
    here.marks.mark(scope)
    here.close()  # as if it had died; the server notices in its own time
    wait_until(lambda: not there.marks.elsewhere(scope))
    there.close()


def test_marks_outlive_their_session(postgresql: Server, postgresql_url: str) -> None:
    here, there = Database(postgresql_url), Database(postgresql_url)
    kept, gone = WorkspaceKey("local", "kept"), WorkspaceKey("local", "gone")

    def end_sessions() -> None:
        postgresql.sql(
            "postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )

    here.marks.mark(kept)
    here.marks.mark(gone)
    end_sessions()
    here.marks.unmark(gone)
    assert there.marks.elsewhere(kept)
    assert not there.marks.elsewhere(gone)
    end_sessions()
    here.marks.mark(gone)
    here.marks.unmark(gone)
    here.marks.unmark(kept)
    assert not there.marks.elsewhere(kept)
    assert not there.marks.elsewhere(gone)
    here.close()
    there.close()


def test_a_server_that_is_not_there_is_no_other_fault(postgresql: Server) -> None:
    with pytest.raises(DBAPIError), Database(postgresql.url("nothing")).reading():
        pass


@pytest.mark.parametrize(
    ("url", "words"),
    [("mysql://u@h/d", "SQLite or in PostgreSQL"), ("no url", "no SQLAlchemy URL")],
)
def test_a_url_that_is_none_of_ours_is_refused_with_a_sentence(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        Database(url)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "psycopg", None)
    with contextlib.suppress(KeyError):
        monkeypatch.delitem(sys.modules, "sqlalchemy.dialects.postgresql.psycopg")
    with pytest.raises(StoreError, match=r"tslp-litellm\[postgresql\]"):
        Database("postgresql://u@h/d")
