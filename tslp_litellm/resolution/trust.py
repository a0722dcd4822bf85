"""Whose word makes a text the truth (SEMANTICS 13, trust).

One rule for every judgement: what the trust of a turn does not admit changes no text. Where it says that the disk
holds something else than we do, the file is of unknown text; a caller who may only read changes nothing at all.
"""

from __future__ import annotations

from enum import StrEnum

from tslp_litellm.dialects.values import Carrier
from tslp_litellm.state.values import Grant, Origin

DECISION = "decision"
"""The carrier of what a user decided by a line that was asked for (SEMANTICS 11); and the kind of flag that a
conversation carries for an open question."""
HISTORY = "history"
"""The carrier of what a history of unknown age brings; it was judged by the same trust before."""


class Trust(StrEnum):
    """Whose word counts in a turn, from all of them to none. PROOF: everybody's, as far as it is proven. CLIENT: no
    text of the model's by grants 1 to 3. HUMAN: only what the user shows. NOBODY: the caller may only read."""

    PROOF = "proof"
    CLIENT = "client"
    HUMAN = "human"
    NOBODY = "nobody"

    @property
    def takes_model(self) -> bool:
        """Whether the model's own text can become the truth by grants 1 to 3."""
        return self is Trust.PROOF


OF_THE_MODEL = frozenset({Grant.PARITY, Grant.AUDIT, Grant.USER_VERIFICATION})
"""Grants 1 to 3 of SEMANTICS 3."""
_OF_THE_USER = frozenset({Carrier.FENCE, Carrier.LISTING, Carrier.ATTACHMENT, HISTORY})
"""In what the user shows a file's text: a paste, an attachment, what is added to a chat."""


def admits(trust: Trust, origin: object, carrier: object, grant: object) -> bool:
    """Whether a piece of evidence may make a text the truth, or end one. What is not known to be admitted is not."""
    if (origin, carrier, grant) == (Origin.USER, DECISION, Grant.USER_VERIFICATION):
        return trust is not Trust.NOBODY
    match trust:
        case Trust.PROOF:
            return True
        case Trust.CLIENT:
            return origin in (Origin.USER, Origin.TOOL) and grant not in OF_THE_MODEL
        case Trust.HUMAN:
            return origin == Origin.USER and grant == Grant.WRITE_HEAD and carrier in _OF_THE_USER
        case Trust.NOBODY:
            return False
