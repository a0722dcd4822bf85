"""Where a part shows a tracked entity, and whether as it is or as it was (SEMANTICS 4, The window, step 1).

What a text is, its evidence says, never its looks: lines that another file shares are not that file's. A text is older
only if it was the truth once; text of a DIRTY or unknown file is nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from tslp_litellm.dialects import values as evidence
from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.plan.values import Shown, Text
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState, artifact_hash
from tslp_litellm.syntax.languages import language_of_path

_NUMBER = re.compile(r"^[ ]{0,12}\d{1,9}(?: \| ?|[|→\t]|: )", re.M)
PLACES_MAX = 50
"""So many places with one and the same line are tried."""
ANCHOR_LINES = 200
EXCERPT_LINES_MIN = 3
"""Fewer lines of a file may be anybody's."""


class Lines:
    """A part's lines, as they are and without the numbers in front of them."""

    def __init__(self, text: str) -> None:
        self._text, self.raw = text, [line.rstrip("\r") for line in text.split("\n")]
        self._taken: set[tuple[int, int]] = set()

    def find(self, text: str) -> tuple[int, int] | None:
        """Where a shown text stands as lines of its own, each place once: first line, and the one behind the last."""
        wanted = [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]
        if not any(wanted):
            return None
        spend()
        anchor = max(range(min(len(wanted), ANCHOR_LINES)), key=lambda n: len(wanted[n]))
        found = self._find(self.raw, self._by_raw, wanted, anchor)
        if found is not None or self._bare is self.raw:
            return found
        return self._find(self._bare, self._by_bare, wanted, anchor)

    def _find(
        self, lines: Sequence[str], index: Mapping[str, Sequence[int]], wanted: Sequence[str], anchor: int
    ) -> tuple[int, int] | None:
        for at in index.get(wanted[anchor].rstrip(), ())[:PLACES_MAX]:
            place = (at - anchor, at - anchor + len(wanted))
            if place[0] >= 0 and place not in self._taken and _same(lines[slice(*place)], wanted):
                self._taken.add(place)
                return place
        return None

    @cached_property
    def _bare(self) -> list[str]:
        if _NUMBER.search(self._text) is None:
            return self.raw
        return [line[m.end() :] if (m := _NUMBER.match(line)) else line for line in self.raw]

    @cached_property
    def _by_raw(self) -> dict[str, list[int]]:
        return _index(self.raw)

    @cached_property
    def _by_bare(self) -> dict[str, list[int]]:
        return _index(self._bare)


def _index(lines: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for n, line in enumerate(lines):
        found.setdefault(line.rstrip(), []).append(n)
    return found


def _same(lines: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether lines are the ones that are wanted; white space at the end of an empty one is a reader's own."""
    return len(lines) == len(wanted) and all(
        a == b or (not a.strip() and not b.strip()) for a, b in zip(lines, wanted, strict=True)
    )


def shown_by(
    item: int,
    place: tuple[int, int] | None,
    shown: evidence.Shown,
    file: FileState,
    once: Mapping[str, Collection[str]],
) -> Shown:
    """What a piece of evidence in a part shows of a tracked file. `place`: its lines there, if it stands as such;
    `once`: entity -> the artifacts it ever had."""
    start, end = place if place is not None else (-1, -1)
    text, whole = _of_file(shown, file, once)
    return Shown(item, file.path, text, start, end, whole, tuple(_inside(item, shown.text, start, file, once)))


def _of_file(shown: evidence.Shown, file: FileState, once: Mapping[str, Collection[str]]) -> tuple[Text, bool]:
    """The text as one of the file: how it relates to it, and whether it is all of its current text."""
    current = file.text()
    if current is None:
        return Text.OTHER, False
    said = shown.text.rstrip("\n")
    if said == current.rstrip("\n"):
        return Text.CURRENT, True
    if said.count("\n") + 1 >= EXCERPT_LINES_MIN and f"\n{said}\n" in f"\n{current}\n":
        return Text.CURRENT, False
    was = once.get(file.path, ())
    older = any(artifact_hash(text) in was for text in (shown.text, said, said + "\n"))
    return (Text.OLDER if older else Text.OTHER), False


def _inside(item: int, text: str, start: int, file: FileState, once: Mapping[str, Collection[str]]) -> list[Shown]:
    """The definitions in a shown text that are, or were, those of the file."""
    seen = outline(language_of_path(file.path), text)
    if seen.refused is not None:
        return []
    found, at, line = [], 0, start
    for symbol in seen.symbols:
        spend()
        known = file.symbols.get(symbol.name)
        if known is None or not known.clean or not symbol.sound:
            continue
        entity, slice_ = str(Entity(file.path, symbol.name)), seen.slice(symbol)
        artifact = artifact_hash(slice_)
        if artifact != known.artifact and artifact not in once.get(entity, ()):
            continue
        current = artifact == known.artifact
        line += seen.text.count(b"\n", at, symbol.start) - seen.text.count(b"\n", symbol.start, at)
        at = symbol.start
        first, end = (line, line + slice_.count("\n") + 1) if start >= 0 else (-1, -1)
        found.append(Shown(item, entity, Text.CURRENT if current else Text.OLDER, first, end, current))
    return found
