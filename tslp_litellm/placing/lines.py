"""Files without definitions, told by their lines (SEMANTICS 2, Whole file or fragment)."""

from __future__ import annotations

from tslp_litellm.parser import outline
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.alike import keeps_ends
from tslp_litellm.syntax.languages import Nature, language_of_path

_WITHOUT_CODE = (Nature.DATA, Nature.SHELL, Nature.PROSE)


def shows_whole(text: str, said: str, state: FileState) -> bool:
    """Whether a text, of a language that is said or of none, can be the next version of a data file, a script or
    prose."""
    language = language_of_path(state.path)
    if language is None or language.nature not in _WITHOUT_CODE or state.file is None:
        return False
    if state.symbols or said not in ("", language.kin):
        return False
    seen = outline(language, text)
    return (seen.sound or language.grammar is None) and keeps_ends(seen, outline(language, state.file.text))
