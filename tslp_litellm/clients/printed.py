"""What clients say around the output of a command (`outputs` in `data/reads.json`)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from tslp_litellm.data import table
from tslp_litellm.data.schema import Reads
from tslp_litellm.data.searching import find


@dataclass(frozen=True, slots=True)
class Printed:
    """What a command printed. `exact`: the frame shows the end of its last line."""

    text: str
    exact: bool = False


@cache
def _outputs() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(frame, re.I) for frame in table("reads", Reads).outputs)


def printed(text: str) -> Printed | None:
    """What stands in a client's known frame; an empty text where it shows several outputs, None without a frame."""
    if text.startswith(("[{", '{"')) and (answers := json_list(text)) is not None:
        texts = [a.get("result", a.get("output")) for a in answers if isinstance(a, dict)]
        return Printed(texts[0] if len(texts) == 1 and isinstance(texts[0], str) else "")
    match = next((m for frame in _outputs() if (m := find(frame, text))), None)
    if match is None:
        return None
    groups = match.groupdict()
    if "exact" in groups:
        return Printed(groups["exact"], exact=True)
    return Printed(groups.get("text", text[: match.start()]))


def json_list(text: str) -> list[Any] | None:
    """A JSON text as a list, of one where it is something else; None where it is no JSON."""
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return decoded if isinstance(decoded, list) else [decoded]
