"""Line numbers that a reader put before a file's lines, and numbers that are the file's own."""

import pytest

from tslp_litellm.dialects.numbering import numbered

BODY = [f"line {n}" for n in range(1, 5)]


@pytest.mark.parametrize("form", ["{n:6}\t{line}", "{n}→{line}", "{n} | {line}", "{n:3}|{line}", "{n}: {line}"])
@pytest.mark.parametrize("head", [[], ["a.py, lines 3 to 6 of 90:", ""]])
def test_numbered_lines_are_read_without_their_numbers(form: str, head: list[str]) -> None:
    seen = numbered("\n".join([*head, *(form.format(n=n, line=line) for n, line in enumerate(BODY, 3))]) + "\n")
    assert seen is not None
    assert (seen.first, list(seen.lines), seen.all) == (3, BODY, not head)


def test_a_few_numbered_lines_in_a_long_text_are_its_own() -> None:
    code = [f"call({n})" for n in range(12)]
    assert numbered("\n".join([*code, "    0: f failed", "    1: oh no!", *code])) is None


def test_two_runs_are_no_numbering() -> None:
    assert numbered("1: a\n2: b\n…\n3: c\n") is None
