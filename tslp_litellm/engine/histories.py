"""What files would hold without the answers that are left, told on from visit to visit: the Ledger only grows, so each
of its events is heard once, as long as the ways that a conversation took before stay left (`engine/rewinding.py`)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from tslp_litellm.engine.recent_turns import WORKSPACES_MAX
from tslp_litellm.parser.memory import Memory
from tslp_litellm.resolution.going_back import Left, Retold, Without
from tslp_litellm.state.events import Entry
from tslp_litellm.store.reading import WorkspaceReader

FILES_MAX = 256
"""Of each workspace."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A file's history up to an entry of the Ledger (its place and hash), without what was left then."""

    retold: Retold
    left: Left
    seq: int
    hash: str


class _Workspace:
    """The histories of the last files that were asked for in one workspace."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def told(self, store: WorkspaceReader, path: str, left: Left) -> Without | None:
        """What the State Map would hold of a file without what is left."""
        known = self._known.pop(path, None)
        if known is not None and known.retold.holds(known.left, left):
            found = store.entries_about([path], known.seq - 1)[path]
            if found and (found[0].seq, found[0].hash) == (known.seq, known.hash):
                return self._keep(path, known.retold, left, found, 1)
        return self._keep(path, Retold(), left, store.entries_about([path])[path], 0)

    def _keep(self, path: str, retold: Retold, left: Left, found: list[Entry], first: int) -> Without | None:
        for entry in found[first:]:
            retold.hear(path, entry, left)
        if found:
            self._known[path] = _Known(retold, left, found[-1].seq, found[-1].hash)
        while len(self._known) > FILES_MAX:
            self._known.popitem(last=False)
        return retold.told


class Histories:
    """The histories of the last workspaces that were asked for; none waits for another."""

    def __init__(self) -> None:
        self._workspaces = Memory[_Workspace](WORKSPACES_MAX)

    def without(self, store: WorkspaceReader, paths: Iterable[str], left: Left) -> dict[str, Without | None]:
        """What the State Map would hold of each file without what is left, in the snapshot of the reader; None: its
        text is unknown. Asked before anything is written in that snapshot."""
        workspace = self._workspaces.get((store.tenant, store.name), b"", lambda: (_Workspace(), 1))
        with workspace.lock:
            return {path: workspace.told(store, path, left) for path in sorted(paths)}
