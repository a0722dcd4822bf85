"""What is framed and therefore no evidence: our own blocks and notices, whoever wrote them, and thinking."""

from __future__ import annotations

from tslp_litellm.evidence.lines import Words, lines_with
from tslp_litellm.parser.budget import spend

BLOCK_START = "[CURRENT STATE: AUTHORITATIVE]"
BLOCK_END = "[END CURRENT STATE]"
NOTICE_START = "[STATE NOTICE]"
NOTICE_END = "[END NOTICE]"

_FRAMES = {BLOCK_START: BLOCK_END, NOTICE_START: NOTICE_END}
_THINKING = ("think", "thinking", "reasoning", "scratchpad")


def unframed(text: str) -> str:
    """A text without our blocks and notices; an opened frame that never closes hides the rest."""
    if not any(start in text for start in _FRAMES):
        return text
    marks, parts, at = Words(text, _FRAMES), list[str](), 0
    while (hit := marks.first(at)) is not None:
        spend()
        where, start = hit
        parts.append(text[at:where])
        at = _behind(text, _FRAMES[start], where + len(start))
    return "".join([*parts, text[at:]])


def spoken(text: str) -> str:
    """What a model said, without our frames and without its thinking."""
    text = unframed(text)
    if not any(f"<{tag}>" in text for tag in _THINKING):
        return text
    parts, at = list[str](), 0
    for start, end in lines_with(text, [f"<{tag}>" for tag in _THINKING]):
        opened = text[start:end].lstrip(" \t")
        tag = next((tag for tag in _THINKING if opened.startswith(f"<{tag}>")), None)
        if tag is not None and start >= at:
            parts.append(text[at:start])
            at = _behind(text, f"</{tag}>", start)
        if at == len(text):
            break
    return "".join([*parts, text[at:]])


def _behind(text: str, mark: str, at: int) -> int:
    """Where a text goes on behind a mark; its end where the mark does not come."""
    hit = text.find(mark, at)
    return hit + len(mark) if hit >= 0 else len(text)


def holds_marker(text: str) -> bool:
    """Whether a text holds one of our own markers, so that it cannot be framed."""
    return any(mark in text for marks in _FRAMES.items() for mark in marks)
