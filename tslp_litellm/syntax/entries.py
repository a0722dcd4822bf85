"""What a file without definitions is made of: the top-level keys and entries of data files (SEMANTICS 3, gate B 1)."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterator

from tslp_litellm.data.searching import find

_KEYS = {
    "yaml": re.compile(r"^(?P<key>[^\s#\-{\[|>&*!%@][^:#\n]{0,200}?)[ \t]*:(?=\s|$)", re.M),
    "ini": re.compile(r"^(?:\[(?P<section>[^\]\n]+)\]|(?:export[ \t]+)?(?P<key>[\w.\-]+)[ \t]*[=:])", re.M),
    "toml": re.compile(r"^(?:\[++(?P<section>[^\]\n]++)\]++|(?P<key>[\w.\"'\-]+)[ \t]*=)", re.M),
    "hcl": re.compile(r"^(?P<key>[A-Za-z_][\w-]*+(?>(?:[ \t]++(?:\"[^\"\n]*\"|[\w-]++))*))[ \t]*+(?:\{|=(?!=))", re.M),
    "gomod": re.compile(
        r"^[ \t]*+(?:(?:require|replace|exclude|retract|tool)[ \t]++)?(?P<key>[\w\-]++\.[\w.\-]++(?:/[\w.~\-/]*+)?)"
        r"[ \t]*+(?=v\d|=>|$)",
        re.M,
    ),
    "graphql": re.compile(
        r"^(?:extend[ \t]+)?(?:type|interface|input|enum|union|scalar|directive|query|mutation|subscription|fragment)"
        r"[ \t]+(?P<key>@?\w+)",
        re.M,
    ),
    "proto": re.compile(r"^(?:message|enum|service|extend)[ \t]+(?P<key>[\w.]+)", re.M),
    "dockerfile": re.compile(r"^(?i:from)[ \t]+\S+[ \t]+(?i:as)[ \t]+(?P<key>\S+)", re.M),
    "makefile": re.compile(r"^(?P<key>[\w%./\-]+)[ \t]*:(?![:=])", re.M),
    "requirements": re.compile(r"^(?P<key>[A-Za-z0-9][\w.\-]*)", re.M),
}
_LABEL = re.compile(r"[^\s\"]+")
_MAP = re.compile(r"\A *+(?P<key>[^\s#\-{\[|>&*!%@:][^:#\n]{0,200}?)[ \t]{0,20}:[ \t]*+(?:&\w++[ \t]*+)?(?:#.*)?")
"""A line with a key whose value follows below."""
_REQUIREMENTS = re.compile(r"\A(?:requirements|constraints)[\w.\-]*\.(?:txt|in)")
_JSON_KEY = re.compile(
    r"^(?P<indent>[ \t]*+)(?:\"(?P<key>[^\"\n]++)\"|'(?P<single>[^'\n]++)'|(?P<bare>[A-Za-z_$][\w$]*+))[ \t]*:", re.M
)
"""A key, with the quotes of JSON, or as JSON5 has it."""


def entries(path: str, language: str, text: str) -> frozenset[str]:
    """The top-level keys of a data file, or its entries; none where it is none, or has none.

    Of TOML and INI the sections, and the keys before the first of them; of HCL the blocks with their labels
    (`resource.type.name`). What has its place by its order (a document of YAML, a table of an array) goes by the name
    in it, else by its number.
    """
    if _REQUIREMENTS.fullmatch(posixpath.basename(path)):
        language = "requirements"
    if language == "json" or path.endswith(_COMMENTED):
        return _of_json(text)
    if language in ("yaml", "toml"):
        return frozenset(_of_documents(text) if language == "yaml" else _of_tables(text))
    pattern = _KEYS.get(language)
    if pattern is None:
        return frozenset()
    if language == "hcl":
        return frozenset(".".join(_LABEL.findall(m["key"])) for m in pattern.finditer(text))
    found: set[str] = set()
    sectioned = False
    for m in pattern.finditer(text):
        section = m.groupdict().get("section")
        sectioned = sectioned or section is not None
        if section is not None or not sectioned:
            found.add((section or m["key"]).strip(" \t\"'"))
    return frozenset(found)


_COMMENTED = (".jsonc", ".json5")
_DOCUMENT = re.compile(r"^---(?:[ \t].*)?$", re.M)
_KIND = re.compile(r"^kind:[ \t]*(?P<kind>\w{1,100})", re.M)
_NAME = re.compile(r"^(?:[ \t]{1,8}|)name:[ \t]*[\"']?(?P<name>[\w.\-/{}$]{1,200})", re.M)


def _of_documents(text: str) -> Iterator[str]:
    """The keys of a YAML file; of several documents each by its kind and name, else by its number, with its keys."""
    parts = [part for part in _DOCUMENT.split(text) if any(map(_says, part.splitlines()))]
    for n, part in enumerate(parts, 1):
        keys = [m["key"].strip("\"'") for m in _KEYS["yaml"].finditer(part)]
        if len(parts) > 1:
            kind, name = _KIND.search(part), _NAME.search(part)
            document = f"{kind['kind']} {name['name']}" if kind and name else f"document {n}"
            yield document
            keys = [f"{document}.{key}" for key in keys]
        yield from keys


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


_OF_TABLE = re.compile(r"^(?:name|id|key|path)[ \t]*=[ \t]*[\"'](?P<name>[^\"'\n]{1,200})", re.M)


def _of_tables(text: str) -> Iterator[str]:
    """The tables of a TOML file, and the keys before the first of them; each table of an array by the name in it, else
    by its number."""
    found = list(_KEYS["toml"].finditer(text))
    sections = [n for n, m in enumerate(found) if m["section"] is not None]
    yield from (m["key"].strip(" \t\"'") for m in found[: sections[0] if sections else len(found)])
    numbers: Counter[str] = Counter()
    for at, n in enumerate(sections):
        section = found[n]["section"].strip(" \t\"'")
        yield section
        if found[n].group().startswith("[["):
            end = found[sections[at + 1]].start() if at + 1 < len(sections) else len(text)
            named = _OF_TABLE.search(text, found[n].end(), end)
            numbers[section] += 1
            yield f"{section} {named['name'] if named else numbers[section]}"


def nested(language: str, text: str) -> frozenset[tuple[str, str]]:
    """The entries of a data file's top-level maps that are maps themselves, each with its map: a workflow's jobs, a
    composition's services."""
    if language == "yaml":
        return frozenset(_of_maps(text))
    if language != "json":
        return frozenset()
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return frozenset()
    maps = read.items() if isinstance(read, dict) else ()
    inner = ((key, entry, value) for key, held in maps if isinstance(held, dict) for entry, value in held.items())
    return frozenset((key, entry) for key, entry, value in inner if isinstance(value, dict))


