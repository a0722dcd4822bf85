"""Code without a place of its own that belongs to what the same answer changes (SEMANTICS 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tslp_litellm.dialects.paths import imports
from tslp_litellm.dialects.values import Edit, Evidence, Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.bodies import with_bodies
from tslp_litellm.placing.structure import is_of, placed_in
from tslp_litellm.placing.values import Unplaced
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.syntax.languages import language_named, language_of_path
from tslp_litellm.words.sentences import mentions_word


def with_companions(
    unit: UnitOfWork, found: Sequence[Evidence], codes: Iterable[tuple[Snippet, Unplaced]]
) -> tuple[list[Evidence], list[tuple[Snippet, Unplaced]]]:
    """The placed code of an answer with what belongs to it, and what does not: imports alone, of the one file that the
    answer changes, and new definitions, of the one whose new code uses them, or holds what they are methods of; in C
    and C++ of the one with the other bodies. Where they stand in it is unknown."""
    placed = [(piece.path, _new_text(piece)) for piece in found if isinstance(piece, (Shown, Edit))]
    more, others = list[Evidence](), list[tuple[Snippet, Unplaced]]()
    for snippet, code in codes:
        near = {_with_bodies(unit, snippet, *one) for one in placed if _belongs_to(unit, snippet, *one)}
        if len(near) == 1 and (path := near.pop()) is not None:
            more.append(placed_in(snippet, path, language_of_path(path), Ground.PLACE))
        else:
            others.append((snippet, code))
    return [*found, *more], others


def _with_bodies(unit: UnitOfWork, snippet: Snippet, path: str, text: str) -> str | None:
    """The file of code that belongs to one: that of the bodies, where this one declares them."""
    names = [symbol.name for symbol in outline(language_of_path(path), snippet.text).symbols if symbol.parent is None]
    return with_bodies(path, names, text, unit.files.values()) if names else path


def _new_text(piece: Shown | Edit) -> str:
    return piece.text if isinstance(piece, Shown) else "\n".join(step.new for step in piece.steps)


def _belongs_to(unit: UnitOfWork, snippet: Snippet, path: str, text: str) -> bool:
    """Whether code without a place belongs to a file with some new code."""
    language = language_named(snippet.language) if snippet.language else language_of_path(path)
    seen = outline(language, snippet.text)
    if language is None or not is_of(path, language) or not unit.file(path).tracked:
        return False
    names = [symbol.name for symbol in seen.symbols if symbol.parent is None]
    if not seen.sound or seen.loose - seen.preamble or any(unit.holding(name) for name in names):
        return False
    if names:
        return any(_is_used(unit, name, path, text) for name in names)
    return seen.only_imports and not imports(snippet.text, path)


def _is_used(unit: UnitOfWork, name: str, path: str, text: str) -> bool:
    """Whether changed code uses a new definition, or the type of its file that it is a method of: those of Go and Rust
    stand outside."""
    holder = name.rpartition(".")[0]
    if holder:
        return path in unit.holding(holder) and mentions_word(text, holder)
    return mentions_word(text, name)
