"""What went wrong with us, for the log and for `/doctor`."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

from tslp_litellm.secrets import redact
from tslp_litellm.store.vault import AlteredError

log = logging.getLogger("tslp_litellm")

CAUSE_CHARS_MAX, TRACE_CHARS_MAX = 1_000, 20_000
"""How much of an error's own words, and of its trace, is kept and logged."""


class Faults:
    """Faults of ours: what fails is logged once, with its first cause, until it works again; `/doctor` shows the last.

    One outage has many causes (refused, shutting down, answers that wait for it): it is told once all the same."""

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.altered: set[str] = set()
        """Texts of the Vault that were found altered. They stay so, whatever else works."""
        self.total = 0
        self.observe: Callable[[str], None] = lambda where: None

    def note(self, where: str, error: BaseException) -> None:
        """A fault happened."""
        self.total += 1
        self.observe(where)
        cause = redact(f"{type(error).__name__}: {error}"[:CAUSE_CHARS_MAX])
        if isinstance(error, AlteredError):
            if error.artifact not in self.altered:
                log.error("TSLP: %s failed; all else goes on. %s", where, cause)
            self.altered.add(error.artifact)
            return
        first = where not in self.open
        self.open[where] = cause
        if first:
            trace = redact("".join(traceback.format_exception(error))[-TRACE_CHARS_MAX:])
            log.error("TSLP: %s failed; all else goes on. %s\n%s", where, cause, trace)

    def healed(self, where: str) -> None:
        """What failed works again."""
        if self.open.pop(where, None) is not None:
            log.warning("TSLP: %s works again.", where)
