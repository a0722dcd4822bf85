from __future__ import annotations

import pytest

from tests.e2e.gateway import free_port
from tests.engine.conftest import database, session, sessions

__all__ = ["database", "session", "sessions"]


@pytest.fixture
def unused_port() -> int:
    return free_port()
