"""Going on from a journal (LedgerPulse 11): newest first, until what is meant and what comes next are settled. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from tslp_litellm.journal.pulses import Type

PULSES_MAX = 500
FACTS_MAX = 50
SETTLED = 2
"""So many pulses in a row that mean the same, and would do the same next, settle it."""


def resumed(newest_first: Iterable[dict[str, Any]], *, tangents: bool = False) -> dict[str, Any]:
    """Where somebody goes on: `intent`, `next`, `status` and `focus` of the newest pulse that is no tangent, the
    `facts` and `model_shifts` up to where it is settled (newest first), and how many pulses were `read`."""
    found: dict[str, Any] = {"intent": None, "next": [], "status": None, "focus": [], "facts": [], "model_shifts": []}
    read, meant, same = 0, None, 0
    for pulse in itertools.islice(newest_first, PULSES_MAX):
        read += 1
        if pulse["type"] == Type.TANGENT and not tangents:
            continue
        found["facts"] += pulse["facts"]
        found["model_shifts"] += [pulse["model_shift"]] if "model_shift" in pulse else []
        if pulse["type"] == Type.TANGENT:
            continue
        says = (pulse.get("intent", {}).get("summary"), pulse.get("next", []))
        if meant is None:
            meant = says
            found |= {"intent": says[0], "next": says[1], "status": pulse["status"], "focus": pulse.get("focus", [])}
        same = same + 1 if says == meant else 0
        if same == SETTLED:
            break
    return {**found, "facts": found["facts"][:FACTS_MAX], "read": read}
