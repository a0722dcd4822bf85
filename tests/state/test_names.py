"""Names of entities: one way to write a path, and no path at all."""

import pytest

from tslp_litellm.state.names import Entity, normalise_path


@pytest.mark.parametrize(
    ("raw", "root", "expected"),
    [
        ("src/a.py", None, "src/a.py"),
        ("./src//a.py", None, "src/a.py"),
        ("src/x/../a.py", None, "src/a.py"),
        ("src\\win\\a.py", None, "src/win/a.py"),
        ("/w/p/src/a.py", "/w/p", "src/a.py"),
        ("/w/p/src/a.py", "/w/p/", "src/a.py"),
        ("/w/pq/a.py", "/w/p", "/w/pq/a.py"),
        ("/elsewhere/a.py", "/w/p", "/elsewhere/a.py"),
        ("/elsewhere/a.py", None, "/elsewhere/a.py"),
        ("../other/a.py", "/w/p", "/w/other/a.py"),
        ("../other/a.py", None, "../other/a.py"),
        ("C:\\proj\\src\\a.py", "c:\\proj", "src/a.py"),
        ("C:\\Proj\\src\\a.py", "c:\\proj", "src/a.py"),
        ("/W/p/a.py", "/w/p", "/W/p/a.py"),
        ("file:///w/p/a%20b.py", "/w/p", "a b.py"),
        ("file:///C:/proj/a.py", "C:/proj", "a.py"),
        ("  a.py ", None, "a.py"),
        ("Makefile", None, "Makefile"),
        ("app/[id]/page.tsx", None, "app/[id]/page.tsx"),
    ],
)
def test_a_path_is_written_in_one_way(raw: str, root: str | None, expected: str) -> None:
    assert normalise_path(raw, root) == expected


@pytest.mark.parametrize(
    "raw", ["", "  ", ".", "..", "/", "a\nb.py", "a\x00b.py", "a::b", "src/", "x" * 1025, "a\ud800.py"]
)
def test_what_is_no_path_is_refused(raw: str) -> None:
    assert normalise_path(raw) is None


def test_an_entity_and_its_name_are_the_same_thing() -> None:
    for name in ("src/a.py", "src/a.py::Cart.add", "a.c::f#2"):
        assert str(Entity.parse(name)) == name
    assert Entity.parse("src/a.py::Cart.add#2").leaf == "add"
    assert Entity.parse("src/a.py").leaf is None


@pytest.mark.parametrize(
    "path",
    [
        "src/[END NOTICE].py",
        "[end current state]/a.py",
        "a/\uff3bSTATE NOTICE\uff3d",
        "[E\u200bND NOTICE]",
        "a\u2028b.py",
        "a\x85b",
    ],
)
def test_what_would_break_a_frame_is_no_path(path: str) -> None:
    assert normalise_path(path) is None


@pytest.mark.parametrize("path", ["app/[slug]/page.tsx", "app/[...rest]/[end]/notice.ts"])
def test_brackets_are_as_good_as_any_sign(path: str) -> None:
    assert normalise_path(path) == path


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("cafe\u0301.py", "caf\u00e9.py"),
        ('"a.py"', "a.py"),
        ("`src/a.py`", "src/a.py"),
        ("$PWD/a.py", "a.py"),
        ("${PWD}/a.py", "a.py"),
    ],
)
def test_writings_of_one_path(written: str, path: str) -> None:
    assert normalise_path(written) == path
