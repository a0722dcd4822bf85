"""What placing looks at, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from tslp_litellm.dialects.values import Shown
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import Language


@dataclass(frozen=True, slots=True)
class Play:
    """What is in play. `paths`: files that are named with their path, or pasted, in the same words; `entities`: what
    these mention otherwise; `before`: files that were shown or made true in the conversation's turn before; `earlier`:
    files that its last turns made true, which are in play for what shows them whole alone, and of several of one name
    are meant first; `selected`: those of which the user selected some lines; `loose`: names that code of no file
    defined in these turns."""

    paths: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    earlier: frozenset[str] = frozenset()
    selected: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()

    def __or__(self, other: Play) -> Play:
        return Play(
            self.paths | other.paths,
            self.entities | other.entities,
            self.before | other.before,
            self.earlier | other.earlier,
            self.selected | other.selected,
            self.loose | other.loose,
        )

    def files(self) -> frozenset[str]:
        """Every file in play."""
        return self.named() | self.before

    def named(self) -> frozenset[str]:
        """The files that are mentioned, by themselves or by what they define."""
        return self.paths | {Entity.parse(name).path for name in self.entities}

    def symbols(self, path: str) -> list[str]:
        """What is mentioned of a file's definitions."""
        return [e.symbol for e in map(Entity.parse, sorted(self.entities)) if e.path == path and e.symbol]

    def among(self, possible: Mapping[str, Collection[str]]) -> list[str]:
        """The files in play of some possible ones, each with the symbols that it was found by.

        A mention that carries its path puts only that file in play; one of a member is one of what holds it; of several
        that a name means, those that this conversation is about. Beside what a prompt mentions stands the rest of its
        file.
        """
        here = {part for name in self.entities for part in _with_holders(Entity.parse(name))}
        exact = [p for p, symbols in possible.items() if any(Entity(p, s) in here for s in symbols)]
        named = [path for path in possible if path in self.paths]
        if named:
            return [path for path in named if path in exact] or named
        meant = [p for p in possible if p in exact or Entity(p) in here] or [p for p in possible if p in self.named()]
        ours = [path for path in meant or possible if path in self.before]
        return ours or [path for path in meant if path in self.earlier] or meant


def _with_holders(entity: Entity) -> list[Entity]:
    parts = (entity.symbol or "").split(".")
    return [entity, *(Entity(entity.path, ".".join(parts[:n])) for n in range(1, len(parts)))]


@dataclass(frozen=True, slots=True)
class Known:
    """What is tracked: by path, by a symbol's full name, and by a member's last part (as full entity names).
    `languages`: those of the files that code without a label could be of; `loaded`: all files that were looked up;
    `buried`: what was removed lately, by its last part as `members`."""

    file: Callable[[str], FileState]
    holding: Callable[[str], Collection[str]]
    members: Callable[[str], Collection[str]]
    longer: Callable[[str], list[str]]
    languages: Callable[[], Collection[Language]] = tuple
    loaded: Callable[[], Collection[str]] = tuple
    buried: Callable[[str], Collection[str]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class Asked:
    """The words that code answers to. `prose`: the user's; `play`; `by_model`: whose code it is; `root`: the stated
    working directory; `left`: entities that the same answer has shown gone before this code; `single`: whether that
    answer shows nothing else."""

    prose: str = ""
    play: Play = field(default_factory=Play)
    by_model: bool = False
    root: str | None = None
    left: frozenset[str] = frozenset()
    single: bool = False


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Code of no proven file. `paths`: those that it may be of; `names`: the definitions it was looked for by;
    `reason`: a code."""

    text: str
    language: str
    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    reason: str = "no-path"


Placed = Shown | Unplaced
