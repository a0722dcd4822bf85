"""Who still asks for what is gone (SEMANTICS 10, Rename and removal).

A new import in a file ends a use, too, though the text of who used it is the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from tslp_litellm.state.names import Entity
from tslp_litellm.uses.following import direct_uses
from tslp_litellm.uses.known import Definition, KnownFile, World
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
    file, top = known.get(gone.path, KnownFile()), gone.symbol.partition(".")[0]
    if top in file.imports:
        return set()
    there = {top: _GHOST, gone.symbol: _GHOST, **file.definitions}
    exports = file.exports if file.binds("default") else {"default": top, **file.exports}
    world = _With(known, gone.path, replace(file, definitions=there, defined=file.defined | {top}, exports=exports))
    told = {user.path for user in users if user.path in known}
    told -= {path for path in told if gone.path not in known and known[path].language in PACKAGES}
    found = {path: follow(path, world) for path in told}
    return {one for one in users if one.path not in found or str(gone) in found[one.path].get(str(one), {})}
