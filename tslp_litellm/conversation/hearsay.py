"""What a model says that clients put into user messages, and how it is known again (SEMANTICS 2, Positive proof).

A sub-agent's task, a plan, a hand-over, a change to be reviewed: there they are the model's word still, in whatever
frame they come. They are known by their lines. Where a message repeats words of the model's and the code that stood by
them, that part of it is the model's; where only the code stands in it, nobody knows who shows it, and what is shown
says by which lines it may be the model's (`Shown.heard`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.tools import CHANGING, Arguments, argument, arguments_of, kind_of, strings_of
from tslp_litellm.conversation.history import digest as identity
from tslp_litellm.dialects.attachments import files_framed
from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.dialects.line_keys import SUBSTANCE_CHARS, LineKeys, anchors, line_keys
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.tags import tagged
from tslp_litellm.dialects.values import Carrier, Evidence, Outcome, Report, Shown
from tslp_litellm.state.values import Heard, Hearsay
from tslp_litellm.wire.turn import Item, ItemKind, Role

Piece = Evidence | Outcome | Report

FRAME_WORDS = 8
"""So many words beside its code tell a text from a block below its label, which users write too."""
TEXTS_MAX = 64
"""So many arguments of a call are texts by themselves; the rest are one."""
ASKED_MAX = 2_000
"""Of a text with more lines only the anchors are asked for."""
_FROM_DISK = frozenset([Carrier.LISTING, Carrier.READ])
"""Clients make these of the disk each time: they are the model's only within a text that is."""

_DELEGATIONS = frozenset(["new_task", "task", "subtask", "delegate", "handoff", "assignment"])
"""The tags in which models give somebody a task in the text of an answer."""


# -- what is remembered of an answer


@dataclass(frozen=True, slots=True)
class Told:
    """A text of the model's, and what is remembered of it. `as_user`: the identity of a user's message of that text."""

    as_user: bytes
    said: Hearsay

    def passed_on(self) -> Hearsay:
        """The same where a user had said the very text before: who repeats it then is not known."""
        return replace(self.said, heard=Heard.CODE) if self.said.heard is Heard.TOLD else self.said


def told_in(items: Iterable[Item], errand: bool) -> list[Told]:
    """What an answer says that may come back as a user's word. `errand`: it answers a client's own request, and what it
    says is for the client to use."""
    found: list[Told] = []
    for item in items:
        if item.kind is ItemKind.CALL:
            found += _of_call(item)
        elif item.kind is ItemKind.TEXT and item.role is Role.ASSISTANT and _may_show(item.text):
            found.append(_told(item.text, Heard.TOLD if errand else Heard.ANSWER))
            found += [_told(block.inner, Heard.TOLD) for block in tagged(item.text, _DELEGATIONS)]
    return found


def together(said: Iterable[Hearsay]) -> list[Hearsay]:
    """What one answer said, as one text of each kind."""
    found: dict[Heard, Hearsay] = {}
    for one in said:
        known = found.get(one.heard, Hearsay(one.heard, frozenset()))
        found[one.heard] = replace(known, lines=known.lines | one.lines, anchors=known.anchors | one.anchors)
    return list(found.values())


def _of_call(call: Item) -> list[Told]:
    arguments = arguments_of(call)
    texts = list(dict.fromkeys(text for text in _texts(arguments or call.text) if " " in text or "\n" in text))
    if not texts:
        return []
    if len(texts) > TEXTS_MAX:
        texts = [*texts[:TEXTS_MAX], "\n".join(texts[TEXTS_MAX:])]
    writes = _writes(call, arguments)
    return [_told(text, Heard.ANSWER if writes and not _is_document(text) else Heard.TOLD) for text in texts]


def _writes(call: Item, arguments: Arguments) -> bool:
    """Whether the texts of a call are those of files, or may be: of an unknown tool, where it names one file."""
    kind = kind_of(call.name, arguments)
    known = kind in CHANGING or (kind is None and isinstance(argument(arguments, "path"), str))
    return known and (kind == "shell" or attempt(call) is not None)


def _is_document(text: str) -> bool:
    """Whether a text has words and code: it is for somebody to read, whatever file it is written to."""
    return _may_show(text) and _has_words(text)


