"""The state machine of §5, and nothing beside it."""

import itertools

import pytest

from tslp_litellm.state.lifecycle import IllegalTransitionError, advance
from tslp_litellm.state.values import ArtifactState as S

ALLOWED = {
    (S.PROPOSED, S.AUTHORITATIVE),
    (S.PROPOSED, S.TOMBSTONED),
    (S.AUTHORITATIVE, S.SUPERSEDED),
    (S.AUTHORITATIVE, S.TOMBSTONED),
}


@pytest.mark.parametrize(("now", "then"), list(itertools.product(S, S)))
def test_only_the_specified_transitions_exist(now: S, then: S) -> None:
    if (now, then) in ALLOWED:
        assert advance(now, then) is then
    else:
        with pytest.raises(IllegalTransitionError):
            advance(now, then)
