"""What a client says by itself in a user message, told from the user's words."""

from __future__ import annotations

import pytest

from tslp_litellm.clients.asides import without_asides, without_skills
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.wire.turn import Item, ItemKind, Role

LAUNCHED = "Launching skill: review"


def text(said: str, message: int = 3) -> Item:
    return Item(Role.USER, ItemKind.TEXT, said, message)


def result(said: str, call: str = "c", message: int = 3) -> Item:
    return Item(Role.TOOL, ItemKind.RESULT, said, message, call_id=call)


def kept(*items: Item) -> list[str]:
    return [item.text for item in without_skills(items)]


def test_the_text_of_a_skill_stands_right_behind_the_result_of_its_call() -> None:
    assert kept(result(LAUNCHED), text("# Review\n\nLook at `total`.")) == [LAUNCHED]
    assert kept(result(LAUNCHED), text("# Review"), text("And now `f`.")) == [LAUNCHED, "And now `f`."]
    two = [result(LAUNCHED), result("Launching skill: x:y", "d"), text("one"), text("two"), text("mine")]
    assert kept(*two) == [LAUNCHED, "Launching skill: x:y", "mine"]


def test_all_else_behind_a_result_is_somebody_s_word() -> None:
    assert kept(result("done"), text("mine")) == ["done", "mine"]
    assert kept(result(LAUNCHED), text("mine", message=4)) == [LAUNCHED, "mine"]
    assert kept(text("mine"), result(LAUNCHED)) == ["mine", LAUNCHED]
    interrupted = "[Request interrupted by user]"
    assert kept(result(LAUNCHED), text(interrupted), text("mine")) == [LAUNCHED, interrupted, "mine"]
    assert kept(result(f"{LAUNCHED}\nand more"), text("mine"))[1] == "mine"


def test_blocks_between_tags_of_a_client_s_own() -> None:
    said = "<ide_opened_file>a.py</ide_opened_file>\nMine.\n<git_status>\nM b.py\n</git_status>"
    assert without_asides(said).split() == ["Mine."]
    for mine in (
        "Mine: <user>x</user>",
        "```\n<git_status>\nx\n</git_status>\n```",
        "<git_status>\n```\nx\n</git_status>\n```",
    ):
        assert without_asides(mine) == mine, "a tag in a fence is code"


@pytest.mark.parametrize(
    "text",
    [
        "Base directory for this skill: /home/u/.claude/skills/review\n\n# Review\n\nLook at `total`.",
        "<task-notification>\n<task-id>b1</task-id>\n<summary>`total` is done</summary>\n</task-notification>",
        "Stop hook feedback:\n- `total` has no test",
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nKeep `total` small.\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>",
    ],
)
def test_a_client_s_own_message_holds_no_words_of_the_user(text: str) -> None:
    assert read_user_text(text).prose == ""
