"""Files as their language reads them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.binding import bindings
from tslp_litellm.syntax.languages import Language, language_named, language_of_path
from tslp_litellm.syntax.measuring import outlined
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.uses.following import Route, direct_uses
from tslp_litellm.uses.known import KnownFile, World
from tslp_litellm.uses.known import known_file as read


def outline(text: str, language: Language | None = None) -> Outline:
    """The outline of a text; of a Python one if nothing is said."""
    return outlined(language or language_named("python"), text.encode())


def known_file(text: str, language: Language | None = None) -> KnownFile:
    """A text that is known; a Python one if nothing is said."""
    language = language or language_named("python")
    return read(outline(text, language), bindings(language, text.encode()))


class Files(dict[str, KnownFile], World):
    """Known files that are all at hand."""

    def packaged(self, key: str) -> Collection[str]:
        return [path for path, file in self.items() if file.key == key]


def known(files: dict[str, str]) -> Files:
    return Files({path: known_file(text, language_of_path(path)) for path, text in files.items()})


@dataclass(frozen=True)
class Use:
    user: Entity
    used: Entity
    route: Route


def uses(path: str, files: Files) -> list[Use]:
    """What a file and each of its definitions use directly."""
    found = direct_uses(path, files).items()
    made = [Use(Entity.parse(user), Entity.parse(u), r) for user, used in found for u, r in used.items()]
    return sorted(made, key=lambda use: (str(use.user), str(use.used)))
