"""What the model's window keeps of a request (SEMANTICS 4, What the window keeps).

Clients resend everything, and servers cut the oldest messages in silence, whole, but never the system's and the last
one. Tokens are counted newest first, and only where bytes, of which a token has at least one, don't decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate

from tslp_litellm.hydration.budget import CHARS_A_TOKEN_MAX
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.wire.turn import Item, Role

WINDOW_IF_UNKNOWN = 4096
ANSWER_SHARE = 8
"""The answer's reserve, where the request names none: this part of the window."""
ITEM_TOKENS = 5
"""What a chat template puts around an item."""
_SYSTEM = -1


def reserve(window: int, answer: int | None, size: int = 1, least: int = 1) -> int:
    """Tokens that are kept for the answer: what the request asks for, else an eighth of the window.

    A client's fixed number says nothing of a window in which the request could not stand beside it, nor one of more
    than half of the window where the request as it was sent does not. `size`: its tokens; `least`: those that are left
    when all that may go has gone.
    """
    if not answer or answer + least > window or (2 * answer > window and answer + size > window):
        return window // ANSWER_SHARE
    return answer


class Kept:
    """The messages of one request against the model's window. `answer`: the tokens that the request reserves for its
    answer; more than the window holds reserves nothing. `tools`: the tools that it offers, as text."""

    def __init__(
        self,
        items: Sequence[Item] = (),
        window: int | None = None,
        answer: int | None = None,
        tools: Callable[[], str] = str,
        counts: TokenCounts | None = None,
    ) -> None:
        self._items, self._tools, self._counts = items, tools, counts or TokenCounts(len)
        self._window, self._answer = window or WINDOW_IF_UNKNOWN, answer
        self._places: dict[int, int] = {}  # of messages: those that are never cut first, then newest first
        self._fixed = 0  # how many are never cut
        self._texts: list[list[str]] = []
        self._spans: list[tuple[int, int]] = []  # the least and the most tokens of each
        self._least: list[int] = []  # of each and all before it
        self._most: list[int] = []
        self._uncounted: list[int] = []  # places, the next one last

    @cached_property
    def _room(self) -> int:
        large = self._answer is not None and self._window < 2 * self._answer < 2 * self._window
        size = sum(self._counts.of(item.text) + ITEM_TOKENS for item in self._items) if large else 1
        return self._window - reserve(self._window, self._answer, size + self.tokens(self._tools()) if large else 1)

    def keeps(self, message: int, hydration: int) -> bool:
        """Whether a message, by its index on the wire, is in the window beside so many tokens of hydration."""
        self._measure()
        place = self._places.get(message, 0)
        if place < self._fixed:
            return True
        room = self._room - hydration
        self._count(place, room, room)
        return self._most[place] <= room

    def free(self, budget: int) -> int:
        """How many tokens of a budget there is room for beside what is never cut."""
        self._measure()
        self._count(self._fixed - 1, self._room - budget, self._room)
        return max(0, min(budget, self._room - self._most[self._fixed - 1]))

    def count_ahead(self, said: Iterable[Item]) -> None:
        """Count what the next request of the conversation may ask for. `said`: the answer."""
        for item in said:
            self._counts.of(item.text)
        self._measure()
        for place in range(len(self._texts)):
            self._count(place, self._room, self._room)
            if self._most[place] > self._room:
                return

    def tokens(self, text: str) -> int:
        """The tokens of a text."""
        return self._counts.of(text) if text else 0

    def _measure(self) -> None:
        """Find the messages, and what their texts weigh as far as it is known."""
        if self._texts:
            return
        found: defaultdict[int, list[str]] = defaultdict(list)
        found[_SYSTEM] = [tools] if (tools := self._tools()) else []
        for item in self._items:
            system = item.role is Role.SYSTEM or item.message < 0
            found[_SYSTEM if system else item.message].append(item.text)
        last = max((item.message for item in self._items), default=_SYSTEM)
        order = sorted(found, key=lambda message: (message != _SYSTEM, -message))
        self._places = {message: place for place, message in enumerate(order)}
        self._fixed = 2 if last in found and last != _SYSTEM else 1
        self._texts = [found[message] for message in order]
        self._spans = list(map(self._span, self._texts))
        self._uncounted = [n for n, (least, most) in reversed(list(enumerate(self._spans))) if least < most]
        self._sum()

    def _span(self, texts: Sequence[str]) -> tuple[int, int]:
        known = [self._counts.known(text) for text in texts]
        least = [len(text) // CHARS_A_TOKEN_MAX if n is None else n for n, text in zip(known, texts, strict=True)]
        most = [_bytes_max(text) if n is None else n for n, text in zip(known, texts, strict=True)]
        return sum(least) + ITEM_TOKENS * len(texts), sum(most) + ITEM_TOKENS * len(texts)

    def _sum(self) -> None:
        self._least = list(accumulate(least for least, _ in self._spans))
        self._most = list(accumulate(most for _, most in self._spans))

    def _count(self, place: int, enough: int, room: int) -> None:
        """Count until all up to a place is known to be no more than is enough, or more than there is room for."""
        while self._uncounted and self._uncounted[-1] <= place:
            if self._most[place] <= enough or self._least[place] > room:
                return
            n = self._uncounted.pop()
            tokens = sum(map(self._counts.of, self._texts[n])) + ITEM_TOKENS * len(self._texts[n])
            self._spans[n] = tokens, tokens
            self._sum()


def _bytes_max(text: str) -> int:
    return len(text) if text.isascii() else 4 * len(text)
