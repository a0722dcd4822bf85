"""Uses of whole packages, and how they stand against references that somebody else has resolved. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.binding import bindings
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.measuring import outlined
from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.uses.following import Route, direct_uses, is_within
from tslp_litellm.uses.known import Files, known_file

Edge = tuple[str, str]
"""Who uses what."""
Place = tuple[str, int]
"""A file, and a place in bytes of its text."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A name in a text, and the definitions' names that it leads to, as far as they stand in the package; several for
    an overloaded one. `silent`: nobody knows where it leads; `below`: it is known for the end of the text alone, which
    makes a use right, and its lack no miss."""

    name: str
    at: Place
    targets: tuple[Place, ...]
    silent: bool = False
    below: bool = False


@dataclass(frozen=True, slots=True)
class Package:
    """A package's files as they are read."""

    outlines: Mapping[str, Outline]
    known: Files

    def edges(self) -> dict[Edge, Route]:
        """All uses, each with its route."""
        found = ((path, user, used) for path in self.known for user, used in direct_uses(path, self.known).items())
        return {(user, one): route for _, user, used in found for one, route in used.items()}

    def by_name_alone(self) -> int:
        """The uses of other files that are left where nothing is imported and no package declared."""
        bare = {
            path: replace(file, imports={}, opens=(), package=path, star=False) for path, file in self.known.items()
        }
        found = Package(self.outlines, Files(bare)).edges()
        return sum(Entity.parse(user).path != Entity.parse(used).path for user, used in found)


@dataclass(frozen=True, slots=True)
class Judged:
    """How uses stand: those that are right, those that are not, those of which the other one knows nothing, and what
    was missed of what a use can be."""

    right: frozenset[Edge]
    wrong: frozenset[Edge]
    unknown: frozenset[Edge]
    missed: frozenset[Edge]

    @property
    def precision(self) -> float:
        return len(self.right) / max(1, len(self.right) + len(self.wrong))

    @property
    def recall(self) -> float:
        return len(self.right) / max(1, len(self.right) + len(self.missed))


def read(texts: Mapping[str, str]) -> Package:
    """A package of its texts, by path."""
    outlines, known = dict[str, Outline](), Files()
    for path, text in texts.items():
        language = language_of_path(path)
        assert language is not None
        outlines[path] = outlined(language, text.encode())
        known[path] = known_file(outlines[path], bindings(language, text.encode()))
    return Package(outlines, known)


def judge(package: Package, resolved: Iterable[Resolved]) -> Judged:
    """A use is right that somebody else resolves so, too. Missed is what leads to a definition that nothing holds."""
    allowed, wanted, loud = set[Edge](), set[Edge](), set[tuple[str, str]]()
    for one in resolved:
        user = _entity(package.outlines, one.at)
        targets = [used for place in one.targets if (used := _named(package.outlines, place)) and _is_other(user, used)]
        allowed |= {(str(user), str(used)) for used in targets}
        wanted |= {(str(user), str(used)) for used in targets[:1] if used.leaf == used.symbol and not one.below}
        loud |= set() if one.silent else {(str(user), one.name)}
    found = package.edges().keys()
    unknown = {edge for edge in found - allowed if not any((edge[0], name) in loud for name in _names(package, edge))}
    held = {(user, _top(used)) for user, used in found}
    return Judged(
        frozenset(found & allowed), frozenset(found - allowed - unknown), frozenset(unknown), frozenset(wanted - held)
    )


def _is_other(user: Entity, used: Entity) -> bool:
    within = is_within(user, used) or (user.symbol is not None and is_within(used, user))
    return not within and (user.path, (user.symbol or "").partition("#")[0]) != (used.path, used.symbol)


def _top(used: str) -> str:
    name = Entity.parse(used)
    return str(Entity(name.path, (name.symbol or "").partition(".")[0]))


def _names(package: Package, edge: Edge) -> set[str]:
    """The names by which a user may ask for what it uses."""
    user, used = map(Entity.parse, edge)
    made = package.known[user.path].imports.values()
    return {used.leaf or "", *(one.name for one in made if one.member == used.leaf)}


def _entity(outlines: Mapping[str, Outline], place: Place) -> Entity:
    """The innermost definition around a place."""
    symbol = _around(outlines[place[0]], place[1])
    return Entity(place[0], symbol.name if symbol is not None else None)


def _named(outlines: Mapping[str, Outline], place: Place) -> Entity | None:
    """The definition whose name stands at a place; None where none has it."""
    path, at = place
    seen = outlines.get(path)
    symbol = _around(seen, at) if seen is not None else None
    if seen is None or symbol is None or not seen.text[at:].startswith(symbol.leaf.encode()):
        return None
    return Entity(path, symbol.base)


def _around(seen: Outline, at: int) -> Symbol | None:
    inside = [symbol for symbol in seen.symbols if symbol.node_start <= at < symbol.node_end]
    return min(inside, key=lambda symbol: symbol.node_end - symbol.node_start, default=None)
