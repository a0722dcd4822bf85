"""The texts that no parser is given again."""

from __future__ import annotations

import pytest

from tslp_litellm.state.values import Refused
from tslp_litellm.store import refusals
from tslp_litellm.store.database import Database
from tslp_litellm.store.statements import Statement

ONE, TWO, THREE = (Refused(f"{n}" * 64, "yaml", reason) for n, reason in enumerate(("timeout", "memory", "crash")))


def test_they_come_back_oldest_first(database: Database) -> None:
    with database.writing() as connection:
        refusals.remember(connection, [])
        refusals.remember(connection, [ONE], "2026-01-01T00:00:00.000Z")
        refusals.remember(connection, [THREE, TWO, THREE], "2026-01-02T00:00:00.000Z")
        refusals.remember(connection, [Refused(ONE.artifact, "yaml", "crash")], "2026-01-03T00:00:00.000Z")
    with database.reading() as connection:
        found = refusals.load(connection)
        assert found[0] == ONE, "what is known stays as it is"
        assert set(found) == {ONE, TWO, THREE}
        assert refusals.newest(connection) == "2026-01-02T00:00:00.000Z"
        assert refusals.reasons(connection, [ONE.artifact, "f" * 64]) == {ONE.artifact: "timeout"}


def test_the_oldest_go(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    query = refusals.select(refusals._R.refused_at).order_by(refusals._R.refused_at.desc())
    monkeypatch.setattr(refusals, "_OLDEST_KEPT", Statement(query.offset(1).limit(1)))
    with database.writing() as connection:
        for n, refused in enumerate((ONE, TWO, THREE)):
            refusals.remember(connection, [refused], f"2026-01-0{n + 1}T00:00:00.000Z")
    with database.reading() as connection:
        assert refusals.load(connection) == [TWO, THREE]
