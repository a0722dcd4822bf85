"""Ordinary chats: how people paste their files and ask, and how small models answer, whole turns."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

UTIL = (
    "def slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n\n\n"
    "def shorten(s, n=20):\n    return s[:n]\n"
)
STRIPS = "def slug(s):\n    return s.strip().lower()\n"
STRIPPED = UTIL.replace("s.lower()", "s.strip().lower()")
SLUG_ONLY = UTIL.partition("\n\n\ndef title")[0] + "\n"


def fence(text: str, language: str = "python") -> str:
    return f"```{language}\n{text}```\n"


@pytest.fixture
def util(session: Session) -> Session:
    return session.ask(f"util.py\n{fence(UTIL)}")


# -- who merely asks


@pytest.mark.parametrize(
    ("above", "below", "deed"),
    [
        ("Here is my util.py:", "What does slug do?", False),
        ("I have this file `util.py`:", "Is it ok?", False),
        ("Hi. This is util.py now:", "Why does `slug` keep blanks?", False),
        ("Here is my util.py:", "Let it strip. Is that ok?", True),
        ("Here is my util.py:", "Can you make slug strip?", True),
        ("Fix slug in util.py:", "What was wrong?", True),
        ("Fix the blanks in util.py:", "", True),
    ],
)
def test_a_sentence_that_introduces_a_file_asks_for_nothing(
    session: Session, above: str, below: str, deed: bool
) -> None:
    session.ask(f"{above}\n\n{fence(UTIL)}\n{below}", f"One could write:\n\n{fence(STRIPS)}")
    assert session.holds("util.py", STRIPPED if deed else UTIL)


@pytest.mark.parametrize(
    ("prompt", "deed"),
    [
        ("Here are my files:\n\n{}\nHow does it work?", False),
        ("Here's the code:\n\n{}\nHow does it work?", False),
        ("thanks. {}\nhow does it work?", False),
        ("Fix these files:\n\n{}\nHow does it work?", True),
        ("改一下。{}\n为什么这么慢？", True),
    ],
)
def test_a_sentence_that_only_leads_to_code_asks_for_nothing(session: Session, prompt: str, deed: bool) -> None:
    session.ask(prompt.format(f"\n\nutil.py\n{fence(UTIL)}"), f"One could write:\n\n{fence(STRIPS)}")
    assert session.holds("util.py", STRIPPED if deed else UTIL)


# -- which file


@pytest.mark.parametrize("above", ["Here's util.py", "hi, this is my util.py.", "Voici `util.py`"])
def test_people_forget_the_colon_above_their_file(session: Session, above: str) -> None:
    session.ask(f"{above}\n\n{fence(UTIL)}\nLet slug strip.", fence(STRIPS))
    assert session.holds("util.py", STRIPPED)


SENTENCES = [
    "这是我的 `util.py`：",
    "这是我的util.py：",
    "这是 util.py 的内容：",
    "これは`util.py`の中身です：",
    "你好。我的 util.py：",
    "これがutil.pyです：",
    "文件：util.py",
]


@pytest.mark.parametrize("above", SENTENCES)
def test_a_full_width_colon_is_a_colon(session: Session, above: str) -> None:
    session.ask(f"{above}\n\n{fence(UTIL)}\nslug 应该 strip。", f"{above}\n{fence(STRIPPED)}")
    assert session.holds("util.py", STRIPPED)
    assert len(session.state()) == 4


@pytest.mark.parametrize("above", SENTENCES)
def test_an_answer_shows_a_new_file_below_a_full_width_colon(session: Session, above: str) -> None:
    session.ask("写一个小工具 util.py。", f"{above}\n{fence(UTIL)}")
    assert session.holds("util.py", UTIL)


@pytest.mark.parametrize(
    "prompt",
    ["请让slug()去掉空格", "把util.py中的`slug`改一下", "util.pyのslug()を直して", "slug()에서 공백을 제거해줘", "能不能给slug()加上strip？",
     "¿podrías hacer que `slug` quite los espacios?", "можешь исправить `slug`?"],
)  # fmt: skip
def test_a_name_may_touch_letters_of_scripts_that_part_no_words(util: Session, prompt: str) -> None:
    assert util.forget().ask(prompt, fence(STRIPS)).hydrated == ["util.py::slug"]
    assert util.holds("util.py", STRIPPED)


@pytest.mark.parametrize("prompt", ["解释slug()", "slug()能不能处理None？", "为什么slug()这么慢"])
def test_who_asks_in_such_a_script_only_asks(util: Session, prompt: str) -> None:
    assert util.forget().ask(prompt, fence(STRIPS)).hydrated == ["util.py::slug"]
    assert util.holds("util.py", UTIL)


def test_without_a_colon_what_is_wrong_inside_of_a_file_is_not_the_file(session: Session) -> None:
    assert session.ask(f"It crashes in util.py\n{fence(STRIPS)}").state() == {}


@pytest.mark.parametrize("heading", ["### 1. Update `{}`", "2. Update {}", "### Update `{}`"])
def test_a_numbered_heading_names_its_file(session: Session, heading: str) -> None:
    files = {"circle.py": "def name():\n    return 'circle'\n", "square.py": "def name():\n    return 'square'\n"}
    session.ask("\n".join(f"{path}\n{fence(text)}" for path, text in files.items()))
    answer = "\n".join(f"{heading.format(path)}\n\n{fence(text)}" for path, text in files.items())
    session.ask("Put an x into the names of both.", answer.replace("'circle'", "'xc'").replace("'square'", "'xs'"))
    assert session.holds("circle.py", files["circle.py"].replace("circle", "xc"))
    assert session.holds("square.py", files["square.py"].replace("square", "xs"))


def test_what_moves_to_a_new_file_is_there(util: Session) -> None:
    moved, left = "def shorten(s, n=20):\n    return s[:n]\n", UTIL.partition("\n\n\ndef shorten")[0] + "\n"
    answer = f"1. New file `text.py`:\n\n{fence(moved)}\n2. Updated `util.py`:\n\n{fence(left)}"
    util.ask("Please move `shorten` from util.py into a new file text.py.", answer)
    assert util.holds("text.py", moved)
    assert util.holds("util.py", left)


def test_the_program_behind_a_function_is_a_usage_example(session: Session) -> None:
    text, part = "fn words(s: &str) -> usize {\n    s.len()\n}\n", "fn words(s: &str) -> usize {\n    s.len() + 1\n}\n"
    program = '\nfn main() {\n    println!("{}", words("a b"));\n}\n'
    session.ask(f"src/words.rs\n{fence(text + chr(10) + 'fn other() {}' + chr(10), 'rust')}")
    session.ask("Let `words` count one more.", fence(part + program, "rust"))
    assert session.holds("src/words.rs", part + "\nfn other() {}\n")
    session.ask("Add a main to src/words.rs that shows `words`.", fence(part + program, "rust"))
    assert session.state()["src/words.rs"] == "DIRTY"
    assert "src/words.rs::main" in session.state()


# -- what is asked, or told, to be gone


@pytest.mark.parametrize(
    "prompt",
    [
        "Delete title and shorten from util.py.",
        "Delete title, and shorten, from util.py.",
        "Lösche title und shorten aus util.py.",
    ],
)
def test_several_names_in_a_row_are_asked_to_go(util: Session, prompt: str) -> None:
    util.ask(prompt, f"util.py\n{fence(SLUG_ONLY)}")
    assert util.holds("util.py", SLUG_ONLY)


def test_who_asks_for_a_removal_by_the_full_name_is_shown_the_file(util: Session) -> None:
    left = UTIL.partition("\n\n\ndef shorten")[0] + "\n"
    util.forget().ask("Remove util.py::shorten.", fence(left))
    assert util.hydrated == ["util.py"]
    assert util.holds("util.py", left)
    util.forget().ask("What does util.py::title do?")
    assert util.hydrated == ["util.py::title"]


@pytest.mark.parametrize(
    ("prompt", "gone"),
    [
        ("Remove `shorten` from util.py.", True),
        ("Can I remove `shorten` from util.py?", False),
        ("Rename `shorten` to `cut` in util.py.", False),
        ("Make `shorten` safer.", False),
    ],
)
def test_what_is_to_go_and_is_shown_as_it_is_has_gone(util: Session, prompt: str, gone: bool) -> None:
    util.ask(prompt, f"Just delete this function:\n\n{fence(UTIL[UTIL.index('def shorten') :])}")
    assert util.state()["util.py::shorten"] == ("DIRTY" if gone else sha(UTIL[UTIL.index("def shorten") :].rstrip()))
    assert util.state()["util.py::slug"] != "DIRTY"


@pytest.mark.parametrize("told", ["I renamed shorten to cut.", "I've just deleted the function shorten, thanks."])
def test_a_plain_word_behind_what_a_user_says_that_he_did(util: Session, told: str) -> None:
    util.ask(told)
    assert util.state()["util.py::shorten"] == util.state()["util.py"] == "DIRTY"
    assert util.state()["util.py::slug"] != "DIRTY"


@pytest.mark.parametrize("told", ["I added a line.", "I fixed shorten.py.", "I changed shorten-width in the CSS."])
def test_a_word_that_is_no_name_of_ours_is_told_of_nothing(util: Session, told: str) -> None:
    assert util.ask(told).holds("util.py", UTIL)


# -- files that are written in their own way

CART = "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def total(self):\n        return 0\n"


def test_who_changed_a_type_may_have_changed_its_members(session: Session) -> None:
    session.ask(f"cart.py\n{fence(CART)}").ask("I changed the class Cart.")
    assert set(session.state().values()) == {"DIRTY"}


def test_a_new_member_does_not_keep_the_whole_file_from_being_known_again(session: Session) -> None:
    added = "    def add(self, item):\n        self.items.append(item)\n"
    session.ask(f"cart.py\n{fence(CART)}").ask("Add a method `add` to Cart.", fence("class Cart:\n" + added))
    assert session.state()["cart.py"] == "DIRTY"
    session.ask("Show the complete file.", fence(CART + "\n" + added))
    assert session.holds("cart.py", CART + "\n" + added)


SHOP = (
    "namespace Shop\n{\n    public class Cart\n    {\n        private int n;\n\n        public int Total()\n"
    "        {\n            return n;\n        }\n\n        public void Add(int k)\n        {\n            n += k;\n"
    "        }\n    }\n}\n"
)


@pytest.mark.parametrize("comment", ["    // ... existing members ...\n\n", ""])
def test_a_part_without_its_namespace_stands_as_deep_as_in_its_file(session: Session, comment: str) -> None:
    part = f"public class Cart\n{{\n{comment}    public int Total()\n    {{\n        return n * 2;\n    }}\n}}\n"
    session.ask(f"src/Cart.cs\n{fence(SHOP, 'csharp')}").ask("Double `Cart.Total`.", fence(part, "csharp"))
    assert session.holds("src/Cart.cs", SHOP.replace("return n;", "return n * 2;"))


def test_a_new_method_of_a_file_with_one_type_is_its_member(session: Session) -> None:
    method = "public void Clear()\n{\n    n = 0;\n}\n"
    session.ask(f"src/Cart.cs\n{fence(SHOP, 'csharp')}")
    session.ask("Add a `Clear` function to src/Cart.cs.", fence(method, "csharp"))
    assert session.state()["src/Cart.cs"] == "DIRTY"
    assert "src/Cart.cs::Cart.Clear" in session.state()
    tests = "public class CartTests\n{\n    public void Clears()\n    {\n    }\n}\n"
    session.ask(
        f"src/Cart.cs\n{fence(SHOP, 'csharp')}\nWrite CartTests for it in tests/CartTests.cs.", fence(tests, "csharp")
    )
    assert session.holds("src/Cart.cs", SHOP)


def test_a_part_has_the_line_ends_of_its_file(session: Session) -> None:
    text = UTIL.replace("\n", "\r\n")
    session.ask(f"util.py\n{fence(text)}").ask("Let slug strip.", fence(STRIPS))
    assert session.holds("util.py", STRIPPED.replace("\n", "\r\n"))


def test_what_used_the_old_name_need_not_stand_as_it_did(session: Session) -> None:
    text = "function draw(a) {\n  return a;\n}\n\nfunction load() {\n  return 1;\n}\n\nwindow.onload = () => draw(load());\n"
    new = text.replace("draw", "paint")
    session.ask(f"todo.js\n{fence(text, 'js')}").ask("Rename `draw` to `paint`.", fence(new, "js"))
    assert session.holds("todo.js", new)


COUNTER = (
    "import { useState } from 'react';\n\ninterface Props {\n  start: number;\n}\n\n"
    "export function Counter({ start }: Props) {\n  const [n] = useState(start);\n  return <b>{n}</b>;\n}\n"
)


@pytest.mark.parametrize("language", ["jsx", "js", "ts", "typescript"])
def test_models_name_another_language_of_the_family(session: Session, language: str) -> None:
    new = COUNTER.replace("<b>{n}</b>", "<b>Count: {n}</b>")
    session.ask(f"src/Counter.tsx\n{fence(COUNTER, 'tsx')}\nAdd a label.", fence(new, language))
    assert session.holds("src/Counter.tsx", new)


def test_small_models_name_the_language_of_the_fence_before(session: Session) -> None:
    text = "export function quota(n: number): number {\n  return n;\n}\n"
    new = text.replace("quota", "share")
    session.ask(f"shop/parcel.ts\n{fence(text, 'ts')}\nutil.py\n{fence(UTIL)}")
    session.ask("Rename `quota` in shop/parcel.ts to `share`.", fence(new, "python"))
    assert session.state()["shop/parcel.ts::share"] != "DIRTY"
    assert "shop/parcel.ts::quota" not in session.state()
    session.ask("Let `share` in shop/parcel.ts double n.", fence(new.replace("return n", "return 2 * n"), "go"))
    assert session.holds("shop/parcel.ts", new.replace("return n", "return 2 * n"))


def test_a_member_alone_under_a_short_path_is_that_member(session: Session) -> None:
    member = "def total(self):\n    return 1\n"
    session.ask(f"shop/cart.py\n{fence(CART)}\nLet total return 1.", fence("# cart.py\n" + member))
    assert session.holds("shop/cart.py", CART.replace("return 0", "return 1"))


def test_without_a_colon_what_has_imports_is_the_file(session: Session) -> None:
    text = f"import re\n\n\n{UTIL}"
    session.ask(f"I have this in util.py\n{fence(text)}")
    assert session.holds("util.py", text)


def test_who_told_that_he_renamed_it_shows_his_file_without_it(util: Session) -> None:
    text = UTIL.replace("shorten", "cut")
    util.ask("I renamed shorten to cut.").ask(f"The file is now:\n\nutil.py\n{fence(text)}")
    assert util.holds("util.py", text)
    assert "util.py::shorten" not in util.state()


def test_who_told_that_he_changed_the_file_may_show_a_part_of_it(util: Session) -> None:
    util.ask("I changed util.py.").ask(f"slug is now:\n\n{fence(STRIPS)}")
    assert {e: t == "DIRTY" for e, t in util.state().items()} == {
        "util.py": True, "util.py::slug": False, "util.py::title": True, "util.py::shorten": True,
    }  # fmt: skip


def test_what_a_user_moved_to_a_file_that_he_shows_is_gone_from_the_other(util: Session) -> None:
    moved = "def title(s):\n    return s.title()\n"
    util.ask(f"I moved title to text.py:\n\n{fence(moved)}")
    assert util.holds("text.py", moved)
    assert util.state()["util.py::title"] == util.state()["util.py"] == "DIRTY"


def test_a_branch_is_no_function_of_its_name(session: Session) -> None:
    main = fence("def main():\n    return 1\n")
    session.ask(f"run.py\n{main}").ask(f"util.py\n{fence(UTIL)}")
    session.ask("I merged main. What is next?")
    assert set(session.state().values()) == {"DIRTY"}


def test_a_ruby_method_by_its_whole_name(session: Session) -> None:
    text = "class Session\n  def request!(uri)\n    call(uri)\n  end\n\n  def get(uri)\n    request!(uri)\n  end\nend\n"
    session.ask(f"lib/test.rb\n{fence(text, 'ruby')}").forget()
    assert session.ask("Mind lib/test.rb::request!.").hydrated == ["lib/test.rb::Session.request!"]
    assert session.forget().ask("What of lib/test.rb::get?").hydrated == ["lib/test.rb::Session.get"]


# -- diffs as models write them

CHANGE = "-    return s.lower()\n+    return s.strip().lower()\n"
SHORTENS = "    return s[:n]\n"
DIFFS = {
    "bare": fence(CHANGE, "diff"),
    "with context": fence(f" def slug(s):\n{CHANGE}", "diff"),
    "context without its mark": fence(f"def slug(s):\n{CHANGE}", "diff"),
    "deep context without its mark": fence(
        f"    return s.title()\n\n\ndef shorten(s, n=20):\n-{SHORTENS}+{SHORTENS[:-1]}.strip()\n", "diff"
    ),
    "numbers and no head": fence(f"@@ -1,2 +1,2 @@\n def slug(s):\n{CHANGE}", "diff"),
    "a head and no numbers": fence(f"--- a/util.py\n+++ b/util.py\n def slug(s):\n{CHANGE}", "diff"),
    "under a label": f"util.py\n{fence(CHANGE, 'diff')}",
    "called Python": fence(f" def slug(s):\n{CHANGE}"),
    "two parts": fence(f"{CHANGE}...\n-    return s.title()\n+    return s.strip().title()\n", "diff"),
}
AFTER = {
    "deep context without its mark": UTIL.replace("s[:n]", "s[:n].strip()"),
    "two parts": STRIPPED.replace("s.title()", "s.strip().title()"),
}


@pytest.mark.parametrize("form", DIFFS)
def test_a_diff_without_its_head_is_an_edit_of_the_file_where_it_fits(util: Session, form: str) -> None:
    util.ask("Let everything in util.py strip.", f"Like this:\n\n{DIFFS[form]}")
    assert util.holds("util.py", AFTER.get(form, STRIPPED))


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("How would slug in util.py strip?", DIFFS["bare"]),
        ("Let slug in util.py strip.", f"Instead of this:\n\n{DIFFS['bare']}"),
        ("Let slug in util.py strip.", fence("-    return s\n+    return s.strip()\n", "diff")),
        ("Let it strip.", fence("- lower\n+ upper\n", "markdown")),
    ],
)
def test_a_diff_that_fits_nowhere_or_answers_a_question_is_none(util: Session, prompt: str, answer: str) -> None:
    assert util.ask(prompt, answer).holds("util.py", UTIL)


def test_a_diff_that_fits_two_files_in_play_is_of_neither(util: Session) -> None:
    util.ask(f"other.py\n{fence(UTIL)}").ask("Let slug of util.py and other.py strip.", DIFFS["bare"])
    assert util.holds("util.py", UTIL)
    assert util.holds("other.py", UTIL)


def test_a_diff_beside_the_text_that_it_makes_is_one_change(util: Session) -> None:
    util.ask("Let slug in util.py strip.", f"{DIFFS['bare']}\nAll of it:\n\n{fence(STRIPS)}")
    assert util.holds("util.py", STRIPPED)


# -- classes that small models show a part of

TAXES = (
    "class Cart:\n    TAX = 0.19\n\n    def add(self, price):\n        self.items.append(price)\n\n"
    "    def total(self):\n        return sum(self.items)\n"
)
TAXED = "    def total(self):\n        return (1 + self.TAX) * sum(self.items)\n"


@pytest.mark.parametrize(
    ("prompt", "part", "changed"),
    [
        ("Set Cart.TAX to 0.2.", "    TAX = 0.2\n", False),
        ("Let Cart.total include a tax of 0.2.", f"    TAX = 0.2\n\n{TAXED}", True),
        ("Let Cart.total include the tax.", f"    TAX = 0.19\n\n{TAXED}", True),
    ],
)
def test_a_class_shown_in_part_with_lines_of_its_own_is_in_doubt(
    session: Session, prompt: str, part: str, changed: bool
) -> None:
    before = session.ask(f"cart.py\n{fence(TAXES)}").state()
    state, doubt = session.ask(prompt, fence(f"class Cart:\n{part}")).state(), "0.2" in part
    assert {entity for entity, text in state.items() if text == "DIRTY"} == (
        {"cart.py", "cart.py::Cart"} if doubt else set()
    )
    assert state["cart.py::Cart.add"] == before["cart.py::Cart.add"]
    assert (state["cart.py::Cart.total"] != before["cart.py::Cart.total"]) == changed


def test_a_stub_of_a_class_changes_nothing(session: Session) -> None:
    session.ask(f"cart.py\n{fence(TAXES)}").ask("Set Cart.TAX to 0.2.", fence("class Cart:\n    pass\n"))
    assert session.holds("cart.py", TAXES)


def test_what_a_user_pastes_to_correct_is_not_what_he_asks_for_next(util: Session) -> None:
    """A small model gives back what was pasted, otherwise, and not what it was asked for."""
    util.ask("In util.py, let `slug` strip.", fence(STRIPS.replace("s.strip", "s.lstrip")))
    right = "def slug(s):\n    return s.strip().lower()\n"
    wrong = "def slug(s):\n    return s.rstrip().lower()\n"
    pasted = f"That was not right. Here is my function now:\n\nutil.py::slug\n{fence(right)}\n"
    util.ask(f"{pasted}In util.py, let `title` strip.", fence(wrong))
    assert util.holds("util.py", STRIPPED)


# -- what is shown, and how people speak of it


@pytest.mark.parametrize(
    "words", ["What is wrong here?", "Fix the broken code.", "My expected output is 5 but I get 9."]
)
def test_people_ask_about_the_code_that_they_show(session: Session, words: str) -> None:
    assert session.ask(f"{words}\n\nutil.py\n{fence(UTIL)}").holds("util.py", UTIL)


@pytest.mark.parametrize("label", ["", "util.py::slug\n"])
def test_what_is_unknown_and_shown_again_as_it_was_is_known(util: Session, label: str) -> None:
    util.ask("I changed `slug` and `title` in util.py.")
    assert util.state()["util.py::slug"] == "DIRTY"
    old = UTIL.partition("\n\n\n")[0]
    util.ask(f"It is still so.\n\n{label}{fence(old + chr(10))}")
    assert util.state()["util.py::slug"] == sha(old)
    assert util.state()["util.py::title"] == "DIRTY"


def test_what_the_user_says_that_he_added_is_new_in_that_file(util: Session) -> None:
    util.ask(f"I added this function to util.py:\n\n{fence('def last(s):' + chr(10) + '    return s[-1]' + chr(10))}")
    state = util.state()
    assert state["util.py"] == "DIRTY"
    assert "DIRTY" not in {state["util.py::last"], state["util.py::slug"], state["util.py::title"]}


def test_a_users_own_program_is_that_of_the_one_file_that_has_it(session: Session) -> None:
    text = "def run():\n    return 1\n\n\ndef main():\n    print(run())\n"
    session.ask(f"a.py\n{fence(text)}").forget()
    session.ask(f"This is what I have now:\n\n{fence('def main():' + chr(10) + '    print(run() + 1)' + chr(10))}")
    assert session.holds("a.py", text.replace("run())", "run() + 1)"))


# -- which file the model means


@pytest.mark.parametrize(
    ("asked", "above"),
    [
        ("Create a postgres version in store/db.py.", "Sure!"),
        ("Write the same for a database.", "Create `store/db.py`:"),
    ],
)
def test_a_file_that_is_to_come_is_not_the_one_of_the_turn_before(session: Session, asked: str, above: str) -> None:
    text = "def load(p):\n    return open(p).read()\n\n\ndef save(p, t):\n    open(p, 'w').write(t)\n"
    session.ask(f"store/file.py\n{fence(text)}\nJust say ok.")
    session.ask(asked, f"{above}\n\n{fence(text.replace('open(p', 'db.get(p'))}")
    assert session.holds("store/file.py", text)


@pytest.mark.parametrize(
    "asked",
    [
        "Benenne order_count in count_orders um.",
        "`order_count` should be called `count_orders`.",
        "把 order_count 重命名为 count_orders。",
    ],
)
def test_a_rename_in_any_words_that_hold_both_names(session: Session, asked: str) -> None:
    text = "import math\n\n\ndef order_total(items):\n    return sum(items)\n\n\ndef order_count(items):\n    return len(items)\n"
    session.ask(f"shop/rates.py\n{fence(text)}\nJust say ok.")
    session.ask(asked, fence(text.replace("order_count", "count_orders")))
    assert session.holds("shop/rates.py", text.replace("order_count", "count_orders"))


def test_a_frame_without_the_base_of_its_type_says_nothing_of_the_type(session: Session) -> None:
    text = "class M(Base):\n    rate = 1\n\n    def a(self):\n        return 1\n\n    def b(self):\n        return 2\n"
    session.ask(f"m.py\n{fence(text)}\nJust say ok.")
    session.ask("Let `b` return 3 in m.py.", fence("class M:\n    def b(self):\n        return 3\n"))
    assert session.holds("m.py", text.replace("return 2", "return 3"))


@pytest.mark.parametrize(("body", "kept"), [("x + 1", False), ("min(x + 1, A_MAX)", True)])
def test_a_constant_of_another_file_that_nothing_uses_is_none_of_this_one(
    session: Session, body: str, kept: bool
) -> None:
    """A real 1.5B, asked for a new name, gave the constants of another file with it, which it had seen before."""
    one, two = "A_MAX = 3\n\n\ndef aa(x):\n    return x\n", f"import os\n\n\ndef bb(x):\n    return {body}\n"
    session.ask(f"a.py\n{fence(one)}\nb.py\n{fence(two)}\nJust say ok.")
    session.ask("Rename `bb` in b.py to `cc`.", fence(f"A_MAX = 9\n\n\ndef cc(x):\n    return {body}\n"))
    state = session.state()
    assert ("b.py::A_MAX" in state) is kept
    assert (state["a.py::A_MAX"], state["b.py::cc"]) == (sha("A_MAX = 3"), sha(f"def cc(x):\n    return {body}"))


@pytest.mark.parametrize(
    ("asked", "found"),
    [("", "DIRTY"), (" Double the limit.", "DIRTY"), (" The limit is 9.", "9"), (" `A_MAX` grows.", "9")],
)
def test_a_constant_that_nobody_asked_for_and_nothing_uses_is_unknown(session: Session, asked: str, found: str) -> None:
    """A real 1.5B, which did not see the file, made up its constant above the function that it was asked for."""
    text = "A_MAX = 3\n\n\ndef aa(x):\n    return A_MAX\n\n\ndef bb(x):\n    return x * 3\n"
    session.ask(f"a.py\n{fence(text)}\nJust say ok.")
    session.ask(f"In a.py, `bb`: multiply by 4.{asked}", fence("A_MAX = 9\n\n\ndef bb(x):\n    return x * 4\n"))
    state = session.state()
    assert state["a.py::bb"] == sha("def bb(x):\n    return x * 4")
    assert state["a.py::aa"] == sha("def aa(x):\n    return A_MAX")
    assert state["a.py::A_MAX"] == (found if found == "DIRTY" else sha(f"A_MAX = {found}"))
    assert (state["a.py"] == "DIRTY") == (found == "DIRTY")


@pytest.mark.parametrize(
    "answer", ["A_MAX = 9\n\n\ndef bb(x):\n    pass\n", "A_MAX = 3\n\n\ndef bb(x):\n    return x * 4\n"]
)
def test_a_constant_as_it_is_or_beside_a_stub_is_not_in_doubt(session: Session, answer: str) -> None:
    text = "A_MAX = 3\n\n\ndef aa(x):\n    return A_MAX\n\n\ndef bb(x):\n    return x * 3\n"
    session.ask(f"a.py\n{fence(text)}\nJust say ok.")
    session.ask("In a.py, `bb`: multiply by 4.", fence(answer))
    assert session.holds("a.py", text if "pass" in answer else text.replace("x * 3", "x * 4"))


def test_a_bare_function_keeps_the_export_of_its_file(session: Session) -> None:
    text = "export function aa(x) {\n  return x;\n}\n\nexport function bb(x) {\n  return x + 1;\n}\n"
    session.ask(f"src/a.js\n{fence(text, 'js')}\nJust say ok.")
    session.ask("`bb` should add two.", fence("function bb(x) {\n  return x + 2;\n}\n", "js"))
    assert session.holds("src/a.js", text.replace("x + 1", "x + 2"))


@pytest.mark.parametrize("words", ["same as you had", "(resto igual)", "der Rest wie gehabt", "..."])
def test_a_comment_in_whatever_words_stands_for_the_other_definitions(session: Session, words: str) -> None:
    text = (
        "import math\n\n\ndef total(items):\n    return sum(items)\n\n\ndef mean(items):\n    return total(items) / 2\n"
    )
    session.ask(f"shop/rates.py\n{fence(text)}\nJust say ok.")
    new = "import math\n\n\ndef total(items):\n    return round(sum(items), 2)\n\n\n# " + words + "\n"
    session.ask("Let total round to 2 digits.", f"shop/rates.py\n{fence(new)}")
    assert session.holds("shop/rates.py", text.replace("sum(items)", "round(sum(items), 2)"))


def test_a_model_that_repeats_the_words_of_its_task_tells_what_it_did(util: Session) -> None:
    util.ask("Strip instead of only lower in `slug`.", f"Here is slug, with strip instead of lower:\n\n{fence(STRIPS)}")
    assert util.state()["util.py"] == sha(STRIPPED)
    util.ask("Let `slug` be shorter.", f"You could use this instead of it:\n\n{fence(SLUG_ONLY)}")
    assert util.state()["util.py"] == sha(STRIPPED)


def test_code_is_no_output(util: Session) -> None:
    util.ask("Let `slug` strip.", f"Here is the function that makes the slug for output:\n\n{fence(STRIPS)}")
    assert util.state()["util.py"] == sha(STRIPPED)
    util.ask("Let `slug` be shorter.", f"This is the output:\n\n{fence(SLUG_ONLY, '')}")
    assert util.state()["util.py"] == sha(STRIPPED)


def test_who_says_what_is_different_outside_asks_for_the_change_of_the_code(session: Session) -> None:
    session.ask(f"a.py\n{fence('BASE_URL = 1' + chr(10))}")
    session.ask("We moved to v2 of the API, so change BASE_URL.", f"Here is a.py:\n\n{fence('BASE_URL = 2' + chr(10))}")
    assert session.state()["a.py"] == sha("BASE_URL = 2\n")


@pytest.mark.parametrize(
    "prompt", ["`shorten` isn't used, you can drop it.", "shorten in util.py isn't used any more. Remove it please."]
)
def test_it_is_what_the_sentence_begins_with(util: Session, prompt: str) -> None:
    less = UTIL.partition("\n\n\ndef shorten")[0] + "\n"
    util.ask(prompt, f"Done:\n\n{fence(less)}")
    assert util.state()["util.py"] == sha(less)


RUST = "pub struct Entry {\n    pub level: u8,\n}\n\nimpl Entry {\n    pub fn new() -> Self {\n        Entry { level: 1 }\n    }\n"
IS_ERROR = "\n    pub fn is_error(&self) -> bool {\n        self.level == 2\n    }\n"


def test_a_member_that_is_asked_to_go_and_an_impl_is_shown_without_may_have_gone(session: Session) -> None:
    session.ask(f"a.rs\n{fence(RUST + IS_ERROR + '}' + chr(10), 'rust')}")
    session.ask(
        "delete is_error", f"Without it:\n\n{fence('impl' + RUST.partition('impl')[2] + '}' + chr(10), 'rust')}"
    )
    unknown = {entity for entity, artifact in session.state().items() if artifact == "DIRTY"}
    assert unknown == {"a.rs", "a.rs::Entry.is_error"}


@pytest.mark.parametrize(
    "said",
    [
        "Undo that.",
        "Mach das rückgängig.",
        "撤销刚才的修改",
        "No, go back to how it was please",
        "Please revert `slug` in util.py.",
    ],
)
def test_who_asks_to_go_back_gets_the_original(util: Session, said: str) -> None:
    util.ask("Let `slug` strip.", f"Here it is:\n\n{fence(STRIPS)}")
    assert util.state()["util.py"] == sha(STRIPPED)
    util.ask(said, f"Here is the original code:\n\n{fence(UTIL)}")
    assert util.state()["util.py"] == sha(UTIL)


def test_who_asks_how_it_was_keeps_what_is(util: Session) -> None:
    util.ask("Let `slug` strip.", f"Here it is:\n\n{fence(STRIPS)}")
    util.ask("Show me the old `slug`.", f"Here is the original code:\n\n{fence(UTIL)}")
    assert util.state()["util.py"] == sha(STRIPPED)


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("f.py", "def f(x):\n    return x + 1\n\n\nprint(f(1))\n", "f(1)", "f(5)"),
        ("f.py", 'def f(x):\n    return x\n\n\nif __name__ == "__main__":\n    print(f(1))\n', "f(1)", "f(5)"),
        ("f.js", "function f(x) {\n  return x + 1;\n}\n\nconsole.log(f(1));\n", "f(1)", "f(5)"),
        ("f.rb", "def f(x)\n  x + 1\nend\n\nputs f(1)\n", "f(1)", "f(5)"),
        ("f.sh", 'greet() {\n  echo "hi $1"\n}\n\ngreet you\n', "greet you", "greet me"),
    ],
)
@pytest.mark.parametrize("by_model", [False, True])
def test_a_file_with_other_statements_is_whole(
    session: Session, path: str, text: str, old: str, new: str, by_model: bool
) -> None:
    word = {"py": "python", "js": "js", "rb": "ruby", "sh": "bash"}[path[2:]]
    session.ask(f"{path}\n{fence(text, word)}")
    changed = f"{path}\n{fence(text.replace(old, new), word)}"
    session.ask(*(("Call it otherwise.", changed) if by_model else (f"{changed}\nWhat does it print?", "ok")))
    assert session.state()[path] == sha(text.replace(old, new))


@pytest.mark.parametrize(
    ("path", "text", "empty", "filled", "whole"),
    [
        (
            "e.rs",
            "use std::error::Error;\n\npub struct Cart<E>(E);\n\nEMPTY\n",
            "impl<E> Error for Cart<E> where E: Error {}",
            "impl<E> Error for Cart<E>\nwhere\n    E: Error,\n{\n    fn source(&self) -> u8 {\n        self.0\n    }\n}",
            True,
        ),
        ("e.rs", "use a::B;\n\npub struct Cart(u8);\n\nEMPTY\n", "impl B for Cart {}", "", False),
        ("e.rs", "use a::B;\n\npub struct Cart(u8);\npub struct Carts(u8);\n\nEMPTY\n", "impl B for Cart {}",
         "impl B for Carts {\n    fn b(&self) -> u8 {\n        1\n    }\n}", False),
        (
            "e.swift",
            "import UIKit\n\nstruct Cart {\n    let n: Int\n}\n\nEMPTY\n",
            "extension Cart: Sendable {}",
            "extension Cart: Sendable {\n    func size() -> Int {\n        return n\n    }\n}",
            True,
        ),
    ],
)  # fmt: skip
def test_an_empty_statement_that_is_filled_is_still_there(
    session: Session, path: str, text: str, empty: str, filled: str, whole: bool
) -> None:
    """`impl Display for Cart {}`, once it has its methods."""
    word = {"rs": "rust", "swift": "swift"}[path[2:]]
    session.ask(f"{path}\n{fence(text.replace('EMPTY', empty), word)}")
    new = text.replace("EMPTY", filled)
    session.ask("Write the methods that it needs.", f"Here is the updated `{path}`:\n\n{fence(new, word)}")
    assert session.state()[path] == sha(new) if whole else session.state()[path] != sha(new)


# -- what an answer shows in fences of its own beside what it changes

ADDS_TAX = "def title(s):\n    return with_mark(s.title())\n"
WITH_MARK = "def with_mark(s):\n    return s + MARK\n"


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("word", ["python", ""])
def test_new_code_that_the_changed_code_uses_is_of_its_file(util: Session, word: str, order: int) -> None:
    util.ask("Mark the `title`.", "First:\n\n" + "\nThen:\n\n".join([fence(WITH_MARK, word), fence(ADDS_TAX)][::order]))
    assert util.state() == util.state() | {
        "util.py": "DIRTY",
        "util.py::title": sha(ADDS_TAX.rstrip("\n")),
        "util.py::with_mark": sha(WITH_MARK.rstrip("\n")),
    }


@pytest.mark.parametrize("order", [1, -1])
def test_imports_alone_leave_the_text_of_the_changed_file_unknown(util: Session, order: int) -> None:
    util.ask("Strip in `slug`.", "Import this:\n\n" + "\nAnd:\n\n".join([fence("import re\n"), fence(STRIPS)][::order]))
    assert util.state() == util.state() | {"util.py": "DIRTY", "util.py::slug": sha(STRIPS.rstrip("\n"))}


def test_imports_that_the_whole_file_holds_are_in_it(util: Session) -> None:
    whole = f"import re\n\n\n{STRIPPED}"
    util.ask("Strip in `slug`.", f"Import this:\n\n{fence('import re' + chr(10))}\nAll of it:\n\n{fence(whole)}")
    assert util.state()["util.py"] == sha(whole)


@pytest.mark.parametrize(
    ("path", "text", "changed", "new"),
    [
        (
            "store.go",
            "package store\n\ntype Store struct {\n\tn int\n}\n",
            "type Store struct {\n\tn     int\n\tlimit int\n}\n",
            "func (s *Store) Full() bool {\n\treturn s.n >= s.limit\n}\n",
        ),
        (
            "store.rs",
            "pub struct Store {\n    n: u32,\n}\n",
            "pub struct Store {\n    n: u32,\n    limit: u32,\n}\n",
            "impl Check for Store {\n    fn full(&self) -> bool {\n        self.n >= self.limit\n    }\n}\n",
        ),
    ],
)
def test_a_new_method_that_stands_outside_is_of_the_file_of_its_changed_type(
    session: Session, path: str, text: str, changed: str, new: str
) -> None:
    word = {"go": "go", "rs": "rust"}[path[6:]]
    session.ask(f"{path}\n{fence(text, word)}")
    session.ask(
        "Give Store a limit, and check it.", f"Here:\n\n{fence(changed, word)}\nThe check:\n\n{fence(new, word)}"
    )
    state = session.state()
    assert (state[path], state[f"{path}::Store"]) == ("DIRTY", sha(changed.rstrip("\n")))
    assert {"store.go::Store.Full", "store.rs::Store.full"} & state.keys()


@pytest.mark.parametrize("said", ["util.py", "I added this at the top of util.py:"])
def test_imports_that_the_user_added_leave_his_file_unknown(util: Session, said: str) -> None:
    util.ask(f"{said}\n{fence('import re' + chr(10))}\nStrip in `slug`.")
    assert util.state() == util.state() | {"util.py": "DIRTY", "util.py::slug": sha(UTIL.partition("\n\n")[0])}


@pytest.mark.parametrize(
    "text", ["from util import slug\n", "from util import slug\n\nprint(slug('A'))\n", "def other(s):\n    return s\n"]
)
def test_what_uses_the_changed_file_is_none_of_it(util: Session, text: str) -> None:
    util.ask("Strip in `slug`.", f"Here:\n\n{fence(STRIPS)}\nThen:\n\n{fence(text)}")
    assert util.state()["util.py"] == sha(STRIPPED)


def test_imports_under_their_label_leave_the_file_unknown(util: Session) -> None:
    util.ask("Import re.", f"util.py\n{fence('import re' + chr(10))}")
    assert util.state() == util.state() | {"util.py": "DIRTY", "util.py::slug": sha(UTIL.partition("\n\n")[0])}


def test_a_test_that_repeats_what_it_tests_is_of_another_file(util: Session) -> None:
    copy = "def slug(s):\n    return s.lower().strip()\n"
    tests = f"import unittest\n\n\n{copy}\n\nclass TestSlug(unittest.TestCase):\n    def test_it(self):\n        slug('A')\n"
    util.ask("Write a test for `slug`.", fence(tests))
    assert util.state()["util.py"] == sha(UTIL)


def test_who_finds_a_fault_and_wants_it_fixed_gets_it(util: Session) -> None:
    util.ask(
        "Why does `slug` keep blanks? Fix it.", f"It does not strip. Here is the fixed function:\n\n{fence(STRIPS)}"
    )
    assert util.state()["util.py"] == sha(STRIPPED)


def test_the_top_of_a_file_is_in_it(util: Session) -> None:
    util.ask(
        "Put the mark into a constant MARK at the top of util.py.", f"Here it is:\n\n{fence('MARK = 1' + chr(10))}"
    )
    assert util.state() == util.state() | {"util.py": "DIRTY", "util.py::MARK": sha("MARK = 1")}


# -- whole jobs

JAVA_CART = (
    "class Cart {\n  private double tax = 0.19;\n\n  double total() {\n    return tax;\n  }\n\n"
    "  double net() {\n    return 1;\n  }\n}\n"
)
JAVA_TOTAL = "  double total() {\n    return tax + 1;\n  }\n"


@pytest.mark.parametrize("by_user", [False, True])
@pytest.mark.parametrize(
    ("shown", "unknown"),
    [
        (f"class Cart {{\n  private double tax = 0.07;\n\n  // ...\n\n{JAVA_TOTAL}}}\n", True),
        (f"class Cart {{\n  // ... existing fields\n\n{JAVA_TOTAL}\n  // ... rest unchanged\n}}\n", False),
    ],
)
def test_lines_of_its_own_beside_left_out_code_leave_a_type_unknown(
    session: Session, shown: str, unknown: bool, by_user: bool
) -> None:
    session.ask(f"Cart.java\n{fence(JAVA_CART, 'java')}", "ok")
    answer = f"Cart.java\n{fence(shown, 'java')}"
    session.ask(*((f"I changed it.\n\n{answer}",) if by_user else ("Let `Cart` take 7 %.", answer)))
    state = session.state()
    assert (state["Cart.java"] == "DIRTY", state["Cart.java::Cart"] == "DIRTY") == (unknown, unknown)
    assert state["Cart.java::Cart.total"] == sha(JAVA_TOTAL.rstrip("\n"))


def test_a_list_of_exports_may_become_export_in_front(session: Session) -> None:
    text = "const RATE = 1;\n\nfunction convert(a) {\n  return a * RATE;\n}\n\nexport { convert };\n"
    new = "const RATE = 1;\n\nexport function convert(a) {\n  return a * RATE;\n}\n"
    session.ask(f"money.js\n{fence(text, 'js')}", "ok")
    session.ask("Export `convert` directly.", f"Here:\n\n{fence(new, 'js')}")
    assert session.state()["money.js"] == sha(new)


@pytest.mark.parametrize("by_user", [False, True])
def test_only_the_user_drops_a_statement_by_not_showing_it(session: Session, by_user: bool) -> None:
    text = "import os\n\n\ndef a():\n    return 1\n\n\nprint(a())\n"
    new = text.partition("\n\n\nprint")[0] + "\n"
    session.ask(f"s.py\n{fence(text)}", "ok")
    session.ask(*((f"s.py\n{fence(new)}\nFine?",) if by_user else ("Speed up `a`.", fence(new))))
    assert session.state()["s.py"] == sha(new if by_user else text)


def test_a_function_of_a_members_name_is_new_beside_a_function_of_the_file(session: Session) -> None:
    text = "class Cart:\n    def total(self):\n        return 1\n\n\ndef report(c):\n    return c.total()\n"
    session.ask(f"cart.py\n{fence(text)}", "ok")
    new = "def total(cs):\n    return sum(c.total() for c in cs)\n\n\ndef report(cs):\n    return total(cs)\n"
    session.ask("report takes several carts", fence(new))
    state = session.state()
    assert (state["cart.py"], state["cart.py::total"]) == ("DIRTY", sha(new.partition("\n\n")[0]))


def test_a_decorator_that_the_prompt_speaks_of_may_go(session: Session) -> None:
    text = "from functools import cache\n\n\n@cache\ndef fib(n):\n    return fib(n - 1)\n\n\ndef main():\n    fib(3)\n"
    session.ask(f"fib.py\n{fence(text)}", "ok")
    session.ask("Remove the cache from `fib`.", fence("def fib(n):\n    return fib(n - 1)\n"))
    assert session.state()["fib.py"] == sha(text.replace("@cache\n", ""))


def test_an_argument_of_a_decorator_is_no_word_for_it(session: Session) -> None:
    text = '@app.get("/users")\ndef users():\n    return all_users()\n\n\n@app.get("/x")\ndef x():\n    return 1\n'
    session.ask(f"app.py\n{fence(text)}", "ok")
    new = "def users():\n    return sorted(all_users())\n"
    session.ask("Let `users` return the users sorted, as `/users` should.", fence(new))
    assert session.state()["app.py"] == sha(text.replace("all_users()", "sorted(all_users())"))


def test_what_a_class_that_became_a_record_held_is_unknown(session: Session) -> None:
    text = "class Item {\n    private final int price;\n\n    int getPrice() {\n        return price;\n    }\n}\n"
    session.ask(f"Item.java\n{fence(text, 'java')}", "ok")
    session.ask(
        "make Item a record", f"Item.java\n{fence('record Item(int price) {' + chr(10) + '}' + chr(10), 'java')}"
    )
    assert set(session.state().values()) == {"DIRTY"}


def test_a_constructor_whose_parameters_set_the_fields_needs_no_body(session: Session) -> None:
    old = "  private db: Db;\n\n  constructor(db: Db) {\n    this.db = db;\n  }\n"
    text = f"export class Users {{\n{old}\n  find(id: number) {{\n    return this.db.get(id);\n  }}\n}}\n"
    new = text.replace(old, "  constructor(private db: Db) {}\n")
    session.ask(f"users.ts\n{fence(text, 'ts')}", "ok")
    session.ask("Use a parameter property in users.ts.", fence(new, "ts"))
    assert session.state()["users.ts"] == sha(new)


def test_the_same_function_goes_into_two_files(session: Session) -> None:
    text = 'def read(path):\n    return open(path).read()\n\n\ndef parse(t):\n    return t.split(",")\n'
    new = 'def read(path):\n    return open(path, encoding="utf-8").read()\n'
    session.ask(f"a.py\n{fence(text)}\n\nb.py\n{fence(text.replace(',', ';'))}", "ok")
    session.ask("read should use utf-8 in a.py", fence(new))
    session.ask("now the same in b.py", fence(new))
    assert session.state()["b.py::read"] == sha(new.rstrip("\n"))


def test_a_labelled_part_with_a_new_import_leaves_its_file_unknown(util: Session) -> None:
    slug = UTIL.partition("\n\n")[0] + "\n"
    util.ask("Put `shorten` into a.py.", f"util.py\n{fence('from a import shorten' + chr(10) * 3 + slug)}")
    assert util.state()["util.py"] == "DIRTY"


def test_a_go_file_may_have_the_name_of_what_it_imports(session: Session) -> None:
    text = 'package store\n\nimport "errors"\n\nvar ErrNotFound = errors.New("x")\n'
    session.ask("Put an ErrNotFound into errors.go.", f"errors.go\n{fence(text, 'go')}")
    assert session.state()["errors.go"] == sha(text)


MOVED = "def two_things():\n    return 2\n"


def test_a_move_shown_as_both_files_without_a_label(session: Session) -> None:
    a, b = "def one_thing():\n    return 1\n", "def three_things():\n    return 3\n"
    session.ask(f"a.py\n{fence(f'{a}{chr(10) * 2}{MOVED}')}\n\nb.py\n{fence(b)}", "ok")
    whole = f"{b}{chr(10) * 2}{MOVED}"
    answer = f"a.py becomes:\n\n{fence(a)}\n\nand the other file:\n\n{fence(whole)}"
    session.ask("Move `two_things` from a.py to b.py.", answer)
    assert session.state()["a.py"] == sha(a)
    assert session.state()["b.py"] == sha(whole)
    assert session.state()["b.py::two_things"] == sha(MOVED.rstrip("\n"))


def test_a_member_with_a_new_import_leaves_its_file_unknown(session: Session) -> None:
    text = "class Cart:\n    def total(self):\n        return 1\n\n    def clear(self):\n        pass\n"
    session.ask(f"cart.py\n{fence(text)}", "ok")
    session.ask(
        "Use Decimal in `Cart.total`.", fence("import decimal\n\ndef total(self):\n    return decimal.Decimal(1)\n")
    )
    assert session.state()["cart.py"] == "DIRTY"
    assert session.state()["cart.py::Cart.total"] == sha("    def total(self):\n        return decimal.Decimal(1)")


def test_a_body_of_a_member_stands_with_the_other_bodies(session: Session) -> None:
    header = "#pragma once\n\nclass Vec {\npublic:\n    double length() const;\n\nprivate:\n    double x_;\n};\n"
    source = '#include "vec.h"\n\ndouble Vec::length() const {\n    return x_;\n}\n'
    body = "double Vec::twice() const {\n    return 2 * x_;\n}\n"
    session.ask(f"vec.h\n{fence(header, 'cpp')}\n\nvec.cpp\n{fence(source, 'cpp')}", "ok")
    session.ask("Add a method `twice` to Vec.", fence(body, "cpp"))
    assert session.state()["vec.cpp::Vec.twice"] == sha(body.rstrip("\n"))
    assert session.state()["vec.h"] == sha(header)


@pytest.mark.parametrize("path", ["src/Usage/slugs.py", "docs/slugs.py", "examples/old/slugs.py", "output.py"])
def test_what_a_path_is_called_takes_nothing_back(session: Session, path: str) -> None:
    session.ask(f"{path}\n{fence(UTIL)}", "ok")
    session.ask(f"Let slug strip, in {path}.", f"Here is the updated {path}:\n\n{fence(STRIPPED)}")
    assert session.holds(path, STRIPPED)
    told = f"I fixed title too, here is my {path}:"
    session.ask(f"{told}\n\n{fence(STRIPPED.replace('s.title', 's.strip().title'))}")
    assert session.holds(path, STRIPPED.replace("s.title", "s.strip().title"))


def test_nor_does_the_name_of_a_function(session: Session) -> None:
    text = UTIL.replace("def title", "def original")
    session.ask(f"util.py\n{fence(text)}", "ok")
    new = "def original(s):\n    return s.strip().title()\n"
    session.ask("Let `original` in util.py strip.", f"Here is the updated `original` function:\n\n{fence(new)}")
    assert session.holds("util.py", text.replace("s.title()", "s.strip().title()"))
