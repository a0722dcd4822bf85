"""The databases on which the store's contract is tested."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tslp_litellm.store.database import Database

MEMORY = pytest.param("memory", marks=pytest.mark.slow)
"""On it the tests of the engine run, whose database is whole after each."""


@pytest.fixture(params=[MEMORY, "sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql_url")
    else:
        url = "sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path / 'tslp.db'}"
    made = Database(url)
    made.migrate()
    yield made
    made.close()
