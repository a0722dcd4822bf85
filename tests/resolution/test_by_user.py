"""The user's word is the truth at once."""

from dataclasses import replace

import pytest

from tslp_litellm.dialects.values import Carrier, Drift, Excerpt, Shown, Snippet
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.state.events import Op

from .helpers import asked, fence, known, moved, reasons, unit

BASE = "import re\n\n\ndef clean(s):\n    return s\n\n\ndef title(s):\n    return clean(s).title()\n"
LONG = (
    "class A:\n    def one(self):\n        return 1\n\n"
    "    def two(self, a):\n        a = a + 1\n        b = a + 1\n        c = b + 1\n        return a\n"
)


def test_a_new_file() -> None:
    b = unit()
    judge_user(b, [fence("a.py", BASE)], asked())
    assert b.file("a.py").text() == BASE


def test_a_whole_file_tombstones_what_it_lacks() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [fence("a.py", "import re\n\n\ndef clean(s):\n    return s.strip()\n")], asked())
    assert moved(b, Op.TOMBSTONE) == ["a.py::title"]


NOTES = "Notes\n=====\n\nFirst.\n\nSecond.\n"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (NOTES + "\nThird.\n", True),
        ("Since 2.0\n---------\n\nNew.\n\nMore.\n\n" + NOTES, True),
        ("Notes\n=====\n\nSome other words.\n", False),
        ("3 files changed\n", False),
    ],
)
def test_what_a_sentence_says_of_plain_text_must_be_a_version_of_it(text: str, counts: bool) -> None:
    b = unit(notes_rst=NOTES)
    judge_user(b, [Shown("notes.rst", text, Carrier.FENCE, said=True)], asked())
    assert b.file("notes.rst").text() == (text if counts else NOTES)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (BASE.replace("return s\n", "return ''\n") + "# end\n", True),
        (BASE.replace("return s\n", "return ''\n") + "# end\n# 3 more\n", False),
        ("# util.py\n" + BASE + "# end\n", False),
    ],
)
def test_bare_output_that_begins_and_ends_as_the_file_is_the_file(text: str, held: bool) -> None:
    b = unit(a_py=BASE + "# end\n")
    judge_user(b, [Excerpt("a.py", 0, tuple(text.strip().split("\n")), bare=text)], asked())
    assert b.file("a.py").text() == (text if held else None)


def test_a_fragment_changes_only_its_own_symbols() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [fence("a.py", "def clean(s):\n    return ''\n")], asked())
    assert b.file("a.py").text() == BASE.replace("return s\n", "return ''\n")


def test_no_guard_holds_the_user_back() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [Shown("a.py", "x = 1\n", Carrier.LISTING, whole=True)], asked())
    assert b.file("a.py").text() == "x = 1\n"


def test_a_fence_with_left_out_parts_deletes_nothing() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [fence("a.py", "import re\n\n# ... existing code ...\n\n\ndef title(s):\n    return s\n")], asked())
    assert b.file("a.py").text() == BASE.replace("return clean(s).title()", "return s")


def test_a_fence_with_left_out_parts_of_an_unknown_file_gives_its_definitions() -> None:
    b = unit()
    judge_user(b, [fence("a.py", "# ...\n\n\ndef title(s):\n    return s\n")], asked())
    assert b.file("a.py").file is None
    assert set(b.file("a.py").symbols) == {"title"}


def test_a_fragment_with_imports_of_its_own_leaves_the_file_unknown() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [fence("a.py", "import os\n\n\ndef clean(s):\n    return os.path.join(s)\n")], asked())
    assert b.file("a.py").text() is None
    assert b.file("a.py").symbols["clean"].clean


def test_a_change_that_can_not_be_placed_is_drift() -> None:
    b = unit(conf_toml="a = 1\nb = 2\nc = 3\nd = 4\n")
    judge_user(b, [Shown("conf.toml", "z = 9\n", Carrier.FENCE)], asked())
    assert b.file("conf.toml").text() is None


def test_paths_are_relative_to_the_stated_directory() -> None:
    b = unit()
    judge_user(b, [fence("/w/p/src/a.py", "x = 1\n")], asked(root="/w/p"))
    assert "src/a.py" in b.files


def test_a_carrier_that_hides_the_last_newline_keeps_the_known_ending() -> None:
    b = unit(a_py="x = 1")
    judge_user(b, [Shown("a.py", "x = 2", Carrier.READ, whole=True, ended=False)], asked())
    assert b.file("a.py").text() == "x = 2"
    b = unit(a_py="x = 1\n")
    judge_user(b, [Shown("a.py", "x = 2", Carrier.READ, whole=True, ended=False)], asked())
    assert b.file("a.py").text() == "x = 2\n"
    b = unit()
    judge_user(
        b,
        [
            Shown("a.py", "x = 2", Carrier.READ, whole=True, ended=False),
            Shown("e.py", "", Carrier.READ, whole=True, ended=False),
        ],
        asked(),
    )
    assert (b.file("a.py").text(), b.file("e.py").text()) == ("x = 2\n", "")


