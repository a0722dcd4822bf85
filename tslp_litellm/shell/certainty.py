"""How sure it is that something ran, and with which exit status: lattices, so that neither can be forgotten."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Certainty(IntEnum):
    """Whether a place in a script is reached. The lesser of two is what both together are."""

    NEVER = 0
    MAYBE = 1
    SURE = 2

    def joined(self, other: Certainty) -> Certainty:
        """What is known where one of two ways was taken."""
        return self if self is other else Certainty.MAYBE


class Status(StrEnum):
    """An exit status, as far as it is known."""

    ZERO = "zero"
    NONZERO = "nonzero"
    EITHER = "either"

    def joined(self, other: Status) -> Status:
        """What is known where one of two commands ran."""
        return self if self is other else Status.EITHER

    @property
    def negated(self) -> Status:
        """The status of `! command`."""
        return {Status.ZERO: Status.NONZERO, Status.NONZERO: Status.ZERO}.get(self, Status.EITHER)


class Outcome(StrEnum):
    """What the client says became of the whole script: exit status nought, another one, that it ran to its end with
    whatever status, or nothing that is known."""

    SUCCESS = "success"
    FAILURE = "failure"
    RAN = "ran"
    UNKNOWN = "unknown"
