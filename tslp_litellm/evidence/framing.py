"""What is framed and therefore no evidence: our own blocks and notices, whoever wrote them, and thinking."""

from __future__ import annotations

import re

BLOCK_START = "[CURRENT STATE: AUTHORITATIVE]"
BLOCK_END = "[END CURRENT STATE]"
NOTICE_START = "[STATE NOTICE]"
NOTICE_END = "[END NOTICE]"

_OURS = re.compile(
    rf"{re.escape(BLOCK_START)}.*?(?:{re.escape(BLOCK_END)}|\Z)|{re.escape(NOTICE_START)}.*?(?:{re.escape(NOTICE_END)}|\Z)",
    re.S,
)
_THINKING = re.compile(r"^[ \t]*<(?P<tag>think|thinking|reasoning|scratchpad)>.*?(?:</(?P=tag)>|\Z)", re.S | re.M)
_MARKER_LINE = re.compile("|".join(re.escape(m) for m in (BLOCK_START, BLOCK_END, NOTICE_START, NOTICE_END)))


def unframed(text: str) -> str:
    """A text without our blocks and notices; an opened frame that never closes hides the rest."""
    return _OURS.sub("", text) if "[" in text and _MARKER_LINE.search(text) else text


def spoken(text: str) -> str:
    """What a model said, without our frames and without its thinking."""
    return _THINKING.sub("", unframed(text)) if "<" in text else unframed(text)


def holds_marker(text: str) -> bool:
    """Whether a text holds one of our own markers, so that it cannot be framed."""
    return bool(_MARKER_LINE.search(text))
