"""Which language a path or a fence means."""

from pathlib import Path

import pytest

from tslp_litellm.syntax.languages import LANGUAGES, Nature, language_named, language_of_fence, language_of_path
from tslp_litellm.syntax.parsing import grammar, tags_query


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/a.py", "python"),
        ("a.PY", "python"),
        ("x/Makefile", "makefile"),
        ("Dockerfile.dev", "dockerfile"),
        ("a.d.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("CMakeLists.txt", "cmake"),
        ("notes.txt", "text"),
        ("a.h", "c"),
        ("Gemfile", "ruby"),
        ("x.jsonl", "jsonlines"),
        (".gitignore", "ini"),
        ("a.R", "r"),
    ],
)
def test_paths(path: str, name: str) -> None:
    language = language_of_path(path)
    assert language is not None
    assert language.name == name


def test_unknown_paths_have_no_language() -> None:
    assert language_of_path("a.unknown") is None
    assert language_of_path("bin/run") is None


@pytest.mark.parametrize(
    ("info", "name"), [("py", "python"), ("JS", "javascript"), ("{.python}", "python"), ("c++", "cpp"), ("sh", "bash")]
)
def test_fences(info: str, name: str) -> None:
    language = language_of_fence(info)
    assert language is not None
    assert language.name == name


@pytest.mark.parametrize(
    "name",
    [
        "python",
        "javascript",
        "typescript",
        "tsx",
        "go",
        "rust",
        "java",
        "c",
        "ruby",
        "cpp",
        "csharp",
        "php",
        "kotlin",
        "swift",
        "scala",
        "lua",
        "bash",
        "sql",
        "dart",
        "elixir",
        "vue",
        "svelte",
    ],
)
def test_a_language_with_symbols_has_a_corpus(name: str) -> None:
    language = language_named(name)
    assert tags_query(name, language.grammar or "") is not None
    assert (Path(__file__).parent.parent / "corpus" / f"{name}.txt").is_file()


@pytest.mark.parametrize("name", ["html", "css", "json", "yaml", "toml", "dockerfile", "makefile", "hcl", "proto"])
def test_a_language_without_symbols_is_checked(name: str) -> None:
    assert language_named(name).grammar


def test_the_table_is_consistent() -> None:
    names = [language.name for language in LANGUAGES]
    assert len(names) == len(set(names))
    for language in LANGUAGES:
        if language.grammar:
            assert grammar(language.grammar) is not None
            tags_query(language.name, language.grammar)
        if language.otherwise:
            assert language_named(language.otherwise).grammar
        assert language.nature is not Nature.CODE or language.fences
