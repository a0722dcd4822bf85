"""The top-level keys and entries of data files, and main guards."""

import pytest

from tslp_litellm.syntax.entries import entries, has_main_guard, nested


@pytest.mark.parametrize(
    ("path", "language", "text", "keys"),
    [
        ("a.json", "json", '{"a": {"x": 1}, "b": [2]}', {"a", "b"}),
        ("a.json", "json", '{\n  // c\n  "a": {\n    "x": 1\n  },\n  "b": 2,\n}', {"a", "b"}),
        ("a.json", "json", "[1, 2]", set()),
        ("a.yml", "yaml", "# c\na:\n  x: 1\n'b': 2\n- l\nd e: 3\n", {"a", "b", "d e"}),
        ("a.toml", "toml", 'x = 1\n[project]\nname = "x"\n[[tool.a]]\ny = 2\n', {"x", "project", "tool.a", "tool.a 1"}),
        (
            "a.toml",
            "toml",
            '[[bin]]\nname = "x"\n[[bin]]\nname = "y"\n[[z]]\na = 1\n[[z]]\na = 2\n',
            {"bin", "bin x", "bin y", "z", "z 1", "z 2"},
        ),
        (
            "a.yml",
            "yaml",
            "kind: Pod\nmetadata:\n  name: web\n---\n# c\n---\na: 1\n",
            {"Pod web", "Pod web.kind", "Pod web.metadata", "document 2", "document 2.a"},
        ),
        ("a.yml", "yaml", "---\na: 1\n", {"a"}),
        ("a.jsonc", "jsonlines", '{\n  // c\n  "a": 1,\n  // "c": 3,\n  "b": {\n    "x": 2\n  }\n}\n', {"a", "b"}),
        ("a.json5", "jsonlines", "{\n  a: 1,\n  'b': 2,\n}\n", {"a", "b"}),
        (
            "go.mod",
            "gomod",
            "module x.y/z\n\ngo 1.21\n\nrequire a.b/c v1.2.3\n\nrequire (\n\td.e/f v0.1.0 // indirect\n\tg.h v2.0.0\n)\n",
            {"a.b/c", "d.e/f", "g.h"},
        ),
        ("a.graphql", "graphql", "type A {\n  b: C\n}\n\nextend type D { x: Int }\nunion E = A\n", {"A", "D", "E"}),
        ("a.proto", "proto", "message A {\n  message B {}\n}\nservice S {}\n", {"A", "S"}),
        ("Dockerfile", "dockerfile", "FROM a AS build\nRUN x\nFROM b\n", {"build"}),
        ("Makefile", "makefile", "X := 1\nall: a\n\t@echo a: b\nclean:\n", {"all", "clean"}),
        ("a.ini", "ini", "[a]\nx = 1\n[b]\n", {"a", "b"}),
        (".env", "ini", "A=1\nexport B=2\n# C=3\n", {"A", "B"}),
        ("requirements-dev.txt", "text", "flask==1\nrequests>=2\n# x\n-r other.txt\n", {"flask", "requests"}),
        ("notes.txt", "text", "flask\n", set()),
        ("a.py", "python", "x = 1\n", set()),
        ("a.tf", "hcl", 'variable "a" {\n  b = 1\n}\nresource x "y" {}\nz = 2\n', {"variable.a", "resource.x.y", "z"}),
    ],
)
def test_keys(path: str, language: str, text: str, keys: set[str]) -> None:
    assert entries(path, language, text) == keys


def test_main_guards() -> None:
    assert has_main_guard("x = 1\nif __name__ == '__main__':\n    x\n")
    assert has_main_guard("if (require.main === module) {\n}\n")
    assert not has_main_guard("def f():\n    if __name__ == 'x':\n        pass\n")


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        (
            "yaml",
            "on:\n  push:\njobs:\n  a:\n    x: 1\n  b: # c\n\n    y:\n      z: 1\n",
            {("jobs", "a"), ("jobs", "b")},
        ),
        ("yaml", "a:\n  b: 1\n  c: |\n    d:\n      e\n- f:\n    g: 1\nh: |\n  i:\n    j\n", set()),
        ("json", '{"a": {"b": {}, "c": 1}, "d": [{}]}', {("a", "b")}),
        ("json", "{", set()),
        ("toml", "[a]\nb = 1\n", set()),
    ],
)
def test_entries_that_are_maps(language: str, text: str, found: set[tuple[str, str]]) -> None:
    assert nested(language, text) == found
