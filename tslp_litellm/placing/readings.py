"""Code without a label, read: in the language that its fence names, else in those that it looks like."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tslp_litellm.dialects.values import Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.members import members_in
from tslp_litellm.syntax.languages import LANGUAGES, Language, Nature, language_named
from tslp_litellm.syntax.outline import Outline

_LOOKS = (
    ("python", re.compile(r"^[ \t]*(?:async def|def|class) \w+.*:", re.M)),
    ("typescript", re.compile(r"^[ \t]*(?:export |async )*(?:function\b|const \w|class \w|interface \w)", re.M)),
    ("go", re.compile(r"^(?:func|type) ", re.M)),
    ("rust", re.compile(r"^[ \t]*(?:pub )?(?:fn|struct|enum|trait|impl)\b", re.M)),
    ("ruby", re.compile(r"^[ \t]*(?:def|class|module) \w+", re.M)),
    ("java", re.compile(r"^[ \t]*(?:public|private|protected|abstract|final)\b.*[{(]", re.M)),
    ("c", re.compile(r"^[\w*]+[ \t*]+\w+\(.*\)[ \t]*\{?", re.M)),
)
LOOKED_AT_CHARS_MAX = 20_000


def unlabelled(piece: object) -> Snippet | None:
    """Code whose file no label proves: it has none, or a word that names a file only where such a one is tracked."""
    if isinstance(piece, Shown) and not piece.sure:
        return Snippet(piece.text, piece.language, piece.above)
    return piece if isinstance(piece, Snippet) else None


def languages_of(snippet: Snippet) -> list[Language]:
    """The languages in which code without a label may be written: the one that it is said to be in."""
    return [language_named(snippet.language)] if snippet.language else _looks_like(snippet.text)


def _looks_like(text: str) -> list[Language]:
    if len(text) > LOOKED_AT_CHARS_MAX:
        return []
    return [language_named(name) for name, looks in _LOOKS if looks.search(text)]


def readings(snippet: Snippet) -> list[tuple[Language, Outline]]:
    """The outlines of code in each such language in which it is sound, or known by patterns; where it is in none, in
    the first of its family: models write `jsx` above what a `.tsx` file holds. Small ones go on with the word of the
    fence before: what is no code at all in the language that is named is read in those that it looks like."""
    languages = languages_of(snippet)
    found = _sound(languages, snippet.text)
    family = {language.family for language in languages if snippet.language and language.family}
    for other in LANGUAGES if family and not found else ():
        if other.family in family and other not in languages and not other.components and not found:
            found = _sound([other], snippet.text)
    is_code = all(language.nature is Nature.CODE for language in languages)
    return found or (_sound(_looks_like(snippet.text), snippet.text) if snippet.language and is_code else [])


def _sound(languages: Iterable[Language], text: str) -> list[tuple[Language, Outline]]:
    read = [(language, outline(language, text)) for language in languages]
    return [(language, seen) for language, seen in read if seen.sound or seen.by_pattern]


def names_in(snippet: Snippet) -> tuple[set[str], set[str]]:
    """The names that a snippet defines at its top level, and those that it defines if it stands inside a type."""
    top = {symbol.name for _, seen in readings(snippet) for symbol in seen.symbols if symbol.parent is None}
    code = [language for language in languages_of(snippet) if language.nature is Nature.CODE]
    return top, {leaf for language in code for leaf in members_in(language, snippet.text)}
