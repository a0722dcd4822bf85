"""Fences that begin behind words, and fences that nobody ends."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.left_open import ended, set_apart
from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.values import Shown, Snippet

CODE = {
    "a.py": "import json\n\nLIMIT = 5\n\n\ndef load(path):\n    return json.load(path)[:LIMIT]\n",
    "m.js": "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n",
    "a.go": "package a\n\nfunc One() int {\n\treturn 1\n}\n",
    "a.kt": "class Cart {\n    fun total(): Int = 1\n}\n",
}


@pytest.mark.parametrize("path", CODE)
@pytest.mark.parametrize("info", ["", "word"])
def test_what_a_user_leaves_open_ends_with_the_message(path: str, info: str) -> None:
    word = path.rpartition(".")[2] if info else ""
    (shown,) = read_user_text(f"{path}\n```{word}\n{CODE[path]}").evidence
    assert isinstance(shown, Shown) and (shown.path, shown.text) == (path, CODE[path])


@pytest.mark.parametrize("path", ["a.py", "m.js", "a.go"])
def test_or_where_his_words_go_on(path: str) -> None:
    words = "Please let it do nothing.\n\nAnd why is it slow?"
    read = read_user_text(f"{path}\n```\n{CODE[path]}\n{words}")
    assert [one.text for one in read.evidence if isinstance(one, Shown)] == [CODE[path]]
    assert read.prose.endswith(words)


@pytest.mark.parametrize(
    "text",
    [
        "a.py\n```python\ndef f(:\n    pass",
        "a.py\n```python\ndef f():\n    return 1\n\n    and more, please",
        "a.py\n```python\nprint(1)\n",
        "a.kt\n```kotlin\nclass Cart {\n}\n\nadd total to Cart",
        "a.py\n```python\ndef f():\n    return 1\n\nb.py\n```python\ndef g():\n    return 1\n```\n",
        "```sh\nf() {\n  ls\n}\n",
        "a.json\n```json\n{}",
    ],
)
def test_in_doubt_it_stays_open(text: str) -> None:
    assert ended(text, by_user=True) == text
    assert not [one for one in read_user_text(text).evidence if isinstance(one, Shown)]


ONE = "def f():\n    return 1\n"


def test_of_a_models_text_one_definition_ends_with_it() -> None:
    assert read_answer(f"Here it is:\n\n```python\n{ONE}", whole=True) == [Snippet(ONE, "python", "Here it is:")]


@pytest.mark.parametrize("code", [CODE["a.py"], "def f(:\n", "print(1)\n", f"{ONE}\nThat is all!\n"])
def test_but_nothing_else_and_not_where_it_was_cut(code: str) -> None:
    assert not read_answer(f"```python\n{code}", whole=True)
    assert not read_answer(f"```python\n{ONE}")


@pytest.mark.parametrize("token", ["<|im_end|>", "</s>", "<|endoftext|>", "<end_of_turn>", "<｜end▁of▁sentence｜>"])
def test_a_stop_token_behind_the_mark_that_ends_a_fence_is_no_word(token: str) -> None:
    assert read_answer(f"```python\nx = 1\n```{token}") == [Snippet("x = 1\n", "python")]


def test_a_fence_may_begin_behind_words() -> None:
    (shown,) = read_answer("Sure!\n\n**a.py**: ```python\nx = 1\n```\nDone.")
    assert isinstance(shown, Shown) and (shown.path, shown.text) == ("a.py", "x = 1\n")
    assert read_answer("Here it is: ```python\nx = 1\n```\n\nand then: ```js\nlet y;\n```") == [
        Snippet("x = 1\n", "python", "Here it is:"),
        Snippet("let y;\n", "javascript", "and then:", "x = 1\n"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Begin it with ```python",
        "```md\nBegin it with: ```python\nx\n```\n",
        "It is ```python```\nx\n",
        "Say ```please\nx = 1\n",
        "a```python\nx = 1\n",
    ],
)
def test_other_marks_within_a_line_begin_none(text: str) -> None:
    assert set_apart(text) == text
