"""The parser as the proxy knows it: outlines, remembered, and never the end of the process that asks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tslp_litellm import parser
from tslp_litellm.parser import limits
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.patterns import PatternError

CRASHING = "- " * 254


@pytest.fixture
def _own_patterns() -> Iterator[None]:
    yield
    parser.configure(None)


def test_an_outline_says_that_its_text_was_refused() -> None:
    seen = parser.outline(language_named("yaml"), CRASHING)
    assert (seen.refused, seen.parsed, seen.symbols) == ("crash", False, ())
    assert seen.text.decode() == CRASHING


def test_what_needs_no_grammar_starts_no_process() -> None:
    code = (
        "from tslp_litellm import parser; from tslp_litellm.syntax.languages import language_named as n;"
        "assert parser.outline(None, 'x').symbols == (); assert parser.outline(n('text'), 'x').prose;"
        "assert parser._parser._pool is None"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_a_text_that_is_too_large_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TEXT_BYTES_MAX", 10)
    assert not parser.outline(language_named("python"), "def function(): pass\n").parsed


def test_one_that_defines_too_much_is_tracked_whole() -> None:
    text = "x = 1\n" + "".join(f"def f{n}(): pass\n" for n in range(limits.SYMBOLS_MAX + 1))
    seen = parser.outline(language_named("python"), text)
    assert (seen.parsed, seen.symbols, seen.refused) == (False, (), None)
    assert seen.language == "python"


def test_a_damaged_answer_is_a_crash_of_a_text_of_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(_answer: bytes, _source: bytes) -> None:
        raise ValueError

    monkeypatch.setattr(parser, "decoded", damaged)
    seen = parser.outline(language_named("python"), "def damaged(): pass\n")
    assert (seen.parsed, seen.refused, seen.language) == (False, "crash", "python")


def test_one_that_is_nothing_but_errors_is_tracked_whole() -> None:
    few, many = ("class A {}\n" + "when " * count for count in (20, 4 * limits.ERRORS_MAX))
    seen = parser.outline(language_named("java"), few)
    assert [s.name for s in seen.symbols] == ["A"]
    assert seen.errors
    seen = parser.outline(language_named("java"), many)
    assert (seen.parsed, seen.symbols, seen.refused) == (False, (), None)


@pytest.mark.usefixtures("_own_patterns")
def test_a_users_patterns_reach_the_processes(tmp_path: Path) -> None:
    text = "routine f {\n}\n\nsub g {\n}\n"
    before = [s.name for s in parser.outline(language_named("perl"), text).symbols]
    own = tmp_path / "own.json"
    own.write_text(
        '{"perl": {"definitions": {"r": {"pattern": "^routine (?P<name>[a-z]+)", "kind": "function", "end": "braces"}}}}'
    )
    parser.configure(own)
    assert [s.name for s in parser.outline(language_named("perl"), text).symbols] == ["f"] != before


@pytest.mark.usefixtures("_own_patterns")
def test_bad_patterns_are_named(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text('{"klingon": {}}')
    with pytest.raises(PatternError, match="klingon"):
        parser.configure(own)


def test_a_refusal_of_before_is_known() -> None:
    text = "harmless: true\n"
    import hashlib

    artifact = hashlib.sha256(text.encode()).hexdigest()
    parser.configure(None, [parser.Refused(artifact, "yaml", "timeout")])
    assert parser.outline(language_named("yaml"), text).refused in ("timeout", None)
    parser.configure(None)


def test_the_asking_process_loads_no_grammar() -> None:
    code = (
        "import sys; from tslp_litellm import parser; from tslp_litellm.syntax.languages import language_named as n;"
        "assert parser.outline(n('python'), 'def f(): pass').by_name;"
        "import tslp_litellm.engine;"
        "assert not [m for m in sys.modules if m.startswith('tree_sitter')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
