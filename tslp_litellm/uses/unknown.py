"""What a text imports from its own workspace that was never shown (SEMANTICS 10, In the prompt)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.references import THIS, Import
from tslp_litellm.uses.known import KnownFile
from tslp_litellm.uses.modules import FILES, MEMBERS, RUST_ROOTS, is_own, package_key


def never_shown(asked: Entity, file: KnownFile, known: Collection[str]) -> list[str]:
    """What an entity asks for of the workspace's files that nobody knows: names by an import, each as `name` of
    `module`, and, where a name is bound nowhere in its file, the files that this one opens; in order. `known`: the
    known files' paths."""
    within = (
        one
        for one in file.asked
        if asked.symbol is None or any(f"{h}.".startswith(f"{asked.symbol}.") for h in one.holders)
    )
    names = dict.fromkeys(one.chain[0] for one in within if one.chain[0] != THIS)
    made = [file.imports[name] for name in names if name in file.imports]
    if any(not (file.binds(name) or name in file.several) for name in names):
        made += [Import("", module, None) for module in file.opens]
    return sorted(
        {
            _said(one)
            for one in made
            if not _leads(asked.path, file, one, known) and is_own(file.language, asked.path, one.module, known)
        }
    )


class AskedFor(Collection[str]):
    """Stands for the known files, has none, and takes down which ones are asked for."""

    def __init__(self) -> None:
        self.paths = set[str]()

    def __contains__(self, path: object) -> bool:
        self.paths.add(str(path))
        return False

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def asked_for(path: str, file: KnownFile, *, perhaps: bool = False) -> set[str]:
    """All the files that a file's imports may mean, and the packages, by their keys. `perhaps`: also those by imports
    that are in doubt."""
    find, inner, asked = FILES.get(file.language), MEMBERS.get(file.language), AskedFor()
    imports, opens = [*file.imports.values()], [*file.opens]
    if perhaps:
        imports += chain.from_iterable(file.unsure.values())
        opens += file.stars
    if find is None:
        modules = {made.module for made in imports} | set(opens) | {file.package}
        if file.language == "java":  # a member may be imported from its type
            modules |= {made.module.rpartition(".")[0] for made in imports}
        if file.language == "elixir":
            modules |= {".".join(one.chain[:n]) for one in file.asked for n in range(1, len(one.chain))}
        return {key for module in modules if (key := package_key(file.language, module)) is not None}
    for module in opens:
        find(path, module, asked)
    for one in file.asked:
        for n in range(1, len(one.chain)) if one.chain[0] in RUST_ROOTS and file.language == "rust" else ():
            find(path, "::".join(one.chain[:n]), asked)
    for made in imports:
        find(path, made.module, asked)
        if inner is not None and made.member is not None:
            find(path, inner(made.module, made.member), asked)
    return asked.paths


def _leads(path: str, file: KnownFile, made: Import, known: Collection[str]) -> bool:
    find = FILES.get(file.language)
    if find is None or find(path, made.module, known) is not None:
        return True
    inner = MEMBERS.get(file.language)
    return (
        inner is not None and made.member is not None and find(path, inner(made.module, made.member), known) is not None
    )


def _said(made: Import) -> str:
    return f"`{made.member}` of `{made.module}`" if made.member not in (None, "default") else f"`{made.module}`"
