"""Code of what was removed lately: it goes back where it was, if the prompt asks for it by its name (SEMANTICS 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tslp_litellm.dialects.paths import is_of, looks_like_path, paths_in
from tslp_litellm.placing.values import Asked, Known
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.syntax.languages import Language
from tslp_litellm.words.sentences import mentions_word


def file_of(names: Collection[str], language: Language, asked: Asked, known: Known) -> str | None:
    """The one file from which definitions of these names were removed, if they are nowhere else."""
    gone = [one for one in _mentioned(names, language, asked, known) if one.symbol in names]
    paths = {one.path for one in gone}
    return _alone(paths, asked) if len(paths) == 1 and not any(map(known.holding, names)) else None


def type_of(leaves: Iterable[str], language: Language, asked: Asked, known: Known) -> Entity | None:
    """The one type that is there and from which members of these names were removed."""
    gone = _mentioned(leaves, language, asked, known)
    holders = {Entity(one.path, one.symbol.rpartition(".")[0]) for one in gone if one.symbol}
    holders = {one for one in holders if one.symbol in known.file(one.path).symbols}
    return holders.pop() if len(holders) == 1 and _alone({one.path for one in holders}, asked) else None


def _mentioned(names: Iterable[str], language: Language, asked: Asked, known: Known) -> list[Entity]:
    """What was removed from files that are there, of some last parts of a name that the prompt mentions."""
    found = (Entity.parse(one) for name in names if mentions_word(asked.prose, name) for one in known.buried(name))
    return [one for one in found if is_of(one.path, language) and known.file(one.path).tracked]


def _alone(paths: Collection[str], asked: Asked) -> str | None:
    """The one of some paths, where the prompt names no other file."""
    named = (normalise_path(word, asked.root) for word in paths_in(asked.prose) if looks_like_path(word))
    (path,) = paths
    return path if all(f"/{path}".endswith(f"/{one}") for one in named) else None
