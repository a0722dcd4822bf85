"""Kinds of evidence. Paths are as written on the wire; they are normalised when they are judged."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Carrier(StrEnum):
    """In what form evidence came; recorded in the Ledger."""

    FENCE = "fence"
    LISTING = "listing"
    ATTACHMENT = "attachment"
    READ = "read"
    WRITE = "write"
    SEARCH_REPLACE = "search-replace"
    UDIFF = "unified-diff"
    PATCH = "patch"
    TOOL_EDIT = "tool-edit"
    SHELL = "shell"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Shown:
    """A text shown as, or written to, a file.

    `whole`: the carrier leaves no doubt that it is the whole file. `ended`: the carrier shows whether the last line
    is ended. `label`: a first line that only names the path, cut off from `text`. `sure`: the path is one by its
    looks; else it counts only where such a file is tracked. `language`: what a fence calls its content.
    """

    path: str
    text: str
    carrier: Carrier
    whole: bool = False
    ended: bool = True
    label: str = ""
    sure: bool = True
    language: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """`old` becomes `new`: where it stands exactly once, or everywhere. An empty `old` makes `new` the whole file.

    `lines`: both are whole lines, and match only whole lines.
    """

    old: str
    new: str
    everywhere: bool = False
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """Replacements in one file, in order."""

    path: str
    replacements: tuple[Replacement, ...]
    carrier: Carrier


@dataclass(frozen=True, slots=True)
class Removal:
    """A file deleted, or moved to `to` (after `replacements`)."""

    path: str
    carrier: Carrier
    to: str | None = None
    replacements: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True)
class Drift:
    """Tracked files are known to have changed, but not into what; no path means any file may have."""

    paths: tuple[str, ...]
    carrier: Carrier


@dataclass(frozen=True, slots=True)
class Snippet:
    """Source code without a path."""

    text: str
    language: str


FileChange = Shown | Edit | Removal | Drift
Evidence = FileChange | Snippet


class Verdict(StrEnum):
    """What became of a tool call."""

    SUCCESS = "success"
    FAILURE = "failure"
    DENIED = "denied"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A tool call that would change files: it counts when its result says so."""

    call_id: str
    tool: str
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tool call's result: the verdict, the attempt, and the file texts that the client itself states."""

    attempt: Attempt
    verdict: Verdict
    stated: tuple[FileChange, ...] = ()
