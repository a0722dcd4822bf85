"""A model's text: the files it shows in fences, and its edits, without our frames and its thinking."""

from __future__ import annotations

from tslp_litellm.evidence.framing import spoken
from tslp_litellm.evidence.labelled import shown_in
from tslp_litellm.evidence.model import Evidence


def read_answer(text: str) -> list[Evidence]:
    """The evidence in what a model said, in order."""
    return shown_in(spoken(text))
