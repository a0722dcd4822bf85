"""What a model says that is no evidence: our own blocks and notices, whoever wrote them, and its thinking."""

from __future__ import annotations

import re

from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.thinking import without_thinking
from tslp_litellm.state.markers import unframed

_END = re.compile(r"\[ ?END [A-Z :]{0,40}\]", re.IGNORECASE)


def spoken(text: str) -> str:
    """What a model said, without our frames and without its thinking."""
    return without_thinking(unframed(text))


def without_echo(text: str) -> str:
    """A text without the last line of a fence where that ends a frame of ours, or what the model took for it. Small
    models end their code as the code ended that they were shown.

    >>> without_echo("```python\\nx = 1\\n\\n[END STATE]\\n```")
    '```python\\nx = 1\\n```'
    """
    if _END.search(text) is None:
        return text
    lines, gone = split_lines(text), set[int]()
    for block in fences(text):
        end = _filled(lines, block.last)
        if end > block.first and _ends_a_frame(lines[end].strip()):
            gone.update(range(_filled(lines, end) + 1, block.last))
    return join_lines([line for n, line in enumerate(lines) if n not in gone])


def _ends_a_frame(line: str) -> bool:
    return _END.fullmatch(line) is not None and any(word in line.upper() for word in ("STATE", "NOTICE"))


def _filled(lines: list[str], before: int) -> int:
    """The last line before another one that is not blank."""
    return next((n for n in range(before - 1, -1, -1) if lines[n].strip()), -1)
