"""The texts that ended or outran a parser: remembered by their hash, so that no process tries one again.

They belong to no workspace: a text is refused for what it is, whoever sent it. Only hashes are kept, and the newest.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import Connection, bindparam, delete, func, select

from tslp_litellm.state.values import Refused
from tslp_litellm.store.schema import parser_refusals
from tslp_litellm.store.statements import DIALECTS, Statement, inserting

REFUSALS_MAX = 10_000
_R = parser_refusals.c
_REMEMBER = Statement({d: inserting(d)(parser_refusals).on_conflict_do_nothing() for d in DIALECTS})
_NEWEST = select(_R.artifact, _R.language, _R.reason).order_by(_R.refused_at.desc()).limit(REFUSALS_MAX)
_OLDEST_KEPT = Statement(select(_R.refused_at).order_by(_R.refused_at.desc()).offset(REFUSALS_MAX - 1).limit(1))
_FORGET = Statement(delete(parser_refusals).where(_R.refused_at < bindparam("oldest")))
_REASONS = Statement(select(_R.artifact, _R.reason).where(_R.artifact.in_(bindparam("values", expanding=True))))


def load(connection: Connection) -> list[Refused]:
    """The refused texts, oldest first; at most `REFUSALS_MAX`, the newest."""
    return [Refused(*row) for row in connection.execute(_NEWEST)][::-1]


def remember(connection: Connection, refusals: Iterable[Refused], at: str | None = None) -> None:
    """Keep some more, on a connection that may write; the oldest beyond `REFUSALS_MAX` go.

    `at`: when they were refused, RFC 3339 UTC with milliseconds; now, if it is not given. One that is known keeps its
    reason and its time.
    """
    now = at or datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    rows = {(r.artifact, r.language): r for r in refusals}
    if not rows:
        return
    _REMEMBER.run(
        connection,
        *(
            {"artifact": r.artifact, "language": r.language, "reason": r.reason, "refused_at": now}
            for r in rows.values()
        ),
    )
    oldest = _OLDEST_KEPT.one(connection, {})
    if oldest is not None:
        _FORGET.run(connection, {"oldest": oldest[0]})


def newest(connection: Connection) -> str | None:
    """When the last text was refused."""
    found: str | None = connection.execute(select(func.max(_R.refused_at))).scalar_one()
    return found


def reasons(connection: Connection, artifacts: Iterable[str]) -> dict[str, str]:
    """Artifact -> why its text was refused (`timeout`, `memory` or `crash`), for those that were."""
    return dict(_REASONS.of(connection, artifacts, {}))
