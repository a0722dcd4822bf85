"""Code without a label, read: in the language that its fence names, else in those that it may be in."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tslp_litellm.dialects.labelled import is_script
from tslp_litellm.dialects.values import Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.members import members_in
from tslp_litellm.syntax.languages import LANGUAGES, Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.looks import looks_like
from tslp_litellm.syntax.opening import opened
from tslp_litellm.syntax.outline import Outline


def unlabelled(piece: object) -> Snippet | None:
    """Code whose file no label proves: it has none, or a word that names a file only where such a one is tracked."""
    if isinstance(piece, Shown) and not piece.sure:
        return Snippet(piece.text, piece.language, piece.above, before=piece.before)
    return piece if isinstance(piece, Snippet) else None


Possible = Callable[[], Iterable[Language]]
"""The languages of the files that code without a label could be of."""


def languages_of(snippet: Snippet, possible: Possible = tuple) -> list[Language]:
    """The languages in which code without a label may be written: the one that its fence names, else those that it
    looks like, and those of the files that it could be of.

    What is no code at all in the language that is named is taken as if none were: small models go on with the word of
    the fence before, and write `jsx` above what a `.tsx` file holds; `html` above a component's markup.
    """
    if not snippet.language:
        return _unnamed(snippet.text, possible())
    named = language_named(snippet.language)
    if named.name == "html":
        return [named, *(one for one in possible() if one.components)]
    if named.nature is not Nature.CODE or _is_code_in(named, snippet.text):
        return [named]
    family = (one for one in LANGUAGES if one.family == named.family != "" and not one.components)
    others = dict.fromkeys((*family, *_unnamed(snippet.text, possible())))
    return [one for one in others if one != named and _is_code_in(one, snippet.text)] or [named]


def _unnamed(text: str, possible: Iterable[Language]) -> list[Language]:
    """The languages that code looks like, and those that it could be of; shell's, whose grammar takes nearly any words
    for commands, only for a script's beginning that is code in no other."""
    found = dict.fromkeys((*looks_like(text), *possible))
    code = [one for one in found if one.nature is not Nature.SHELL]
    if len(code) < len(found) and is_script(text) and not any(_is_code_in(one, text) for one in code):
        return list(found)
    return code


def _is_code_in(language: Language, text: str) -> bool:
    return bool(_sound([language], text) or members_in(language, text))


def code_languages(paths: Iterable[str]) -> list[Language]:
    """The programming languages of some files, and those of scripts."""
    found = {language.name: language for path in paths if (language := language_of_path(path)) is not None}
    return [found[name] for name in sorted(found) if found[name].nature is Nature.CODE or is_of_scripts(found[name])]


def is_of_scripts(language: Language) -> bool:
    """Whether a language is a shell's with a grammar."""
    return language.nature is Nature.SHELL and language.grammar is not None


def readings(snippet: Snippet, possible: Possible = tuple) -> list[tuple[Language, Outline]]:
    """The outlines of code in each language that it may be in, and in which it is sound, or known by patterns."""
    return _sound(languages_of(snippet, possible), snippet.text)


def _sound(languages: Iterable[Language], text: str) -> list[tuple[Language, Outline]]:
    read = [(language, outline(language, opened(language, text))) for language in languages]
    return [(language, seen) for language, seen in read if seen.sound or seen.by_pattern]


def names_in(snippet: Snippet, possible: Possible = tuple) -> tuple[set[str], set[str]]:
    """The names that a snippet defines at its top level, and those that it defines if it stands inside a type."""
    languages = languages_of(snippet, possible)
    top = {s.name for _, seen in _sound(languages, snippet.text) for s in seen.symbols if s.parent is None}
    code = [language for language in languages if language.nature is Nature.CODE]
    return top, {leaf for language in code for leaf in members_in(language, snippet.text)}
