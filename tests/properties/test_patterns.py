"""Every pattern of the package against long repetitions of its own words: none takes more than linear time.

Left out are patterns that only ever see short texts, and say so: lines of at most 512 characters, comments of 300.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

import tslp_litellm

from .test_fuzz_dialects import no_hang

BOUNDED = ("evidence.paths._REMARK", "evidence.paths._COMMENT", "syntax.left_out.")
FILLERS = (
    " ",
    "\n",
    "\t",
    "a",
    "1",
    "a ",
    " \n",
    "a/",
    ".",
    "-",
    "=",
    "`",
    "<a>",
    '"',
    "\\",
    "a:",
    "(",
    "{ ",
    "[",
    "# ",
)
SIZE = 100_000
WORD = re.compile(r"[A-Za-z_<>/@*=+\-#`:.{}\[\]\" ]{2,}")


def found_in(name: str, value: Any) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield name, value
    elif isinstance(value, (tuple, list)):
        for n, part in enumerate(value):
            yield from found_in(f"{name}[{n}]", part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from found_in(f"{name}[{key}]", part)
    elif hasattr(type(value), "__slots__") and type(value).__name__ == "Patterns":
        for slot in type(value).__slots__:
            yield from found_in(f"{name}.{slot}", getattr(value, slot))


def all_patterns() -> dict[str, re.Pattern[str]]:
    """The patterns of the pure packages, those out of data files among them."""
    found: dict[str, re.Pattern[str]] = {}
    for module_info in pkgutil.walk_packages(tslp_litellm.__path__, "tslp_litellm."):
        if module_info.name.split(".")[1] not in ("evidence", "syntax", "hydration", "resolution", "state"):
            continue
        module = importlib.import_module(module_info.name)
        for name, value in vars(module).items():
            made = value
            if hasattr(value, "cache_info") and value.__module__ == module.__name__:
                if value.__wrapped__.__code__.co_argcount:
                    continue
                made = value()
            found |= dict(found_in(f"{module_info.name.removeprefix('tslp_litellm.')}.{name}", made))
    return {name: pattern for name, pattern in found.items() if not name.startswith(BOUNDED)}


PATTERNS = all_patterns()


def long_texts(pattern: re.Pattern[str]) -> Iterator[str]:
    """A pattern's words and what stands between words, repeated."""
    words = list(dict.fromkeys(word.replace("\\", "") for word in WORD.findall(pattern.pattern)))[:6]
    for filler in FILLERS:
        yield filler * (SIZE // len(filler))
        for word in words[:3]:
            yield word + filler * (SIZE // len(filler))
            yield (word + filler + "\n") * (SIZE // (len(word + filler) + 1))
    for n in range(len(words)):
        yield ("\n".join(words[: n + 1]) + "\n") * (SIZE // (len("\n".join(words[: n + 1])) + 1))


def test_patterns_are_found() -> None:
    assert {
        "evidence.tags._OPENING",
        "evidence.clients.patterns.machine",
        "evidence.outcomes._patterns[failure]",
    } <= set(PATTERNS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_blows_up(name: str) -> None:
    for text in long_texts(PATTERNS[name]):
        with no_hang(f"{name} on {text[:40]!r}"):
            assert sum(1 for _ in PATTERNS[name].finditer(text)) <= len(text) + 1
