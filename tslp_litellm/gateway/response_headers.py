"""The response headers of an episode (`Episode.headers`), from its pre-flight to its answer; bounded.

LiteLLM asks for headers after it has taken the answer, and more than once: so they are kept beside the open episodes,
under the same unguessable key, until so many others came after them. Owns no clock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

KEPT_MAX = 4_000
"""Episodes whose headers are kept; the oldest go first."""


class ResponseHeaders:
    """Headers by the key of their request (`open_episodes.stamp`)."""

    def __init__(self, kept_max: int = KEPT_MAX) -> None:
        self._kept_max = kept_max
        self._kept: OrderedDict[str, dict[str, str]] = OrderedDict()

    def put(self, key: str, headers: Mapping[str, str]) -> None:
        """What an episode's answer is to carry; nothing is kept of one without headers."""
        self._kept.pop(key, None)
        if headers:
            self._kept[key] = dict(headers)
        while len(self._kept) > self._kept_max:
            self._kept.popitem(last=False)

    def of(self, key: str | None) -> dict[str, str] | None:
        """The headers of a request; None where it has none."""
        found = self._kept.get(key) if key is not None else None
        return dict(found) if found is not None else None
