"""Every pattern of the package against long repetitions: its time grows with the text and no faster (`tests/growth.py`).

Patterns are found, not listed: compiled ones in modules, in tables and behind functions that read data files; and
every string of `data/` that is no part of one of those is compiled and tried by itself. Each is put to a text as the
package does: one that is only ever matched where a text begins is not looked for anywhere else in it.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import pkgutil
import re
import re._constants as sre
import re._parser as parser
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, TypeGuard

import pytest
import regex

import tslp_litellm
from tests.growth import SIZES, cpu_s, steep

from .attacks import REPEATS, attacks, inside

FILLERS = (
    *(
        " ",
        "\n",
        "\t",
        "\r",
        "a",
        "1",
        "a ",
        " \n",
        "a\n",
        "a/",
        ".",
        "-",
        "=",
        "`",
        "~",
        "<a>",
        "<a ",
        "</a>",
        '"',
        "'",
    ),
    *("\\", "a:", "(", "{ ", "[", "# ", "é", "//", '="', "\u2028", "-a", "a.b", "](", "_"),
)
SHORT = 16_000
DEAREST = 5
"""All texts are tried up to `SHORT` characters, and so many of them, which cost most, up to a quarter of a million."""
APART = {"tslp_litellm.demo_model", "tslp_litellm.litellm_hooks", "tslp_litellm.reach.relay"}
"""What imports LiteLLM, which takes seconds. The demo's one pattern reads our own blocks."""


