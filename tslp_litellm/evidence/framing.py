"""What a model says that is no evidence: our own blocks and notices, whoever wrote them, and its thinking."""

from __future__ import annotations

import re

from tslp_litellm.state.markers import unframed

_THINKING = re.compile(r"^[ \t]*<(?P<tag>think|thinking|reasoning|scratchpad)>.*?(?:</(?P=tag)>|\Z)", re.S | re.M)


def spoken(text: str) -> str:
    """What a model said, without our frames and without its thinking."""
    return _THINKING.sub("", unframed(text)) if "<" in text else unframed(text)
