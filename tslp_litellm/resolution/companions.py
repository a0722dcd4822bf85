"""Code without a place of its own that belongs to what the same answer changes (SEMANTICS 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tslp_litellm.dialects.paths import imports
from tslp_litellm.dialects.values import Edit, Evidence, Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.structure import is_of, placed_in
from tslp_litellm.placing.values import Unplaced
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.syntax.languages import language_named, language_of_path
from tslp_litellm.words.sentences import mentions_word


def with_companions(
    unit: UnitOfWork, found: Sequence[Evidence], codes: Iterable[tuple[Snippet, Unplaced]]
) -> tuple[list[Evidence], list[tuple[Snippet, Unplaced]]]:
    """The placed code of an answer with what belongs to it, and what does not: imports alone, of the one file that the
    answer changes, and new definitions, of the one whose new code uses them, or holds what they are methods of. Where
    they stand in it is unknown."""
    placed = [(piece.path, _new_text(piece)) for piece in found if isinstance(piece, (Shown, Edit))]
    more, others = list[Evidence](), list[tuple[Snippet, Unplaced]]()
    for snippet, code in codes:
        near = {path for path, text in placed if _belongs_to(unit, snippet, path, text)}
        if len(near) == 1:
            (path,) = near
            more.append(placed_in(snippet, path, language_of_path(path), Ground.PLACE))
        else:
            others.append((snippet, code))
    return [*found, *more], others


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
