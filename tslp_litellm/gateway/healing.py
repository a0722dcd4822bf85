"""State Maps that are not those of their Ledgers are made anew (SEMANTICS 13, Projection heals itself).

Each process looks at all of them at its start, beside the requests, and at each when it first opens its workspace.
"""

from __future__ import annotations

import logging

from tslp_litellm.gateway.faults import Faults
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import maintenance
from tslp_litellm.store.database import Database

log = logging.getLogger("tslp_litellm")

HEALING = "the State Map of a workspace"


class UnsoundError(Exception):
    """A State Map was not that of its Ledger."""


class Healing:
    """Blocking; asked by worker threads. What was found is told by the doctor until the process ends."""

    def __init__(self, database: Database, faults: Faults) -> None:
        self._database, self._faults = database, faults
        self._seen: dict[WorkspaceKey, int] = {}

    def look(self, key: WorkspaceKey) -> None:
        """Look at a workspace that was not looked at since its database was opened."""
        opened = self._database.opened
        if self._seen.get(key) == opened:
            return
        if maintenance.heal(self._database, *key):
            error = UnsoundError("it was not that of its Ledger, and was made anew; `tslp verify` says if all is well")
            self._faults.note(HEALING, error)
            log.warning(
                "TSLP: the State Map of workspace %r of %s was made anew from its Ledger.", key.workspace, key.tenant
            )
        self._seen[key] = opened

    def look_at_all(self) -> None:
        """Every workspace, one after the other. Never raises."""
        try:
            with self._database.reading() as connection:
                known = [WorkspaceKey(*one) for one in maintenance.workspace_names(connection)]
            for key in known:
                self.look(key)
        except Exception as error:  # noqa: BLE001 - each is looked at again when it is opened
            self._faults.note("looking at the State Maps", error)
