"""Files without functions and types, told by their lines (SEMANTICS 2, Whole file or fragment)."""

from __future__ import annotations

from tslp_litellm.parser import outline
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.alike import keeps_ends, keeps_most_lines
from tslp_litellm.syntax.languages import Nature, language_of_path
from tslp_litellm.syntax.outline import Kind, Outline, Symbol

_WITHOUT_CODE = (Nature.DATA, Nature.SHELL, Nature.PROSE)


def shows_whole(text: str, said: str, state: FileState) -> bool:
    """Whether a text, of a language that is said or of none, can be the next version of a data file, a script, prose,
    or code that is nothing but statements and the values that it names."""
    language = language_of_path(state.path)
    if language is None or state.file is None or said not in ("", language.kin):
        return False
    if language.nature not in (*_WITHOUT_CODE, Nature.CODE) or (language.nature is Nature.CODE and not said):
        return False
    base, seen = outline(language, state.file.text), outline(language, text)
    if language.nature in _WITHOUT_CODE and state.symbols:
        return False
    if any(s.kind is not Kind.VALUE or s.name not in seen.by_name for s in base.symbols):
        return False
    return (seen.sound or language.grammar is None) and keeps_ends(seen, base)


def is_next_version(seen: Outline, state: FileState) -> bool:
    """Whether a text can only be a file's next version: it has all its definitions, some of its preamble, and most of
    its lines. By the name of a single function alone that is no proof; by its text as it was, or its members, it is."""
    if state.file is None or any(name not in seen.by_name for name in state.symbols):
        return False
    base = outline(language_of_path(state.path), state.file.text)
    if not base.preamble and len(base.symbols) < 2 and not any(_stands_in(one, base, seen) for one in base.symbols):
        return False
    return (not base.preamble or bool(base.preamble & seen.preamble)) and keeps_most_lines(seen, base)


def _stands_in(symbol: Symbol, base: Outline, seen: Outline) -> bool:
    return symbol.kind is not Kind.VALUE and base.slice(symbol) == seen.slice(seen.by_name[symbol.name])
