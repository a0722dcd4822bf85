"""Who still asks for what is gone (SEMANTICS 10, Rename and removal).

A new import of its name in a file ends a use, too, though the text of who used it is the same; that the import of it
went does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from tslp_litellm.state.names import Entity
from tslp_litellm.uses.following import all_uses, direct_uses
from tslp_litellm.uses.known import Asked, Definition, KnownFile, World
from tslp_litellm.uses.modules import PACKAGES

_GHOST = Definition(is_type=True, is_top=True, artifact="", interface="", signature="")


class _With(World):
    """Known files, one of them as it is given."""

    def __init__(self, known: World, path: str, file: KnownFile) -> None:
        self._known, self._path, self._file = known, path, file

    def __contains__(self, path: object) -> bool:
        return path == self._path or path in self._known

    def __getitem__(self, path: str) -> KnownFile:
        return self._file if path == self._path else self._known[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def packaged(self, key: str) -> Collection[str]:
        return self._known.packaged(key)


Follow = Callable[[str, World], Mapping[str, Mapping[str, object]]]
"""What each user in a file uses: `direct_uses`, or `all_uses`."""


def askers(gone: Entity, users: Collection[Entity], known: World, follow: Follow = direct_uses) -> set[Entity]:
    """Those of some users whose names would lead to a removed definition, were it there; none where its file binds the
    name otherwise. Nobody can tell which package a file declared that is gone itself."""
    if gone.symbol is None:
        return set(users)
    world = _as_if_there(gone, known)
    if world is None:
        return set()
    told = {user.path for user in users if user.path in known}
    told -= {path for path in told if gone.path not in known and known[path].language in PACKAGES}
    found = {path: follow(path, world) for path in told}
    return {one for one in users if one.path not in found or str(gone) in found[one.path].get(str(one), {})}


def importers(gone: Entity, paths: Collection[str], known: World) -> set[Entity]:
    """Those of some files by whose imports a removed definition would be found, were it there."""
    world = _as_if_there(gone, known)
    if world is None:
        return set()
    return {Entity(path) for path in paths if path in known and _imports(gone, path, world)}


def _imports(gone: Entity, path: str, world: _With) -> bool:
    file = world[path]
    asking = replace(file, asked=tuple(Asked((), (name,)) for name in file.imports))
    return str(gone) in direct_uses(path, _With(world, path, asking)).get(path, {})


def is_named(gone: Entity, text: str) -> bool:
    """Whether a text holds the name of a removed definition, as a member of nothing else."""
    name = r"(?:\.|::|->)".join(map(re.escape, (gone.symbol or "").split(".")))
    return name != "" and re.search(rf"(?<![\w$.])(?<!::)(?<!->){name}(?![\w$])", text) is not None


def left_behind(gone: Entity, naming: Collection[Entity], known: World) -> set[Entity]:
    """Of those whose texts hold the name of a removed definition, those in whose files nothing binds it any more: the
    import was changed first."""
    if _as_if_there(gone, known) is None:
        return set()
    return {user for user in naming if user.path in known and not _bound_otherwise(gone, user, known)}


def _bound_otherwise(gone: Entity, user: Entity, known: World) -> bool:
    file, top = known[user.path], (gone.symbol or "").partition(".")[0]
    now = all_uses(user.path, known).get(str(user), {})
    return file.binds(top) or top in file.several or any(Entity.parse(used).leaf == gone.leaf for used in now)


def _as_if_there(gone: Entity, known: World) -> _With | None:
    """The known files as if a removed definition were there; None where its file binds its name otherwise."""
    file, top = known.get(gone.path, KnownFile()), (gone.symbol or "").partition(".")[0]
    if top in file.imports:
        return None
    there = {top: _GHOST, gone.symbol or "": _GHOST, **file.definitions}
    exports = file.exports if file.binds("default") else {"default": top, **file.exports}
    return _With(known, gone.path, replace(file, definitions=there, defined=file.defined | {top}, exports=exports))
