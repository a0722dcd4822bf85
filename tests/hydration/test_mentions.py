"""Mentions in prose."""

import pytest

from tslp_litellm.hydration.mentions import NameMention, PathMention, mentions


def strong(prose: str) -> set[str]:
    return {m.name for m in mentions(prose) if isinstance(m, NameMention) and not m.type_only}


def paths(prose: str) -> set[str]:
    return {m.path for m in mentions(prose) if isinstance(m, PathMention)}


@pytest.mark.parametrize(
    ("prose", "name"),
    [
        ("Change `total`.", "total"),
        ("Call total() twice.", "total"),
        ("Change load_rows.", "load_rows"),
        ("Change loadRows.", "loadRows"),
        ("Fix sha256.", "sha256"),
        ("Use HTTPClient.", "HTTPClient"),
        ("See Cart.total please", "Cart.total"),
        ("See Cart::total", "Cart.total"),
        ("See Cart#total", "Cart.total"),
        ("`Cart.total()` is slow", "Cart.total"),
        ("in `return total + 1`", "total"),
        ("What of _private?", "_private"),
        ("`empty?` in Ruby", "empty?"),
        ("$scope_x", "$scope_x"),
    ],
)
def test_names(prose: str, name: str) -> None:
    assert name in strong(prose)


@pytest.mark.parametrize("prose", ["Before we start, what data do you need?", "The total is wrong.", "I was here."])
def test_plain_words_are_no_mentions(prose: str) -> None:
    assert strong(prose) == set()


def test_a_capitalised_word_means_a_type_or_nothing() -> None:
    assert [m.name for m in mentions("Improve Cart now") if isinstance(m, NameMention) and m.type_only] == [
        "Improve",
        "Cart",
    ]
    assert strong("`Cart` and Cart") == {"Cart"}


@pytest.mark.parametrize(
    ("prose", "path"),
    [
        ("Review src/a.py please.", "src/a.py"),
        ("Look at shapes.py.", "shapes.py"),
        ("`src/a.py`:", "src/a.py"),
        ("In @src/a.py there", "src/a.py"),
        ("src\\win\\a.py", "src/win/a.py"),
        ("./src/a.py", "src/a.py"),
        ("(see src/a.py:12)", "src/a.py"),
        ("app/[id]/page.tsx", "app/[id]/page.tsx"),
        ("/w/p/a.py", "/w/p/a.py"),
        ("the Makefile", "Makefile"),
        ("edit .gitignore", ".gitignore"),
        ("a.py, b.py", "b.py"),
        ("Dockerfile", "Dockerfile"),
    ],
)
def test_paths(prose: str, path: str) -> None:
    assert path in paths(prose)


def test_urls_are_no_paths() -> None:
    assert paths("https://example.com/src/a.py") == set()


def test_a_symbol_with_its_path() -> None:
    (mention,) = [m for m in mentions("Fix src/a.py::Cart.add now") if isinstance(m, NameMention) and m.path]
    assert (mention.path, mention.name) == ("src/a.py", "Cart.add")
    assert "src/a.py" not in paths("Fix src/a.py::Cart.add now")


def test_mentions_come_in_the_order_of_the_text_each_once() -> None:
    found = mentions("`b_x` then a.py then `a_x` then b_x and a.py")
    names = [m.path if isinstance(m, PathMention) else m.name for m in found]
    assert [n for n in names if n in ("b_x", "a.py", "a_x")] == ["b_x", "a.py", "a_x"] or names.index(
        "b_x"
    ) < names.index("a_x")
    assert names.count("b_x") == 1
