"""The injection template (§8.2) and the notices' frame (§8.3), byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tslp_litellm.state.markers import BLOCK_END, BLOCK_START, NOTICE_END, NOTICE_START, holds_marker
from tslp_litellm.state.values import Source


@dataclass(frozen=True, slots=True)
class Block:
    """An entity's current text, to be injected."""

    entity: str
    artifact: str
    source: Source
    text: str

    def render(self) -> str:
        """The block: the content stands between an empty line and the line that ends it, byte for byte."""
        return (
            f"{BLOCK_START}\nEntity: {self.entity}\nArtifact: {self.artifact}\nSource: Confirmed via {self.source}\n\n"
            f"{self.text}\n{BLOCK_END}"
        )


_RENDERED = re.compile(
    rf"^{re.escape(BLOCK_START)}\nEntity: (.+)\nArtifact: .+\nSource: .+\n\n((?s:.*?))\n{re.escape(BLOCK_END)}$", re.M
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A block as it stands in a preface, whole, and what it says."""

    whole: str
    entity: str
    text: str


def blocks_in(before: str) -> list[Rendered]:
    """The blocks in a preface. No text of a block holds a mark."""
    return [Rendered(*found.group(0, 1, 2)) for found in _RENDERED.finditer(before)]


def notice(*lines: str) -> str:
    """A notice in its frame. A line that holds one of our marks, in a name say, is left out: it would end the frame."""
    return "\n".join((NOTICE_START, *(line for line in lines if not holds_marker(line)), NOTICE_END))


def preface(blocks: Iterable[Block], notices: Iterable[str]) -> str:
    """What goes in front of the user's text: blocks, then notices, a blank line after each; empty if none."""
    parts = [*(block.render() for block in blocks), *notices]
    return "".join(f"{part}\n\n" for part in parts)


def tail(before: str) -> str:
    """A preface as it stands behind a text: a blank line before each part."""
    return "\n\n" + before.removesuffix("\n\n") if before else ""
