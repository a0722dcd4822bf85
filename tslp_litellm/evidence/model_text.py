"""A model's text: the files it shows in fences, and its edits, without our frames and its thinking."""

from __future__ import annotations

import re

from tslp_litellm.evidence import search_replace
from tslp_litellm.evidence.apply_patch import parse_patch, patches_in
from tslp_litellm.evidence.fences import Fence, fences
from tslp_litellm.evidence.framing import spoken
from tslp_litellm.evidence.labelled import shown_by
from tslp_litellm.evidence.paths import Hint, hint_in_line, language_of_info
from tslp_litellm.evidence.unified_diff import parse_diff
from tslp_litellm.evidence.values import Carrier, Evidence, Shown
from tslp_litellm.syntax.languages import Nature


def read_answer(text: str) -> list[Evidence]:
    """The evidence in what a model said: files and snippets in fences, then edits, each in order."""
    text = spoken(text)
    edits = search_replace.blocks(text)
    rest = _without(text, edits)
    patches = [change for match in patches_in(rest) for change in parse_patch(match.group())]
    rest = _blanked(rest, patches_in(rest))
    tagged = [match for match in _TAG_FENCE.finditer(rest) if _hint(match)] if _may_be_tagged(rest) else []
    files = [Shown(hint.path, match["body"], Carrier.FENCE) for match in tagged if (hint := _hint(match))]
    rest = _blanked(rest, tagged)
    blocks = fences(rest)
    diffs = [change for block in blocks if _is_diff(block) for change in parse_diff(block.body)]
    return [*files, *shown_by(rest, blocks), *(block.edit for block in edits), *patches, *diffs]


_TAGS = ("source", "code", "pre", "codeblock", "sourcecode")
_TAG_FENCE = re.compile(
    rf"^(?P<path>[^\n]+)\n<(?P<tag>{'|'.join(_TAGS)})>\n(?P<body>.*?)^</(?P=tag)>[ \t]*$", re.S | re.M
)
"""aider's fences for files that hold both kinds of backticks."""


def _may_be_tagged(text: str) -> bool:
    """A quick look: the pattern itself takes 10 ms over a megabyte."""
    return any(f"\n<{tag}>\n" in text for tag in _TAGS)


def _hint(match: re.Match[str]) -> Hint | None:
    hint = hint_in_line(match["path"])
    return hint if hint is not None and hint.sure and not hint.excerpt else None


def _is_diff(block: Fence) -> bool:
    language = language_of_info(block.info)
    return block.closed and language is not None and language.nature is Nature.DIFF


def _blanked(text: str, matches: list[re.Match[str]]) -> str:
    for match in reversed(matches):
        text = text[: match.start()] + "\n" + text[match.end() :]
    return text


def _without(text: str, blocks: list[search_replace.Block]) -> str:
    """The text with the lines of edit blocks, and the fence that closes behind one, blanked."""
    if not blocks:
        return text
    lines = text.split("\n")
    for block in blocks:
        closes = block.last + 1 < len(lines) and search_replace.is_fence_line(lines[block.last + 1])
        for n in range(block.first, block.last + 1 + closes):
            lines[n] = ""
    return "\n".join(lines)
