"""Two texts side by side, for people: where they differ, in colours, and no more of them than a page can bear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tslp_litellm import parser
from tslp_litellm.secrets import redact
from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.alignment import hunks
from tslp_litellm.syntax.languages import Language, language_of_path

LINES_MAX, CHARS_MAX = 20_000, 1_000_000
"""How much of each text is compared."""


@dataclass(frozen=True, slots=True)
class _Side:
    artifact: str
    text: str
    cut: bool

    @property
    def lines(self) -> list[str]:
        """The lines as they are numbered; the newline at the end begins none."""
        found = self.text.split("\n")
        return found if found[-1] else found[:-1]

    def shown(self, language: Language | None) -> dict[str, Any]:
        pieces = parser.pieces(language, self.text)
        return {"artifact": self.artifact, "text": self.text, "cut": self.cut, "pieces": pieces}


def comparison(entity: str, before: tuple[str, str], after: tuple[str, str]) -> dict[str, Any]:
    """`models.Comparison`, of two artifacts with their texts. Blocking: redacts, and waits for the parser."""
    old, new = _side(*before), _side(*after)
    language = language_of_path(Entity.parse(entity).path)
    return {
        "entity": entity,
        "before": old.shown(language),
        "after": new.shown(language),
        "hunks": [(one.old, one.old_end, one.new, one.new_end) for one in hunks(old.lines, new.lines)],
    }


def _side(artifact: str, text: str) -> _Side:
    """The beginning of a text, redacted before it is cut: half of a secret would be known for none."""
    whole = redact(text)
    lines = whole[:CHARS_MAX].split("\n", LINES_MAX)
    shown = "".join(f"{line}\n" for line in lines[:LINES_MAX]) if len(lines) > LINES_MAX else whole[:CHARS_MAX]
    return _Side(artifact, shown, len(shown) < len(whole))
