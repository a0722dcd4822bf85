"""Prompts that a server says it has read less of than was sent: it cut them, in silence (SEMANTICS 4, The window).

Tokenizers differ, and some servers count only what they had not cached; so only a count far below ours is told, and
only as what it is. Ours leaves the tools out, and is too low rather than too high.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from tslp_litellm.engine import Episode

CHARS_MAX_A_TOKEN = 3
"""Where a server counted a token for so many characters of the request or fewer, it has read all of it."""
SHARE_MIN = 0.6
"""A server that counts less than this share of what we do has not read all, whatever its tokenizer."""
CHARS_MIN = 4_000
MODELS_MAX = 100


@dataclass(frozen=True, slots=True)
class Cut:
    """The last prompt of a model that was cut: tokens as we count them and as the server does."""

    model: str
    sent: int
    read: int


class CutPrompts:
    """Notes what servers say of prompts. `count`: tokens of a text; it is asked off the event loop, and only where a
    server's number is conspicuous. `later`: does work in a thread."""

    def __init__(self, count: Callable[[str], int], later: Callable[[Callable[[], None]], object]) -> None:
        self._count, self._later = count, later
        self._found: OrderedDict[str, Cut] = OrderedDict()
        self._lock = Lock()

    def heard(self, episode: Episode, read: int | None) -> None:
        """A server has told how many tokens of a prompt it has read."""
        if not read or episode.side or episode.request.turn.items == ():
            return
        if episode.sent is not None:
            self._note(episode, episode.sent, read)
            return
        chars = sum(len(item.text) for item in episode.request.turn.items)
        if chars >= CHARS_MIN and read * CHARS_MAX_A_TOKEN < chars:
            self._later(lambda: self._note(episode, self._counted(episode), read))
        else:
            self._forget(episode.request.model)

    def report(self) -> list[Cut]:
        """The models whose last prompt that was looked at was cut."""
        with self._lock:
            return list(self._found.values())

    def _counted(self, episode: Episode) -> int:
        return sum(self._count(item.text) for item in episode.request.turn.items)

    def _note(self, episode: Episode, sent: int, read: int) -> None:
        model = episode.request.model
        if read >= sent * SHARE_MIN:
            self._forget(model)
            return
        with self._lock:
            self._found[model] = Cut(model, sent, read)
            while len(self._found) > MODELS_MAX:
                self._found.popitem(last=False)

    def _forget(self, model: str) -> None:
        with self._lock:
            self._found.pop(model, None)
