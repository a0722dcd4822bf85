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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On PostgreSQL archives are played by `make check`, but for what its triggers allow and a death leaves."""
    for item in items:
        of_archives = item.path.name in ("test_archive.py", "test_segments.py") and "[postgresql" in item.name
        if of_archives and "triggers" not in item.name and "boundary" not in item.name:
            item.add_marker(pytest.mark.slow)
