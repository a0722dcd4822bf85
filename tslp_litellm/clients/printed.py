"""What a command printed, out of the frame that a client puts around it (`outputs` in `data/reads.json`)."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from tslp_litellm.data import table
from tslp_litellm.data.schema import Reads


@cache
def _frames() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(frame, re.I) for frame in table("reads", Reads).outputs)


def printed(text: str) -> tuple[str, ...] | None:
    """What stands in a client's known frame of the output of commands, of each one; None without a frame."""
    if text.startswith(("[{", '{"')) and (answers := decoded(text)) is not None:
        said = (_answered(answer) for answer in answers if isinstance(answer, dict))
        return tuple(one for one in said if one is not None)
    framed = _framed(text)
    return (framed,) if framed is not None else None


def _answered(answer: dict[str, Any]) -> str | None:
    """What one of several answers holds: of a command that failed, in its error."""
    said, error = answer.get("result", answer.get("output")), answer.get("error")
    if said == "" and isinstance(error, str):
        framed = _framed(error)
        return error if framed is None else framed
    return said if isinstance(said, str) else None


def _framed(text: str) -> str | None:
    match = next((m for frame in _frames() if (m := frame.match(text))), None)
    return (match["text"] or "") if match else None


def decoded(text: str) -> list[Any] | None:
    """A text as JSON, one value as a list of it; None where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else [found]
