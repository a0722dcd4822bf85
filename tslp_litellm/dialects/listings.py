"""aider's listings of the files in the chat: `path`, an opening fence, the exact text, the closing fence."""

from __future__ import annotations

import re

from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.lines import lines_with
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.parser.budget import spend

_HEADERS = re.compile(
    r"^\s*+(?:I have \*added these files to the chat\*|Here are some READ ONLY files, provided for your reference\.)"
)
_OPENING = re.compile(r"^(?:`{3,}|<(?:source|code|pre|codeblock|sourcecode)>)(?=[^`]*$)")
_ADDED = re.compile(r"^\s*+I have \*added these files to the chat\*")
_NONE_ADDED = re.compile(
    r"^\s*+I am not sharing (?:any files that you can edit|the full contents of any files with you) yet"
)


def read(text: str) -> Taken:
    """A message that is a listing."""
    return Taken(tuple(listed_files(text)), "") if is_listing(text) else Taken((), text)


def is_listing(text: str) -> bool:
    """Whether a message is a listing of files."""
    return bool(_HEADERS.match(text))


def is_added(text: str) -> bool:
    """Whether a listing is of the files that may be edited."""
    return bool(_ADDED.match(text))


def says_none_added(text: str) -> bool:
    """Whether a message says that there are no such files."""
    return bool(_NONE_ADDED.match(text))


def opening_of(text: str) -> str:
    """The opening fence that a listing uses; empty where it lists nothing."""
    return _first_opening(text) or ""


def listed_files(text: str) -> list[Shown]:
    """The files of a listing, byte for byte: a file without a last newline has its fence glued to its last line."""
    opening = _first_opening(text)
    if opening is None:
        return []
    closings = _Closings(text, opening)
    found: list[Shown] = []
    entry = _entry(text, 0, opening)
    while entry is not None and (close := closings.behind(entry[1])) >= 0:
        spend()
        path, start = entry
        found.append(Shown(path.strip(), text[start:close], Carrier.LISTING, whole=True))
        entry = _entry(text, close + len(closings.mark), opening)
    return found


def _first_opening(text: str) -> str | None:
    """The mark that opens the first file, and with it all of them."""
    for start, end in lines_with(text, ("```", "<source>", "<code>", "<pre>", "<codeblock>", "<sourcecode>")):
        match = _OPENING.match(text[start:end]) if start > 1 and text[start - 2] != "\n" and end < len(text) else None
        if match and text.rfind("\n", 0, start - 1) >= 0:
            return match.group()
    return None


def _entry(text: str, at: int, opening: str) -> tuple[str, int] | None:
    """The next path, on a line of its own above an opening mark, and where its text begins."""
    while (hit := text.find("\n" + opening, at + 1)) >= 0:
        before, end = text.rfind("\n", at, hit), text.find("\n", hit + 1)
        if 0 <= before < hit - 1 and end >= 0 and text.find("`", hit + 1 + len(opening), end) < 0:
            return text[before + 1 : hit], end + 1
        at = hit
    return None


class _Closings:
    """Where the files of a listing end: at a mark with the next file's path and opening behind it, at one that nothing
    follows, or, where there is no such, at one on a line of its own."""

    def __init__(self, text: str, opening: str) -> None:
        self.mark = opening.replace("<", "</", 1)
        self._text, self._opening = text, opening
        end = len(text.rstrip()) - len(self.mark)
        self._last = end if end >= 0 and text.startswith(self.mark, end) else -1
        self._followed = 0  # -1: no further one has a file behind it

    def behind(self, at: int) -> int:
        """Where the closing mark of a text stands that begins at a place; -1 where there is none."""
        if 0 <= self._followed < at:
            self._followed = self._next_followed(at)
        if self._followed >= 0:
            return self._followed
        if self._last >= at:
            return self._last
        return self._alone(at)

    def _next_followed(self, at: int) -> int:
        text = self._text
        while (hit := text.find(self.mark + "\n\n", at)) >= 0:
            path = hit + len(self.mark) + 2
            end = text.find("\n", path)
            if end > path and text.startswith(self._opening, end + 1):
                start = end + 1 + len(self._opening)
                stop = text.find("\n", start)
                if stop >= 0 and text.find("`", start, stop) < 0:
                    return hit
            at = hit + 1
        return -1

    def _alone(self, at: int) -> int:
        hit = self._text.find(f"\n{self.mark}\n", at - 1)
        if hit >= 0:
            return hit + 1
        end = len(self._text) - len(self.mark)
        return end if end >= at and self._text.endswith("\n" + self.mark) else -1
