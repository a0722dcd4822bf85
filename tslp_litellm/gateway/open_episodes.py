"""The episodes whose answers have not begun, by a key of ours in their request's data; bounded in every way.

The key is unguessable and lives as long as its request, so no client can name another's episode by what it sends
(SEMANTICS 1). Owns no clock and no database.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tslp_litellm.state.names import WorkspaceKey

FIELD = "tslp_episode"
"""Where in LiteLLM's own metadata the key stands. It is a list there: of metadata, providers are only sent strings."""
KEY_BYTES = 24
EPISODES_MAX = 4_000
CHARS_MAX = 64_000_000
"""What the requests of open episodes may hold together."""
AGE_MAX_S = 2 * 3600.0
"""LiteLLM's own longest time-out for an answer's beginning is 6000 s."""
DROPPED_MAX = 10_000
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Dropped:
    """What is left of an episode that was let go of before its answer began."""

    workspace: WorkspaceKey


@dataclass(frozen=True, slots=True)
class _Open(Generic[E]):
    episode: E
    workspace: WorkspaceKey
    chars: int
    since: float


class OpenEpisodes(Generic[E]):
    """Episodes by key, the oldest first. Beyond any bound the oldest is dropped, and known by its workspace only."""

    def __init__(self, episodes_max: int = EPISODES_MAX, chars_max: int = CHARS_MAX) -> None:
        self._episodes_max, self._chars_max, self._chars = episodes_max, chars_max, 0
        self._open: OrderedDict[str, _Open[E]] = OrderedDict()
        self._dropped: OrderedDict[str, WorkspaceKey] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, key: str | None) -> bool:
        return key in self._open

    def put(self, key: str, episode: E, workspace: WorkspaceKey, chars: int, now: float) -> list[WorkspaceKey]:
        """An episode begins, or takes the place of one under its own key, at a time in seconds.

        The workspaces of which an answer may come that nobody will know any more.
        """
        self._remove(key)
        self._open[key] = _Open(episode, workspace, chars, now)
        self._chars += chars
        for oldest in list(self._over(now)):
            self._dropped[oldest] = self._open[oldest].workspace
            self._remove(oldest)
        forgotten = []
        while len(self._dropped) > DROPPED_MAX:
            forgotten.append(self._dropped.popitem(last=False)[1])
        return list(dict.fromkeys(forgotten))

    def get(self, key: str | None) -> E | None:
        """The episode of a key, which stays open."""
        found = self._open.get(key) if key is not None else None
        return found.episode if found is not None else None

    def take(self, key: str | None) -> E | Dropped | None:
        """The episode of a key, which ends being open; None where there was none."""
        found = self._remove(key) if key is not None else None
        if found is not None:
            return found.episode
        workspace = self._dropped.pop(key, None) if key is not None else None
        return Dropped(workspace) if workspace is not None else None

    def _over(self, now: float) -> Iterator[str]:
        """The keys that are too many, too large together or too old; the newest stays, whatever it holds."""
        chars, left = self._chars, len(self._open)
        for key, one in self._open.items():
            within = chars <= self._chars_max and left <= self._episodes_max and now - one.since <= AGE_MAX_S
            if within or left == 1:
                return
            chars, left = chars - one.chars, left - 1
            yield key

    def _remove(self, key: str) -> _Open[E] | None:
        found = self._open.pop(key, None)
        if found is not None:
            self._chars -= found.chars
        return found


def stamp(data: dict[str, Any]) -> str:
    """Give a request a key of its own, in the place of whatever a client may have put there."""
    key = secrets.token_urlsafe(KEY_BYTES)
    unstamp(data)
    metadata = next((data[name] for name in ("litellm_metadata", "metadata") if isinstance(data.get(name), dict)), None)
    if metadata is None:
        metadata = data["litellm_metadata"] = {}
    metadata[FIELD] = [key]
    return key


def unstamp(data: dict[str, Any]) -> None:
    """Take what stands in a key's place out of a request."""
    for name in ("litellm_metadata", "metadata"):
        if isinstance(data.get(name), dict):
            data[name].pop(FIELD, None)


def stamped(data: Any) -> str | None:
    """The key of a request; None without one, or where what stands there can be none of ours."""
    for name in ("litellm_metadata", "metadata"):
        metadata = data.get(name)
        found = metadata.get(FIELD) if isinstance(metadata, dict) else None
        if isinstance(found, list) and len(found) == 1 and isinstance(found[0], str):
            return found[0]
    return None
