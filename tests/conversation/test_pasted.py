"""Code below a path without a fence."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.pasted import pasted
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.values import Shown

CODE = {
    "a.py": "import json\n\n\nclass Cart:\n    def total(self):\n        return 1\n\n\ndef load(path):\n    return json.load(path)\n",
    "src/a.ts": "export interface User {\n  id: string;\n}\n\nconst users = new Map<string, User>();\n\nexport function find(id: string) {\n  return users.get(id);\n}\n",
    "store/a.go": "package store\n\ntype Store struct {\n\tn int\n}\n\nfunc (s *Store) Get() int {\n\treturn s.n\n}\n",
    "lib/a.rb": "class Item\n  attr_reader :name\n\n  def total\n    1\n  end\nend\n",
    "src/Cart.java": "package shop;\n\npublic class Cart {\n    int total() {\n        return 1;\n    }\n}\n",
    "a.cpp": '#include "a.h"\n\ndouble Matrix::at(int r) const {\n    return data_[r];\n}\n',
}
WORDS = (
    "thanks",
    "Please add a method to it.",
    "It should round, too.\n\nAnd write tests: one for each method, with `n=10` as a default.",
)
HARD = (
    "The function total() should return 0; what is wrong?",
    "fix it",
    "total(n) of it = {n: 1}, total[0]",
    "fix()",
    "x = 1",
)


@pytest.mark.parametrize("path", CODE)
@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("label", ["{}\n", "{}:\n\n", "Here is my {}\n\n", "This is `{}`:\n"])
def test_the_code_ends_where_the_words_begin(path: str, words: str, label: str) -> None:
    for text in (f"{label.format(path)}{CODE[path]}\n{words}", f"{words}\n\n{label.format(path)}{CODE[path]}"):
        assert [block.body for block in pasted(text)] == [CODE[path]]


@pytest.mark.parametrize("path", CODE)
@pytest.mark.parametrize("words", HARD)
def test_what_may_be_code_is_never_made_a_part_of_half_a_file(path: str, words: str) -> None:
    found = [block.body for block in pasted(f"{path}\n\n{CODE[path]}\n{words}")]
    assert found in ([], [CODE[path]]) or (words in {"fix()", "x = 1"} and found == [f"{CODE[path]}\n{words}\n"])


def test_several_files() -> None:
    text = "".join(f"{path}\n\n{code}\n" for path, code in CODE.items())
    assert [block.body for block in pasted(f"{text}Please add a method to each.")] == [*CODE.values()]
    read = read_user_text(f"{text}Please add a method to each.")
    assert {one.path: one.text for one in read.evidence if isinstance(one, Shown)} == CODE
    assert [line for line in read.prose.split("\n") if line] == [*CODE, "Please add a method to each."]


@pytest.mark.parametrize(
    "text",
    [
        "Please have a look at a.py\n\nIt does not work at all. What is wrong with total()?",
        "Look at these:\na.py\nb.py\n\nthanks",
        "I checked out src/a.py",
        "a.py\n\n",
        'Traceback (most recent call last):\n  File "a.py", line 5, in total\nTypeError: no\n\nfix a.py\n\nplease',
        "a.py\n\n"
        + CODE["a.py"]
        + "\ndef broken(:\n    pass\n\n\ndef more():\n    return 1\n",  # half of it would be taken for all
        "a.ts\n\n"
        + CODE["src/a.ts"]
        + "\nexport default find\n\nPlease add a method to it.",  # words, or the last line
        "Cart.kt\n\nclass Cart {\n    fun total(): Int = 1\n}\n\nadd discount(percent) to Cart",  # code in Kotlin
        "a.sh\n\nfetch() {\n  curl x\n}\n\nplease add a retry",  # all words are commands
        "README.md\n\n# Title\n\nText.\n\nmake it shorter",
        "1. a.py\n\n" + CODE["a.py"].replace("\n", "\n> "),
        "a.py\ndef f(x):\n    return x\nprint(f(1))\n\nExpected: 2\nActual: 1",
        "a.py\ndef f(x):\n    return x\nprint(f(1))\n\nOutput:\n1\n\nI want 2.",
        "a.py\ndef f(x):\n    return x\nprint(f(1))\n\n{'a': 1}\n\nI want 2.",
        "a.go\npackage main\n\nfunc main() {\n\tprintln(1)\n}\n\n1\n\nwhy",
        "a.rb\n" + CODE["lib/a.rb"] + "add a total method to it",
        "a.ts\nexport function f() {\n  return 1;\n}\nhelp",
        "a.py\ndef f():\n    return 1\n\n- docstring\n- types",
        'a.py\ndef f():\n    return 1\n\n"Add a docstring"',
        "a.py\n\n    def f():\n        return 1\n\nfix f",  # no file begins so
        "I wrote a test of cart.py\nfrom cart import f\n\ndef test_f():\n    assert f()\n\nIt fails",
        "I moved it out of cart.py\ndef helper():\n    return 1\n\nHow do I import it?",
        "\n".join(f"see a{n}.py" for n in range(50)) + "\n\n" + CODE["a.py"],
    ],
)
def test_in_doubt_nothing_is_read(text: str) -> None:
    assert pasted(text) == []


def test_a_text_with_fences_shows_what_they_show() -> None:
    read = read_user_text(f"a.py\n\n{CODE['a.py']}\nb.py\n```python\nx = 1\n```\n")
    assert [(one.path, one.text) for one in read.evidence if isinstance(one, Shown)] == [("b.py", "x = 1\n")]
