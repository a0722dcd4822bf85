"""Several files in one sentence, and as many fences below it."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.labelled import shown_in
from tslp_litellm.dialects.listed import paths_listed
from tslp_litellm.dialects.values import Shown

ONE, TWO = "```ts\nexport const a = 1;\n```\n", "```ts\nexport const b = 2;\n```\n"


def paths(text: str) -> list[str]:
    return [piece.path for piece in shown_in(text) if isinstance(piece, Shown)]


@pytest.mark.parametrize("said", ["Here are a.ts and b.ts:", "I have two files, `a.ts`, `b.ts`:", "a.ts & b.ts"])
def test_each_fence_is_one_of_them_in_turn(said: str) -> None:
    assert paths(f"{said}\n\n{ONE}\n{TWO}") == ["a.ts", "b.ts"]
    assert paths(f"Hello.\n\n{said}\n{ONE}{TWO}\nWhat do they do?") == ["a.ts", "b.ts"]
    assert read_user_text(f"{said}\n\n{ONE}\n{TWO}").evidence


@pytest.mark.parametrize("text", [ONE, f"{ONE}{TWO}{ONE}", f"{ONE}And also:\n{TWO}", ""])
def test_with_fewer_or_more_it_is_not_known_which(text: str) -> None:
    assert paths(f"Here are a.ts and b.ts:\n\n{text}") == []


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        ("Here are a.ts, b.ts, and src/c.py:", ["a.ts", "b.ts", "src/c.py"]),
        ("Moved from a.ts to b.ts:", []),
        ("a.ts:", []),
        ("Between a.ts and me:", []),
        ("", []),
    ],
)
def test_the_paths_in_which_a_sentence_ends(said: str, listed: list[str]) -> None:
    assert paths_listed(said) == listed
