from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.schema import renew
from tslp_litellm.engine.projecting import problems
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify

from .helpers import Session, make_engine


@functools.cache
def _database() -> Database:
    """One for all, as it keeps its compiled statements."""
    return Database("sqlite://")


@pytest.fixture
def database() -> Iterator[Database]:
    made = _database()
    renew(made)
    yield made
    made.observe = None
    assert verify(made, also=problems) == [], "whatever a test did, the database is whole"


@pytest.fixture
def session(database: Database) -> Session:
    return Session(make_engine(database), database)


@pytest.fixture
def sessions(database: Database) -> Callable[..., Session]:
    def make(workspace: str = "w", tools: tuple[str, ...] = (), limit: int | None = None, **settings: Any) -> Session:
        return Session(make_engine(database, **settings), database, workspace, tools, limit)

    return make
