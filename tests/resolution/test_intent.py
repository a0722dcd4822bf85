"""What prompts ask for by name."""

import pytest

from tslp_litellm.resolution.intent import Intent


@pytest.mark.parametrize(
    "prompt",
    [
        "Remove title_case from fmt.py, nobody calls it.",
        "Please delete `title_case`.",
        "title_case can be dropped.",
        "Get rid of title_case() and keep clean.",
        "Rename title_case to to_title.",
        "Inline title_case into its only caller.",
        "Entferne title_case.",
        "Supprime la fonction title_case.",
        "删除 title_case",
        "Make clean faster. Also remove title_case.",
        "The helper Fmt.title_case is unused, remove it.",
        "title_case is not used any more: delete it",
    ],
)
def test_a_loss_asked_for_by_name(prompt: str) -> None:
    assert Intent(prompt).asks_to_lose("title_case")


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "Make clean faster in fmt.py.",
        "Remove the unused function.",
        "Don't remove title_case.",
        "Do not delete or rename title_case!",
        "Never drop title_case.",
        "Improve title_case.",
        "Remove title_case_old.",
        "Remove my_title_case.",
        "Delete `clean`, and make title_case faster.",
        "Rewrite it without removing title_case.",
        "Refactor title_case.",
    ],
)
def test_no_such_thing_was_asked(prompt: str) -> None:
    assert not Intent(prompt).asks_to_lose("title_case")


def test_members_are_asked_for_by_their_last_name() -> None:
    assert Intent("Remove the method Cart.total").asks_to_lose("Cart.total")
    assert Intent("Remove Cart.total").asks_to_lose("Cart.total#2")
    assert Intent("delete `total`").asks_to_lose("Cart.total")


def test_a_rename_needs_both_names() -> None:
    assert Intent("Yes, rename wait_for to await_job in job.py.").asks_to_rename("wait_for", "await_job")
    assert not Intent("Rename wait_for.").asks_to_rename("wait_for", "await_job")


def test_a_further_change() -> None:
    assert Intent("Now also make clean strip tabs.").asks_for_change("clean")
    assert not Intent("What does clean do?").asks_for_change("clean")
