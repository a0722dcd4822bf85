"""What the Ledger's events removed, as far as a prompt may ask for it: of each file its last events, and its first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, select

from tslp_litellm.state.events import Entry, Op
from tslp_litellm.store.schema import event_paths, events
from tslp_litellm.store.statements import DIALECTS, Statement

BACK = 200
"""How many events about one file are looked at, the last ones."""
ENDS = 4
"""Of how many events about one file, the first and the last ones, is asked what else happened in their episodes."""
FILES_MAX = 8
"""So many files are asked whether something was removed in them."""

_W: BindParameter[Any] = bindparam("w")
_PATH: BindParameter[Any] = bindparam("path")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
_E, _P = events.c, event_paths.c
_NAMED_AT = select(_P.seq).where(_P.workspace_id == _W, _P.path == _PATH)
_OLDEST = _NAMED_AT.order_by(_P.seq).limit(ENDS).subquery()
_NEWEST = _NAMED_AT.order_by(_P.seq.desc()).limit(ENDS).subquery()
_LAST = _NAMED_AT.order_by(_P.seq.desc()).limit(BACK).subquery()
_AT_ENDS = select(_OLDEST.c.seq).union(select(_NEWEST.c.seq))
_EPISODES = select(_E.episode_id).where(_E.workspace_id == _W, _E.seq.in_(_AT_ENDS))
_FIND = {"sqlite": func.instr, "postgresql": func.strpos}
"""Where a text stands in another. LIKE takes SQLite several times as long, and an episode may have shown many files."""
_REMOVING = {
    d: select(events).where(_E.workspace_id == _W, _FIND[d](_E.body, f'"op":"{Op.TOMBSTONE.value}"') > 0)
    for d in DIALECTS
}
_OF = Statement({d: _REMOVING[d].where(_E.seq.in_(select(_LAST.c.seq))).order_by(_E.seq.desc()) for d in DIALECTS})
_BESIDE = Statement({d: _REMOVING[d].where(_E.episode_id.in_(_EPISODES)) for d in DIALECTS})
_NAMED = Statement(select(_P.path).distinct().where(_P.workspace_id == _W, _P.path.in_(_VALUES)))


def of(connection: Connection, workspace_id: int, path: str) -> list[Entry]:
    """Of the last events that name a file those that removed something, the newest first."""
    return [Entry(*row) for row in _OF.all(connection, {"w": workspace_id, "path": path})]


def beside(connection: Connection, workspace_id: int, path: str) -> list[str]:
    """What the episodes removed in which a file was named first and last."""
    rows = _BESIDE.all(connection, {"w": workspace_id, "path": path})
    moves = (move for row in rows for move in Entry(*row).moves())
    return [move.entity for move in moves if move.op is Op.TOMBSTONE and move.entity is not None]


def once_there(connection: Connection, workspace_id: int, paths: Iterable[str]) -> set[str]:
    """Those of some files in which something was removed, of the first FILES_MAX that events name."""
    named = sorted(path for (path,) in _NAMED.of(connection, paths, {"w": workspace_id}))[:FILES_MAX]
    return {path for path in named if of(connection, workspace_id, path)}
