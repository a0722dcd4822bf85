"""The artifact state machine (§5) as one table. Nothing else changes a state."""

from __future__ import annotations

from tslp_litellm.state.values import ArtifactState

TRANSITIONS: dict[ArtifactState, frozenset[ArtifactState]] = {
    ArtifactState.PROPOSED: frozenset({ArtifactState.AUTHORITATIVE, ArtifactState.TOMBSTONED}),
    ArtifactState.AUTHORITATIVE: frozenset({ArtifactState.SUPERSEDED, ArtifactState.TOMBSTONED}),
    ArtifactState.SUPERSEDED: frozenset(),
    ArtifactState.TOMBSTONED: frozenset(),
}
"""From -> to. A text that comes back is a new artifact of its entity, which begins as PROPOSED."""


class IllegalTransitionError(ValueError):
    """A state change that the table does not allow: a fault of ours, never written."""


def advance(now: ArtifactState, then: ArtifactState) -> ArtifactState:
    """`then`, if the table allows it."""
    if then not in TRANSITIONS[now]:
        raise IllegalTransitionError(f"{now} -> {then}")
    return then