def test_a_first_line_label_belongs_to_a_file_that_begins_with_it() -> None:
    shown = Shown("a.py", "x = 2\n", Carrier.FENCE, label="# a.py\n")
    b = unit(a_py="# a.py\nx = 1\n")
    judge_user(b, [shown], asked())
    assert b.file("a.py").text() == "# a.py\nx = 2\n"
    b = unit(a_py="x = 1\n")
    judge_user(b, [shown], asked())
    assert b.file("a.py").text() == "x = 2\n"


def test_an_unsure_path_counts_only_where_it_is_tracked() -> None:
    shown = Shown("bin/run", "y = 1\nx = 2\n", Carrier.FENCE, sure=False, language="python")
    b = unit()
    judge_user(b, [shown], asked())
    assert not b.files
    b.files["bin/run"] = known("bin/run", "y = 1\nx = 1\n")
    judge_user(b, [shown], asked())
    assert b.file("bin/run").text() == "y = 1\nx = 2\n"


def test_code_without_a_path_is_only_proposed() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [Snippet("def clean(s):\n    return 9\n", "python")], asked())
    assert b.file("a.py").text() == BASE
    assert reasons(b) == [("a.py::clean", "no-path")]


def test_lines_that_a_read_shows_where_ours_are_others_make_the_file_dirty() -> None:
    b = unit(n_txt="one\ntwo\nthree\n")
    judge_user(b, [Excerpt("n.txt", 2, ("two", "three"))], asked())
    assert b.file("n.txt").text() == "one\ntwo\nthree\n"
    judge_user(b, [Excerpt("n.txt", 2, ("TWO",))], asked())
    assert b.file("n.txt").text() is None


def test_a_quote_of_what_stands_changes_nothing() -> None:
    b = unit(conf_toml="a = 1\nb = 2\nc = 3\nd = 4\n", a_py=BASE)
    judge_user(b, [Shown("conf.toml", "b = 2\n", Carrier.FENCE), Shown("a.py", "return s\n", Carrier.FENCE)], asked())
    assert b.events == []


def test_bare_output_that_may_be_no_file_makes_it_dirty() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [Shown("a.py", "def (\n" * 9, Carrier.READ, whole=True, raw=True)], asked())
    assert b.file("a.py").text() is None


UNLISTED = ["# usw.", "# yada yada", "# 2 more functions", "# clean as in the repo", "# ⋮", "# -- 8< --"]


@pytest.mark.parametrize("words", UNLISTED)
def test_code_that_gave_way_to_words_that_nobody_listed_may_be_left_out_and_may_be_gone(words: str) -> None:
    b = unit(a_py=BASE)
    judge_user(b, [fence("a.py", f"import re\n\n\n{words}\n\n\ndef title(s):\n    return s\n")], asked())
    assert moved(b, Op.TOMBSTONE) == []
    assert b.file("a.py").text() is None
    assert {name: known.clean for name, known in b.file("a.py").symbols.items()} == {"clean": False, "title": True}
    assert b.file("a.py").symbols["title"].text == "def title(s):\n    return s"


def test_a_part_in_which_code_gave_way_is_of_unknown_text() -> None:
    b = unit(a_py=LONG)
    part = LONG[LONG.index("    def two") :].replace("        b = a + 1\n        c = b + 1\n", "        # usw.\n")
    judge_user(b, [fence("a.py", "class A:\n" + part)], asked())
    symbols = b.file("a.py").symbols
    assert b.file("a.py").text() is None
    assert not symbols["A"].clean
    assert not symbols["A.two"].clean


def test_what_the_prompt_asked_to_lose_did_not_give_way() -> None:
    b = unit(a_py=BASE)
    text = "import re\n\n\n# clean is not here any more\n\n\ndef title(s):\n    return s\n"
    judge_user(b, [fence("a.py", text)], asked("Remove clean."))
    assert b.file("a.py").text() == text


def test_a_comment_that_is_new_beside_code_changes_nothing() -> None:
    b = unit(a_py=BASE)
    text = BASE.replace("    return s\n", "    # as it is\n    return s\n")
    judge_user(b, [fence("a.py", text)], asked())
    assert b.file("a.py").text() == text


def test_a_file_that_a_client_shows_whole_is_the_truth_with_any_comment() -> None:
    b = unit(a_py=BASE)
    text = "import re\n\n\n# usw.\n\n\ndef title(s):\n    return s\n"
    judge_user(b, [Shown("a.py", text, Carrier.LISTING, whole=True)], asked())
    assert b.file("a.py").text() == text


TORN = "import re\n\n\n<<<<<<< HEAD\ndef clean(s):\n    return s\n=======\ndef clean(s):\n    return ''\n>>>>>>> x\n"


