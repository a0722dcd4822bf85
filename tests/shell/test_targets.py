"""Folders and targets: what a name means, seen from a folder that is known, or not."""

import pytest

from tslp_litellm.shell.targets import ANYWHERE, UNKNOWN, At, Folder, Like, Target


@pytest.mark.parametrize(
    ("folder", "path", "target"),
    [
        ("", "a.py", At("a.py")),
        ("src", "a.py", At("src/a.py")),
        ("src", "../a.py", At("a.py")),
        ("src", "/w/a.py", At("/w/a.py")),
        (None, "a.py", Like(None, "a.py")),
        (None, "../x/a.py", Like(None, "x/a.py")),
        (None, "a*.py", Like(None, "a\\*.py")),
        (None, "/w/a.py", At("/w/a.py")),
        (None, "..", ANYWHERE),
    ],
)
def test_a_path_seen_from_a_folder(folder: str | None, path: str, target: Target) -> None:
    assert Folder(folder).at(path) == target


@pytest.mark.parametrize(
    ("target", "yes", "no"),
    [
        (Like("", "*.py"), ["a.py"], ["src/a.py", "a.pyc"]),
        (Like("src", "*.py"), ["src/a.py"], ["a.py", "src/x/a.py", "src2/a.py"]),
        (Like(None, "a.py"), ["a.py", "src/a.py", "/w/a.py"], ["ba.py"]),
        (Like(None, "x/a?.py"), ["x/ab.py", "y/x/ab.py"], ["x/a.py"]),
        (Like(None, "[id].tsx"), ["app/[id].tsx"], ["app/i.tsx"]),
        (Like("src", "sub*"), ["src/sub/a.py", "src/sub"], ["src/a.py"]),
        (Like("", "**.py"), ["a.py", "src/x/a.py"], ["a.js"]),
        (ANYWHERE, ["a.py", "/w/a.py"], []),
        (Like(None, "*a*b*c*d*e*f*.py"), ["zzz.py"], ["zzz.js"]),
    ],
)
def test_what_a_pattern_means(target: Like, yes: list[str], no: list[str]) -> None:
    assert [path for path in [*yes, *no] if target.matches(path)] == yes


def test_folders() -> None:
    assert Folder("a").joined(Folder("a")) == Folder("a")
    assert Folder("a").joined(Folder("b")) == UNKNOWN
    assert Folder("a").entered(At(".")) == Folder("")
    assert Folder("a").entered(Like(None, "b")) == UNKNOWN
    assert Folder("a").like("../b/", "*.py") == Like("b", "*.py")
    assert Folder("a").like("", "../*.py") == ANYWHERE