def _texts(value: object) -> Iterator[str]:
    """The strings in a call's arguments, those in JSON among them."""
    for text in strings_of(value if isinstance(value, str) else [value]):
        if text[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]"):
            try:
                yield from strings_of(json.loads(text))
                continue
            except (ValueError, RecursionError):
                pass
        yield text if "\n" in text else text.replace("\\n", "\n").replace("\\t", "\t")


def _may_show(text: str) -> bool:
    """Whether a text may show a file at all."""
    return "```" in text or "~~~" in text or "</" in text


def _told(text: str, heard: Heard) -> Told:
    found = line_keys(text)
    said = Hearsay(heard, frozenset(found.keys) - {0}, anchors(text, found))
    return Told(identity(Item(Role.USER, ItemKind.TEXT, text)), said)


def _has_words(text: str) -> bool:
    return sum(len(line.split()) for line in prose_lines(text, fences(text))) >= FRAME_WORDS


# -- what is left of a user's text


def keys(text: str) -> frozenset[int]:
    """By which lines it is found out which texts of the model's a user's text may repeat."""
    found = line_keys(text)
    known = frozenset(found.keys) - {0}
    return known if len(known) <= ASKED_MAX else anchors(text, found)


def without_repeated(text: str, known: Collection[Hearsay], first: bool) -> str:
    """A user's text less what it repeats of the model's, words and code.

    `first`: no word of the model's stands before it; what it repeats may be an answer of another conversation then.
    """
    known = [one for one in known if one.heard is Heard.TOLD or (first and one.heard is Heard.ANSWER)]
    if not known:
        return text
    lines, found, blocks = split_lines(text), line_keys(text), _blocks(text)
    within = {n for block in blocks for n in block}
    gone = set[int]()
    for one in known:
        heard = {n for n, key in enumerate(found.keys) if key in one.lines}
        words = [n for n in heard - within if found.sizes[n] >= SUBSTANCE_CHARS]
        if sum(len(lines[n].split()) for n in words) >= FRAME_WORDS:
            gone |= heard - within
            gone |= {n for block in blocks if _is_heard(block, found, heard) for n in block}
    return join_lines(["" if n in gone else line for n, line in enumerate(lines)]) if gone else text


def _blocks(text: str) -> list[range]:
    """The lines of a text's fences and of the files in frames of clients."""
    last, at, line = text.count("\n"), 0, 0
    found = [range(block.first, min(block.last, last) + 1) for block in fences(text)]
    for start, end in files_framed(text):
        first = line + text.count("\n", at, start)
        at, line = end, first + text.count("\n", start, end)
        found.append(range(first, line + 1))
    return found


def _is_heard(block: range, found: LineKeys, heard: Collection[int]) -> bool:
    """Whether all that stands in a block is the model's, and something does."""
    inner = [n for n in block[1:-1] if found.sizes[n]]
    return bool(inner) and all(n in heard for n in inner)


def kept(evidence: Iterable[Piece], found: Sequence[Piece]) -> list[Piece]:
    """What is left of a text's evidence, where all of it was read before as it is: nothing that was torn."""
    before = {_what(piece) for piece in found}
    return [piece for piece in evidence if _what(piece) in before]


def _what(piece: Piece) -> object:
    return (piece.path, piece.text) if isinstance(piece, Shown) else piece


def said_in(items: Iterable[Item]) -> frozenset[int]:
    """The lines of what a model says in some items."""
    found = set[int]()
    for item in items:
        if item.role is Role.ASSISTANT:
            texts = _texts(arguments_of(item) or item.text) if item.kind is ItemKind.CALL else (item.text,)
            found.update(key for text in texts for key in line_keys(text).keys)
    return frozenset(found)


def may_be_models(piece: Piece, known: Iterable[Hearsay]) -> TypeGuard[Shown]:
    """Whether something shows a file that may be the model's: what a client makes of the disk is not, nor what words of
    nobody's but the user claim for the file."""
    if not isinstance(piece, Shown) or piece.carrier in _FROM_DISK:
        return False
    claim = [key for key in line_keys(piece.claim).keys if key]
    return not claim or any(one.lines.issuperset(claim) for one in known)


def doubted(shown: Shown, known: Iterable[Hearsay]) -> Shown:
    """A file as it is shown, with the lines of those texts of the model's of which it has some."""
    lines = frozenset(line_keys(shown.text).keys) - {0}
    return replace(shown, heard=tuple(one.lines for one in known if not one.lines.isdisjoint(lines)))
