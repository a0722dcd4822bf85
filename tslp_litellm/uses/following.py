"""Where the names of a text lead, among known files (SEMANTICS 10, Use): bound exactly once on every step, or nowhere.

A known file that imports names nobody knows (a star) is followed no further than its own definitions and imports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.references import Import
from tslp_litellm.uses.known import Asked, KnownFile
from tslp_litellm.uses.modules import FILES, MEMBERS

RE_EXPORTS_MAX = 4


class Route(StrEnum):
    """How a use was found, nearest first."""

    SAME_FILE = "same-file"
    IMPORT = "import"
    RE_EXPORT = "re-export"


@dataclass(frozen=True, slots=True)
class Use:
    """`user` uses `used`."""

    user: Entity
    used: Entity
    route: Route


@dataclass(frozen=True, slots=True)
class _Place:
    """A name's binding: in which file, which members are asked of it, how many imports led there."""

    path: str
    chain: tuple[str, ...]
    imports: int


def uses(path: str, known: Mapping[str, KnownFile]) -> list[Use]:
    """What the file and each of its definitions use, by their names; KeyError where the file is not known."""
    found = dict[tuple[Entity, Entity], Use]()
    for asked, used, route in _found(path, known):
        for user in (Entity(path), *(Entity(path, name) for name in asked.holders)):
            if not is_within(user, used) and not is_within(used, user):
                found.setdefault((user, used), Use(user, used, route))
    return sorted(found.values(), key=lambda use: (str(use.user), str(use.used)))


def direct_uses(path: str, known: Mapping[str, KnownFile]) -> dict[str, dict[str, Route]]:
    """What is used, and by which route, by the innermost definition that asks for it, or by the file outside of all.

    What holds a user uses the same: it is not told again. KeyError where the file is not known.
    """
    made: dict[str, dict[str, Route]] = {}
    for asked, used, route in _found(path, known):
        user = Entity(path, asked.holders[-1] if asked.holders else None)
        if not is_within(user, used) and (user.symbol is None or not is_within(used, user)):
            made.setdefault(str(user), {}).setdefault(str(used), route)
    return made


def _found(path: str, known: Mapping[str, KnownFile]) -> Iterator[tuple[Asked, Entity, Route]]:
    for asked in known[path].asked:
        place = _followed(_Place(path, asked.chain, 0), known)
        if place is not None and (used := _definition(place, known)) is not None:
            yield asked, used, _route(place)


def _followed(place: _Place, known: Mapping[str, KnownFile]) -> _Place | None:
    """The place of the definition that a name leads to, through imports and re-exports."""
    while place.imports <= RE_EXPORTS_MAX + 1:
        file = known[place.path]
        name = place.chain[0]
        if name in file.defined:
            return place
        made = file.imports.get(name)
        step = _imported(place, made, known) if made is not None else None
        if step is None:
            return None
        place = step
    return None


def _imported(place: _Place, made: Import, known: Mapping[str, KnownFile]) -> _Place | None:
    """Where an import leads: to a member of a known file, or to one of the members that are asked of a module."""
    language = known[place.path].language
    if language not in FILES:
        return None
    module, rest = made.module, place.chain[1:]
    if made.member is not None:
        path = FILES[language](place.path, module, known)
        if path is not None and path != place.path and known[path].binds(made.member):
            return _Place(path, (made.member, *rest), place.imports + 1)
        if language not in MEMBERS or (path is not None and known[path].may_bind(made.member)):
            return None
        module = MEMBERS[language](module, made.member)
    elif not made.whole:
        inner = tuple(module.split(".")[1:])
        if rest[: len(inner)] != inner:
            return None
        rest = rest[len(inner) :]
    path = FILES[language](place.path, module, known)
    return _Place(path, rest, place.imports + 1) if path is not None and path != place.path and rest else None


def _definition(place: _Place, known: Mapping[str, KnownFile]) -> Entity | None:
    """The definition of a place, or its member that is asked for, where the type itself defines one; each only where
    the file has one of that name."""
    there, name = known[place.path].definitions, place.chain[0]
    definition = there.get(name)
    if definition is None or not definition.is_top or f"{name}#2" in there:
        return None
    if len(place.chain) > 1 and definition.is_type:
        member = f"{name}.{place.chain[1]}"
        if member in there and f"{member}#2" not in there:
            return Entity(place.path, member)
    return Entity(place.path, name)


def is_within(outer: Entity, inner: Entity) -> bool:
    """Whether an entity is another one, or a part of it."""
    if outer.path != inner.path:
        return False
    held = inner.symbol or ""
    return outer.symbol is None or held == outer.symbol or held.startswith(f"{outer.symbol}.")


def _route(place: _Place) -> Route:
    return (Route.SAME_FILE, Route.IMPORT)[place.imports] if place.imports < 2 else Route.RE_EXPORT
