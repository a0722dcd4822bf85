"""Paths that may be other names of one file."""

import pytest

from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.other_names import other_names


@pytest.mark.parametrize(
    ("written", "root", "known"),
    [
        ("/home/u/p/src/a.py", None, "src/a.py"),
        ("/w/p/a.py", None, "a.py"),
        ("/tmp/p/a.py", None, "a.py"),
        ("a.py", None, "/w/p/a.py"),
        ("~/p/a.py", None, "a.py"),
        ("~/p/a.py", None, "/home/u/p/a.py"),
        ("/private/tmp/p/a.py", None, "/tmp/p/a.py"),
        ("/tmp/p/a.py", None, "/private/tmp/p/a.py"),
        ("/tmp/p/src/a.py", "/private/tmp/p", "src/a.py"),
        ("/workspace/src/a.py", "/home/u/p", "src/a.py"),
        ("/workspace/a.py", "/home/u/p", "a.py"),
        ("/home/v/p/a.py", "/home/u/p", "a.py"),
        ("~/p/a.py", "/home/u/p", "a.py"),
        ("$HOME/p/a.py", "/Users/u/p", "a.py"),
        ("~/p/a.py", "/w/p", "a.py"),
        ("/mnt/c/p/a.py", "C:\\p", "a.py"),
        ("a.py", "/home/u/p", "/workspace/a.py"),
    ],
)
def test_another_name(written: str, root: str | None, known: str) -> None:
    path = normalise_path(written, root)
    assert path is not None and other_names(path, root, [known]) == {known}


@pytest.mark.parametrize(
    ("written", "root", "known"),
    [
        ("/tmp/a.py", None, "a.py"),
        ("/tmp/p/a.py", "/home/u/q", "a.py"),
        ("/home/u/q/src/a.py", "/home/u/p", "src/a.py"),
        ("~/q/src/a.py", "/home/u/p", "src/a.py"),
        ("~/.claude/CLAUDE.md", "/home/u/p", "CLAUDE.md"),
        ("/home/ada/.claude/CLAUDE.md", "/w/p", "CLAUDE.md"),
        ("/home/u/p/a.py", "/home/u/p", "a.py"),
        ("/workspace/node_modules/x/src/a.js", None, "src/a.js"),
        ("/workspace/src/a.py", None, "lib/a.py"),
        ("src/a.py", None, "a.py"),
        ("/w/p/a.py", None, "/w/q/a.py"),
        ("/a.py", None, "/w/a.py"),
    ],
)
def test_no_other_name(written: str, root: str | None, known: str) -> None:
    path = normalise_path(written, root)
    assert path is not None and other_names(path, root, [known]) == set()


def test_the_longest_of_several_is_meant() -> None:
    assert other_names("/w/p/src/a.py", None, ["a.py", "src/a.py", "p/src/b.py"]) == {"src/a.py"}
