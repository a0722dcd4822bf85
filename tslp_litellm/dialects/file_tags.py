"""Tags in an answer that name a file and hold a body, or say that it goes: `<dyad-write path="src/App.tsx">`,
`<boltAction filePath="…">`, `<dyad-delete path="…"/>`.

Builders of applications write files out of them, each by rules of its own. Nobody knows them all, so what such a tag
holds proves only that the file may have another text (SEMANTICS 2, Clients that apply text themselves).
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right

from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.parser.budget import spend

_OPENING = re.compile(r"^[ \t]{0,20}<([A-Za-z][\w.:-]{0,60})((?:\s[^<>\n]{1,2000}?)?)(/?)>", re.M)
_PATH = re.compile(
    r"(?<![\w-])(?:path|file|filepath|file[_-]path|filename|name|from|old[_-]?path)="
    r"(?:\"([^\"\n]{1,1024})\"|'([^'\n]{1,1024})')",
    re.I,
)
_SHOWS = frozenset({"file_content", "final_file_content"})
"""Frames in which clients show a file: nobody writes one out of them."""
_ENDS = re.compile(r"delete|remove|rename|move", re.I)
"""What a tag is called that needs no body."""


def read(text: str) -> Taken:
    """What stands in such tags, outside of fences. The text stays as it is."""
    if "<" not in text or "=" not in text:
        return Taken((), text)
    return Taken(tuple(_bodies(text)), text)


def _bodies(text: str) -> list[Shown]:
    code, unclosed = _code(text), set(_SHOWS)
    begins = [start for start, _ in code]
    found, at = list[Shown](), 0
    while (opening := _OPENING.search(text, at)) is not None:
        spend()
        at, name = opening.end(), opening[1]
        path = _PATH.search(opening[2])
        before = bisect_right(begins, opening.start())
        if path is None or name in unclosed or (before and opening.start() < code[before - 1][1]):
            continue
        close = at if opening[3] else text.find(f"</{name}>", at)
        if close < 0:
            unclosed.add(name)
            continue
        body = text[at:close].removeprefix("\n")
        if body.strip() or _ENDS.search(name):
            found.append(Shown(html.unescape(path[1] or path[2]), body, Carrier.TAG, whole=True))
        at = close
    return found


def _code(text: str) -> list[tuple[int, int]]:
    """Where fences stand."""
    starts = [0, *(match.end() for match in re.finditer("\n", text)), len(text)]
    return [(starts[fence.first], starts[min(fence.last + 1, len(starts) - 1)]) for fence in fences(text)]
