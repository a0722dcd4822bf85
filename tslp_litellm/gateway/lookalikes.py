"""The older workspaces whose names look like that of a request: asked of the database once a workspace and process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from tslp_litellm.state.names import WorkspaceKey

KNOWN_MAX = 10_000


class Lookalikes:
    """What is known by workspace; bounded. `ask`: the names, newly asked; in a worker thread."""

    def __init__(self, ask: Callable[[WorkspaceKey], tuple[str, ...]]) -> None:
        self._ask = ask
        self._known: OrderedDict[WorkspaceKey, tuple[str, ...]] = OrderedDict()

    def learn(self, key: WorkspaceKey) -> None:
        """Ask, where it is not known: only older ones count. While a workspace has nothing of its own yet, all
        count that are there."""
        if key not in self._known:
            self._known[key] = self._ask(key)
            while len(self._known) > KNOWN_MAX:
                self._known.popitem(last=False)

    def of(self, key: WorkspaceKey) -> tuple[str, ...]:
        """What was learned of a workspace."""
        return self._known.get(key, ())
