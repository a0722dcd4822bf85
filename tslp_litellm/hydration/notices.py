"""What notices say. Each names its entities in full.

Those that flags ask for tell what happened, and stand on the first call of a turn only; all others tell how things are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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


LISTED_MAX = 40
"""How many entities a notice lists: a small model's window is soon full of names."""
LOST_MAX = 20
"""How many lost definitions a notice names."""
BY_HAND_MAX = 10
"""How many places that can't be told apart a notice names."""
FLAGS_MAX = 20
"""How many notices judging may ask for in one prompt."""
AMBIGUOUS_MAX = 10
"""How many names with several meanings are told, each in a notice of its own."""


def _listed(entities: Iterable[str]) -> list[str]:
    lines = [f"- {entity}" for entity in entities]
    more = len(lines) - LISTED_MAX
    return [*lines[:LISTED_MAX], f"- and {more} more"] if more > 0 else lines


def from_flags(flags: Iterable[Flag]) -> list[str]:
    """The notices that judging asked for."""
    told = [text for flag in flags if (text := _render(flag))]
    more = len(told) - FLAGS_MAX
    return [*told[:FLAGS_MAX], notice(f"{more} more notices like these were left out.")] if more > 0 else told


def _render(flag: Flag) -> str:
    match flag:
        case Flag(kind="unlinked"):
            return notice(
                "The previous output could not be structurally linked to a known entity.",
                "It has NOT modified the State Map.",
            )
        case Flag(kind="several-files", entities=paths, detail=names):
            return notice(
                f"Code of the previous turn ({names}) may belong to any of these files; say which:", *_listed(paths)
            )
        case Flag(kind="rename", entities=(old, new)):
            return notice(
                f"The previous output renames {old} to {new}, which was not asked for.",
                f"The old name is kept: {old} is still the current one. To rename it, ask for it by both names.",
            )
        case Flag(kind="lost", entities=(entity, *lost)):
            return notice(
                f"The previous output of {entity} lacks definitions or entries that the prompt did not ask to remove"
                + (", among them:" if lost else "."),
                *_listed(lost[:LOST_MAX]),
                f"It is not taken: {entity} is still as it was. To remove them, ask for them by name.",
            )
        case Flag(kind="confirmed", entities=(entity, *lost), detail=reason):
            return notice(
                f"The client wrote {entity} as the previous output had it, although {_WHY.get(reason, reason)}"
                + (", among them:" if lost else "."),
                *_listed(lost[:LOST_MAX]),
                "It is the current text; check that nothing was lost.",
            )
        case Flag(kind="decided", entities=entities, detail=chosen):
            return notice(f"The user decided earlier, of the same texts: {chosen}. It was about:", *_listed(entities))
    return ""


def decision(name: str, question: str, options: Sequence[str]) -> str:
    """A question that the user can settle (SEMANTICS 11)."""
    return notice(
        f"Decision {name}: {question}",
        *(f"{number}: {option}" for number, option in enumerate(options, 1)),
        f"Only the user decides, by the line: decision {name}: 1",
    )


def unknown(entities: Iterable[str]) -> str:
    """Entities whose current text is not known."""
    return notice(
        "The current text of these entities is unknown: their files changed, or may have, and nobody showed the new "
        "text. Read them before editing them:",
        *_listed(entities),
    )


def removed(entities: Iterable[str]) -> str:
    """Entities that are tombstones."""
    return notice("These entities were removed; they are not part of the code any more:", *_listed(entities))


def followed(moved: Iterable[tuple[str, str]]) -> str:
    """Entities that were moved or renamed, by what they were called and what they are now."""
    return notice(
        "These entities were moved or renamed; what is meant is what they are now:",
        *_listed(f"{old} is {new} now" for old, new in moved),
    )


def ambiguous(names: Sequence[tuple[str, Iterable[str]]]) -> list[str]:
    """Names that fit too many entities, each with its candidates; one notice for a name."""
    found = [
        notice(
            f"`{name}` may mean any of these entities. None of them is shown; name one in full:", *_listed(candidates)
        )
        for name, candidates in names[:AMBIGUOUS_MAX]
    ]
    more = [f"`{name}`" for name, _ in names[AMBIGUOUS_MAX:]]
    return [*found, notice("These names may mean several entities, too:", *_listed(more))] if more else found


def skipped(entities: Iterable[str]) -> str:
    """Entities that did not fit into the budget."""
    return notice("These entities are known, but their current text did not fit into this prompt:", *_listed(entities))


def used(entity: str, lines: Sequence[str], pending: Sequence[str], never_shown: Sequence[str]) -> str:
    """What an entity uses (SEMANTICS 10): signatures, what of it is of unknown text, what was never shown."""
    return notice(
        f"{entity} uses:" if lines else f"Of what {entity} uses not all is known.",
        *(f"- {line}" for line in lines),
        *([f"Changed, and nobody showed the new text: {', '.join(pending[:LISTED_MAX])}."] if pending else []),
        *([f"Imported, and never shown: {', '.join(never_shown[:LISTED_MAX])}."] if never_shown else []),
    )


def changed_use(entity: str, before: str, now: str | None, *, gone: bool, became: str | None) -> str:
    """One line about something used that has another interface since its user was last shown, or is `gone`; `now`: None
    where its text is unknown; `became`: what it is now, where it was moved or renamed."""
    if became is not None:
        return f"{entity} is {became} now; it was: {before}"
    if gone:
        return f"{entity} was removed or renamed; it was: {before}"
    if now is None:
        return f"{entity} has changed, and its text is unknown now; it was: {before}"
    if now == before:
        return f"{entity} has other members since: {now}"
    return f"{entity} has changed; it was: {before}  It is now: {now}"


def still_used(gone: str, now: str | None, users: Sequence[str], by_hand: Mapping[str, str]) -> str:
    """Who still uses what was removed, or is `now` another; and `by_hand`: who may, each with the doubt."""
    went, name = (f"{gone} was removed.", "") if now is None else (f"{gone} is {now} now.", " by its old name")
    lines = [f"{went} These entities still use it{name}:", *_listed(users)] if users else [went]
    places = [f"{user} ({why})" for user, why in by_hand.items()]
    if len(places) > BY_HAND_MAX:
        places = [*places[:BY_HAND_MAX], f"and {len(places) - BY_HAND_MAX} more"]
    if places:
        lines.append(f"To be checked by hand, whether they mean it: {', '.join(places)}.")
    return notice(*lines)


def too_large(path: str, signatures: Sequence[str], more: int) -> str:
    """A file that did not fit into the budget, and what it defines; `more` definitions did not fit either."""
    return notice(
        f"{path} is known, but its current text did not fit into this prompt. It defines:",
        *(f"- {line}" for line in signatures),
        *([f"- and {more} more"] if more else []),
    )


def unframeable(entities: Iterable[str]) -> str:
    """Entities whose text holds our own markers."""
    return notice(
        "These entities are known, but their current text holds this proxy's own markers and is not shown:",
        *_listed(entities),
    )
