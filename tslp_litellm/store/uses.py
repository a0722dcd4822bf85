"""What entities use, as it is kept (SEMANTICS 10): known files, edges, and how far the Ledger was read for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, func, literal_column, select, update

from tslp_litellm.state.events import Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Doubt, Freshness, Held, KeptUse, Part, Source
from tslp_litellm.store.schema import state_map, uses, uses_files, uses_heads, uses_parts
from tslp_litellm.store.statements import DIALECTS, Statement, inserting, upsert

_W: BindParameter[Any] = bindparam("w")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
MAKING = frozenset({Op.PROMOTE, Op.CONFIRM, Op.TOMBSTONE})
"""Moves that make or end uses."""
USED_MAX = 2_000
"""Among so many uses a name is looked for: no index has names by their last parts."""
GONE_MAX = 1_000
"""So many uses of what is gone are looked at."""
NAMES_MAX = 3
"""So many names are."""
_U, _F, _H, _P, _S = uses.c, uses_files.c, uses_heads.c, uses_parts.c, state_map.c
_EDGE = (_U.entity, _U.used, _U.route, _U.interface, _U.signature)
_HEAD = Statement(select(_H.seq).where(_H.workspace_id == _W))
_FOLLOW = Statement(update(uses_heads).where(_H.workspace_id == _W, _H.seq == bindparam("read")), ["seq"])
_SET_HEAD = upsert(uses_heads, ("workspace_id",))
_FILES = Statement(select(_F.path, _F.artifact).where(_F.workspace_id == _W))
_PACKAGES = Statement(select(_F.path, _F.package).where(_F.workspace_id == _W, _F.package != ""))
_AMONG = Statement(select(_F.path, _F.artifact).where(_F.workspace_id == _W, _F.path.in_(_VALUES)))
_BODIES = Statement(select(_F.path, _F.body).where(_F.workspace_id == _W, _F.path.in_(_VALUES)))
_DOUBTS: list[Any] = [literal_column(f"'{doubt}'") for doubt in Doubt]  # no parameters: an INSERT's are its row's
_SURE = _U.route.not_in(_DOUBTS)
_OF = Statement(select(*_EDGE).where(_U.workspace_id == _W, _SURE, _U.path.in_(_VALUES)))
_HELD_STILL = select(_S.entity).where(_S.workspace_id == _W, _S.entity == _U.used).exists()
_TO = Statement(select(*_EDGE).where(_U.workspace_id == _W, _SURE, _U.used_path.in_(_VALUES)))
_OF_GONE = select(*_EDGE).where(_U.workspace_id == _W, _U.used_path.in_(_VALUES), ~_HELD_STILL).limit(GONE_MAX)
_GONE = Statement(_OF_GONE.where(_SURE))
_PERHAPS_GONE = Statement(_OF_GONE.where(~_SURE))
_SOME = select(_U.used).where(_U.workspace_id == _W, _SURE).limit(USED_MAX + 1).subquery()
_FEW = select(func.count()).select_from(_SOME).scalar_subquery() <= USED_MAX
_CALLED = Statement(select(_SOME.c.used).distinct().where(_SOME.c.used.like(bindparam("like")), _FEW))
_ALL = Statement(select(*_EDGE).where(_U.workspace_id == _W, _SURE))
_DOUBTFUL = Statement(select(*_EDGE).where(_U.workspace_id == _W, ~_SURE))
_HELD = Statement(
    select(_S.entity, _S.artifact, _S.freshness, _S.source, _S.updated_at).where(
        _S.workspace_id == _W, _S.entity.in_(_VALUES)
    )
)
_PARTS = Statement(
    select(_P.entity, _P.artifact, _P.interface, _P.signature).where(_P.workspace_id == _W, _P.entity.in_(_VALUES))
)
_ALL_PARTS = Statement(select(_P.entity, _P.artifact, _P.interface, _P.signature).where(_P.workspace_id == _W))
_DROP_PARTS = Statement(delete(uses_parts).where(_P.workspace_id == _W, _P.entity.in_(_VALUES)))
_KEEP_PARTS = upsert(uses_parts, ("workspace_id", "entity"))
_FORGET = Statement(delete(uses_files).where(_F.workspace_id == _W, _F.path.in_(_VALUES)))
_KEEP = upsert(uses_files, ("workspace_id", "path"))
_CUT = Statement(delete(uses).where(_U.workspace_id == _W, _U.entity.in_(_VALUES)))


def _tie(dialect: str) -> Any:
    """What is there stays; a use goes before a doubt."""
    new = inserting(dialect)(uses)
    better = ~_SURE & new.excluded.route.not_in(_DOUBTS)
    now = {column: new.excluded[column] for column in ("route", "interface", "signature")}
    return new.on_conflict_do_update(index_elements=["workspace_id", "entity", "used"], set_=now, where=better)


_TIE = Statement({d: _tie(d) for d in DIALECTS}, uses.c.keys())


def head(connection: Connection, workspace_id: int) -> int:
    """The last event that was read for the uses; 0 where none was."""
    found = _HEAD.one(connection, {"w": workspace_id})
    return int(found[0]) if found is not None else 0


def follow(connection: Connection, workspace_id: int, read: int, seq: int) -> None:
    """What stands behind the last event that was read, up to another, makes and ends no uses."""
    _FOLLOW.run(connection, {"w": workspace_id, "read": read, "seq": seq})


def files(connection: Connection, workspace_id: int) -> dict[str, str]:
    """The known files: path -> artifact."""
    return dict(_FILES.all(connection, {"w": workspace_id}))


def packages(connection: Connection, workspace_id: int) -> dict[str, str]:
    """The packages that known files declare: path -> key."""
    return dict(_PACKAGES.all(connection, {"w": workspace_id}))


def among(connection: Connection, workspace_id: int, paths: Iterable[str]) -> dict[str, str]:
    """Which of some files are known: path -> artifact."""
    return dict(_AMONG.of(connection, paths, {"w": workspace_id}))


def bodies(connection: Connection, workspace_id: int, paths: Iterable[str]) -> dict[str, str]:
    """What is known of files: path -> body."""
    return dict(_BODIES.of(connection, paths, {"w": workspace_id}))


def of_paths(connection: Connection, workspace_id: int, paths: Iterable[str]) -> list[KeptUse]:
    """The uses of what is in some files."""
    return [KeptUse(*row) for row in _OF.of(connection, paths, {"w": workspace_id})]


def to_paths(connection: Connection, workspace_id: int, paths: Iterable[str]) -> list[KeptUse]:
    """The uses of what is, or was, in some files."""
    return [KeptUse(*row) for row in _TO.of(connection, paths, {"w": workspace_id})]


def of_gone(connection: Connection, workspace_id: int, paths: Iterable[str]) -> list[KeptUse]:
    """The uses of what was in some files, and is no entity any more; GONE_MAX at most, of a few hundred files."""
    return [KeptUse(*row) for row in _GONE.of(connection, paths, {"w": workspace_id})]


def perhaps_of_gone(connection: Connection, workspace_id: int, paths: Iterable[str]) -> list[KeptUse]:
    """What may be uses of that, each with its doubt for a route; GONE_MAX at most, of a few hundred files."""
    return [KeptUse(*row) for row in _PERHAPS_GONE.of(connection, paths, {"w": workspace_id})]


def called(connection: Connection, workspace_id: int, leaves: Collection[str]) -> set[str]:
    """What is used and has one of those last parts of a symbol; of the first NAMES_MAX; nothing where there
    are more than USED_MAX uses."""
    asked = ({"w": workspace_id, "like": f"%{leaf}"} for leaf in sorted(leaves)[:NAMES_MAX])
    found = {used for like in asked for (used,) in _CALLED.all(connection, like)}
    return {used for used in found if Entity.parse(used).leaf in leaves}


def all_rows(connection: Connection, workspace_id: int) -> list[KeptUse]:
    """All uses."""
    return [KeptUse(*row) for row in _ALL.all(connection, {"w": workspace_id})]


def doubtful_rows(connection: Connection, workspace_id: int) -> list[KeptUse]:
    """All that may be uses."""
    return [KeptUse(*row) for row in _DOUBTFUL.all(connection, {"w": workspace_id})]


def parts(connection: Connection, workspace_id: int, entities: Iterable[str] | None = None) -> dict[str, Part]:
    """Of some entities, or of all, those whose text is newer than that of their file."""
    w = {"w": workspace_id}
    rows = _ALL_PARTS.all(connection, w) if entities is None else _PARTS.of(connection, entities, w)
    return {entity: Part(*rest) for entity, *rest in rows}


def held(connection: Connection, workspace_id: int, entities: Iterable[str]) -> dict[str, Held]:
    """How some entities stand in the State Map."""
    rows = _HELD.of(connection, entities, {"w": workspace_id})
    return {entity: Held(a, Freshness(f), Source(source), at) for entity, a, f, source, at in rows}


def write(
    connection: Connection,
    workspace_id: int,
    seq: int,
    *,
    gone: Iterable[str],
    known: Mapping[str, tuple[str, str, str]],
    replaced: Collection[str],
    rows: Iterable[KeptUse],
    parts: Mapping[str, Part],
) -> None:
    """Take down what the Ledger up to `seq` makes of the uses. `gone`: files that are known no more; `known`: path ->
    artifact, body and package; `replaced`: users whose uses are all among `rows`, and of which `parts`
    holds those whose text is newer than their file's. What is there of the others stays."""
    w = {"w": workspace_id}
    _FORGET.of(connection, gone, w)
    _KEEP.run(
        connection,
        *(
            {"workspace_id": workspace_id, "path": path, "artifact": artifact, "body": body, "package": package}
            for path, (artifact, body, package) in known.items()
        ),
    )
    _CUT.of(connection, replaced, w)
    _DROP_PARTS.of(connection, replaced, w)
    _KEEP_PARTS.run(
        connection,
        *(
            {"workspace_id": workspace_id, "entity": e, "artifact": p.artifact}
            | {"interface": p.interface, "signature": p.signature}
            for e, p in parts.items()
        ),
    )
    _TIE.run(connection, *(_row(workspace_id, row) for row in rows))
    _SET_HEAD.run(connection, {"workspace_id": workspace_id, "seq": seq})


def clear(connection: Connection) -> None:
    """Forget all of it, in every workspace: it is made anew from the Ledger."""
    for table in (uses, uses_files, uses_heads, uses_parts):
        connection.execute(delete(table))


def _row(workspace_id: int, row: KeptUse) -> dict[str, Any]:
    return {
        "workspace_id": workspace_id,
        "entity": row.entity,
        "used": row.used,
        "path": Entity.parse(row.entity).path,
        "used_path": Entity.parse(row.used).path,
        "route": row.route,
        "interface": row.interface,
        "signature": row.signature,
    }
