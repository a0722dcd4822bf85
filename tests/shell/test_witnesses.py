"""What a script's output tells of its commands."""

import pytest

from tslp_litellm.shell.witnesses import CHARS_MAX, Output


@pytest.mark.parametrize(
    "line",
    ["bash: line 1: a.py: Read-only file system", "zsh:1: no such file or directory: a.py", "rm: cannot remove 'a.py': x",
     "sh: 1: cannot create a.py: Directory nonexistent", "cp: cannot stat ‘a.py’: x", "write error: No space left on device",
     "bash: cat: command not found", "sh: 1: cat: not found", "x: ./a.py: Is a directory"],
)  # fmt: skip
def test_complaints(line: str) -> None:
    assert not Output(f"ok\n{line}\n").is_silent_on(["a.py"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 passed in 2s",
        "a.py:3: error",
        'File "a.py", line 1',
        "data.py: x",
        "a.pyc: y",
        "E: module x not found in z",
    ],
)
def test_other_lines(text: str) -> None:
    assert Output(text).is_silent_on(["a.py"])


def test_what_is_not_known_whole_proves_nothing() -> None:
    assert not Output(None).is_silent_on([])
    assert not Output("x" * (CHARS_MAX + 1)).is_silent_on(["a"])
    assert not Output("").is_silent_on(["a'b"])
