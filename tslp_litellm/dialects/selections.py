"""Lines of a file that an editor has selected, as the client shows them.

They are no whole text; held against ours they may prove that it is not what the disk holds. Editors count lines from
nought or from one, and a selection may begin and end within a line, so they may stand one line beside. A fence under a
range of lines is talk: users quote in it what a file used to hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tslp_litellm.data import table
from tslp_litellm.data.schema import Attachments
from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.lines import Words
from tslp_litellm.dialects.plausible import before_cut, is_cut
from tslp_litellm.dialects.values import Carrier, Excerpt
from tslp_litellm.parser.budget import spend


def read(text: str) -> Taken:
    """The selections in frames of clients' own (`selections` in `data/attachments.json`)."""
    return Taken(tuple(piece for opens, head, ends in _frames() for piece in _framed(text, opens, head, ends)), text)


@cache
def _frames() -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    rows = table("attachments", Attachments).selections
    return tuple((row.opens, re.compile(re.escape(row.opens) + row.head), row.ends) for row in rows)


def _framed(text: str, opens: str, head: re.Pattern[str], ends: tuple[str, ...]) -> Iterator[Excerpt]:
    closing = Words(text, ends)
    at = text.find(opens)
    while at >= 0:
        spend()
        begun = head.match(text, at)
        end = closing.first(begun.end()) if begun else None
        if begun and end is not None:
            said = begun.groupdict()
            yield of_lines(said["path"].strip(), int(said.get("first") or 0), text[begun.end() : end[0]])
        at = text.find(opens, end[0] if end else at + len(opens))


def of_lines(path: str, first: int, text: str, carrier: Carrier = Carrier.ATTACHMENT) -> Excerpt:
    """Lines as they were shown, up to where it says that more were left out."""
    shown = before_cut(text) if is_cut(text) else text.rstrip("\n").split("\n")
    return Excerpt(path, first, tuple(shown) or ("",), carrier, loose=True)
