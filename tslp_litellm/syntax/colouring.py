"""What each piece of a text is, for the eye, by Pygments. For people; nothing here decides.

Runs in the parser's processes: there is always a text that a lexer's patterns take for ever to read.
"""

from __future__ import annotations

import contextlib
import itertools
from functools import cache
from typing import Any

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String
from pygments.util import ClassNotFound

from tslp_litellm.syntax.languages import Language

_KINDS = {
    "comment": (Comment,),
    "keyword": (Keyword,),
    "string": (String,),
    "number": (Number,),
    "name": (Name.Function, Name.Class, Name.Decorator, Name.Tag, Name.Attribute),
}
Piece = tuple[int, str]
"""A length, in units of UTF-16 as browsers count, and what stands there: a key of `_KINDS`, or empty."""


def pieces(language: Language, text: str) -> list[Piece]:
    """The text in pieces; nothing where Pygments does not know its language."""
    reader = lexer(language)
    if reader is None:
        return []
    told = [
        (len(value.encode("utf-16-le")) // 2, _kind(token)) for _, token, value in reader.get_tokens_unprocessed(text)
    ]
    groups = itertools.groupby(told, key=lambda piece: piece[1])
    return [(sum(length for length, _ in group), kind) for kind, group in groups]


@cache
def lexer(language: Language) -> Any:
    """Pygments' lexer of a language, its patterns compiled; None where there is none."""
    for name in language.fences:
        with contextlib.suppress(ClassNotFound):
            found = get_lexer_by_name(name)
            next(found.get_tokens_unprocessed("x"), None)
            return found
    return None


def _kind(token: Any) -> str:
    return next((kind for kind, roots in _KINDS.items() if any(token in root for root in roots)), "")
