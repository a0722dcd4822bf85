"""What a client's result states of the files themselves: their whole text, or a diff of what was done."""

from __future__ import annotations

import html
import json

from tslp_litellm.dialects.attachments import attached
from tslp_litellm.dialects.lines import Words, line_from, split_lines
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import Attempt, Carrier, Drift, FileChange, Shown
from tslp_litellm.dialects.wording import same_path

_DIFF_NAMES = ("Index: ", "+++ ")
_USER_CONTENT = "User modified the `content` to be: "
_USER_EDITS = "<user_edits>", "</user_edits>"
_FORMATTED = ("auto-formatting:\n\n", "auto-formatting to your content:\n\n")
_FORMATTED_ENDS = ("\n\n(Note", "\n\nHere is")
_UPDATED_BY_USER = "The user made the following updates to your content:\n\n"


def stated_in(made: Attempt, text: str) -> list[FileChange]:
    """The changes that a result states, for the files of an attempt."""
    files: list[FileChange] = [shown for shown in attached(text)[0] if isinstance(shown, Shown)]
    if files:
        return files
    path = _only_path(made)
    if path is None:
        return []
    _, said, content = text.partition(_USER_CONTENT)
    if said:
        return [Shown(path, content, Carrier.REPORT, whole=True)]
    found = _diffs(path, text)
    if not found and any(words in text for words in (_UPDATED_BY_USER, *_FORMATTED)):
        return [Drift((path,), Carrier.REPORT)]
    return found


def is_own_diff(text: str, paths: list[str]) -> bool:
    """Whether a result is nothing but a diff of the call's one file: so the Model Context Protocol's file server
    says what it did."""
    said = text.strip()
    marks = said[: len(said) - len(said.lstrip("`"))]
    diff = said.removeprefix(marks + "diff\n").removesuffix("\n" + marks)
    if len(marks) < len("```") or len(diff) != len(said) - 2 * len(marks) - len("diff\n\n") or len(set(paths)) != 1:
        return False
    named = [line.partition("\t")[0] for line in split_lines(diff) if line.startswith(_DIFF_NAMES)]
    paths_named = [line.removeprefix("Index: ").removeprefix("+++ ").removeprefix("b/") for line in named]
    return "@@" in diff and bool(named) and all(same_path(name, paths[0]) for name in paths_named)


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
        stated = parse_diff(_headed(edits, path), Carrier.REPORT, stated=True, path=path)
        return stated or [Drift((path,), Carrier.REPORT)]
    for diff in (_diff_below(text), _diff_in_fence(text), _diff_of_formatter(text)):
        if "@@" in diff:
            return parse_diff(_headed(diff, path), Carrier.REPORT, stated=True, path=path)
    return []


def _diff_below(text: str) -> str:
    start = line_from(text, 0, "Diff:\n")
    return text[start + len("Diff:\n") :] if start >= 0 else ""


def _diff_in_fence(text: str) -> str:
    start = line_from(text, 0, "```diff\n")
    end = line_from(text, start + len("```diff\n"), "```") if start >= 0 else -1
    return text[start + len("```diff\n") : end] if end >= 0 else ""


def _diff_of_formatter(text: str) -> str:
    said = Words(text, _FORMATTED).first(0)
    if said is None:
        return ""
    start = said[0] + len(said[1])
    end = Words(text, _FORMATTED_ENDS).first(start)
    return text[start : end[0] if end else len(text)]


def _between(text: str, opening: str, closing: str) -> str:
    """What stands between two marks; empty where they don't stand in that order."""
    start = text.find(opening)
    end = text.find(closing, start + len(opening)) if start >= 0 else -1
    return text[start + len(opening) : end] if end >= 0 else ""


def _headed(diff: str, path: str) -> str:
    """A diff with the two lines that name its files, which some clients leave out."""
    return diff if line_from(diff, 0, "+++ ") >= 0 else f"--- {path}\n+++ {path}\n{diff}"


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
