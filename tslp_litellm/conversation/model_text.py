"""A model's text: the files it shows in fences, and its edits, without our frames and its thinking."""

from __future__ import annotations

from functools import partial

from tslp_litellm.conversation.left_open import ended, set_apart
from tslp_litellm.dialects import apply_patch, file_tags, labelled, search_replace, source_tags
from tslp_litellm.dialects.attachments import without_context
from tslp_litellm.dialects.dialect import Dialect, Taken, in_turn
from tslp_litellm.dialects.framing import spoken, without_echo
from tslp_litellm.dialects.values import Evidence, Report

DIALECTS: tuple[Dialect, ...] = (
    search_replace.read,
    apply_patch.read,
    source_tags.read,
    file_tags.read,
    lambda text: Taken((), without_context(text)),
)
"""In the order in which they read: each leaves the others, and at last the fences, what is none of its own."""


def read_answer(text: str, asked: str = "", whole: bool = False) -> list[Evidence]:
    """The evidence in what a model said to a prompt: what its fences show, then edits, each in order. `whole`: it is
    known to have ended by itself."""
    fenced: Dialect = partial(labelled.read, asked=asked)
    said = set_apart(without_echo(spoken(text)))
    read = in_turn(ended(said, by_user=False) if whole else said, (*DIALECTS, fenced))
    return [piece for piece in read.evidence if not isinstance(piece, Report)]
