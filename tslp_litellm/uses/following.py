"""Where the names of a text lead, among known files (SEMANTICS 10, Use): bound exactly once on every step, or nowhere.

A known file that imports names nobody knows (a star) is followed no further than its own definitions and imports.
What is in doubt on the way is no use; it is followed apart, each way that it may lead (`all_uses`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TypeVar

from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Doubt
from tslp_litellm.syntax.references import Import
from tslp_litellm.uses.known import Asked, Definition, KnownFile, World
from tslp_litellm.uses.modules import (
    FILES,
    IMPLICIT_THIS,
    MEMBERS,
    PACKAGES,
    RUST_ROOTS,
    TELLING,
    in_package,
    package_key,
    rust_file,
)

RE_EXPORTS_MAX = 4
STEPS_MAX = RE_EXPORTS_MAX + 1
R = TypeVar("R")


class Route(StrEnum):
    """How a use was found, nearest first."""

    SAME_FILE = "same-file"
    IMPORT = "import"
    RE_EXPORT = "re-export"


@dataclass(frozen=True, slots=True)
class _Place:
    """A name's binding: in which file, which members are asked of it, how many imports led there."""

    path: str
    chain: tuple[str, ...]
    imports: int


def direct_uses(path: str, known: World) -> dict[str, dict[str, Route]]:
    """What is used, and by which route, by the innermost definition that asks for it, or by the file outside of all.

    What holds a user uses the same: it is not told again. KeyError where the file is not known.
    """
    return _by_user(path, _found(path, known))


def all_uses(path: str, known: World) -> dict[str, dict[str, Route | Doubt]]:
    """`direct_uses`; and, with the doubt for a route, what else may be used: where a name leads if what is in doubt on
    the way is settled for it."""
    return _by_user(path, chain[tuple[Asked, Entity, Route | Doubt]](_found(path, known), _doubtful(path, known)))


def _by_user(path: str, found: Iterable[tuple[Asked, Entity, R]]) -> dict[str, dict[str, R]]:
    made: dict[str, dict[str, R]] = {}
    for asked, used, route in found:
        user = Entity(path, asked.holders[-1] if asked.holders else None)
        if not is_within(user, used) and (user.symbol is None or not is_within(used, user)):
            made.setdefault(str(user), {}).setdefault(str(used), route)
    return made


def _found(path: str, known: World) -> Iterator[tuple[Asked, Entity, Route]]:
    for asked in known[path].asked:
        place = _followed(_Place(path, asked.chain, 0), known)
        if place is None or (used := _definition(place, known)) is None:
            continue
        if not _may_be_inherited(path, asked, known[used.path].definitions[used.symbol or ""], known):
            yield asked, used, _route(place)


def _doubtful(path: str, known: World) -> Iterator[tuple[Asked, Entity, Doubt]]:
    for asked in (*known[path].asked, *known[path].doubts):
        for place, why in _possible(path, asked, known):
            if (used := _definition(place, known, again=True)) is None:
                continue
            if not _may_be_inherited(path, asked, known[used.path].definitions[used.symbol or ""], known):
                yield asked, used, why


def _possible(path: str, asked: Asked, known: World) -> Iterator[tuple[_Place, Doubt]]:
    """The places of definitions that a name may lead to, each with the first doubt on the way; none without any."""
    seen = set[_Place]()
    coming = [(_Place(path, asked.chain, 0), Doubt(asked.why) if asked.why else None)]
    while coming:
        place, why = coming.pop()
        if place in seen:
            continue
        file, name = known[place.path], place.chain[0]
        if why is not None and name in file.defined:
            yield place, why
        elif name in file.several and file.defines(name):
            yield place, why or Doubt.TWO_BINDINGS
        seen.add(place)
        coming += [one for one in _steps(place, why, known) if one[0].imports <= STEPS_MAX]


