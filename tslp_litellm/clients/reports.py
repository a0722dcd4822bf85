"""What aider reports of the edits that it took from the model's text: some failed to match, all were undone, or it took
none."""

from __future__ import annotations

import re

from tslp_litellm.dialects import search_replace
from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.lines import first_on_lines, lines_with
from tslp_litellm.dialects.values import Replacement, Report

_FAILED = re.compile(r"\A\s*+# \d+ SEARCH/REPLACE blocks? failed to match!")
_HUNK_FAILED = re.compile(r"\A\s*+(?:# )?UnifiedDiff(?:NoMatch|NotUnique): hunks? failed to apply")
_HUNK_LINES = ("exact lines in a row", "lines that match")
_MALFORMED = re.compile(
    r"\A\s*+(?:The LLM did not conform to the edit format|No filename provided before ``` in file listing|"
    r"Expected `(?:=======|>>>>>>> REPLACE)`)"
)
_QUOTED_ERROR = re.compile(r"^\^\^\^ (?:Bad/missing filename|Expected `)", re.M)
_DROPPED = re.compile(r"\A\s*+I added these files to the chat: ")
"""What aider says after an answer that mentions files which it then adds: it asks again, and applies nothing."""
_UNDONE = re.compile(r"\A\s*+I did `git reset --hard HEAD~1` to discard the last edits")


def read(text: str) -> Taken:
    """A message that is such a report."""
    report = report_in(text)
    return Taken((report,), "") if report is not None else Taken((), text)


def report_in(text: str) -> Report | None:
    """The report that a user message is; None for any other message."""
    if _UNDONE.match(text):
        return Report(undone=True)
    if _DROPPED.match(text):
        return Report(undone=False, dropped=True)
    if _FAILED.match(text):
        return Report(undone=False, failed=tuple(_old_texts(text)))
    if _HUNK_FAILED.match(text):
        return Report(undone=False, failed=tuple(_hunk_lines(text)) or ("",))
    malformed = _MALFORMED.match(text) or first_on_lines(_QUOTED_ERROR, text)
    return Report(undone=False) if malformed else None


def _hunk_lines(text: str) -> list[str]:
    """The lines that aider did not find, each in a fence below a line that says so."""
    found, behind = list[str](), 0
    for start, end in lines_with(text, _HUNK_LINES):
        if start >= behind and text[end - 1] == ":" and text.startswith("```\n", end + 1):
            close = text.find("```", end + 5)
            behind = close if close >= 0 else len(text)
            found.append(text[end + 5 : behind])
    return found


def _old_texts(text: str) -> list[str]:
    steps = (step for block in search_replace.blocks(text, "reported") for step in block.edit.steps)
    return [step.old for step in steps if isinstance(step, Replacement)]
