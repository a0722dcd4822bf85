"""What a file without definitions is made of: the top-level keys and entries of data files (SEMANTICS 3, gate B 1)."""

from __future__ import annotations

import json
import posixpath
import re

_KEYS = {
    "yaml": re.compile(r"^(?P<key>[^\s#\-{\[|>&*!%@][^:#\n]{0,200}?)[ \t]*:(?=\s|$)", re.M),
    "ini": re.compile(r"^(?:\[(?P<section>[^\]\n]+)\]|(?:export[ \t]+)?(?P<key>[\w.\-]+)[ \t]*[=:])", re.M),
    "toml": re.compile(r"^(?:\[++(?P<section>[^\]\n]++)\]++|(?P<key>[\w.\"'\-]+)[ \t]*=)", re.M),
    "requirements": re.compile(r"^(?P<key>[A-Za-z0-9][\w.\-]*)", re.M),
}
_REQUIREMENTS = re.compile(r"\A(?:requirements|constraints)[\w.\-]*\.(?:txt|in)")
_JSON_KEY = re.compile(r"^(?P<indent>[ \t]*)\"(?P<key>[^\"\n]+)\"[ \t]*:", re.M)


def entries(path: str, language: str, text: str) -> frozenset[str]:
    """The top-level keys of a data file, or its entries; none where it is none, or has none.

    Of TOML and INI the sections, and the keys before the first of them.
    """
    if _REQUIREMENTS.fullmatch(posixpath.basename(path)):
        language = "requirements"
    if language == "json":
        return _of_json(text)
    pattern = _KEYS.get(language)
    if pattern is None:
        return frozenset()
    found: set[str] = set()
    sectioned = False
    for m in pattern.finditer(text):
        section = m.groupdict().get("section")
        sectioned = sectioned or section is not None
        if section is not None or not sectioned:
            found.add((section or m["key"]).strip(" \t\"'"))
    return frozenset(found)


def _of_json(text: str) -> frozenset[str]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        keys = [(len(m["indent"]), m["key"]) for m in _JSON_KEY.finditer(text)]
        least = min((indent for indent, _ in keys), default=0)
        return frozenset(key for indent, key in keys if indent == least)
    return frozenset(read) if isinstance(read, dict) else frozenset()


_GUARDS = re.compile(
    r"^if[ \t(]+(?:__name__[ \t]*==|__FILE__[ \t]*==|\$0[ \t]*==|require\.main[ \t]*===?|import\.meta\.main)", re.M
)


def has_main_guard(text: str) -> bool:
    """Whether a script runs something only where it is the one that was started."""
    return _GUARDS.search(text) is not None
