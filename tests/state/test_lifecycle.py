"""The state machine of §5, and that every operation keeps to it."""

import pytest

from tslp_litellm.state.events import Op
from tslp_litellm.state.lifecycle import STEPS, TRANSITIONS
from tslp_litellm.state.values import ArtifactState as S


def test_only_the_specified_transitions_exist() -> None:
    assert {(now, then) for now, all_then in TRANSITIONS.items() for then in all_then} == {
        (S.PROPOSED, S.AUTHORITATIVE),
        (S.PROPOSED, S.TOMBSTONED),
        (S.AUTHORITATIVE, S.SUPERSEDED),
        (S.AUTHORITATIVE, S.TOMBSTONED),
    }


@pytest.mark.parametrize("op", Op)
def test_an_operation_does_nothing_but_what_the_table_allows(op: Op) -> None:
    """What an operation names is new, and begins as PROPOSED; what an entity holds is AUTHORITATIVE."""
    step = STEPS[op]
    assert step.named in {None, S.PROPOSED} | TRANSITIONS[S.PROPOSED]
    assert step.held in {None} | TRANSITIONS[S.AUTHORITATIVE]
