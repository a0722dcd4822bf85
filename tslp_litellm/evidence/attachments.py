"""Files that a client attaches to a message between tags of its own."""

from __future__ import annotations

import html
import re

from tslp_litellm.evidence.lines import first_on_lines, line_end, line_from
from tslp_litellm.evidence.tags import tagged, without
from tslp_litellm.evidence.values import Carrier, Shown

TAGS = {"file_content": "path", "final_file_content": "path", "file": "path", "attachment": "filepath"}
"""Tag -> the attribute that names the file. The text stands on lines of its own between the tags."""

_ATTRIBUTE = re.compile(r"(?<![\w-])([\w-]{1,64})=(?:\"([^\"]*)\"|'([^']*)')")
_CUT = re.compile(r"^\[FILE TRUNCATED:|\bomitted \*/$", re.M)


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


def attached(text: str) -> tuple[list[Shown], str]:
    """The attached files of a text, and the text without them. What the client says it cut is no file."""
    if not any(f"<{tag}" in text for tag in TAGS):
        return [], text
    blocks = tagged(text, TAGS)
    found: list[Shown] = []
    for block in blocks:
        attributes = {name: a or b for name, a, b in _ATTRIBUTE.findall(block.attributes)}
        path = attributes.get(TAGS[block.name])
        body = (
            _unfenced(block.inner) if block.name == "attachment" else block.inner.removeprefix("\n").removesuffix("\n")
        )
        if path and (body or block.name != "attachment") and first_on_lines(_CUT, body) is None and "\n" in block.inner:
            found.append(Shown(html.unescape(path), body, Carrier.ATTACHMENT, whole=True, ended=body.endswith("\n")))
    return found, without(text, blocks)
