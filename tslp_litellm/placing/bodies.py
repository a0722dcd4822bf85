"""The file that holds the bodies of what a header of C or C++ only declares (SEMANTICS 2, Which file)."""

from __future__ import annotations

from collections.abc import Iterable

from tslp_litellm.parser import outline
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import LANGUAGES, language_of_path
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.words.sentences import mentions_word

_KIN = "c"
EXTENSIONS = tuple(ending for language in LANGUAGES if language.kin == _KIN for ending in language.extensions)


def with_bodies(path: str, names: Iterable[str], header: str, states: Iterable[FileState]) -> str | None:
    """The file of new definitions that belong to what a file declares: the one other file in which members of their
    types stand without these, or functions that the `header`, which defines none, declares. The file itself, where
    there is none; None where there are several.

    `Queue::size` of queue.h is of queue.cpp, where `Queue::push` is.
    """
    if not _is_of_kin(path):
        return path
    types = {name.rpartition(".")[0] for name in names}
    others = [state for state in states if state.path != path and state.tracked and _is_of_kin(state.path)]
    if "" in types:
        found = [one for one in others if not _defines_functions(path, header) and _declared(header, one)]
    else:
        found = [one for one in others if any(_holds_bodies(one, holder) for holder in types)]
    return found[0].path if len(found) == 1 else None if found else path


def _is_of_kin(path: str) -> bool:
    language = language_of_path(path)
    return language is not None and language.kin == _KIN


def _holds_bodies(state: FileState, holder: str) -> bool:
    """Whether members of a type stand in a file that does not have the type."""
    return holder not in state.symbols and any(name.rpartition(".")[0] == holder for name in state.symbols)


def _defines_functions(path: str, text: str) -> bool:
    return any(symbol.kind is Kind.FUNCTION for symbol in outline(language_of_path(path), text).symbols)


def _declared(header: str, state: FileState) -> bool:
    """Whether a header speaks of functions that a file defines."""
    seen = outline(language_of_path(state.path), state.text() or "")
    return any(s.kind is Kind.FUNCTION and mentions_word(header, s.name) for s in seen.top_level())
