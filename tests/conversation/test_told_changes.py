"""What users tell that they changed themselves."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.values import Drift, Shown, Told


def told(text: str) -> list[Told]:
    return [piece for piece in read_user_text(text).evidence if isinstance(piece, Told)]


@pytest.mark.parametrize(
    "text",
    [
        "I edited a.py.",
        "We've renamed it in `a.py`.",
        "Thanks. I just fixed a.py myself.",
        "I have also manually updated a.py",
        "I tested it and then removed total from a.py.",
        "I ran the linter and fixed a.py by hand.",
        "I set `LIMIT` to 50 in a.py.",
        "I have commented out the call in a.py.",
        "ive changed a.py by hand",
        "ich hab a.py geändert",
        "Ich habe f in a.py von Hand angepasst, bitte ändere g.",
        "j'ai changé a.py",
        "He cambiado f en a.py a mano.",
        "Ho modificato a.py.",
        "Alterei a.py.",
        "Zmieniłem a.py.",
        "Я вручную изменил f в a.py.",
        "a.py dosyasını değiştirdim",
        "我手动修改了a.py里的f。",
        "a.pyのfを手で変更しました。",
        "a.py를 수정했어",
        "मैंने a.py को बदल दिया",
    ],
)
def test_a_change_in_the_first_person_and_the_past(text: str) -> None:
    assert [one.everywhere for one in told(text)] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "I pulled the repository.",
        "I switched to another branch.",
        "We merged main.",
        "I checked out the release branch.",
        "I switched to feature/login.",
        "I checked out v2.1.0",
        "We've checked out a3f9c1d.",
        "I switched back to `develop`.",
        "I rebased onto origin/main.",
        "I reset to HEAD~1.",
        "I merged #42.",
        "I just pulled.",
        "I've pulled the new version.",
        "I pulled everything from origin.",
        "I merged fix-login into main.",
        "I checked out the release-1.2 tag.",
        "I rolled back.",
        "I pulled the latest changes.",
        "I stashed my changes.",
        "I ran `git pull --rebase`.",
        "hab gerade git pull gemacht",
    ],
)
def test_a_branch_a_commit_or_the_repository(text: str) -> None:
    assert [one.everywhere for one in told(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "I switched to a new code base. Please don't consider the above files.",
        "I switched to TypeScript for this.",
        "I switched to main() as the entry.",
        "I merged the two functions.",
        "I changed the main function",
        "I switched to the other approach in the main function.",
        "I checked out src/a.py",
        "I merged main.py and util.py.",
        "I pulled the helper out into its own function.",
    ],
)
def test_what_is_not_about_everything(text: str) -> None:
    assert not any(one.everywhere for one in told(text))


@pytest.mark.parametrize(
    "text",
    [
        "I ran git status.",
        "Ich habe a.py nicht geändert.",
        "Ich möchte, dass a.py geändert wird.",
        "Je n'ai pas changé a.py.",
        "he changed a.py",
        "Hast du a.py geändert?",
        "把a.py改了",
        "a.pyを変更してください",
        "I set up a project with a.py.",
        "I ran pytest and got an error in a.py.",
        "Can I have a.py changed?",
        "You changed a.py.",
        "Change a.py.",
        "I want a.py updated",
        "Have I edited a.py?",
        '<file path="a.py"/>',
    ],
)
def test_what_tells_of_no_change(text: str) -> None:
    assert told(text) == []


def test_a_tag_that_says_so_by_its_name() -> None:
    (drift,) = read_user_text('<file_changed path="a.py"/>\nGo on.').evidence
    assert isinstance(drift, Drift)
    assert drift.paths == ("a.py",)


def test_what_the_same_message_shows_comes_behind() -> None:
    first, shown = read_user_text("I edited a.py.\n\na.py\n```python\nx = 1\n```\n").evidence
    assert isinstance(first, Told)
    assert isinstance(shown, Shown)


@pytest.mark.parametrize(
    "text",
    [
        "We moved to v2 of the API, so change BASE_URL in a.py.",
        "I changed my mind, total in a.py should return a float.",
        "We renamed the shop; please change SHOP in a.py",
        "I added an item with price 0.1 and a.py returned 0.12.",
        "I pulled some data and ran a.py on it.",
    ],
)
def test_what_is_asked_for_then_is_not_told(text: str) -> None:
    assert not any("a.py" in one.sentence for one in told(text))


@pytest.mark.parametrize(
    "text",
    [
        "I renamed total and slug in a.py.",
        "I changed the total and the tests in a.py.",
        "I fixed the bug in parse and also updated a.py",
    ],
)
def test_what_was_changed_together_is_told(text: str) -> None:
    assert ["a.py" in one.sentence for one in told(text)] == [True]


def test_a_list_of_what_changed_is_told() -> None:
    assert [one.sentence for one in told("I changed total, add and remove in a.py, so look again.")] == [
        "I changed `total`, add and remove in a.py"
    ]


@pytest.mark.parametrize("text", ["Ich habe netto geändert.", "j'ai changé la fonction netto", "Я изменил netto"])
def test_a_plain_word_beside_the_verb_of_another_language_is_a_name(text: str) -> None:
    assert "`netto`" in told(text)[0].sentence


def test_what_is_asked_for_behind_a_comma_is_not_told_in_other_languages() -> None:
    (one,) = told("j'ai changé netto, adapte brutto dans a.py")
    assert "a.py" not in one.sentence


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("I applied it, but I changed the dash to an underscore in `slugify`.", "slugify"),
        ("I tried it, and now I've renamed the argument of `slugify`, please adapt label.", "slugify"),
        ("It worked, so I also removed `slugify`.", "slugify"),
        ("I applied it, but please change `slugify`.", ""),
        ("I applied it, but I want `slugify` changed.", ""),
        ("I updated the docs, so now I need `slugify` changed.", ""),
    ],
)
def test_it_goes_on_to_tell_more(text: str, says: str) -> None:
    assert any("slugify" in one.sentence for one in told(text)) is bool(says)
