"""Properties: for random histories the projection is the fold, and no altered byte goes unnoticed."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from tests.played import played
from tests.store.helpers import SPACE, TENANT, delete, show, spoil
from tslp_litellm.state.events import Entry, Event, EventKind, Move, Op
from tslp_litellm.state.fold import fold
from tslp_litellm.state.values import StateMap, artifact_hash
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import rebuild, verify
from tslp_litellm.store.writing import WorkspaceWriter

ENTITIES = ["a.py", "a.py::f", "a.py::C", "a.py::C.m", "b.py", "b.py::f#2", "ü/c.py::x"]
entities = st.sampled_from(ENTITIES)
TEXTS = {artifact_hash(c): c for c in "0123"}
artifacts = st.sampled_from(sorted(TEXTS))
moves = st.one_of(
    st.builds(
        Move,
        st.just(Op.PROMOTE),
        entities,
        artifacts,
        st.just("CONFIRMED"),
        st.just("x"),
        st.sampled_from(["AST", "edit", "file"]),
    ),
    st.builds(Move, st.sampled_from([Op.TOMBSTONE, Op.DIRTY, Op.EXPIRE, Op.PROPOSE, Op.REJECT]), entities, artifacts),
    st.builds(Move, st.just(Op.LOG), st.none(), artifacts),
)
events = st.one_of(
    st.builds(Event, st.just(EventKind.EVIDENCE), st.lists(moves, min_size=1, max_size=5).map(tuple)),
    st.just(Event(EventKind.EPISODE, (), (("started_at", "t"), ("model", "m")))),
)
histories = st.lists(st.tuples(st.sampled_from(["w", "v"]), st.lists(events, min_size=1, max_size=4)), max_size=12)


def ledger(connection: Connection, workspace_id: int) -> list[Entry]:
    rows = connection.execute(text("SELECT * FROM events WHERE workspace_id = :w ORDER BY seq"), {"w": workspace_id})
    return [Entry(*row) for row in rows]


def projected(connection: Connection, workspace: str) -> StateMap:
    state = StateMap()
    found = queries.state(connection, TENANT, workspace)
    state.entities = {e["entity"]: (e["artifact"], e["freshness"], e["updated_at"]) for e in found["entities"]}  # type: ignore[misc]
    state.tombstones = {t["entity"]: (t["artifact"], t["since"]) for t in found["tombstones"]}  # type: ignore[misc]
    return state


@settings(max_examples=played(12))
@given(histories)
def test_the_projection_is_the_fold_of_the_ledger(history: list[tuple[str, list[Event]]]) -> None:
    database = Database("sqlite://")
    database.migrate()
    for n, (space, batch) in enumerate(history):
        with database.writing() as connection:
            store = WorkspaceWriter(connection, TENANT, space, f"t{n}")
            store.put(TEXTS)
            store.append(batch, f"e{n}", f"t{n}")
    with database.reading() as connection:
        for space in {space for space, _ in history}:
            workspace_id = queries.workspace_id(connection, TENANT, space)
            assert workspace_id is not None
            state = fold(ledger(connection, workspace_id))
            seen = projected(connection, space)
            assert seen.entities == {e: (h.artifact, h.freshness, h.updated_at) for e, h in state.entities.items()}
            assert seen.tombstones == {e: (t.artifact, t.since) for e, t in state.tombstones.items()}
    before = verify(database)
    rebuild(database)
    assert [p for p in verify(database) if p.where == "state map"] == []
    assert [p for p in before if p.where not in ("coherence", "succession")] == [], (
        "the texts of random moves are no parts of their files, and replace nothing; all else holds"
    )
    database.close()


# -- altered bytes -----------------------------------------------------------------------------------------------------

TABLES = ("vault", "events", "state_map", "tombstones", "workspaces")


def filled(path: Path) -> Database:
    database = Database(f"sqlite:///{path}")
    database.migrate()
    long = "import re\n\n\n" + "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(30))
    show(database, "src/a.py", long)
    show(database, "src/a.py", long.replace("+ 3\n", "+ 33\n"))
    show(database, "b.md", "# Ü\n")
    show(database, "gone.py", "x = 1\n")
    delete(database, "gone.py")
    spoil(database, "b.md")
    return database


def cells(connection: Connection) -> list[tuple[str, int, str]]:
    """Every non-empty cell of the five tables: table, rowid, column."""
    found = []
    for table in TABLES:
        columns = [row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table})")]
        for row in connection.exec_driver_sql(f"SELECT rowid, * FROM {table}"):
            found += [
                (table, row[0], c) for c, value in zip(columns, row[1:], strict=True) if value not in (None, b"", "")
            ]
    return found


def flip(connection: Connection, table: str, rowid: int, column: str, rng: random.Random) -> bool:
    """Alter one byte of one cell, past triggers and constraints; False where the value can't be stored."""
    value = connection.exec_driver_sql(f"SELECT {column} FROM {table} WHERE rowid = ?", (rowid,)).scalar_one()
    if isinstance(value, int):
        new: object = value ^ (1 << rng.randrange(8))
    else:
        raw = bytearray(value if isinstance(value, bytes) else value.encode())
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        new = bytes(raw)
    cast = "" if isinstance(value, (int, bytes)) else "CAST(? AS TEXT)"
    try:
        connection.exec_driver_sql(f"UPDATE OR FAIL {table} SET {column} = {cast or '?'} WHERE rowid = ?", (new, rowid))
    except Exception:
        return False
    return True


@settings(max_examples=played(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32))
def test_every_altered_byte_is_found(tmp_path_factory: object, seed: int) -> None:
    rng = random.Random(seed)
    database = _altered_ready(tmp_path_factory)
    with database._engine.connect() as connection:
        transaction = connection.begin()
        place = rng.choice(cells(connection))
        if flip(connection, *place, rng):
            problems = _verify_in(connection)
            assert problems, f"an altered byte in {place} went unnoticed"
        transaction.rollback()


def test_an_event_that_can_no_longer_be_folded_is_a_problem(tmp_path_factory: object) -> None:
    database = _altered_ready(tmp_path_factory)
    for there, instead in (('"artifact"', '"artifice"'), ('"moves":[', '"moves":[7,'), ('{"', '[{"')):
        with database._engine.connect() as connection:
            transaction = connection.begin()
            connection.execute(text("UPDATE events SET body = replace(body, :a, :b)"), {"a": there, "b": instead})
            assert _verify_in(connection)
            transaction.rollback()


_CACHE: dict[str, Database] = {}


def _altered_ready(factory: object) -> Database:
    """One database for all examples: each alters it inside a transaction that is rolled back."""
    if "db" not in _CACHE:
        folder = factory.mktemp("altered")  # type: ignore[attr-defined]
        database = filled(folder / "t.db")
        assert verify(database) == []
        with database.writing() as connection:
            for name in (
                connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars().all()
            ):
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
        _CACHE["db"] = database
    return _CACHE["db"]


def _verify_in(connection: Connection) -> list[object]:
    from tslp_litellm.store.maintenance import checked

    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    return list(checked(connection))


def test_the_unaltered_database_is_clean_and_so_is_its_workspace(tmp_path: Path) -> None:
    database = filled(tmp_path / "t.db")
    assert verify(database) == []
    with database.reading() as connection:
        assert queries.workspaces_of(connection, TENANT) == [SPACE]
