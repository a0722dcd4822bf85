"""Files as their language reads them."""

from __future__ import annotations

from tslp_litellm.syntax.binding import bindings
from tslp_litellm.syntax.languages import Language, language_named, language_of_path
from tslp_litellm.syntax.measuring import outlined
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.uses.known import KnownFile
from tslp_litellm.uses.known import known_file as read


def outline(text: str, language: Language | None = None) -> Outline:
    """The outline of a text; of a Python one if nothing is said."""
    return outlined(language or language_named("python"), text.encode())


def known_file(text: str, language: Language | None = None) -> KnownFile:
    """A text that is known; a Python one if nothing is said."""
    language = language or language_named("python")
    return read(outline(text, language), bindings(language, text.encode()))


def known(files: dict[str, str]) -> dict[str, KnownFile]:
    return {path: known_file(text, language_of_path(path)) for path, text in files.items()}
