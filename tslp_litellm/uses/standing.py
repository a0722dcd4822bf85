"""How what an entity uses stands now, against what it was when the entity was last confirmed (SEMANTICS 10,
Freshness)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Freshness, Held, KeptUse
from tslp_litellm.uses.following import is_within
from tslp_litellm.uses.known import Definition, KnownFile


class Standing(StrEnum):
    """How what is used stands."""

    OK = "ok"
    PENDING = "pending"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Need:
    """A use as it stands. `now`: the signature of what is used, None where its current text is not known; `gone`: it is
    no entity any more."""

    use: KeptUse
    standing: Standing
    now: str | None
    gone: bool = False


def needs(
    asked: Entity, uses: Iterable[KeptUse], held: Mapping[str, Held], known: Mapping[str, KnownFile]
) -> list[Need]:
    """What an entity and all that stands in it use of others, each once, the worst first. `held`: the State Map's rows
    of what is used; `known`: the known files in which that is defined."""
    rank = list(Standing)
    found: dict[str, Need] = {}
    for use in uses:
        if is_within(asked, Entity.parse(use.entity)) and not is_within(asked, Entity.parse(use.used)):
            need = _need(use, held.get(use.used), known)
            if use.used not in found or rank.index(need.standing) > rank.index(found[use.used].standing):
                found[use.used] = need
    return sorted(found.values(), key=lambda need: (-rank.index(need.standing), need.use.used))


def by_holder(uses: Iterable[KeptUse]) -> dict[str, list[KeptUse]]:
    """Entity -> the uses of its own and of all that stands in it."""
    found: dict[str, list[KeptUse]] = defaultdict(list)
    for use in uses:
        name = Entity.parse(use.entity)
        parts = name.symbol.split(".") if name.symbol is not None else []
        found[name.path].append(use)
        for n in range(1, len(parts) + 1):
            found[str(Entity(name.path, ".".join(parts[:n])))].append(use)
    return found


def worst(found: Iterable[Need]) -> Standing:
    """How an entity's uses stand together."""
    return max((need.standing for need in found), key=list(Standing).index, default=Standing.OK)


def _need(use: KeptUse, row: Held | None, known: Mapping[str, KnownFile]) -> Need:
    if row is None:
        return Need(use, Standing.STALE, None, gone=True)
    definition = current(use.used, row, known)
    if definition is not None and definition.interface != use.interface:
        return Need(use, Standing.STALE, definition.signature)
    if definition is None:
        return Need(use, _last(use, known), None)
    return Need(use, Standing.OK, definition.signature)


def current(entity: str, row: Held, known: Mapping[str, KnownFile]) -> Definition | None:
    """The definition of a CLEAN entity as its file has it; None where its current text is not known, or not so."""
    found = _defined(entity, known)
    return found if found is not None and row.freshness is Freshness.CLEAN and found.artifact == row.artifact else None


def _defined(entity: str, known: Mapping[str, KnownFile]) -> Definition | None:
    name = Entity.parse(entity)
    file = known.get(name.path)
    return file.definitions.get(name.symbol or "") if file is not None else None


def _last(use: KeptUse, known: Mapping[str, KnownFile]) -> Standing:
    """How a use stands whose target is of unknown text: by the last one that was known."""
    last = _defined(use.used, known)
    return Standing.STALE if last is not None and last.interface != use.interface else Standing.PENDING
