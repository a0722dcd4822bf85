"""High-confidence secrets in texts: found, and kept out of what we show.

Known forms only (private keys, tokens with a maker's prefix), no guessing by entropy or by a variable's name. The
forms are data (`data/secrets.json`): some patterns of our own, always there, and, where the extra `secrets` is
installed, plugins of detect-secrets. Patterns run under a time limit; what could not be examined in time counts as a
secret, for it is not known to be none.

Blocking work: never on the event loop.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.resources import files
from typing import Any

import regex

PATTERN_TIMEOUT_S = 2.0
"""What one pattern may take for one text."""
UNEXAMINED = "unexamined"
"""The kind of a text that took too long."""
_PLUGINS = "detect_secrets.plugins"


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret's kind, and where it stands in its text: characters `start:end`."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Form:
    kind: str
    pattern: regex.Pattern[str]
    holds: Callable[[str], bool] = bool


@dataclass(frozen=True, slots=True)
class Detector:
    """What is looked for. `version`: of detect-secrets; None where it is not installed."""

    forms: tuple[_Form, ...]
    version: str | None

    @property
    def kinds(self) -> list[str]:
        """The kinds of secrets that are known."""
        return sorted({form.kind for form in self.forms}, key=str.lower)


@cache
def detector() -> Detector:
    """The forms, read once a process."""
    data = json.loads((files("tslp_litellm") / "data" / "secrets.json").read_text("utf-8"))
    own = [_Form(kind, regex.compile(p)) for kind, patterns in data["own"].items() for p in patterns]
    try:
        version = metadata.version("detect-secrets")
        theirs = [form for name in data["plugins"] for form in _plugin(name)]
    except ImportError:  # PackageNotFoundError is one
        return Detector(tuple(own), None)
    return Detector((*own, *theirs), version)


def _plugin(name: str) -> Iterator[_Form]:
    """The patterns of a plugin of detect-secrets. Its own scan tells only a match's groups, not where it stands."""
    module, _, class_name = name.partition(".")
    plugin = getattr(importlib.import_module(f"{_PLUGINS}.{module}"), class_name)
    holds = getattr(plugin, "is_formally_valid", bool)
    for pattern in plugin.denylist:
        flags = regex.IGNORECASE if pattern.flags & 2 else 0
        yield _Form(plugin.secret_type, regex.compile(pattern.pattern, flags), holds)


def findings(text: str) -> list[Finding]:
    """All secrets in a text, those that overlap as one, in order."""
    found = sorted(_raw(text), key=lambda f: (f.start, -f.end))
    merged: list[Finding] = []
    for finding in found:
        if merged and finding.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Finding(last.kind, last.start, max(last.end, finding.end))
        else:
            merged.append(finding)
    return merged


def _raw(text: str) -> Iterator[Finding]:
    for form in detector().forms:
        try:
            for match in form.pattern.finditer(text, timeout=PATTERN_TIMEOUT_S, concurrent=True):
                if form.holds(match[0]):
                    yield Finding(form.kind, match.start(), match.end())
        except TimeoutError:
            yield Finding(UNEXAMINED, 0, len(text))


def holds_secret(text: str) -> bool:
    """Whether a text holds a secret of a known form."""
    return next(_raw(text), None) is not None


def redact(text: str) -> str:
    """The text with every secret replaced by `[REDACTED: kind]`."""
    parts, at = [], 0
    for finding in findings(text):
        parts += [text[at : finding.start], f"[REDACTED: {finding.kind}]"]
        at = finding.end
    return "".join((*parts, text[at:])) if parts else text


def redacted(value: Any) -> Any:
    """A JSON value with the secrets in all its texts, keys included, replaced."""
    if not holds_secret("\n".join(_texts(value))):  # one look at all of it costs less than one at each
        return value
    return _deep(value)


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as parts:
                waiting += [*parts.keys(), *parts.values()]
            case list() | tuple() as parts:
                waiting += parts


def _deep(value: Any) -> Any:
    whole = [value]
    places: list[tuple[Any, Any]] = [(whole, 0)]  # no recursion: a client says how deep a value is
    while places:
        holder, key = places.pop()
        match holder[key]:
            case str() as text:
                holder[key] = redact(text)
            case dict() as parts:
                holder[key] = made = {redact(k) if isinstance(k, str) else k: part for k, part in parts.items()}
                places += [(made, k) for k in made]
            case list() | tuple() as parts:
                holder[key] = row = list(parts)
                places += [(row, n) for n in range(len(row))]
    return whole[0]
