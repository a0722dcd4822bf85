"""What aider reports of the edits that it took from the model's text: some failed to match, or all were undone."""

from __future__ import annotations

import re

from tslp_litellm.evidence import search_replace
from tslp_litellm.evidence.values import Replacement, Report

_FAILED = re.compile(r"\A\s*# \d+ SEARCH/REPLACE blocks? failed to match!")
_HUNK_FAILED = re.compile(r"\A\s*(?:# )?UnifiedDiff(?:NoMatch|NotUnique): hunks? failed to apply", re.M)
_HUNK_LINES = re.compile(r"(?:exact lines in a row|lines that match)[^\n]*:\n```\n(?P<old>.*?)(?:```|\Z)", re.S)
_MALFORMED = re.compile(
    r"^\^\^\^ (?:Bad/missing filename|Expected `)|\A\s*(?:The LLM did not conform to the edit format|"
    r"No filename provided before ``` in file listing)|\A\s*Expected `(?:=======|>>>>>>> REPLACE)`",
    re.M,
)
_UNDONE = re.compile(r"\A\s*I did `git reset --hard HEAD~1` to discard the last edits")


def report_in(text: str) -> Report | None:
    """The report that a user message is; None for any other message."""
    if _UNDONE.match(text):
        return Report(undone=True)
    if _FAILED.match(text):
        return Report(undone=False, failed=tuple(_old_texts(text)))
    if _HUNK_FAILED.match(text):
        return Report(undone=False, failed=tuple(m["old"] for m in _HUNK_LINES.finditer(text)) or ("",))
    return Report(undone=False) if _MALFORMED.search(text) else None


def _old_texts(text: str) -> list[str]:
    steps = (step for block in search_replace.blocks(text, "reported") for step in block.edit.steps)
    return [step.old for step in steps if isinstance(step, Replacement)]
