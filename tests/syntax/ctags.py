"""Outlines beside Universal Ctags: the definitions of a text as names and lines, by both, and where they differ."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import measure
from tslp_litellm.syntax.outline import Kind

LANGUAGES = {
    "python": "Python",
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "go": "Go",
    "rust": "Rust",
    "java": "Java",
    "c": "C",
    "ruby": "Ruby",
    "cpp": "C++",
    "csharp": "C#",
    "php": "PHP",
    "kotlin": "Kotlin",
    "lua": "Lua",
    "bash": "Sh",
    "sql": "SQL",
    "elixir": "Elixir",
}
"""What both know."""

_TYPES = "class struct enum interface trait union record typedef type annotation delegate protocol object table view"
_FUNCTIONS = "function method func constructor subroutine singletonMethod generator macro"
KINDS = frozenset(f"{_TYPES} {_FUNCTIONS}".split())
"""What has to be found. Other kinds (properties, constants, fields, aliases) may match, and are not missed."""
GOOGLE_TEST = ("TEST", "TEST_F", "TEST_P")
"""Named by their arguments with us."""
NOT_MISSED = {"c": {"macro"}, "cpp": {"macro"}, "sql": {"type"}}


@dataclass
class Difference:
    """Definitions of one language on both sides. `local`: theirs that stand inside one of our functions."""

    files: int = 0
    both: int = 0
    local: int = 0
    ours: Counter[str] = field(default_factory=Counter)
    theirs: Counter[str] = field(default_factory=Counter)

    @property
    def recall(self) -> float:
        return self.both / (self.both + self.theirs.total() or 1)

    @property
    def precision(self) -> float:
        return self.both / (self.both + self.ours.total() or 1)


def available() -> bool:
    path = shutil.which("ctags")
    if path is None:
        return False
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    return "Universal Ctags" in said and "+json" in subprocess.run(
        [path, "--list-features"], capture_output=True, text=True, check=False
    ).stdout.replace("json ", "+json ")


def theirs(language: str, files: list[Path]) -> dict[Path, set[tuple[str, int, bool]]]:
    """Ctags' definitions: name without what holds it, its line, and whether it must be found."""
    out: dict[Path, set[tuple[str, int, bool]]] = {file: set() for file in files}
    kinds = KINDS - NOT_MISSED.get(language, set())
    said = subprocess.run(
        ["ctags", "--output-format=json", "--fields=+nKSe", f"--language-force={LANGUAGES[language]}", "-f-", "-L-"],
        input="\n".join(map(str, files)),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for line in said.splitlines():
        tag = json.loads(line)
        if not tag["name"].lower().startswith(("__anon", "anonymous", "<")) and tag["name"] not in GOOGLE_TEST:
            out[Path(tag["path"])].add((_leaf(tag["name"]), tag["line"], tag.get("kind") in kinds))
    return out


def ours(language: str, text: bytes) -> set[tuple[str, int, int, str]]:
    """Our types and functions: name, the lines on which the name may stand, kind."""
    return {
        (_leaf(s.name), text.count(b"\n", 0, s.start) + 1, text.count(b"\n", 0, s.node_end) + 1, str(s.kind))
        for s in measure(language_named(language), text).symbols
        if s.kind is not Kind.VALUE
    }


def compare(language: str, files: list[Path]) -> Difference:
    found = Difference(files=len(files))
    for file, tags in theirs(language, files).items():
        known = ours(language, file.read_bytes())
        open_tags = sorted(tags)
        for name, first, last, _ in sorted(known, key=lambda d: d[2] - d[1]):
            match = next((t for t in open_tags if t[0] == name and first <= t[1] <= last), None)
            if match is not None:
                open_tags.remove(match)
                found.both += 1
            else:
                found.ours[f"{file.name}:{first} {name}"] += 1
        for name, line, needed in open_tags:
            if any(first < line <= last and kind == "function" for _, first, last, kind in known):
                found.local += needed
            elif needed:
                found.theirs[f"{file.name}:{line} {name}"] += 1
    return found


def _leaf(name: str) -> str:
    for sign in ("::", ".", ":"):
        head, found, tail = name.rpartition(sign)
        name = tail if found and tail and head else name
    return name.partition("#")[0].replace(" ", "").strip("\"'`")
