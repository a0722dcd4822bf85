"""One file however it is written, where a drive letter proves that case makes no difference."""

from collections.abc import Collection

import pytest

from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.spelling import Root, fold


def root(folder: str | None, *tracked: str) -> Root:
    return Root(folder, lambda: tracked)


@pytest.mark.parametrize(
    ("raw", "folder", "expected"),
    [
        ("C:\\Proj\\SRC\\a.PY", "c:\\proj", "src/A.py"),
        ("SRC/a.PY", "C:/proj", "src/A.py"),
        ("./src/a.py", "C:/proj", "src/A.py"),
        ("SRC/New/b.py", "C:/proj", "src/New/b.py"),
        ("SRC", "C:/proj", "src"),
        ("../PROJ/src/a.py", "C:/proj", "src/A.py"),
        ("d:/other/x.py", "C:/proj", "D:/Other/x.py"),
        ("d:/other/x.py", None, "D:/Other/x.py"),
        ("SRC/a.PY", None, "SRC/a.PY"),
        ("SRC/a.PY", "/w/proj", "SRC/a.PY"),
        ("/w/Proj/src/a.py", "/w/proj", "/w/Proj/src/a.py"),
        ("SRC/ÄÖ.md", "C:/proj", "src/äö.md"),
    ],
)
def test_a_file_is_written_as_it_is_tracked(raw: str, folder: str | None, expected: str) -> None:
    assert normalise_path(raw, root(folder, "src/A.py", "D:/Other/x.py", "src/äö.md")) == expected


def test_a_new_file_is_written_as_it_was_first() -> None:
    one = root("C:/proj")
    assert normalise_path("Src/a.py", one) == "Src/a.py"
    assert normalise_path("src/A.py", one) == "Src/a.py"
    assert normalise_path("src/b.py", one) == "Src/b.py"


def test_nobody_asks_what_is_tracked_where_case_counts() -> None:
    def tracked() -> Collection[str]:
        raise AssertionError

    assert normalise_path("Src/a.py", Root("/w", tracked)) == "Src/a.py"


@pytest.mark.parametrize("path", ["straße/ı/K/ß/İ.md", "a/B.py", "日本/é.md"])
def test_what_folds_keeps_its_length(path: str) -> None:
    assert len(fold(path)) == len(path)
    assert fold(fold(path)) == fold(path)


def test_no_letter_of_another_script_is_an_ascii_one() -> None:
    assert len({fold(letter) for letter in ("I", "ı", "İ", "K", "\u212a", "S", "ſ", "ß", "SS")}) == 9
