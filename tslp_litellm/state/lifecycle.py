"""The artifact state machine (§5) as one table, and what each operation of the Ledger does by it.

`fold` follows `STEPS`, and so does whatever tells a history: nothing else changes a state.
"""

from __future__ import annotations

from dataclasses import dataclass

from tslp_litellm.state.events import Op
from tslp_litellm.state.values import ArtifactState

TRANSITIONS: dict[ArtifactState, frozenset[ArtifactState]] = {
    ArtifactState.PROPOSED: frozenset({ArtifactState.AUTHORITATIVE, ArtifactState.TOMBSTONED}),
    ArtifactState.AUTHORITATIVE: frozenset({ArtifactState.SUPERSEDED, ArtifactState.TOMBSTONED}),
    ArtifactState.SUPERSEDED: frozenset(),
    ArtifactState.TOMBSTONED: frozenset(),
}
"""From -> to. A text that comes back is a new artifact of its entity, which begins as PROPOSED."""


@dataclass(frozen=True, slots=True)
class Step:
    """What an operation makes of the artifact that it names, and of the one that its entity held before.

    None: it makes nothing of it.
    """

    named: ArtifactState | None = None
    held: ArtifactState | None = None


STEPS: dict[Op, Step] = {
    Op.PROMOTE: Step(named=ArtifactState.AUTHORITATIVE, held=ArtifactState.SUPERSEDED),
    Op.TOMBSTONE: Step(named=ArtifactState.TOMBSTONED, held=ArtifactState.TOMBSTONED),
    Op.PROPOSE: Step(named=ArtifactState.PROPOSED),
    Op.REJECT: Step(named=ArtifactState.PROPOSED),
    Op.LOG: Step(named=ArtifactState.PROPOSED),
    Op.DIRTY: Step(),
    Op.EXPIRE: Step(),
    Op.CONFIRM: Step(),
}
"""A tombstone names the artifact that its entity held. DIRTY, EXPIRE and CONFIRM are about freshness and listing
only."""
