"""How often small models fail, and how: counted in the recorded answers of real ones (`tests/recorded/models`).

What those answers can't show, since each was the first of a short chat, is assumed, and called so (`ASSUMED`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tests.recorded.models.record import HERE, prompts
from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import language_named, language_of_path

FENCE = re.compile(r"^```([^\n]*)\n(.*?)(?:^```|\Z)", re.M | re.S)
OMITTED = re.compile(r"^\s*(?:#|//|--).*(?:\.\.\.|…|unchanged|existing code|rest of)", re.M | re.I)
SHORT = {"py": "python", "ts": "typescript", "go": "go"}
TALK = {"explain", "review", "test", "usage"}
"""Prompts that ask for no change of the files."""
WORDS = {
    "none": "says something, and shows no code of the file",
    "length": "is cut by the limit of its answer",
    "whole": "answers with the file where a part was asked for",
    "dropped": "drops a definition of the file in such an answer",
    "altered": "alters another definition in such an answer",
    "headless": "drops the imports or the package line in such an answer",
    "labelled": "says which file its code belongs to",
    "elided": "leaves code out behind a comment",
    "renamed": "gives what it should change another name",
    "versions": "shows two versions of one definition",
    "example": "adds an example of the use, in a fence of its own",
}
ASSUMED = {
    "any": (0.10, "takes any of several copies that it sees, not the last one"),
    "ignored": (0.0, "does not look at the block in front of its prompt (a sweep: all of them)"),
    "asked": (0.90, "labels its code where it is asked to"),
}

WORSE = {
    "none": 0.1, "length": 0.06, "whole": 0.5, "dropped": 0.2, "altered": 0.25, "headless": 0.2, "labelled": 0.1,
    "elided": 0.08, "renamed": 0.1, "versions": 0.01, "example": 0.25, "any": 0.2, "ignored": 0.05, "asked": 0.6,
    "repeats": 0.12,
}  # fmt: skip
"""A model that is worse than any that was recorded, and says what it said before: what it says must not be believed."""


@dataclass(frozen=True, slots=True)
class Rates:
    """`counted`: of each failing how often, of how many answers; `of`: the rate that is played."""

    counted: dict[str, tuple[int, int]]
    of: dict[str, float]


@lru_cache
def measured() -> Rates:
    """From all recorded answers. The rate of what was seen k times in n is (k + 1/2) / (n + 1), so that nothing is
    impossible that was merely not seen."""
    found, asked = dict[str, list[bool]](), prompts()
    for path in sorted(HERE.glob("answers-*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            for name, was in _failings(asked[row["id"]], row["answer"], row["finish"]):
                found.setdefault(name, []).append(was)
    counted = {name: (sum(found.get(name, ())), len(found.get(name, ()))) for name in WORDS}
    rates = {name: (k + 0.5) / (n + 1) for name, (k, n) in counted.items()}
    return Rates(counted, rates | {name: rate for name, (rate, _) in ASSUMED.items()})


def _failings(prompt: dict[str, Any], answer: str, finish: str) -> Iterator[tuple[str, bool]]:
    """What an answer to a prompt for a change shows of each failing, where it can show it."""
    if prompt["kind"] in TALK:
        return
    yield "length", finish == "length"
    languages = {file["language"] for file in prompt["files"].values()}
    fences = [
        (m, _definitions(m[2], language))
        for m in FENCE.finditer(answer)
        for language in languages & {SHORT.get(m[1].strip(), m[1].strip())}
    ]
    tracked = {path: _definitions(file["text"], None, path) for path, file in prompt["files"].items()}
    known = {name: text for held in tracked.values() for name, text in held.items()}
    own = [(m, held) for m, held in fences if held.keys() & known.keys() or (held and not _uses(m[2], known))]
    yield "none", not own
    yield "example", any(not held.keys() & known.keys() and _uses(m[2], known) for m, held in fences)
    if not own:
        return
    yield "labelled", any(_labelled(answer[: m.start()], m[1], m[2], tracked) for m, _ in own)
    yield "elided", any(OMITTED.search(m[2]) and not any(OMITTED.search(t) for t in known.values()) for m, _ in own)
    texts = dict[str, set[str]]()
    for _, held in own:
        for name, text in held.items():
            texts.setdefault(name, set()).add(text)
    yield "versions", any(len(some) > 1 for some in texts.values())
    yield from _of_a_change(prompt, known, tracked, own[0], texts.keys())


def _of_a_change(
    prompt: dict[str, Any], known: dict[str, str], tracked: dict[str, dict[str, str]], first: Any, shown: Any
) -> Iterator[tuple[str, bool]]:
    match, held = first
    named = {name for name in known if re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", prompt["prompt"])}
    if named and prompt["kind"] not in ("rename", "remove", "new-function", "new-member", "constant"):
        yield "renamed", not named & set(shown) and bool(set(shown) - known.keys())
    path = max(tracked, key=lambda one: len(tracked[one].keys() & held.keys()))
    asked = {part for name in named for part in (name, name.partition(".")[0])}
    others = {name for name in tracked[path] if name not in asked and "." not in name}
    if not others or prompt["kind"] == "whole-file":
        return
    whole = len(others & held.keys()) * 2 >= len(others)
    yield "whole", whole
    if whole:
        text = prompt["files"][path]["text"]
        heads = [line for line in text.split("\n") if re.match(r"import |from |package ", line)]
        yield "dropped", not others <= held.keys()
        if named:
            yield "altered", any(held[name] != tracked[path][name] for name in others & held.keys())
        if heads:
            yield "headless", not any(line in match[2] for line in heads)


def _definitions(text: str, language: str | None, path: str = "") -> dict[str, str]:
    """Definitions by name, white space squeezed."""
    spoken = language_named(language) if language else language_of_path(path)
    held = outline(spoken, text)
    return {s.name: " ".join(held.slice(s).split()) for s in held.symbols}


def _uses(text: str, known: dict[str, str]) -> bool:
    return any(re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", text) for name in known)


def _labelled(before: str, info: str, code: str, tracked: dict[str, Any]) -> bool:
    above = before.rstrip().rpartition("\n")[2].strip(" #*`:")
    first = code.partition("\n")[0].strip(" #/*")
    return any(path in (above, first) or path in info for path in tracked)


def table() -> list[list[str]]:
    """Rows: the failing, how often it was seen, the rate that is played."""
    found = measured()
    rows = [[WORDS[name], f"{k} of {n}", f"{found.of[name]:.3f}"] for name, (k, n) in found.counted.items()]
    return rows + [[words, "assumed", f"{rate:.3f}"] for rate, words in ASSUMED.values()]
