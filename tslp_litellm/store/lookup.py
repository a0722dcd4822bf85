"""What a prompt's words may mean among all that is tracked: a name that very many files share costs what few do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, or_, select

from tslp_litellm.state.names import ends, part_counts
from tslp_litellm.state.values import Freshness, Source, Tracked
from tslp_litellm.store.schema import state_map
from tslp_litellm.store.statements import Rows, Statement, bounded

PLACES_MAX = 16
"""Of a name or a path's tail that more files share, only so many and one more are looked at."""

_W: BindParameter[Any] = bindparam("w")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
_MOST: BindParameter[Any] = bindparam("most")
_S = state_map.c
_ROW = select(_S.entity, _S.path, _S.symbol, _S.artifact, _S.freshness, _S.source).where(_S.workspace_id == _W)
_OF_PATHS = Statement(_ROW.where(_S.path.in_(_VALUES)))
_OF_LEAVES = Statement(_ROW.where(_S.leaf.in_(_VALUES)).limit(_MOST))
_OF_LEAF = Statement(_ROW.where(_S.leaf == bindparam("leaf"), _S.path.in_(_VALUES)))
_PATH = _S.path.concat("")  # an expression, so that SQLite finds what is asked and does not walk all paths in order
_PATHS = select(_PATH).distinct().where(_S.workspace_id == _W)
_NAMED = Statement(_PATHS.where(_S.symbol.in_(_VALUES)).limit(PLACES_MAX + 1))
_ENDING = Statement(
    _PATHS.where(
        _S.leaf == bindparam("leaf"),
        or_(_S.symbol.like(bindparam("like"), escape="\\"), _S.symbol.like(bindparam("numbered"), escape="\\")),
    ).limit(PLACES_MAX + 1)
)
_BASENAMES = Statement(_PATHS.where(_S.basename.in_(_VALUES)).limit(_MOST))
_TAILS = Statement(
    _PATHS.where(
        _S.basename == bindparam("basename"),
        or_(_S.path == bindparam("tail"), _S.path.like(bindparam("like"), escape="\\")),
    ).limit(PLACES_MAX + 1)
)
_HOLDING = select(_S.symbol, _S.path).where(_S.workspace_id == _W)
_HOLDERS = Statement(_HOLDING.where(_S.symbol.in_(_VALUES)).limit(_MOST))
_HOLDERS_AMONG = Statement(_HOLDING.where(_S.symbol == bindparam("symbol"), _S.path.in_(_VALUES)))
_ALL_HOLDERS = Statement(_HOLDING.where(_S.symbol.in_(_VALUES)))


def leaf_of(name: str) -> str:
    """The last part of a symbol's name, without the number of a repeated one."""
    return name.rsplit(".", 1)[-1].partition("#")[0]


def of_paths(connection: Connection, workspace_id: int, paths: Collection[str]) -> list[Tracked]:
    """All rows of some files."""
    return _tracked(_OF_PATHS.of(connection, paths, {"w": workspace_id}))


def of_names(connection: Connection, workspace_id: int, names: Collection[str]) -> tuple[list[Tracked], set[str]]:
    """Rows of symbols that end in one of those names, and the names that more than `PLACES_MAX` files share.

    Of a shared name some of the files are given: those with a symbol of just that name, or, where there is none, any.
    """
    by_leaf: dict[str, list[str]] = defaultdict(list)
    for name in names:
        by_leaf[leaf_of(name)].append(name)

    def find(leaves: Sequence[str], most: int) -> Rows:
        return _OF_LEAVES.of(connection, leaves, {"w": workspace_id, "most": most})

    rows, many = bounded(find, by_leaf, _bound)
    crowded: set[str] = set()
    for leaf in many:
        for name in by_leaf[leaf]:
            paths = _files_of(connection, workspace_id, name)
            if len(paths) > PLACES_MAX:
                crowded.add(name)
            rows += _OF_LEAF.of(connection, paths, {"w": workspace_id, "leaf": leaf})
    return list({row.entity: row for row in _tracked(rows)}.values()), crowded


def _files_of(connection: Connection, workspace_id: int, name: str) -> list[str]:
    """Files with a symbol of a name, one more than `PLACES_MAX` at most."""
    exact = [name] if "#" in name else [name, f"{name}#2", f"{name}#3"]
    rows = _NAMED.of(connection, exact, {"w": workspace_id})
    if not rows:
        like = f"%.{_escaped(name)}" if name != leaf_of(name) else "%"
        asked = {"w": workspace_id, "leaf": leaf_of(name), "like": like, "numbered": f"{like}#%"}
        rows = _ENDING.all(connection, asked)
    return [path for (path,) in rows]


def with_tails(connection: Connection, workspace_id: int, tails: Collection[str]) -> set[str]:
    """Tracked paths that are, or end in, one of those: of a tail that more share, one more than `PLACES_MAX`."""
    by_base: dict[str, list[str]] = defaultdict(list)
    for tail in tails:
        by_base[tail.rpartition("/")[2]].append(tail)

    def find(basenames: Sequence[str], most: int) -> Rows:
        return _BASENAMES.of(connection, basenames, {"w": workspace_id, "most": most})

    rows, many = bounded(find, by_base, _bound)
    for base in many:
        for tail in by_base[base]:
            asked = {"w": workspace_id, "basename": base, "tail": tail, "like": f"%/{_escaped(tail.lstrip('/'))}"}
            rows += _TAILS.all(connection, asked)
    bare = {tail.lstrip("/") for tail in tails}
    depths = part_counts(bare, "/")
    return {path for (path,) in rows if path in tails or any(tail in bare for tail in ends(path, "/", depths))}


def holders(connection: Connection, workspace_id: int, names: Collection[str]) -> dict[str, frozenset[str]]:
    """Symbol -> the files in which a symbol of that full name is tracked.

    Beside a name with few files, one with very many has only those of them that hold it too: an intersection of all is
    the same.
    """

    def find(some: Sequence[str], most: int) -> Rows:
        return _HOLDERS.of(connection, some, {"w": workspace_id, "most": most})

    rows, many = bounded(find, names, _bound)
    few = {path for _, path in rows}
    if len(many) < len(names):
        for name in many:
            rows += _HOLDERS_AMONG.of(connection, few, {"w": workspace_id, "symbol": name})
    else:
        rows += _ALL_HOLDERS.of(connection, many, {"w": workspace_id})
    found: dict[str, set[str]] = defaultdict(set)
    for symbol, path in rows:
        found[symbol].add(path)
    return {name: frozenset(paths) for name, paths in found.items()}


def _bound(number: int) -> int:
    """How many rows so many names may have together."""
    return 4 * number + 64


def _escaped(text: str) -> str:
    """A text as a pattern of LIKE that means just it."""
    return re.sub(r"([\\%_])", r"\\\1", text)


def _tracked(rows: Iterable[tuple[Any, ...]]) -> list[Tracked]:
    return [
        Tracked(entity, path, symbol, artifact, freshness == Freshness.CLEAN, Source(source))
        for entity, path, symbol, artifact, freshness, source in rows
    ]
