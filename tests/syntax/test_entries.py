"""The top-level keys and entries of data files, and main guards."""

import pytest

from tslp_litellm.syntax.entries import entries, has_main_guard


@pytest.mark.parametrize(
    ("path", "language", "text", "keys"),
    [
        ("a.json", "json", '{"a": {"x": 1}, "b": [2]}', {"a", "b"}),
        ("a.json", "json", '{\n  // c\n  "a": {\n    "x": 1\n  },\n  "b": 2,\n}', {"a", "b"}),
        ("a.json", "json", "[1, 2]", set()),
        ("a.yml", "yaml", "# c\na:\n  x: 1\n'b': 2\n- l\nd e: 3\n", {"a", "b", "d e"}),
        ("a.toml", "toml", 'x = 1\n[project]\nname = "x"\n[[tool.a]]\ny = 2\n', {"x", "project", "tool.a"}),
        ("a.ini", "ini", "[a]\nx = 1\n[b]\n", {"a", "b"}),
        (".env", "ini", "A=1\nexport B=2\n# C=3\n", {"A", "B"}),
        ("requirements-dev.txt", "text", "flask==1\nrequests>=2\n# x\n-r other.txt\n", {"flask", "requests"}),
        ("notes.txt", "text", "flask\n", set()),
        ("a.py", "python", "x = 1\n", set()),
    ],
)
def test_keys(path: str, language: str, text: str, keys: set[str]) -> None:
    assert entries(path, language, text) == keys


def test_main_guards() -> None:
    assert has_main_guard("x = 1\nif __name__ == '__main__':\n    x\n")
    assert has_main_guard("if (require.main === module) {\n}\n")
    assert not has_main_guard("def f():\n    if __name__ == 'x':\n        pass\n")
