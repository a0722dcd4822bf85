"""Imported into a gateway's process before it starts: faults that are on while their name stands in a file."""

from __future__ import annotations

import functools
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import Pool as Connections

from tslp_litellm import litellm_hooks
from tslp_litellm.engine.audit import Auditing
from tslp_litellm.engine.hydrating import Hydrator
from tslp_litellm.engine.record import Recorder
from tslp_litellm.gateway.audit_queue import AuditQueue
from tslp_litellm.parser.pool import Pool
from tslp_litellm.store import database
from tslp_litellm.wire import FORMATS

SWITCH = Path(os.environ["INJECTED_FAULTS"])


def _sqlite(words: str) -> Callable[[], Exception]:
    return lambda: OperationalError("injected", None, sqlite3.OperationalError(words))


def inject(name: str, owner: Any, attribute: str, make: Callable[[], Exception]) -> None:
    """Make a function fail while its fault is switched on."""
    real = getattr(owner, attribute)

    @functools.wraps(real)
    def failing(*args: Any, **kwargs: Any) -> Any:
        if SWITCH.exists() and name in SWITCH.read_text().split():
            raise make()
        return real(*args, **kwargs)

    setattr(owner, attribute, failing)


def _broken() -> Exception:
    return RuntimeError("injected")


inject("open", Connections, "connect", _sqlite("unable to open database file"))
inject("begin", database, "_begin", _sqlite("database is locked"))
inject("write", database.Database, "writing", _sqlite("disk I/O error"))
inject("commit", DefaultDialect, "do_commit", lambda: sqlite3.OperationalError("database or disk is full"))
inject("parser", Pool, "ask", _broken)
inject("hydration", Hydrator, "hydrate", _broken)
inject("tokenizer", litellm_hooks, "count_tokens", _broken)
inject("recording", Recorder, "visit_all", _broken)
inject("queue", AuditQueue, "submit", _broken)
inject("audit", Auditing, "visit", _broken)
for _format in {type(wire) for wire in FORMATS.values()}:
    inject("wire", _format, "parse", _broken)
    inject("answer", _format, "whole", _broken)
    inject("answer", _format, "stream", _broken)
