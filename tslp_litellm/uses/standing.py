"""How what an entity uses stands now, against what it was when the entity was last confirmed (SEMANTICS 10,
Freshness)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Freshness, Held, KeptUse, Part
from tslp_litellm.uses.following import is_within
from tslp_litellm.uses.known import Definition, KnownFile


class Standing(StrEnum):
    """How what is used stands."""

    OK = "ok"
    PENDING = "pending"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Need:
    """A use as it stands. `now`: the signature of what is used, None where it is not known; `gone`: it is no entity any
    more; `pending`: it is DIRTY, whether it had changed before or not."""

    use: KeptUse
    standing: Standing
    now: str | None
    gone: bool = False
    pending: bool = False


@dataclass(frozen=True, slots=True)
class Targets:
    """What is used, as it is now. `held`: its rows in the State Map; `known`: the known files in which it is defined;
    `parts`: those whose text is newer than that of their file."""

    held: Mapping[str, Held]
    known: Mapping[str, KnownFile]
    parts: Mapping[str, Part]


def needs(asked: Entity, uses: Iterable[KeptUse], targets: Targets) -> list[Need]:
    """What an entity and all that stands in it use of others, each once, the worst first."""
    rank = list(Standing)
    found: dict[str, Need] = {}
    for use in uses:
        if is_within(asked, Entity.parse(use.entity)) and not is_within(asked, Entity.parse(use.used)):
            need = _need(use, targets)
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


def _need(use: KeptUse, targets: Targets) -> Need:
    row = targets.held.get(use.used)
    if row is None:
        return Need(use, Standing.STALE, None, gone=True)
    if row.freshness is not Freshness.CLEAN:
        last = _defined(use.used, targets)
        changed = last is not None and last.interface != use.interface
        return Need(use, Standing.STALE if changed else Standing.PENDING, None, pending=True)
    now = next((one for one in (_defined(use.used, targets), targets.parts.get(use.used)) if _is_of(one, row)), None)
    if now is None:  # its text can't be read by itself, or is not read yet
        return Need(use, Standing.OK, None)
    return Need(use, Standing.OK if now.interface == use.interface else Standing.STALE, now.signature)


def _is_of(definition: Definition | Part | None, row: Held) -> bool:
    return definition is not None and definition.artifact == row.artifact and definition.interface != ""


def _defined(entity: str, targets: Targets) -> Definition | None:
    """The definition of an entity in the last known text of its file."""
    name = Entity.parse(entity)
    file = targets.known.get(name.path)
    return file.definitions.get(name.symbol or "") if file is not None else None
