"""Mentions in prose."""

import pytest

from tslp_litellm.words.mentions import LONGER_MAX, NameMention, PathMention, mentions, once, traced


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
        ("Change WIDTH to 800.", "WIDTH"),
        ("`empty?` in Ruby", "empty?"),
        ("$scope_x", "$scope_x"),
        ("解释add()", "add"),
        ("修改parse_date函数", "parse_date"),
        ("把DateBox.get改一下", "DateBox.get"),
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
        ("Show `my docs/notes file.md`.", "my docs/notes file.md"),
        ('in "my docs/a, b; c.md" now', "my docs/a, b; c.md"),
        ("in 'my docs/notes file.md' now", "my docs/notes file.md"),
        ("in “my docs/notes file.md” now", "my docs/notes file.md"),
        ("`John's files/a.md`", "John's files/a.md"),
        ("`the Makefile of mine.mk`:", "the Makefile of mine.mk"),
        ("Show my docs/notes file.md, please", "my docs/notes file.md"),
        ("Show John's docs/notes file.md", "John's docs/notes file.md"),
        ("[notes](my docs/notes file.md)", "my docs/notes file.md"),
        ("(see my docs/notes file.md:12)", "my docs/notes file.md"),
        ("C:\\My Projects\\shop\\a b.py", "C:/My Projects/shop/a b.py"),
        ("docs/🎉.md", "docs/🎉.md"),
        ("docs/👩‍💻 notes.md", "docs/👩‍💻 notes.md"),
        ("src/a&b#c!.py", "src/a&b#c!.py"),
        ("src/a=b.py", "src/a=b.py"),
    ],
)
def test_paths(prose: str, path: str) -> None:
    assert path in paths(prose)


@pytest.mark.parametrize("prose", ["请修改文件：src/a.py，谢谢", "修改 src/a.py。", "（src/a.py）"])
def test_full_width_marks_end_a_path(prose: str) -> None:
    assert "src/a.py" in paths(prose)


def test_urls_are_no_paths() -> None:
    assert paths("https://example.com/src/a.py") == set()


def test_a_path_ends_with_its_line_and_begins_a_few_words_before() -> None:
    assert "one\nb.py" not in paths("one\nb.py") and "b.py" in paths("one\nb.py")
    assert not [p for p in paths("a few words and still more of them before b.py") if p.startswith("a few")]
    assert len(mentions("x a/b " * 30_000)) < 2 * 30_000 + LONGER_MAX


def symbols(prose: str) -> set[tuple[str | None, str]]:
    return {(m.path, m.name) for m in mentions(prose) if isinstance(m, NameMention) and m.path}


def test_a_symbol_with_its_path() -> None:
    assert ("src/a.py", "Cart.add") in symbols("Fix src/a.py::Cart.add now")
    assert ("my docs/a b.py", "Cart.add") in symbols("Fix `my docs/a b.py::Cart.add` now")
    assert ("my docs/a b.py", "Cart.add") in symbols("Fix my docs/a b.py::Cart.add now")
    assert "src/a.py" not in paths("Fix src/a.py::Cart.add now")


def test_mentions_come_in_the_order_of_the_text_each_once() -> None:
    found = once(mentions("`b_x` then a.py then `a_x` then b_x and a.py"))
    names = [m.path if isinstance(m, PathMention) else m.name for m in found]
    assert [n for n in names if n in ("b_x", "a.py", "a_x")] == ["b_x", "a.py", "a_x"] or names.index(
        "b_x"
    ) < names.index("a_x")
    assert names.count("b_x") == 1


@pytest.mark.parametrize("end", ["!", "?", "!.", "?)"])
def test_a_mark_may_end_the_name_or_the_sentence(end: str) -> None:
    found = [m.name for m in mentions(f"Mind lib/test.rb::Session.get{end}") if getattr(m, "path", "") == "lib/test.rb"]
    assert found == ["Session.get", f"Session.get{end[0]}"]


def test_the_words_of_a_turn_are_looked_at_once() -> None:
    assert mentions("Look at `lib/a.py` once") is mentions("".join(["Look at ", "`lib/a.py` once"]))


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ('  File "src/a.py", line 7, in f', "src/a.py"),
        ("  at com.shop.Calc.net(Calc.java:7)", "Calc.java"),
        ("  at Shop.Total(Order o) in /src/Shop/Order.cs:line 18", "/src/Shop/Order.cs"),
        (" --> src/main.rs:4:9", "src/main.rs"),
        ("src/a.ts(7,3): error TS2322", "src/a.ts"),
        ("PHP Fatal error in /app/x.php on line 5", "/app/x.php"),
        ("C:\\a\\b.py:3", "C:\\a\\b.py"),
    ],
)
def test_the_files_of_a_trace(line: str, path: str) -> None:
    assert traced(f"Error\n{line}\n{line}") == (path,)


def test_a_path_without_a_line_is_no_trace() -> None:
    assert traced("import a.py, then src/b.py and v1.2:30 of it; http://localhost:8000/x.html") == ("v1.2",)
