"""Prompts as requests: lists, and labels in front."""

from __future__ import annotations

import pytest

from tslp_litellm.prose.clauses import Act
from tslp_litellm.prose.requests import asked


def lost(prompt: str) -> list[str]:
    return [one.text for request in asked(prompt).requests if request.act is Act.LOSE for one in request.objects]


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Remove these functions:\n- spread\n- clamp", ["spread", "clamp"]),
        ("Remove the following: `spread`.", ["spread"]),
        ("Please delete the following functions:\n\n1. `spread`\n2. `clamp`\n\nThanks!", ["spread", "clamp"]),
        ("Cleanup: remove `spread`.", ["spread"]),
    ],
)
def test_lists_of_what_shall_go(prompt: str, names: list[str]) -> None:
    assert lost(prompt) == names


@pytest.mark.parametrize(
    "prompt",
    [
        "What happens if I remove these:\n- spread",
        "Don't remove these functions:\n- spread",
        "Keep these:\n- spread",
        "Remove these lines from spread:\n- a",
        "Somebody removed these functions:\n- spread",
        "These functions:\n- spread\n- clamp",
        "Remove the log lines. These functions have some:\n- spread",
    ],
)
def test_other_lists(prompt: str) -> None:
    assert lost(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "I don't like the name spread, rename it to value_range.",
        "`spread` is a bad name. Rename it to `value_range`.",
    ],
)
def test_a_pronoun_for_what_is_renamed(prompt: str) -> None:
    (request,) = asked(prompt).requests
    assert (request.act, request.objects[0].text, request.target) == (Act.RENAME, "spread", "value_range")


@pytest.mark.parametrize("prompt", ["Remove the @spread decorator.", "Remove `spread` decorator.", "Remove @spread."])
def test_a_decorator_is_no_function(prompt: str) -> None:
    assert "spread" not in lost(prompt)


def test_a_place_that_is_no_file_by_name_changes_instead() -> None:
    assert asked("Document clamp in the docs folder.").requests == ()


def test_a_label_in_front_is_none_of_the_request() -> None:
    (request,) = asked("Refactor: rename spread() to value_range().").requests
    assert (request.act, request.target) == (Act.RENAME, "value_range")
