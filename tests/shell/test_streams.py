"""Scripts that stand in no file: on standard input by its name, or on a stream whose text is not known."""

import pytest

from tslp_litellm.shell import Outcome, evaluate
from tslp_litellm.shell.effects import EVERYTHING, Effect, Written


def effects(script: str) -> tuple[Effect, ...]:
    return evaluate(script, Outcome.SUCCESS, "").effects


@pytest.mark.parametrize("runner", ["source /dev/stdin", ". /dev/stdin", "bash /dev/stdin", "sh -e /dev/fd/0"])
def test_a_script_on_standard_input(runner: str) -> None:
    assert effects(f"{runner} <<'E'\necho x > a.py\nE") == (Written("a.py", "x\n"),)


def test_a_folder_that_a_sourced_stream_enters_stays() -> None:
    assert effects("source /dev/stdin <<< 'cd sub'\necho x > a.py") == (Written("sub/a.py", "x\n"),)


@pytest.mark.parametrize(
    "script", ["cat x | source /dev/stdin", "source /dev/fd/3 3<x", "source <(x)", "python3 /dev/fd/3 3<x"]
)
def test_a_stream_whose_text_is_not_known(script: str) -> None:
    assert EVERYTHING in effects(script)


def test_a_program_of_another_language_on_standard_input() -> None:
    assert effects("python3 /dev/stdin <<< 'print(1)'") == ()
    assert effects("python3 /dev/stdin <<< \"open('a.py', 'w')\"") != ()
