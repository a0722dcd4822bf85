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
LETTER = rf"(?-i:[^\W{PARTING_NONE}]|[{_ON_LETTERS}])"
"""A letter, digit or underscore that a word beside it belongs to, as a pattern; without case `re` walks each range."""
_JOINS = rf"(?:{LETTER}|['’-])"
WORD_BEGINS = rf"(?:(?!{LETTER})|(?<!{_JOINS})|(?<=\b[^\W\d_]['’]))"
WORD_ENDS = rf"(?:(?<!{LETTER})|(?!{_JOINS}))"
"""Around a word of a list, as patterns: one of such a script stands anywhere; `l'ancienne` holds `ancienne`."""
GLUED_MAX = 12
"""So many of such letters are read as words or as the beginning of a path, and as the end of a name or as words."""
_GLUED = re.compile(rf"[{PARTING_NONE}]+")
_TOUCHES = re.compile(rf"[{PARTING_NONE}](?=[A-Za-z_$])|(?<=[A-Za-z0-9_$)])[{PARTING_NONE}]")


def apart(text: str) -> str:
    """A text of the same length, with a blank for each such letter that touches a name in ASCII."""
    return _TOUCHES.sub(" ", text)


def without_first(word: str) -> list[str]:
    """What stands behind the first such letters of a word, the longest first: they may be other words.

    >>> without_first("这是工具/购物车.py")
    ['是工具/购物车.py', '工具/购物车.py', '具/购物车.py']
    """
    found = _GLUED.match(word)
    ends = range(max(1, found.end() - GLUED_MAX), found.end() + 1) if found is not None else ()
    return [word[n:] for n in ends if word[n : n + 1] not in ("", "/", "\\")]


def without_last(word: str) -> list[str]:
    """A word, and what stands in front of its last such letters, the longest first.

    >>> without_last("total是什么")
    ['total是什么', 'total是什', 'total是', 'total']
    """
    last = word[-GLUED_MAX:]
    glued = len(last) - len(last.rstrip("".join(_GLUED.findall(last))))
    return [word, *(word[:-n] for n in range(1, glued + 1) if word[:-n])]