def found_in(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (re.Pattern, regex.Pattern)):
        yield name, value
    elif isinstance(value, (tuple, list)):
        for n, part in enumerate(value):
            yield from found_in(f"{name}[{n}]", part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from found_in(f"{name}[{key}]", part)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from found_in(f"{name}.{field.name}", getattr(value, field.name))


def made_by(function: Any) -> Iterator[tuple[str, Any]]:
    """What a cached function gives: one without arguments as it is, one that takes a list's name for each list."""
    asked = inspect.signature(function.__wrapped__).parameters
    if not asked:
        yield "", function()
    elif list(asked) == ["kind"]:
        for kind in (key for data in DATA.values() if isinstance(data, dict) for key in data):
            try:
                yield f"({kind})", function(kind)
            except KeyError:
                continue


DATA: dict[str, Any] = {
    entry.name: json.loads(entry.read_text("utf-8"))
    for entry in (files("tslp_litellm") / "data").iterdir()
    if entry.name.endswith(".json")
}


def all_patterns() -> dict[str, Any]:
    """Every compiled pattern of the package by its name: of several the last one in order, in each run the same."""
    found: dict[str, Any] = {}
    for info in pkgutil.walk_packages(tslp_litellm.__path__, "tslp_litellm."):
        if info.name in APART or info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            full = f"{info.name.removeprefix('tslp_litellm.')}.{name}"
            if hasattr(value, "cache_info") and value.__module__ == module.__name__:
                for said, made in made_by(value):
                    found |= dict(found_in(full + said, made))
            else:
                found |= dict(found_in(full, value))
    return dict({id(found[name]): (name, found[name]) for name in sorted(found)}.values())


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from strings(part) if key != "about" else ()
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


SEARCHES = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
AT_START = frozenset({"match", "fullmatch"})


def is_compiling(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether this compiles a pattern, so that what it is given is one of a data file yet."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


@functools.cache
def put_by() -> dict[tuple[str, str], set[str]]:
    """How the package puts a pattern to a text, by what holds the pattern, a module's own with the module: the methods
    called, and an empty one where it is handed on, so that nobody sees what becomes of it."""
    found: dict[tuple[str, str], set[str]] = {}
    package = Path(tslp_litellm.__path__[0])
    for source in package.rglob("*.py"):
        module = ".".join(source.relative_to(package).with_suffix("").parts)
        nodes = [*ast.walk(ast.parse(source.read_text("utf-8")))]
        compiled = {id(part) for node in nodes if is_compiling(node) for part in node.args}
        called = {id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if id(node) in compiled:
                continue
            if isinstance(node, ast.Attribute):
                held = ("field", node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                held = (module if node.id.startswith("_") else "any module", node.id)
            else:
                continue
            method = called.get(id(node), "")
            found.setdefault(held, set()).add(method if method in SEARCHES | AT_START else "")
    return found


def only_at_start(name: str) -> bool:
    """Whether a pattern of this name is only matched where a text begins.

    only_at_start("placing.rules._ONLY_PLACE")  # every mention is `_ONLY_PLACE.fullmatch`
    not only_at_start("dialects.x._TABLE[0]")  # one of several: what takes it out of the tuple is not looked at
    """
    holder, _, last = name.rpartition(".")
    if f"tslp_litellm.{holder}" not in sys.modules:
        uses = put_by().get(("field", last))
    else:
        uses = put_by().get((holder if last.startswith("_") else "any module", last))
    return bool(uses) and uses <= AT_START


LITERAL = frozenset({"comments.json", "side_requests.json"})
"""Data that holds texts to be compared, and no patterns."""
LINES = frozenset({"shell.json"})
"""Data whose patterns are matched where a line, a word or an output begins."""
PATTERNS = all_patterns()
WHOLE = "\n".join(str(pattern.pattern) for pattern in PATTERNS.values())
LOOSE = {
    f"{name}: {text[:40]}": re.compile(text)
    for name, data in DATA.items()
    if name not in LITERAL
    for text in strings(data)
    if re.search(r"[*+}]", text) and text.lstrip("^") not in WHOLE and text.removeprefix("\\A") not in WHOLE
}


def tree_of(pattern: Any) -> Any:
    """A pattern, parsed; one of `regex` that Python's parser does not know (`\\p{Cf}`) meets the fillers only."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    flags = pattern.flags & (re.I | re.M | re.S | re.X) if isinstance(pattern, re.Pattern) else 0
    try:
        return parser.parse(text, flags)
    except parser.error:
        assert isinstance(pattern, regex.Pattern)
        return parser.parse(re.escape("x"))


def literals(nodes: Any) -> Iterator[str]:
    """The words of a pattern."""
    run = ""
    for op, value in nodes:
        if op is sre.LITERAL:
            run += chr(value)
            continue
        yield run
        run = ""
        for inner in value if isinstance(value, (tuple, list)) else ():
            for branch in inner if isinstance(inner, list) else [inner]:
                if isinstance(branch, parser.SubPattern):
                    yield from literals(branch)
    yield run


def texts(pattern: Any, size: int) -> Iterator[str]:
    """What a pattern repeats, its words, and what stands between words: over and over, and with an end that fits
    nothing."""
    tree = tree_of(pattern)
    yield from attacks(tree, size)
    words = [word for word in dict.fromkeys(literals(tree)) if word.strip()]
    bodies = [*FILLERS, *words, "".join(words[:3]), "\n".join(words[:3]) + "\n"]
    for body in filter(None, bodies):
        yield body * (size // len(body))
        if words:
            yield words[0] + body * (size // len(body)) + "\0"
            yield (words[0] + body + "\n") * (size // (len(words[0] + body) + 1))


WIDE = 1_000
"""So many characters in a range: where case is ignored, `re` walks them all to compile it."""


def wide_ranges(nodes: Any, *, ignores_case: bool) -> Iterator[tuple[int, int]]:
    """The wide ranges of a parsed pattern that are read without case."""
    for op, value in nodes:
        ignores = ignores_case
        if op is sre.SUBPATTERN:
            _, added, removed, _ = value
            ignores = (ignores or bool(added & re.I)) and not removed & re.I
        elif op is sre.IN and ignores:
            yield from (ends for kind, ends in value if kind is sre.RANGE and ends[1] - ends[0] > WIDE)
        for inner in [value[2]] if op in REPEATS else inside(op, value):
            yield from wide_ranges(inner, ignores_case=ignores)


def search(pattern: Any, text: str, *, at_start: bool) -> Callable[[], object]:
    """To find all matches of a pattern in a text, or those where it begins."""
    given = text if isinstance(pattern.pattern, str) else text.encode()
    if at_start:
        return lambda: (pattern.match(given), pattern.fullmatch(given))
    return lambda: deque(pattern.finditer(given), maxlen=0)


def holds(pattern: Any, *, at_start: bool) -> None:
    """A pattern's time grows with the text and no faster."""

    def work(text: str) -> Callable[[], object]:
        return search(pattern, text, at_start=at_start)

    def text_of(size: int, number: int) -> str:
        return next(islice(texts(pattern, size), number, None))

    sizes, costs = [size for size in SIZES if size <= SHORT], list[float]()
    for alike in zip(*(texts(pattern, size) for size in sizes), strict=True):
        by_size = dict(zip(sizes, map(work, alike), strict=True))
        assert not steep(by_size.__getitem__, SHORT), alike[0][:80]
        costs.append(cpu_s(by_size[SHORT]))
    for n in sorted(range(len(costs)), key=costs.__getitem__)[-DEAREST:]:
        assert not steep(lambda size, n=n: work(text_of(size, n))), text_of(80, n)  # type: ignore[misc]


def test_patterns_are_found() -> None:
    assert {
        "dialects.tags._OPENING",
        "clients.frames.patterns.machine.beginning",
        "clients.outcomes._forms.failure",
        "secrets.detector.forms[0].pattern",
    } <= set(PATTERNS)


def test_how_patterns_are_used_is_found() -> None:
    assert only_at_start("placing.rules._ONLY_PLACE")
    assert not only_at_start("shell.git._LISTED")
    assert not only_at_start("clients.outcomes._forms.refusals[other]")
    assert not only_at_start("clients.printed._frames[2]"), "one of a tuple that is gone through"


def test_no_wide_range_is_read_without_case() -> None:
    ignoring = {name: pattern for name, pattern in PATTERNS.items() if pattern.flags & re.I}
    assert list(wide_ranges(parser.parse("[a-z]|(?P<x>[\u4e00-\u9fff]*+)", re.I), ignores_case=True))
    assert not {name for name, pattern in ignoring.items() if any(wide_ranges(tree_of(pattern), ignores_case=True))}, (
        "`(?-i:[...])`: three seconds went by in a user's request, when the words of some languages were compiled"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_are_linear(name: str) -> None:
    holds(PATTERNS[name], at_start=only_at_start(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOSE)
def test_patterns_that_are_not_compiled_at_start_are_linear(name: str) -> None:
    holds(LOOSE[name], at_start=name.partition(":")[0] in LINES)
