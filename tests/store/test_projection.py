"""A State Map that was damaged is known by its head, its number of rows or its digest, and made anew (SEMANTICS 13)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, text, update

from tests.engine.helpers import Session, make_engine
from tslp_litellm.diagnostics import checks
from tslp_litellm.gateway.faults import Faults
from tslp_litellm.gateway.healing import HEALING, Healing
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import projection
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import heal, rebuild, verify
from tslp_litellm.store.schema import events, state_map, tombstones, workspaces
from tslp_litellm.store.upkeep import Upkeep, maintain

TEXT = "def f():\n    return {n}\n\n\ndef g():\n    return f()\n"


def fence(n: int, value: int) -> str:
    return f"{n}.py\n```python\n{TEXT.format(n=value)}```\n"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 't.db'}")
    made.migrate()
    engine = make_engine(made, audit=False)
    for workspace in ("w", "v"):
        client = Session(engine, made, workspace, tools=("bash",))
        for n in range(3):
            client.ask(f"{fence(n, n)}\n\nChange `f`.", fence(n, n + 9))
        call = {"name": "bash", "arguments": {"command": "rm 0.py"}}
        client.ask("Delete it.", None, calls={"c": call}).ask("And?", "ok", results={"c": "Exit code: 0\nOutput:\n"})
        client.ask("I changed 1.py by hand.")
    yield made
    made.close()


def rows(database: Database) -> list[Any]:
    with database.reading() as connection:
        return [sorted(map(str, connection.execute(select(t)))) for t in (state_map, tombstones, workspaces)]


def other(value: Any, rng: random.Random) -> Any:
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if value in ("CLEAN", "DIRTY"):
        return "DIRTY" if value == "CLEAN" else "CLEAN"
    return "x" if not value else value[:-1] + ("0" if value[-1] != "0" else "1")


def damage(database: Database, rng: random.Random) -> None:
    """Something happens to a row of the projection of one of the workspaces."""
    with database.writing() as connection:
        table = rng.choice((state_map, state_map, tombstones, workspaces))
        row = rng.choice(connection.execute(select(table)).mappings().all())
        chosen = [column == row[column.name] for column in table.primary_key]
        way = "alter" if table is workspaces else rng.choice(("alter", "alter", "delete", "add"))
        if way == "delete":
            connection.execute(delete(table).where(*chosen))
        elif way == "add":
            connection.execute(insert(table).values({**row, "entity": f"new{rng.random()}.py"}))
        else:
            kept = ("id", "tenant", "name", "workspace_id", "proven_seq")
            name = rng.choice([column.name for column in table.columns if column.name not in kept])
            connection.execute(update(table).where(*chosen).values({name: other(row[name], rng)}))


def test_what_is_noted_is_what_is_there(database: Database) -> None:
    assert verify(database) == []
    with database.reading() as connection:
        assert projection.unsound(connection) == []
        assert {row.rows for row in connection.execute(select(workspaces))} == {9}
    before = rows(database)
    rebuild(database)
    assert rows(database) == before


@pytest.mark.parametrize("seed", [pytest.param(n, marks=pytest.mark.slow if n >= 12 else ()) for n in range(50)])
def test_a_damage_is_found_and_mended_with_the_next_start(database: Database, seed: int) -> None:
    before, rng = rows(database), random.Random(seed)
    damage(database, rng)
    assert rows(database) != before
    assert checks.integrity_of(database) != "ok", "the doctor tells"
    assert rows(database) != before, "and never mends"
    faults = Faults()
    Healing(database, faults).look_at_all()
    assert rows(database) == before
    assert list(faults.open) == [HEALING]
    assert checks.integrity_of(database) == "ok"
    assert verify(database) == []


def test_a_workspace_is_looked_at_once(database: Database) -> None:
    faults = Faults()
    healing = Healing(database, faults)
    healing.look(WorkspaceKey("local", "w"))
    healing.look(WorkspaceKey("local", "unknown"))
    with database.writing() as connection:
        connection.execute(delete(state_map))
    healing.look(WorkspaceKey("local", "w"))
    assert faults.open == {}
    healing.look(WorkspaceKey("local", "v"))
    assert list(faults.open) == [HEALING]


def test_what_an_older_release_left_is_counted_without_a_word(database: Database) -> None:
    before = rows(database)
    with database.writing() as connection:
        connection.execute(update(workspaces).values(rows=None, digest=None))
    assert checks.integrity_of(database) == "ok"
    Session(make_engine(database, "o", audit=False), database, "w").ask("Hello.")
    assert not heal(database, "local", "w")
    assert not heal(database, "local", "v")
    with database.reading() as connection:
        counted = select(workspaces.c.digest).where(workspaces.c.digest.is_not(None))
        assert len(connection.execute(counted).all()) == 2
        assert projection.unsound(connection) == []
    assert rows(database)[:2] == before[:2]


def test_writing_goes_on_after_a_damage_and_does_not_take_it_for_right(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(delete(state_map).where(state_map.c.entity == "2.py::g"))
    Session(make_engine(database, "o", audit=False), database, "w").ask("4.py\n```python\nx = 1\n```\n")
    with database.reading() as connection:
        assert projection.unsound(connection) == [("local", "w"), ("local", "v")]
    assert heal(database, "local", "w")
    assert heal(database, "local", "v")
    assert verify(database) == []


def test_upkeep_proves_what_came_since(database: Database) -> None:
    with database.reading() as connection:
        count = len(connection.execute(select(events.c.seq)).all())
    assert maintain(database) == Upkeep(count, ())
    assert maintain(database) == Upkeep(0, ())
    Session(make_engine(database, "o", audit=False), database, "w").ask(fence(5, 5))
    done = maintain(database)
    assert (done.events > 0, done.problems) == (True, ())
    assert verify(database) == []


def altered(database: Database, statement: str) -> None:
    """By a hand that drops the triggers first."""
    with database.writing() as connection:
        for name in connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text(statement))


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("UPDATE events SET at = '2020' WHERE seq = (SELECT max(seq) FROM events)", "ledger"),
        ("DELETE FROM vault WHERE encoding = 'slice'", "vault"),
        ("UPDATE state_map SET freshness = 'DIRTY' WHERE entity = '2.py'", "state map"),
    ],
)
def test_upkeep_tells_what_is_wrong_until_it_is_right(database: Database, statement: str, where: str) -> None:
    altered(database, statement)
    for _ in range(2):
        assert where in {problem.where for problem in maintain(database).problems}
