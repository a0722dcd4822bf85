"""aider's fences for files that hold both kinds of backticks: `<source>` … `</source>` below a line with their path."""

from __future__ import annotations

from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.lines import line_end, line_of, lines_with, without
from tslp_litellm.dialects.paths import Hint, hint_in_line
from tslp_litellm.dialects.values import Carrier, Shown

_TAGS = ("source", "code", "pre", "codeblock", "sourcecode")


def read(text: str) -> Taken:
    """The files between such tags."""
    if not any(f"<{tag}>" in text for tag in _TAGS):
        return Taken((), text)
    files, spans, at = list[Shown](), list[tuple[int, int]](), 0
    unclosed: set[str] = set()
    for start, end in lines_with(text, [f"<{tag}>" for tag in _TAGS]):
        tag = text[start + 1 : end - 1]
        if start <= at or tag not in _TAGS or tag in unclosed or text[start:end] != f"<{tag}>":
            continue
        above = text.rfind("\n", at, start - 1) + 1 or at
        if above >= start - 1 or end == len(text):
            continue
        close = line_of(text, end + 1, f"</{tag}>")
        if close < 0:
            unclosed.add(tag)
            continue
        hint = _hint(text[above : start - 1])
        at = line_end(text, close)
        if hint is not None:
            files.append(Shown(hint.path, text[end + 1 : close], Carrier.FENCE))
            spans.append((above, at))
    return Taken(tuple(files), without(text, spans))


def _hint(line: str) -> Hint | None:
    hint = hint_in_line(line)
    return hint if hint is not None and hint.sure and not hint.excerpt else None
