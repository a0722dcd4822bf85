"""Paths that may be other names of one file."""

import pytest

from tslp_litellm.state.names import MAX_PATH_CHARS, normalise_path
from tslp_litellm.state.twins import above, rests, twins


@pytest.mark.parametrize(
    ("written", "root", "known"),
    [
        ("/tmp/p/src/a.py", "/private/tmp/p", "src/a.py"),
        ("~/p/a.py", "/home/u/p", "a.py"),
        ("$HOME/p/a.py", "/home/u/p", "a.py"),
        ("\\\\?\\C:\\p\\a.py", "C:\\p", "a.py"),
        ("/w/p/a.py", "\\\\wsl$\\Ubuntu\\w\\p", "a.py"),
        ("/mnt/c/p/a.py", "C:\\p", "a.py"),
        ("/data/P/src/A.py", "/w/p", "src/a.py"),
        ("/Users/u/p/Util.py", "/Users/u/p", "util.py"),
        ("Util.py", None, "util.py"),
        ("a.py", "/w/p", "/private/w/p/a.py"),
        ("a.py", "/w/p", "~/p/a.py"),
        ("/w/p/a.py", None, "a.py"),
        ("a.py", None, "/w/p/a.py"),
        ("/private/q/a.py", "/w/p", "/q/a.py"),
        ("/q/a.py", "/w/p", "/private/q/a.py"),
        ("/tmp/p/src", "/private/tmp/p", "src/a.py"),
    ],
)
def test_another_name(written: str, root: str | None, known: str) -> None:
    path = normalise_path(written, root)
    assert path is not None and twins([path], root, [known]) == {known}


@pytest.mark.parametrize(
    ("written", "root", "known"),
    [
        ("/tmp/p/a.py", "/private/tmp/p", "src/a.py"),
        ("/tmp/q/a.py", "/private/tmp/p", "a.py"),
        ("/tmp/a.py", "/w/p", "a.py"),
        ("/w/p/a.py", "/w/p", "a.py"),
        ("/tmp/p", "/w/p", "a.py"),
        ("src/a.py", "/w/p", "a.py"),
        ("a.py", "/w/p", "src/a.py"),
        ("src", "/w/p", "src/a.py"),
        ("/a.py", "/w/p", "/q/a.py"),
        ("p/a.py", "/w/p", "a.py"),
    ],
)
def test_no_other_name(written: str, root: str | None, known: str) -> None:
    path = normalise_path(written, root)
    assert path is not None and twins([path], root, [known]) == set()


def test_where_a_folder_may_be_in_the_working_directory() -> None:
    assert [*rests("/tmp/p/x/p/y", "/private/tmp/p")] == ["x/p/y", "y"]
    assert [*rests("/tmp/p", "/private/tmp/p")] == [""]
    assert [*rests("/tmp/p", None)] == ["p", ""]


def test_a_share_is_a_working_directory_like_others() -> None:
    assert normalise_path("\\\\wsl$\\Ubuntu\\w\\p\\src\\a.py", "\\\\wsl$\\Ubuntu\\w\\p") == "src/a.py"


def test_what_is_longer_than_a_path_is_in_no_place() -> None:
    assert [*rests("/" * 64_000, None)] == []
    assert [*rests("/a" * (MAX_PATH_CHARS // 2 + 1), None)] == []
    assert [*above("/" * 64_000)] == []


def test_the_folders_of_a_path() -> None:
    assert [*above("a/b/c.py")] == ["a", "a/b"]
    assert [*above("/a/b")] == ["", "/a"]
    assert [*above("a.py")] == []
