"""The files that a result names, and those of its call."""

import pytest

from tslp_litellm.clients.named import is_another, others


@pytest.mark.parametrize(
    ("name", "called", "root"),
    [
        ("/w/p/a.py", "a.py", "/w/p"),
        ("a.py", "/w/p/src/a.py", "/w/p"),
        ("src/a.py", "./src/a.py", "/w/p"),
        ("/w/q/a.py", "a.py", None),
        ("/x/a.py", "/x/a.py", "/w/p"),
        ("c:\\P\\a.py", "a.py", "C:\\p"),
        ("~/p/a.py", "a.py", "/home/u/p"),
    ],
)
def test_the_call_s(name: str, called: str, root: str | None) -> None:
    assert not is_another(name, [called], root)


@pytest.mark.parametrize(
    ("name", "called", "root"),
    [
        ("/w/q/a.py", "a.py", "/w/p"),
        ("/w/p/src/a.py", "a.py", "/w/p"),
        ("b.py", "a.py", None),
        ("D:\\p\\a.py", "a.py", "C:\\p"),
    ],
)
def test_another(name: str, called: str, root: str | None) -> None:
    assert is_another(name, [called], root)


def test_one_way_to_read_a_result_is_enough() -> None:
    assert others([["the file a.py"], ["a.py"]], ["a.py"], None) == []
    assert others([["b.py", "a.py"], ["the file b.py"]], ["a.py"], None) == ["b.py", "the file b.py"]
    assert others([], ["a.py"], None) == []
