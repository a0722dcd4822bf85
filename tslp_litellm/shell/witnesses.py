"""What a script's output tells of its commands: shells and the usual programs name the file that they fail on.

So a command is known to have succeeded where the output is known whole and no line of it could be such a complaint.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tslp_litellm.shell.commands import tables

_ENDS = re.compile(r":(?:\s|\Z)|[^\w:-]|\Z")
"""What follows a name in a complaint; a line number after a colon does not."""
CHARS_MAX = 1_000_000
_PLAIN = re.compile(r"[\w./ @+,=~%-]+", re.A)
_FAULT = re.compile(
    r"No space left|[Qq]uota exceeded|Input/output error|write error|[Kk]illed|Terminated|Segmentation fault|Aborted"
    r"|Cannot allocate|Too many open files|Resource temporarily|command not found|: not found$|[Ss]yntax error"
    r"|unbound variable",
    re.M,
)

_HALFWAY = re.compile(r"\b(?:remov|unlink|preserv|(?:inter|cross)-device)", re.I)
"""Words of a program that had done a part of it: it had copied, and failed on what comes after that."""
_ABSENT = re.compile(r"cannot stat|^(?:(?!cannot (?:move|create)).)*No such file")
"""What it was to be done to is not there, though somebody thought so."""
_MISSING = re.compile(r"not found|Unknown command")


@dataclass(frozen=True)
class Output:
    """The output of a script, errors included; None where it is not known whole. `seen`: what is known of it."""

    text: str | None = None
    seen: str = ""

    @cached_property
    def _suspects(self) -> str:
        """The lines that could be complaints."""
        return "\n".join(line for line in (self.text or "").split("\n") if ":" in line)

    @cached_property
    def _faulty(self) -> bool:
        return _FAULT.search(self._suspects) is not None

    @cached_property
    def missing(self) -> frozenset[str]:
        """The programs that a shell says there are none of."""
        lines = [line.strip() for line in self.seen[:CHARS_MAX].split("\n") if _MISSING.search(line)]
        found = (re.fullmatch(form, line) for line in lines for form in tables().not_found)
        return frozenset(match["name"] for match in found if match)

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was said: what a program never fails without saying so did not fail."""
        return self.text is not None and not self.text.strip()

    def is_silent_on(self, names: Iterable[str]) -> bool:
        """Whether no line complains of one of these words, nor of the system."""
        if self.text is None or len(self.text) > CHARS_MAX or self._faulty:
            return False
        return not any(self._complains_of(name) for name in names)

    def refuses(self, program: str, names: Iterable[str]) -> bool:
        """Whether a line of a program's own complains of one of these words, and it had done nothing before."""
        if self.text is None or len(self.text) > CHARS_MAX or self._faulty:
            return False
        own = re.findall(rf"^(?:\S*/)?{re.escape(program)}: .*", self._suspects, re.M)
        halfway = program not in ("rm", "unlink") and any(_HALFWAY.search(line) for line in own)
        absent = any(_ABSENT.search(line) for line in own)
        return not halfway and not absent and any(Output("\n".join(own))._complains_of(name) for name in names)

    def _complains_of(self, name: str) -> bool:
        if not _PLAIN.fullmatch(name):
            return True
        at = self._suspects.find(name)
        while at >= 0:
            before, after = self._suspects[max(at - 1, 0) : at], self._suspects[at + len(name) : at + len(name) + 2]
            if not _joins(before) and _ENDS.match(after):
                return True
            at = self._suspects.find(name, at + len(name))
        return False


def _joins(character: str) -> bool:
    """Whether a character before a name makes a longer one of it; a folder before it may be ours."""
    return character.isalnum() or character in ("_", "-")
