"""What pasted terminals show: the commands' output, as far as it is known to be one."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.dialects.sessions import as_shell, shown_in
from tslp_litellm.dialects.terminals import typed_in
from tslp_litellm.dialects.values import Drift, Excerpt


def shown(text: str) -> list[Excerpt | Drift]:
    blocks = fences(text)
    return [piece for one in typed_in(prose_lines(text, blocks), blocks, ()) for piece in shown_in(one)]


def paths(text: str) -> list[str]:
    return [piece.path for piece in shown(text) if isinstance(piece, Excerpt)]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("$ cat a.py\nx = 1\n", "a.py"),
        ("```\n$ cat a.py\nx = 1\n```", "a.py"),
        ("$ cat a.py\n```python\nx = 1\n```", "a.py"),
        ("ana@host:~/p$ cat a.py\nx = 1\n", "~/p/a.py"),
        ("~/p main* ❯ cat a.py\nx = 1\n", "~/p/a.py"),
        ("PS C:\\p> type src\\a.py\nx = 1\n", "C:/p/src/a.py"),
        ("$ cd src\n$ cat a.py\nx = 1\n", "src/a.py"),
        ("$ cd /p\n$ cat a.py\nx = 1\n", "/p/a.py"),
        ('$ python b.py\n  File "a.py", line 1, in f\n    x = 1\nE', "a.py"),
    ],
)
def test_where_it_is(text: str, path: str) -> None:
    assert paths(text) == [path]


@pytest.mark.parametrize(
    "text",
    [
        "$ cat a.py\n",
        "$ ls\na.py\n",
        "$ cd ..\n$ cat a.py\nx = 1\n",
        "$ git show HEAD:a.py\nx = 1\n",
        '$ python b.py\n  File "/usr/lib/python3.11/a.py", line 1, in f\n    x = 1\nE',
    ],
)
def test_what_shows_nothing(text: str) -> None:
    assert shown(text) == []


def test_what_was_left_out_parts_it() -> None:
    found = shown("$ cat a.py\nx = 1\n...\ny = 2\n")
    assert [(one.first, one.lines) for one in found if isinstance(one, Excerpt)] == [(0, ("x = 1",)), (0, ("y = 2",))]


def test_the_user_s_words_may_begin_below() -> None:
    (found,) = shown("$ cat a.py\nx = 1\n\nWhy is it 1?\n")
    assert isinstance(found, Excerpt) and found.ends == (2,)


def test_colours_are_no_part_of_it() -> None:
    (found,) = shown("$ cat a.py\n\x1b[32mx\x1b[0m = 1\n")
    assert isinstance(found, Excerpt) and found.lines == ("x = 1",)


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("type src\\a.py", "cat 'src/a.py'"),
        ("Get-Content -Path a.py -Raw", "cat 'a.py'"),
        ("gc a.py -Head 3", "head -n 3 'a.py'"),
        ("Select-String x a.py", "grep -rn x 'a.py'"),
        ("make all", "make all"),
    ],
)
def test_other_shells_commands(command: str, script: str) -> None:
    assert as_shell(command) == script
