"""What a client's result states of the files themselves: their whole text, or a diff of what was done."""

from __future__ import annotations

import html
import json
import re

from tslp_litellm.evidence.attachments import attached
from tslp_litellm.evidence.unified_diff import parse_diff
from tslp_litellm.evidence.values import Attempt, Carrier, Drift, FileChange, Shown

_USER_CONTENT = re.compile(r"User modified the `content` to be: (?P<text>.*)\Z", re.S)
_DIFF_FENCE = re.compile(r"^```diff\n(?P<diff>.*?)^```", re.S | re.M)
_DIFF_AFTER = re.compile(r"^Diff:\n(?P<diff>.*)\Z", re.S | re.M)
_USER_EDITS = "<user_edits>", "</user_edits>"
_FORMATTED = re.compile(r"auto-formatting(?: to your content)?:\n\n(?P<diff>.*?)(?:\n\n\(Note|\n\nHere is|\Z)", re.S)
_UPDATED_BY_USER = re.compile(r"The user made the following updates to your content:\n\n")


def stated_in(made: Attempt, text: str) -> list[FileChange]:
    """The changes that a result states, for the files of an attempt."""
    files: list[FileChange] = list(attached(text)[0])
    if files:
        return files
    path = _only_path(made)
    if path is None:
        return []
    if content := _USER_CONTENT.search(text):
        return [Shown(path, content["text"], Carrier.REPORT, whole=True)]
    found = _diffs(path, text)
    if not found and (_UPDATED_BY_USER.search(text) or _FORMATTED.search(text)):
        return [Drift((path,), Carrier.REPORT)]
    return found


def _only_path(made: Attempt) -> str | None:
    paths = {
        path
        for change in made.changes
        for path in ((change.paths or ("",)) if isinstance(change, Drift) else (change.path,))
    }
    return paths.pop() if len(paths) == 1 else None


def _diffs(path: str, text: str) -> list[FileChange]:
    """Unified diffs in a result, each with what it was found by."""
    edits = _user_edits_of_json(text) or html.unescape(_between(text, *_USER_EDITS).removeprefix("\n"))
    if edits:
        return parse_diff(edits, Carrier.REPORT, stated=True, path=path) or [Drift((path,), Carrier.REPORT)]
    for pattern in (_DIFF_AFTER, _DIFF_FENCE, _FORMATTED):
        match = pattern.search(text)
        if match and "@@" in match["diff"]:
            return parse_diff(_headed(match["diff"], path), Carrier.REPORT, stated=True, path=path)
    return []


def _between(text: str, opening: str, closing: str) -> str:
    """What stands between two marks; empty where they don't stand in that order."""
    start = text.find(opening)
    end = text.find(closing, start + len(opening)) if start >= 0 else -1
    return text[start + len(opening) : end] if end >= 0 else ""


def _headed(diff: str, path: str) -> str:
    """A diff with the two lines that name its files, which some clients leave out."""
    return diff if re.search(r"^\+\+\+ ", diff, re.M) else f"--- {path}\n+++ {path}\n{diff}"


def _user_edits_of_json(text: str) -> str | None:
    start = text.find("{")
    if start < 0 or '"user_edits"' not in text:
        return None
    try:
        decoded, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    edits = decoded.get("user_edits") if isinstance(decoded, dict) else None
    return edits if isinstance(edits, str) else None
