"""Texts with lines of ours in the place of what is left out; the words of those lines.

A line is read again in later requests, when other texts are current: it says what stood there, and of nothing that it
is now (SEMANTICS 4: what was taken out stays out in the same form).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tslp_litellm.plan.values import ALL, Cut
from tslp_litellm.state.markers import LEFT_OUT, left_out_line

PATHS_MAX = 3
LEAF_CHARS_MIN = 120
"""In a result that is JSON, a shorter string says how it went, and stays."""
_TOOL = re.compile(r"[\w.:-]{1,64}")


def of_entity(entity: str, lines: int) -> str:
    """The line that stands for lines of an entity."""
    return left_out_line(f"{entity}: {_number(lines, 'line')}, as they then were")


def of_result(tool: str, lines: int, images: int, paths: Sequence[str]) -> str:
    """The line that stands for what a tool answered, and the files that this showed."""
    named = tool if _TOOL.fullmatch(tool) else "a tool"
    about = f" ({', '.join(paths[:PATHS_MAX])}, as they then were)" if paths else ""
    said = [_number(lines, "line")] if lines or not images else []
    said += [_number(images, "image")] if images else []
    return left_out_line(f"what {named} answered: {' and '.join(said)}{about}")


def _number(of: int, what: str) -> str:
    return f"1 {what}" if of == 1 else f"{of} {what}s"


def with_cuts(text: str, cuts: Sequence[Cut]) -> str:
    """A text with one line in the place of each cut's; cuts that lie outside of it or meet another are passed over."""
    whole = next((cut for cut in cuts if cut.end == ALL), None)
    if whole is not None:
        return cleared(text, whole.line)
    lines, out, at = text.split("\n"), list[str](), 0
    for cut in sorted(cuts, key=lambda cut: cut.start):
        if not at <= cut.start < cut.end <= len(lines):
            continue
        out += lines[at : cut.start]
        out.append(cut.line + ("\r" if lines[cut.end - 1].endswith("\r") else ""))
        at = cut.end
    return "\n".join([*out, *lines[at:]])


def is_ours(text: str) -> bool:
    """Whether nothing is left of a text but lines of ours."""
    return all(line.startswith(LEFT_OUT) for line in text.split("\n") if line.strip())


def cleared(text: str, line: str) -> str:
    """A result of which one line is left. One that is JSON stays it, where half of it goes with its long strings: only
    these are left out."""
    if text and is_ours(text):
        return text
    if text.lstrip()[:1] in ("{", "["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return line
        short = _without_long(found, line)
        if short == found and LEFT_OUT in text:  # it was cleared before
            return text
        said = json.dumps(short, ensure_ascii=False, separators=(",", ":"))
        if short != found and 2 * len(said) <= len(text):
            return said
    return line


def _without_long(value: Any, line: str, depth: int = 0) -> Any:
    if isinstance(value, str):
        return line if len(value) >= LEAF_CHARS_MIN and not is_ours(value) else value
    if isinstance(value, dict) and depth < 8:
        return {key: _without_long(one, line, depth + 1) for key, one in value.items()}
    if isinstance(value, list) and depth < 8:
        return [_without_long(one, line, depth + 1) for one in value]
    return value
