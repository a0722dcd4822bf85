"""Code in a user's words, in no fence and below no path."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.left_open import set_apart
from tslp_litellm.conversation.unfenced import unended, unfenced
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.values import Snippet

CODE = {
    "python": "@cached\ndef add(items, price):\n    items.append(price)\n\n    return items\n",
    "typescript": "export function find(id: string) {\n  return users.get(id);\n}\n",
    "go": "func (s *Store) Get() int {\n\treturn s.n\n}\n",
    "ruby": "class Item\n  def total\n    1\n  end\nend\n",
    "java": "public class Cart {\n    int total() {\n        return 1;\n    }\n}\n",
    "rust": "pub fn total(items: &[i32]) -> i32 {\n    items.iter().sum()\n}\n",
    "c": "int total(const int *items, int n) {\n    return n;\n}\n",
}
ABOVE = ("no, it looks like this now\n\n", "no, it looks like this now:\n", "I changed it a bit. Look:\n\n", "")
BEHIND = ("", "\nok?", "\nWhat does add(items) return?\n\nAnd why?", "\n- is it ok?\n- or is it not?")


@pytest.mark.parametrize("language", CODE)
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("above", ABOVE)
def test_it_is_code_without_a_label(language: str, above: str, behind: str) -> None:
    code = CODE[language]
    indented = "".join(f"    {line}" if line.strip() else line for line in code.splitlines(keepends=True))
    for shown in (code, indented):
        read = read_user_text(f"{above}{shown}{behind}")
        assert [(one.text, one.bare) for one in read.evidence if isinstance(one, Snippet)] == [(code, True)]
        assert code.splitlines()[1] not in read.prose


def test_several_blocks_with_words_between() -> None:
    text = f"add is\n\n{CODE['python']}\nand the other one:\n\ndef total(items):\n    return 1\n\nok?"
    assert [block.body for block in unfenced(text)] == [CODE["python"], "def total(items):\n    return 1\n"]


def test_it_begins_with_its_imports() -> None:
    code = f"import json\n\nTAX = 1\n\n\n{CODE['python']}"
    assert [block.body for block in unfenced(f"Thanks\n\n{code}\nAdd a test.")] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "Please define total(items) so that it returns 0.\n\nclass Cart should have it: yes",
        ">>> def total(items):\n...     return 1\n...\n>>> total(1)\n1\n",
        'Traceback (most recent call last):\n  File "a.py", line 5, in total\n    def total(items):\nTypeError: no\n',
        "Bob wrote:\n\n> def total(items):\n>     return 1\n\nIs he right?",
        " def total(items):\n+    return 1\n     return 2\n\nok?",
        "    def test_it():\n>       assert total(1) == 2\nE       assert 1 == 2\n",
        "/a.js:3\nconst total = (a) => a.b.c;\n                        ^\nTypeError: no\n",
        "What does\n\ndef total(items):\n\nmean?",
        "It fails below cart.py:\n\ndef total(items):\n    return 1\n\ndef broken(:\n    pass\n",
        "TAX = 1\n\nis it ok",
    ],
)
def test_what_is_none(text: str) -> None:
    assert unfenced(text) == []
    assert unended(text) == []


def test_where_it_ends_nobody_knows() -> None:
    code = "def total(items):\n    return 1\n"
    text = f"I have this:\n\n{code}\nTraceback (most recent call last):\n  File x\n"
    assert unfenced(text) == []
    assert [(one.text, one.doubted) for one in unended(text)] == [(code, True)]
    assert unended(f"I had this old one:\n\n{code}\nTraceback (most recent call last):\n  File x\n") == []


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("so ```def f():\n    return 1\n``` ok?", "so\n```\ndef f():\n    return 1\n```\nok?"),
        ("```def f():\n    return 1```", "```\ndef f():\n    return 1\n```"),
        ("so ```\ndef f():\n    return 1\n```\nok?", "so\n```\ndef f():\n    return 1\n```\nok?"),
        ("so ```total(items)``` ok?", None),
        ("a.py\n```python\ndef f():\n    return 1\n```\nso ```f(1)``` ok?", None),
        ("```a.py\ndef f():\n    return 1\n```", None),
        ("```no closing\ndef f():\n    return 1\n", None),
    ],
)
def test_a_fence_that_is_glued_to_its_code(text: str, apart: str | None) -> None:
    assert set_apart(text) == (apart or text)
