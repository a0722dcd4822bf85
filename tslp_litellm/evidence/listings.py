"""aider's listings of the files in the chat: `path`, an opening fence, the exact text, the closing fence."""

from __future__ import annotations

import re

from tslp_litellm.evidence.values import Carrier, Shown

_HEADERS = re.compile(
    r"^\s*(?:I have \*added these files to the chat\*|Here are some READ ONLY files, provided for your reference\.)"
)
_ENTRY = re.compile(r"\n(?P<path>[^\n]+)\n(?P<open>`{3,}|<(?:source|code|pre|codeblock|sourcecode)>)[^\n`]*\n")


def is_listing(text: str) -> bool:
    """Whether a message is a listing of files."""
    return bool(_HEADERS.match(text))


def listed_files(text: str) -> list[Shown]:
    """The files of a listing, byte for byte: a file without a last newline has its fence glued to its last line."""
    first = _ENTRY.search(text)
    if first is None:
        return []
    opening = first["open"]
    closing = opening.replace("<", "</", 1)
    head = re.compile(rf"\n(?P<path>[^\n]+)\n{re.escape(opening)}[^\n`]*\n")
    end = re.compile(rf"{re.escape(closing)}(?=\n\n[^\n]+\n{re.escape(opening)}[^\n`]*\n|\s*\Z)")
    plain_end = re.compile(rf"(?m)^{re.escape(closing)}$")
    found: list[Shown] = []
    entry: re.Match[str] | None = first
    while entry is not None:
        close = end.search(text, entry.end()) or plain_end.search(text, entry.end())
        if close is None:
            break
        found.append(Shown(entry["path"].strip(), text[entry.end() : close.start()], Carrier.LISTING, whole=True))
        entry = head.search(text, close.end())
    return found
