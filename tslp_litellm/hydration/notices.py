"""What notices say. Each names its entities in full."""

from __future__ import annotations

from collections.abc import Iterable

from tslp_litellm.hydration.blocks import notice
from tslp_litellm.state.values import Flag

UNLINKED = Flag("unlinked")
"""The answer before held source code that could not be linked to an entity (§8.3)."""

_WHY = {
    "left-out-code": "it has placeholders for left-out code",
    "collapse": "much less is left of it than there was",
    "lost-symbols": "definitions that it had are gone",
    "syntax-error": "it does not parse",
}


def from_flags(flags: Iterable[Flag]) -> list[str]:
    """The notices that judging asked for."""
    return [text for flag in flags if (text := _render(flag))]


def _render(flag: Flag) -> str:
    match flag:
        case Flag(kind="unlinked"):
            return notice(
                "The previous output could not be structurally linked to a known entity.",
                "It has NOT modified the State Map.",
            )
        case Flag(kind="rename", entities=(old, new)):
            return notice(
                f"The previous output renames {old} to {new}, which was not asked for.",
                f"The old name is kept: {old} is still the current one. To rename it, ask for it by both names.",
            )
        case Flag(kind="confirmed", entities=(entity,), detail=reason):
            return notice(
                f"The client wrote {entity} as the previous output had it, although {_WHY.get(reason, reason)}.",
                "It is the current text; check that nothing was lost.",
            )
    return ""


def unknown(entities: Iterable[str]) -> str:
    """Entities whose current text is not known."""
    return notice(
        "The current text of these entities is unknown: they were changed out of sight. Read them before editing them:",
        *(f"- {entity}" for entity in entities),
    )


def removed(entities: Iterable[str]) -> str:
    """Entities that are tombstones."""
    return notice(
        "These entities were removed; they are not part of the code any more:", *(f"- {entity}" for entity in entities)
    )


def ambiguous(name: str, candidates: Iterable[str]) -> str:
    """A name that fits too many entities."""
    return notice(
        f"`{name}` may mean any of these entities. None of them is shown; name one in full:",
        *(f"- {c}" for c in candidates),
    )


def skipped(entities: Iterable[str]) -> str:
    """Entities that did not fit into the budget."""
    return notice(
        "These entities are known, but their current text did not fit into this prompt:", *(f"- {e}" for e in entities)
    )


def unframeable(entities: Iterable[str]) -> str:
    """Entities whose text holds our own markers."""
    return notice(
        "These entities are known, but their current text holds this proxy's own markers and is not shown:",
        *(f"- {e}" for e in entities),
    )