def _steps(place: _Place, why: Doubt | None, known: World) -> Iterator[tuple[_Place, Doubt | None]]:
    """Where each import leads that may bind a name."""
    file, name = known[place.path], place.chain[0]
    ways = [(made, why) for made in (file.imports.get(name),) if made is not None]
    ways += [(made, why or Doubt.TWO_BINDINGS) for made in file.unsure.get(name, ())]
    ways += [(Import(name, star, name), why or Doubt.STAR_IMPORT) for star in file.stars if not file.binds(name)]
    for made, doubt in ways:
        if (step := _imported(place, made, known, perhaps=True)) is not None:
            yield step, doubt


def _may_be_inherited(path: str, asked: Asked, found: Definition, known: World) -> bool:
    """Whether a bare name in a type may as well be a member that it has or inherits."""
    file = known[path]
    imported = asked.chain[0] in file.imports and file.language != "java"  # whose members hide what is imported
    unsaid = file.language in IMPLICIT_THIS and not imported
    if not unsaid or found.is_type or len(asked.chain) > 1:
        return False
    around = (h if file.definitions[h].is_type else h.rpartition(".")[0] for h in asked.holders)
    return any(not _has_none(path, of, asked.chain[0], known) for of in around if of)


def _has_none(path: str, of: str, name: str, known: World) -> bool:
    """Whether a type surely has no member of a name: it is seen, and so are those around it, and none inherits."""
    if known[path].language not in TELLING:
        return False
    files = [known[at] for at in (path, *_opened_files(path, known))]
    there = [file for file in files if of in file.definitions]
    parts = of.split(".")
    return len(there) == 1 and not any(there[0].may_have(".".join(parts[: n + 1]), name) for n in range(len(parts)))


def _followed(place: _Place, known: World) -> _Place | None:
    """The place of the definition that a name leads to, through imports and re-exports."""
    while place.imports <= STEPS_MAX:
        file = known[place.path]
        name = place.chain[0]
        if name in file.defined or (place.imports and file.language == "ruby"):  # or a module's
            return place
        made = file.imports.get(name)
        step = _imported(place, made, known) if made is not None else _opened(place, file, known)
        if step is None:
            return None
        place = step
    return None


def _imported(place: _Place, made: Import, known: World, *, perhaps: bool = False) -> _Place | None:
    """Where an import leads: to a member of a known file, or to one of the members that are asked of a module.
    `perhaps`: also to what the file may bind."""
    language = known[place.path].language
    module, rest = _from_here(made.module, known[place.path]), place.chain[1:]
    if language in PACKAGES:
        if made.member is not None:
            found = _of_package(place, module, made.member, known)
            if found is None and language == "java" and made.member[:1].islower():
                return _static(place, module, made.member, known)
            return _Place(found, (made.member, *rest), place.imports + 1) if found is not None else None
        found = _of_package(place, module, rest[0], known) if rest else None
        return _Place(found, rest, place.imports + 1) if found is not None else None
    if language not in FILES:
        return None
    if language == "rust" and made.member is not None and rest:
        inner = FILES[language](place.path, MEMBERS[language](module, made.member), known)
        if inner is not None and inner != place.path:
            return _Place(inner, rest, place.imports + 1)  # `mod a;` on the way is no re-export
    if made.member is not None:
        path = FILES[language](place.path, module, known)
        own = known[path].own((made.member, *rest)) if path is not None else ()
        if path is not None and path != place.path and known[path].binds(own[0], perhaps=perhaps):
            return _Place(path, own, place.imports + 1)
        if language not in MEMBERS or (path is not None and known[path].may_bind(made.member)):
            return None
        module = MEMBERS[language](module, made.member)
    elif not made.whole:
        dotted = tuple(module.split(".")[1:])
        if rest[: len(dotted)] != dotted:
            return None
        rest = rest[len(dotted) :]
    path = FILES[language](place.path, module, known)
    return _Place(path, known[path].own(rest), place.imports + 1) if path is not None and path != place.path else None


def _static(place: _Place, module: str, member: str, known: World) -> _Place | None:
    """Where a member that is imported from its type leads (Java)."""
    package, _, kind = module.rpartition(".")
    found = _of_package(place, package, kind, known)
    return _Place(found, (kind, member), place.imports + 1) if found is not None else None


