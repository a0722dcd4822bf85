"""What a model says that is no evidence: our own blocks and notices, whoever wrote them, and its thinking."""

from __future__ import annotations

from tslp_litellm.evidence.lines import lines_with
from tslp_litellm.state.markers import unframed

_THINKING = ("think", "thinking", "reasoning", "scratchpad")


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