def _of_maps(text: str) -> Iterator[tuple[str, str]]:
    top, depth, waiting = "", 0, ""
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _MAP.fullmatch(line)
        indent = len(line) - len(line.lstrip(" "))
        key = match["key"].strip("\"'") if match is not None else ""
        if not indent:
            top, depth, waiting = key, 0, ""
        elif top:
            depth = depth or indent
            if waiting and indent > depth:
                yield top, waiting
            waiting = key if indent == depth else ""


def _of_json(text: str) -> frozenset[str]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        keys = [(len(m["indent"]), m["key"] or m["single"] or m["bare"]) for m in _JSON_KEY.finditer(text)]
        least = min((indent for indent, _ in keys), default=0)
        return frozenset(key for indent, key in keys if indent == least)
    return frozenset(read) if isinstance(read, dict) else frozenset()


_STARTED = ("__name__", "__FILE__", "$0", "require.main", "import.meta.main")
_GUARDS = re.compile(
    r"^if[ \t(]+(?:__name__[ \t]*==|__FILE__[ \t]*==|\$0[ \t]*==|require\.main[ \t]*===?|import\.meta\.main)", re.M
)


def has_main_guard(text: str) -> bool:
    """Whether a script runs something only where it is the one that was started."""
    return any(sign in text for sign in _STARTED) and find(_GUARDS, text) is not None
