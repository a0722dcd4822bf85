"""Files that a client attaches to a message between tags of its own."""

from __future__ import annotations

import html
import re

from tslp_litellm.evidence.model import Carrier, Shown

TAGS = {"file_content": "path", "final_file_content": "path"}
"""Tag -> the attribute that names the file. The text stands on lines of its own between the tags."""

_TAG = re.compile(rf"<(?P<tag>{'|'.join(TAGS)})\b(?P<attributes>[^>\n]*)>\n?(?P<text>.*?)</(?P=tag)>", re.S)
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"|([\w-]+)='([^']*)'")
_CUT = re.compile(r"\n---\n+\[FILE TRUNCATED:|^\s*\(?Error|\bomitted \*/$", re.M)


def attached(text: str) -> tuple[list[Shown], str]:
    """The attached files of a text, and the text without them. What the client says it cut is no file."""
    found: list[Shown] = []

    def take(match: re.Match[str]) -> str:
        attributes = {a or c: b or d for a, b, c, d in _ATTRIBUTE.findall(match["attributes"])}
        path = attributes.get(TAGS[match["tag"]])
        body = match["text"].removesuffix("\n")
        if path and not _CUT.search(body):
            found.append(Shown(html.unescape(path), body, Carrier.ATTACHMENT, whole=True, ended=body.endswith("\n")))
        return "\n"

    return found, _TAG.sub(take, text)
