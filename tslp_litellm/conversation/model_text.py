"""A model's text: the files it shows in fences, and its edits, without our frames and its thinking."""

from __future__ import annotations

from tslp_litellm.dialects import search_replace
from tslp_litellm.dialects.apply_patch import parse_patch, patches_in
from tslp_litellm.dialects.attachments import without_context
from tslp_litellm.dialects.fences import Fence, fences
from tslp_litellm.dialects.framing import spoken
from tslp_litellm.dialects.labelled import shown_by
from tslp_litellm.dialects.lines import join_lines, line_end, line_from, lines_with, split_lines, without
from tslp_litellm.dialects.paths import Hint, hint_in_line, language_of_info
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import Carrier, Evidence, Shown
from tslp_litellm.syntax.languages import Nature


def read_answer(text: str) -> list[Evidence]:
    """The evidence in what a model said: files and snippets in fences, then edits, each in order."""
    text = spoken(text)
    edits = search_replace.blocks(text)
    rest = _without_blocks(text, edits)
    spans = patches_in(rest)
    patches = [change for start, end in spans for change in parse_patch(rest[start:end])]
    rest = without(rest, spans)
    files, tagged = _tag_fences(rest)
    rest = without_context(without(rest, tagged))
    blocks = fences(rest)
    diffs = [change for block in blocks if _is_diff(block) for change in parse_diff(block.body)]
    return [*files, *shown_by(rest, blocks), *(block.edit for block in edits), *patches, *diffs]


_TAGS = ("source", "code", "pre", "codeblock", "sourcecode")
"""aider's fences for files that hold both kinds of backticks."""


def _tag_fences(text: str) -> tuple[list[Shown], list[tuple[int, int]]]:
    """The files between such tags, below a line with their path, and where they stand."""
    files, spans, at = list[Shown](), list[tuple[int, int]](), 0
    unclosed: set[str] = set()
    for start, end in lines_with(text, [f"<{tag}>" for tag in _TAGS]) if any(f"<{t}>" in text for t in _TAGS) else ():
        tag = text[start + 1 : end - 1]
        if start <= at or tag not in _TAGS or tag in unclosed or text[start:end] != f"<{tag}>":
            continue
        above = text.rfind("\n", at, start - 1) + 1 or at
        if above >= start - 1 or end == len(text):
            continue
        close = _closing(text, end + 1, f"</{tag}>")
        if close < 0:
            unclosed.add(tag)
            continue
        hint = _hint(text[above : start - 1])
        at = line_end(text, close)
        if hint is not None:
            files.append(Shown(hint.path, text[end + 1 : close], Carrier.FENCE))
            spans.append((above, at))
    return files, spans


def _closing(text: str, at: int, mark: str) -> int:
    """Where the next line stands that is only a mark, and blanks; -1 where there is none."""
    at = line_from(text, at, mark)
    while at >= 0 and text[at + len(mark) : (end := line_end(text, at))].strip(" \t"):
        at = line_from(text, end, mark)
    return at


def _hint(line: str) -> Hint | None:
    hint = hint_in_line(line)
    return hint if hint is not None and hint.sure and not hint.excerpt else None


def _is_diff(block: Fence) -> bool:
    language = language_of_info(block.info)
    return block.closed and language is not None and language.nature is Nature.DIFF


def _without_blocks(text: str, blocks: list[search_replace.Block]) -> str:
    """The text with the lines of edit blocks, and the fence that closes behind one, blanked."""
    if not blocks:
        return text
    lines = split_lines(text)
    for block in blocks:
        closes = block.last + 1 < len(lines) and search_replace.is_fence_line(lines[block.last + 1])
        for n in range(block.first, block.last + 1 + closes):
            lines[n] = ""
    return join_lines(lines)
