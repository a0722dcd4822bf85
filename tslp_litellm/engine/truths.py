"""The texts that ever were the truth of what is in a file, told on from visit to visit: the Ledger only grows, so each
event is read once for the files that are shown again and again (`engine/showing.py`)."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from tslp_litellm.engine.recent_turns import WORKSPACES_MAX
from tslp_litellm.parser.budget import spend
from tslp_litellm.parser.memory import Memory
from tslp_litellm.state.events import Entry
from tslp_litellm.store.reading import WorkspaceReader

FILES_MAX = 256
"""Of each workspace; where more are asked for one after the other, it begins anew."""

Once = dict[str, set[str]]
"""Entity -> the artifacts that ever were its truth."""


class _Workspace:
    """What the files that were asked for ever held, up to a place in the Ledger."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._heard: tuple[int, str] = (0, "")
        self._files: dict[str, Once] = {}

    def told(self, store: WorkspaceReader, paths: Collection[str], head: tuple[int, str]) -> Once:
        """Of the files, up to the head of the reader's snapshot."""
        if head[0] < self._heard[0]:  # a snapshot from before what another thread has read
            return _merged(_read(store.entries_about(list(paths))).values())
        if len(self._files) > FILES_MAX or not self._goes_on(store, head):
            self._files = {}
        for path, found in _read(store.entries_about(list(self._files), self._heard[0])).items():
            for entity, artifacts in found.items():
                self._files[path][entity] |= artifacts
        self._files |= _read(store.entries_about([path for path in paths if path not in self._files]))
        self._heard = head
        return _merged(self._files[path] for path in paths)

    def _goes_on(self, store: WorkspaceReader, head: tuple[int, str]) -> bool:
        """Whether the Ledger is the one that was read, and not another database's, or archived beyond that."""
        seq, digest = self._heard
        if self._heard == head or not self._files:
            return True
        return [entry.hash for entry in store.entries_between(seq - 1, seq)] == [digest]


class Truths:
    """The texts that were once the truth, of the last workspaces that were asked for; none waits for another."""

    def __init__(self) -> None:
        self._workspaces = Memory[_Workspace](WORKSPACES_MAX)

    def once(self, store: WorkspaceReader, paths: Collection[str]) -> Once:
        """Entity -> the artifacts that ever were its truth, of what is in some files, in the reader's snapshot."""
        if store.head is None or not paths:
            return {}
        workspace = self._workspaces.get((store.tenant, store.name), b"", lambda: (_Workspace(), 1))
        with workspace.lock:
            return workspace.told(store, paths, store.head)


def _read(found: Mapping[str, Iterable[Entry]]) -> dict[str, Once]:
    """What the events about each file made true. `OverBudgetError`."""
    out: dict[str, Once] = {}
    for path, entries in found.items():
        once = out[path] = defaultdict[str, set[str]](set)
        for entry in entries:
            spend()
            for entity, artifact in entry.made_true():
                once[entity].add(artifact)
    return out


def _merged(files: Iterable[Once]) -> Once:
    out = defaultdict[str, set[str]](set)
    for once in files:
        for entity, artifacts in once.items():
            out[entity] |= artifacts
    return out
