"""Names that people take for one another: in another case, or of letters that look the same (SEMANTICS 13)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_LIKE = str.maketrans(
    "\u0430\u0432\u0441\u0501\u0435\u04bb\u0456\u0458\u043a\u04cf\u043c\u043d\u043e\u0440\u0455\u0442\u0443\u0445"
    "\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6\u0131"
    "01i|",
    "abcdehijklmhopstyxabenikuvoptyxziolll",
)
"""Cyrillic and Greek letters, in lower case, and signs, with the Latin letters that they look like."""


@lru_cache(maxsize=20_000)
def skeleton(name: str) -> str:
    """What two names that look alike have in common: no case, no invisible sign, no accent, one letter of a kind."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if unicodedata.category(c) not in ("Mn", "Cf", "Cc"))
    like = plain.casefold().translate(_LIKE).translate(_LIKE)
    return " ".join(like.replace("_", "-").split())
