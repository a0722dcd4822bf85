"""Whether a text that a user's message shows is the model's own, as far as its lines tell (SEMANTICS 2).

What tells is what it says otherwise than the file's last known text: if a model wrote that, it proves nothing of the
disk; a line of nobody else's is the user's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tslp_litellm.dialects.line_keys import line_keys
from tslp_litellm.dialects.values import Shown, Standing
from tslp_litellm.parser.budget import spend
from tslp_litellm.state.values import FileState

_SEARCH, _MIDDLE, _REPLACE = "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE"
"""The marks of an edit as the Vault keeps it (`common.proposal_text`)."""
CHARS_MIN = 24
"""A text of the model's that has less in common with what is new tells nothing: `return None` is everybody's."""


def as_whose(shown: Shown, state: FileState) -> Shown:
    """A text as it counts: as nobody's showing, where it is the model's own."""
    return replace(shown, standing=Standing.HEARSAY) if is_models(shown, state) else shown


def is_models(shown: Shown, state: FileState) -> bool:
    """Whether a model wrote most of what a text says otherwise than the file's last known one.

    Where it only leaves lines out, a model wrote it that had all the others and none of these.
    """
    if not shown.heard:
        return False
    found = line_keys(shown.text)
    all_of_it = frozenset(found.keys) - {0}
    ours = _lines(state)
    novel = all_of_it - ours
    if not novel:
        gone = ours - all_of_it
        return any(all_of_it <= lines and gone.isdisjoint(lines) for lines in shown.heard)
    heard = set[int]()
    for lines in shown.heard:
        common = novel & lines
        if all_of_it <= lines or found.weight(common) >= CHARS_MIN:
            heard |= common
    return 4 * found.weight(heard) >= 3 * found.weight(novel)


def _lines(state: FileState) -> frozenset[int]:
    known = [state.file] if state.file is not None else list(state.symbols.values())
    return frozenset(key for one in known for key in line_keys(one.text).keys) - {0}


def is_proposed(text: str, base: str | None, proposals: Iterable[str]) -> bool:
    """Whether a text is one of those that were proposed for a file, or what proposed edits make of its last known one,
    each by itself or all."""
    wanted, all_of_them = _content(text), base
    for proposal in proposals:
        if _content(proposal) == wanted:
            return True
        if base is not None and proposal.startswith(_SEARCH):
            all_of_them = _edited(all_of_them or "", proposal)
            if wanted in (_content(_edited(base, proposal)), _content(all_of_them)):
                return True
    return False


def _edited(base: str, proposal: str) -> str:
    for step in proposal.split(_SEARCH)[1:]:
        spend()
        old, _, rest = step.partition(_MIDDLE)
        new, whole, _ = rest.partition(_REPLACE)
        old, new = old.removesuffix("\n"), new.removesuffix("\n")
        if whole and old and base.count(old) == 1:
            base = base.replace(old, new)
    return base


def _content(text: str) -> list[int]:
    return [key for key in line_keys(text).keys if key]