def test_a_merge_left_undone_in_a_whole_file_leaves_its_definitions_unknown() -> None:
    b = unit(a_py=BASE)
    text = TORN + BASE[BASE.index("\n\ndef title") :]
    judge_user(b, [fence("a.py", text)], asked())
    assert b.file("a.py").text() == text
    assert {name: known.clean for name, known in b.file("a.py").symbols.items()} == {"clean": False, "title": True}


def test_a_merge_left_undone_in_a_part_is_drift() -> None:
    b = unit(a_py=BASE)
    judge_user(b, [fence("a.py", TORN.removeprefix("import re\n\n\n"))], asked())
    assert b.file("a.py").text() is None
    assert not b.file("a.py").symbols["clean"].clean


def test_a_stub_that_a_sentence_shows_replaces_nothing_but_what_stands_beside_it_counts() -> None:
    b = unit(a_py=BASE)
    stub = BASE.replace("    return clean(s).title()\n", "    pass\n")
    judge_user(b, [Shown("a.py", stub, Carrier.FENCE, said=True)], asked())
    assert b.file("a.py").text() == BASE
    judge_user(b, [Shown("a.py", stub.replace("return s\n", "return s.strip()\n"), Carrier.FENCE, said=True)], asked())
    assert b.file("a.py").text() is None
    assert b.file("a.py").symbols["clean"].text == "def clean(s):\n    return s.strip()"
    assert not b.file("a.py").symbols["title"].clean


def test_a_text_whose_label_is_in_doubt_proves_nothing() -> None:
    b = unit(a_py=BASE)
    doubted = replace(fence("a.py", "def clean(s):\n    return ''\n"), doubted=True)
    judge_user(b, [replace(fence("a.py", "def clean(s):\n    return s\n"), doubted=True)], asked())
    assert b.file("a.py").text() == BASE, "a quotation"
    judge_user(b, [doubted, replace(doubted, path="b.py")], asked())
    assert moved(b, Op.DIRTY)[0] == "a.py"
    assert not b.file("b.py").tracked


PLAIN = "import re\n\n\ndef slug(s):\n    return s\n\n\ndef title(s):\n    return s.title()\n"


@pytest.mark.parametrize(
    "around",
    ["jo@host:~/p$ cat a.py\n{}jo@host:~/p$ \n", "{}~\n~\n", "PS C:\\> type a.py\n{}", "{}:\n", "❯ bat a.py\n{}"],
)
class TestAFenceThatDoesNotSayWhatItHolds:
    """With lines at its ends that are none of the path's language it may be what a terminal showed."""

    def test_proves_nothing_but_doubt(self, around: str) -> None:
        bench = unit(a_py=PLAIN)
        judge_user(bench, [replace(fence("a.py", around.format(PLAIN.replace("s\n", "1\n", 1))), plain=True)], asked())
        assert "a.py" in moved(bench, Op.DIRTY)

    def test_founds_no_file(self, around: str) -> None:
        bench = unit()
        judge_user(bench, [replace(fence("a.py", around.format(PLAIN)), plain=True)], asked())
        assert not bench.file("a.py").tracked

    def test_is_the_file_where_it_says_so(self, around: str) -> None:
        bench, text = unit(a_py=PLAIN), around.format(PLAIN)
        judge_user(bench, [fence("a.py", text)], asked())
        assert bench.file("a.py").text() == text


@pytest.mark.parametrize("text", [PLAIN, PLAIN.replace("return s\n", "return s,\n"), "X = 1\n" + PLAIN])
def test_a_fence_that_does_not_say_what_it_holds_is_a_file_if_it_reads_as_one(text: str) -> None:
    bench = unit(a_py=PLAIN)
    judge_user(bench, [replace(fence("a.py", text), plain=True)], asked())
    assert bench.file("a.py").text() == text


def test_what_was_broken_before_may_be_shown_broken() -> None:
    bench, text = unit(a_py=PLAIN + "def (\n"), PLAIN + "def ((\n"
    judge_user(bench, [replace(fence("a.py", text), plain=True)], asked())
    assert bench.file("a.py").text() == text


def test_code_without_a_path_that_is_said_to_be_how_it_is_now() -> None:
    b = unit(a_py=BASE)
    b.holders = {"clean": frozenset({"a.py"})}
    judge_user(b, [Snippet("def clean(s):\n    return s.strip()\n", "python", told=True)], asked())
    assert moved(b, Op.DIRTY) == ["a.py", "a.py::clean"]


def test_code_without_a_path_that_is_ours_changes_nothing() -> None:
    b = unit(a_py=BASE)
    b.holders = {"clean": frozenset({"a.py"})}
    judge_user(b, [Snippet("def clean(s):\n    return s\n", "python", told=True)], asked())
    assert moved(b, Op.DIRTY) == []


def test_a_definition_that_is_said_to_have_changed() -> None:
    b = unit(a_py=BASE)
    b.holders = {"clean": frozenset({"a.py"})}
    judge_user(b, [Drift((), Carrier.TOLD, symbols=("clean", "other"))], asked())
    assert moved(b, Op.DIRTY) == ["a.py", "a.py::clean"]
