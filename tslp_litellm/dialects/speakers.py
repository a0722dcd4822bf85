"""Who speaks in a chat that was copied off a page: its speakers stand on lines of their own above what they say.

    You
    make slug strip

    Claude
    Here is the new version.

It is one where such a line names who copied it; what stands below any other name is that one's word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = re.compile(
    r"\A\s{0,3}[*#_ ]{0,6}(?P<name>[^\W\d_][\w.-]{0,30}(?: [\w.-]{1,30}){0,2}?)(?: (?:said|says))?[*_ :]{0,4}\Z"
)
_ONESELF = frozenset(
    {"you", "me", "user", "human", "i", "du", "ich", "vous", "moi", "tú", "yo", "tu", "io", "вы", "я", "你", "我"}
)
NAME_CHARS_MAX = 100


def another_speaks(lines: Sequence[str]) -> list[bool]:
    """For each line of a text's prose, whether it stands below another's name; nowhere where it is no copied chat."""
    below: list[bool] = []
    another, chat = False, False
    for n in range(len(lines)):
        if name := _name(lines, n):
            chat = chat or name in _ONESELF
            another = name not in _ONESELF
        below.append(another and chat)
    return below


def _name(lines: Sequence[str], at: int) -> str:
    """The name that stands by itself on a line, as the first of a paragraph; empty where none does."""
    line = lines[at]
    if not line.strip() or len(line) > NAME_CHARS_MAX or (at and lines[at - 1].strip()):
        return ""
    if at + 1 == len(lines) or not lines[at + 1].strip() or (match := _NAME.match(line)) is None:
        return ""
    return match["name"].lower()