def _opened(place: _Place, file: KnownFile, known: World) -> _Place | None:
    """Where a name leads that a file sees without a word: to the one definition in what it opens, or in its package."""
    name = place.chain[0]
    if name in file.several or place.imports:
        return None
    if file.language in PACKAGES:
        if file.language == "scala" and file.star:
            return None  # a wildcard import goes before what other files of the package define
        if (path := _of_package(place, None, name, known)) is None:
            found = {_of_package(place, module, name, known) for module in file.opens} - {None}
            path = found.pop() if len(found) == 1 else None
        return _Place(path, place.chain, 1) if path is not None else _spelled_out(place, known)
    if file.language not in FILES:
        return None
    if file.language == "rust" and name in RUST_ROOTS:
        return _from_root(place, known)
    opened = _opened_files(place.path, known)
    holding = [path for path in opened if known[path].defines(name)]
    if file.language == "ruby" and not holding:
        return _of_module(place, [path for path in opened if known[path].binds(name, perhaps=True)], known)
    return _Place(holding[0], place.chain, 1) if len(holding) == 1 and name in known[holding[0]].defined else None


def _of_module(place: _Place, holding: list[str], known: World) -> _Place | None:
    """Where a name leads that is asked of a module, which is no part of a name (Ruby)."""
    asked = place.chain[1:]
    if len(holding) != 1 or not asked or place.chain[0] not in known[holding[0]].defined:
        return None
    return _Place(holding[0], asked, 1) if known[holding[0]].defines(asked[0]) else None


def _from_here(module: str, file: KnownFile) -> str:
    """A module's path, from `self` on where it begins with a module that a Rust file declares."""
    made = file.imports.get(module.split("::", maxsplit=1)[0]) if file.language == "rust" else None
    return f"self::{module}" if made is not None and made.module == "self" else module


def _from_root(place: _Place, known: World) -> _Place | None:
    """Where a name leads that begins with its whole path (Rust)."""
    for n in range(len(place.chain) - 1, 0, -1):
        path = rust_file(place.path, "::".join(place.chain[:n]), known)
        if path is not None:
            ends = path != place.path and known[path].binds(place.chain[n])
            return _Place(path, place.chain[n:], 1) if ends else None
    return None


def _opened_files(path: str, known: World) -> list[str]:
    """The known files that a file opens, and what those open, so far as re-exports are followed."""
    found, last = dict[str, None](), [path]
    for _ in range(RE_EXPORTS_MAX + 1):
        made = (find(at, m, known) for at in last if (find := FILES.get(known[at].language)) for m in known[at].opens)
        last = [at for at in made if at is not None and at not in found and at != path]
        found |= dict.fromkeys(last)
    return list(found)


def _of_package(place: _Place, module: str | None, name: str, known: World) -> str | None:
    """The one file of a package that defines a name, whatever others bind inside; without a module of the asking
    file's own package."""
    file = known[place.path]
    key = file.key if module is None else package_key(file.language, module)
    declared = known.packaged(key) if key is not None else ()
    own = module is None and (file.language == "go" or not file.package)
    paths = in_package(place.path, file.language, None if own else module or "", declared)
    holding = [path for path in paths if path != place.path and known[path].defines(name)]
    return holding[0] if len(holding) == 1 and name in known[holding[0]].defined else None


def _spelled_out(place: _Place, known: World) -> _Place | None:
    """Where a name leads that begins with its whole package (Elixir)."""
    if known[place.path].language != "elixir":
        return None
    for n in range(len(place.chain) - 1, 0, -1):
        found = _of_package(place, ".".join(place.chain[:n]), place.chain[n], known)
        if found is not None:
            return _Place(found, place.chain[n:], 1)
    return None


def _definition(place: _Place, known: World, *, again: bool = False) -> Entity | None:
    """The definition of a place, or its member that is asked for, where the type itself defines one; each only where
    the file has one of that name, or `again`: the first of several."""
    there, name = known[place.path].definitions, place.chain[0]
    definition = there.get(name)
    if definition is None or not (definition.is_top or "." in name):
        return None
    if f"{name}#2" in there and not again:
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
