"""What a model says that is no evidence: our own blocks and notices, whoever wrote them, and its thinking."""

from __future__ import annotations

from tslp_litellm.dialects.thinking import without_thinking
from tslp_litellm.state.markers import unframed


def spoken(text: str) -> str:
    """What a model said, without our frames and without its thinking."""
    return without_thinking(unframed(text))
