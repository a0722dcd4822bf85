"""Files that a client attaches to a message between tags of its own (`data/attachments.json`)."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Collection

from tslp_litellm.data import table
from tslp_litellm.data.schema import Attachments
from tslp_litellm.dialects.fences import Fence, fences, prose_lines
from tslp_litellm.dialects.lines import APART, first_on_lines, join_lines, line_end, line_from
from tslp_litellm.dialects.numbering import numbered
from tslp_litellm.dialects.plausible import is_cut
from tslp_litellm.dialects.tags import Tagged, tagged, without
from tslp_litellm.dialects.values import Carrier, Excerpt, Shown

_ATTRIBUTE = re.compile(r"(?<![\w-])([\w-]{1,64})=(?:\"([^\"]*)\"|'([^']*)')")
_CUT = re.compile(r"^\[FILE TRUNCATED:|\bomitted \*/$", re.M)
_OPENS = re.compile(r"\A[ \t]*+<([A-Za-z][\w-]*)(?:\s[^<>\n]*)?>")
_FRAME = ("<context>", "<files>", "</files>", "</context>")
_MENTIONED = re.compile(r"(\w+) \S[^\n]*\.\1(?::\d+-\d+)?")
_CLOSES = re.compile(r"</([A-Za-z][\w-]*)>[ \t]*\Z")


def _tags() -> Attachments:
    return table("attachments", Attachments)


def _unfenced(inner: str) -> str:
    """The text between the fences of an attachment, whose last line is as many backticks as open it."""
    inner = inner.rstrip()
    end = inner.rfind("\n") + 1
    fence = inner[end:]
    if len(fence) < 3 or fence.strip("`"):
        return ""
    at = line_from(inner, 0, fence)
    while inner.startswith("`", at + len(fence)):
        at = line_from(inner, line_end(inner, at) + 1, fence)
    return inner[line_end(inner, at) + 1 : end] if at < end else ""


def attached(text: str, shown: Callable[[str], str] = str) -> tuple[list[Shown | Excerpt], str]:
    """The attached files of a text, and the text without them. What the client says it cut is no file, nor is one in a
    fence. What a file holds is its own, tags and comments too.

    `shown`: the text without what a client put around the user's words; asked of a text whose files hold nothing.
    """
    if not any(f"<{tag}" in text for tag in _tags().files):
        return [], text
    blocks = tagged(text, _tags().files)
    hollow = _hollow(text, blocks)
    outside = _numbers(join_lines(prose_lines(hollow, fences(hollow))))
    blocks = [block for n, block in enumerate(blocks) if n in outside]
    left = _numbers(shown(_hollow(text, blocks)))
    sure = [block for n, block in enumerate(blocks) if n in left and not _ends_again(text, block)]
    return [made for block in sure if (made := _file(block)) is not None], without(text, blocks, f"\n{APART}\n")


def _numbers(hollow: str) -> set[int]:
    return {int(block.inner) for block in tagged(hollow, _tags().files) if block.inner.isdecimal()}


def _ends_again(text: str, block: Tagged) -> bool:
    """Whether its end tag stands once more before another begins: the file may hold the first of them."""
    end = text.find(f"</{block.name}>", block.end)
    return end >= 0 and text.find(f"<{block.name}", block.end, end) < 0


def _hollow(text: str, blocks: list[Tagged]) -> str:
    """A text with blocks that hold their own number."""
    parts, at = [], 0
    for n, block in enumerate(blocks):
        parts += [text[at : block.start], f"<{block.name}>{n}</{block.name}>"]
        at = block.end
    return "".join((*parts, text[at:]))


def _file(block: Tagged) -> Shown | Excerpt | None:
    attributes = {name: a or b for name, a, b in _ATTRIBUTE.findall(block.attributes)}
    path = html.unescape(attributes.get(_tags().files[block.name]) or "")
    fenced = block.name == "attachment"
    body = _unfenced(block.inner) if fenced else block.inner.removeprefix("\n").removesuffix("\n")
    if not path or (fenced and not body) or "\n" not in block.inner:
        return None
    lines = numbered(body)
    if lines is not None and lines.glued and lines.all:
        return None
    if lines is not None and (lines.all or len(lines.lines) > 1):
        if lines.all and lines.first == 1 and attributes.keys() <= _tags().attributes:
            return Shown(path, "\n".join(lines.lines), Carrier.ATTACHMENT, whole=True, ended=False)
        return Excerpt(path, lines.first, lines.lines, Carrier.ATTACHMENT)
    if first_on_lines(_CUT, body) is not None or is_cut(body) or not attributes.keys() <= _tags().attributes:
        return None
    return Shown(path, body, Carrier.ATTACHMENT, whole=True, ended=body.endswith("\n"))


def without_context(text: str, known: Collection[str] = ()) -> str:
    """A text without what stands in comments and in tags that nobody knows, from their line to that of their end: blank
    lines instead.

    `known`: more names of tags that may hold what counts. Tags inside of fences are code; files that Zed gives stay.
    """
    tags = {*_tags().files, *_tags().holders, *known}
    lines = text.split("\n")
    opening = [(n, m[1]) for n, line in enumerate(lines) if "<" in line and (m := _OPENS.match(line))]
    commented = "<!--" in text
    if not commented and all(name in tags for _, name in opening):
        return text
    blocks = fences(text)
    code = {n for fence in blocks for n in range(fence.first, fence.last + 1)}
    given = _given(lines, blocks, code)
    hidden = _comments(lines, code) if commented else []
    ends: dict[str, list[int]] = {}
    for n, line in enumerate(lines):
        if n not in code and "</" in line and (match := _CLOSES.search(line)):
            ends.setdefault(match[1], []).append(n)
    for n, name in opening:
        found = ends.get(name, [])
        end = bisect_left(found, n)
        if n not in code and name not in tags and end < len(found):
            hidden.append((n, found[end] + 1))
    at = 0
    for start, end in sorted(hidden):
        if start >= at:
            first, last = given.get(start, (end, end))
            lines[start:first], lines[last:end] = [""] * (first - start), [""] * (end - last)
            at = end
    return "\n".join(lines)


def _given(lines: list[str], blocks: list[Fence], code: Collection[int]) -> dict[int, tuple[int, int]]:
    """Where Zed puts the files that its user mentions, by the line of the tag around all: `<files>` in a `<context>`,
    around nothing but fences, each with the file's extension and path."""
    tags = [n for n, line in enumerate(lines) if line.strip() in _FRAME and n not in code]
    infos, found = {block.first: block.info for block in blocks}, dict[int, tuple[int, int]]()
    for at in zip(tags, tags[1:], tags[2:], tags[3:], strict=False):
        inside = range(at[1] + 1, at[2])
        if tuple(lines[n].strip() for n in at) != _FRAME or any(lines[n].strip() and n not in code for n in inside):
            continue
        if all(_MENTIONED.fullmatch(infos[n]) for n in inside if n in infos):
            found[at[0]] = (inside.start, inside.stop)
    return found


def _comments(lines: list[str], code: Collection[int]) -> list[tuple[int, int]]:
    """The lines that comments of HTML take which go over several: from the first to behind the last. One that begins a
    line and has no end goes on to that of the text."""
    found: list[tuple[int, int]] = []
    begun: int | None = None
    for n, line in enumerate(lines):
        if begun is None:
            if n in code or "<!--" not in line:
                continue
            head, _, tail = line.rpartition("<!--")
            if "-->" not in tail and not head.count("`") % 2:
                begun = n
        elif "-->" in line:
            found.append((begun, n + 1))
            begun = None
    if begun is not None and lines[begun].lstrip().startswith("<!--"):
        found.append((begun, len(lines)))
    return found
