"""What a script did to files, in order. A certain effect names one file; what is not certain is `Dirtied`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tslp_litellm.shell.targets import ANYWHERE, At, Like, Target, widened

PATTERNS_MAX = 20


@dataclass(frozen=True, slots=True)
class Written:
    """The file holds exactly this text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Appended:
    """This text stands at the file's end."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Removed:
    """The file is gone; with `tree`, all of the folder."""

    path: str
    tree: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """The file is at `to` (copied: `keep`), in place of what was there. `loose`: the folder is, or in the one of that
    name that was there; if it is a file, nobody knows which."""

    path: str
    to: str
    keep: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Patched:
    """A V4A patch was applied, all of it; its paths are seen from `folder`."""

    text: str
    folder: str


@dataclass(frozen=True, slots=True)
class Dirtied:
    """The files of these targets may hold other text than before, or be gone."""

    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Ran:
    """A script that is a file ran: it may have changed what its text names, seen from `folder` (None: unknown).

    `recipes`: of a file that holds commands under names, those that ran; None for any other file.
    """

    targets: tuple[Target, ...]
    folder: str | None
    recipes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Formatted:
    """A formatter ran over the files of its languages: those below the targets whose name fits one of `names`."""

    tool: str
    targets: tuple[Target, ...]
    names: tuple[str, ...]


Effect = Written | Appended | Removed | Moved | Patched | Dirtied | Ran | Formatted
EVERYTHING = Dirtied((ANYWHERE,))


def touched(effect: Effect) -> tuple[Target, ...]:
    """The files that an effect may be about."""
    match effect:
        case Dirtied(targets=targets) | Ran(targets=targets) | Formatted(targets=targets):
            return targets
        case Moved(path=path, to=to, keep=keep):
            return (At(to),) if keep else (At(path), At(to))
        case Patched():
            return (ANYWHERE,)
        case _:
            return (At(effect.path),)


def settled(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """The effects without texts that did not last: what is overwritten or doubtful in the end was never the truth."""
    kept: list[Effect] = []
    paths, patterns = set[str](), set[Like]()
    for effect in reversed(effects):
        match effect:
            case Written(path=path) | Appended(path=path):
                if path in paths or any(pattern.matches(path) for pattern in patterns):
                    continue
                if isinstance(effect, Written):
                    paths.add(path)
            case Dirtied(targets=targets):
                paths |= {target.path for target in targets if isinstance(target, At)}
                patterns |= {target for target in targets if isinstance(target, Like) and len(patterns) < PATTERNS_MAX}
            case Removed() | Formatted():
                paths -= {target.path for target in touched(effect) if isinstance(target, At)}
            case _:
                paths, patterns = set(), set()
        kept.append(effect)
    return tuple(reversed(kept))


def loosened(effect: Effect) -> Effect:
    """The effect where it is not certain that it took place."""
    if isinstance(effect, (Dirtied, Ran, Formatted)):
        return effect
    return Dirtied(tuple(widened(target) for target in touched(effect)))
