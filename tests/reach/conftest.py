from __future__ import annotations

from tests.engine.conftest import database, session, sessions

__all__ = ["database", "session", "sessions"]
