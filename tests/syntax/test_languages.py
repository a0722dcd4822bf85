"""Which language a path or a fence means."""

import pytest

from tslp_litellm.syntax.languages import LANGUAGES, Nature, language_of_fence, language_of_path
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


def test_the_table_is_consistent() -> None:
    names = [language.name for language in LANGUAGES]
    assert len(names) == len(set(names))
    for language in LANGUAGES:
        if language.grammar:
            assert grammar(language.grammar) is not None
            tags_query(language.name, language.grammar)
        assert language.nature is not Nature.CODE or language.fences
