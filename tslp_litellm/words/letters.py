"""Where a word ends beside letters of scripts that part no words, as in Chinese; Korean puts particles behind a name.

>>> apart("在todo.py中修改load()")
' todo.py 修 load()'
"""

from __future__ import annotations

import re

PARTING_NONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
_ON_LETTERS = "\u0900-\u0903\u093a-\u094f\u0962\u0963"
"""Vowel signs of Hindi, which `\\w` does not know."""
LETTER = rf"(?:[^\W{PARTING_NONE}]|[{_ON_LETTERS}])"
"""A letter, digit or underscore that a word beside it belongs to, as a pattern."""
_JOINS = rf"(?:{LETTER}|['’-])"
WORD_BEGINS = rf"(?:(?!{LETTER})|(?<!{_JOINS})|(?<=\b[^\W\d_]['’]))"
WORD_ENDS = rf"(?:(?<!{LETTER})|(?!{_JOINS}))"
"""Around a word of a list, as patterns: one of such a script stands anywhere; `l'ancienne` holds `ancienne`."""
_TOUCHES = re.compile(rf"[{PARTING_NONE}](?=[A-Za-z_$])|(?<=[A-Za-z0-9_$)])[{PARTING_NONE}]")


def apart(text: str) -> str:
    """A text of the same length, with a blank for each such letter that touches a name in ASCII."""
    return _TOUCHES.sub(" ", text)
