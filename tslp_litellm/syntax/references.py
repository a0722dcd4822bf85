"""What a text binds and refers to: the values that the readers of single languages give (SEMANTICS 10, Use)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["THIS", "Bindings", "Import", "Reference"]

THIS = "this"
"""In front of a member that a type declares and does not define, so that it is no symbol; of `*` where it inherits."""


@dataclass(frozen=True, slots=True)
class Import:
    """A name that an import binds: to `member` of `module` (with its leading dots), or to the module itself.

    `whole` is False where only the first part of a dotted module is bound (`import a.b` binds `a`).
    """

    name: str
    module: str
    member: str | None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Reference:
    """A place, in bytes of the UTF-8 text, that names something: `chain` is the name and the members asked of it.
    `why`: the `Doubt` whether it does, where the place itself says that."""

    start: int
    chain: tuple[str, ...]
    why: str = ""

    @property
    def name(self) -> str:
        """The name that is bound."""
        return self.chain[0]


@dataclass(frozen=True, slots=True)
class Bindings:
    """The imports and definitions that a text's top level binds exactly once, and the references that reach them; in
    languages whose files see names of others unsaid, those to names that it binds nowhere, too.

    `several`: the names that are bound otherwise, so that nobody knows to what. `star`: it imports names that nobody
    knows. `package`: the one that it declares; `opens`: files or packages all of whose names it imports.

    `exports`: what importers ask for by another name than the definition's own: that name -> its own; "" is the module
    itself, "default" what it gives out without a name.

    In doubt are `doubts`, references that may reach an import or a definition; `unsure`, the imports among `several`;
    and `stars`, what is imported by a star.
    """

    imports: tuple[Import, ...] = ()
    references: tuple[Reference, ...] = ()
    defined: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()
    star: bool = False
    package: str = ""
    opens: tuple[str, ...] = ()
    doubts: tuple[Reference, ...] = ()
    unsure: tuple[Import, ...] = ()
    stars: tuple[str, ...] = ()
    exports: Mapping[str, str] = field(default_factory=dict)
