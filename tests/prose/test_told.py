"""What users tell of changes that they made themselves."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.paths import may_be_path
from tslp_litellm.prose.told import Told, is_change, told


@pytest.mark.parametrize(
    "prose",
    [
        "I just edited util.py by hand.",
        "I changed `slug` in util.py myself, it uppercases now.",
        "I reverted util.py.",
        "I undid your change to util.py.",
        "I deleted util.py.",
        "I moved util.py to lib/.",
        "I ran black on util.py.",
        "I did a git pull, util.py has changed.",
        "util.py was reformatted by my editor on save.",
        "Ich habe util.py von Hand geändert.",
        "J'ai modifié util.py à la main.",
        "He modificado util.py a mano.",
        "我手动修改了 util.py。",
        "I switched to another branch.",
        "I rolled everything back.",
        "I went back to the last commit.",
        "I reset to HEAD.",
        "I did a hard reset in the terminal.",
        "I merged main into my branch.",
        "I did git checkout main.",
        "I renamed slug to slugify in util.py.",
        "[SYSTEM] File changed on disk: util.py",
        "The following files have been modified externally: util.py",
        "The following files have been modified externally:\n- util.py\n- b.py",
        "Your file util.py is out of date, I have changed it since.",
        "I just changed util.py by hand, upper instead of lower.",
        "We've been editing util.py in the meantime.",
        "I edited and saved util.py",
        "I ran black and isort on util.py",
        "I checked out main",
        "I merged main",
        "I've pulled",
        "My editor reformatted util.py",
        "Bob rewrote util.py",
        "Just edited util.py.",
        "Habe util.py geändert",
        "Gerade habe ich util.py überarbeitet.",
        "Edité util.py a mano",
        "Ho modificato util.py",
        "Я изменил util.py вручную",
        "Alterei util.py",
        "Ik heb util.py aangepast",
        "I wrote slug in util.py anew",
        "util.py を手で編集しました",
        "I put a fix into util.py",
        "I ran `git checkout main`",
        "After I edited util.py, the tests fail.",
    ],
)
def test_a_change_is_told(prose: str) -> None:
    assert told(prose, may_be_path) != Told()


@pytest.mark.parametrize(
    "prose",
    [
        "I think util.py is slow",
        "I have a bug in util.py",
        "I want util.py to be fast",
        "I need you to change util.py",
        "I'd like util.py to be faster",
        "I looked at util.py and found a bug",
        "Please edit util.py",
        "Have I edited util.py?",
        "If I edited util.py, what would break?",
        "I ran the tests",
        "I ran util.py and it prints 1",
        "I wrote tests for util.py in my head",
        "I get an error in util.py",
        "When I run util.py it crashes",
        "Show me the updated util.py",
        "You changed util.py, why?",
        "The test failed in util.py",
        "Update util.py",
        "I read util.py",
        "Ich habe ein Problem in util.py",
        "Ich möchte util.py ändern",
        "J'ai un bug dans util.py",
        "j'ai lu util.py",
        "Corrige util.py",
        "He visto util.py",
        "Files to be changed: util.py",
        "Please update the following files: util.py",
        "Now fix util.py",
        "I'm working with util.py",
        "I will edit util.py",
        "I didn't edit util.py",
        "Why was util.py written this way?",
        "What does slug in util.py do?",
        "Does util.py have tests?",
        "Can you check what I need in util.py?",
        "I use util.py",
        "I tested util.py",
        "Das ist in util.py",
        "我想修改 util.py",
        "I have util.py and b.py",
        "Is util.py used?",
        " util.py is slow",
        "I found a bug in util.py",
        "I saw that util.py uses re",
        "Given util.py, write tests",
        "Here is the updated util.py:",
        "I have the following in util.py:",
        "Based on util.py write a doc.",
    ],
)
def test_nothing_is_told(prose: str) -> None:
    assert told(prose, may_be_path) == Told()


def test_what_a_list_names_below_a_notice() -> None:
    assert told("These files were changed:\n- a.py\n- b.py\n\nGo on.", may_be_path).names == ("a.py", "b.py")


def test_a_command_that_was_run() -> None:
    assert told("I ran black on a.py, it is fine now.", may_be_path) == Told(commands=("black on a.py",))
    assert told("I ran a.py.", may_be_path) == Told()


def test_any_file() -> None:
    assert told("I switched to another branch.", may_be_path).everything


def test_what_is_no_object() -> None:
    assert told("I wrote tests for a.py in test_a.py.", may_be_path).names == ("test_a.py",)
    assert told("I changed a.py, b.py and c.py.", may_be_path).names == ("a.py", "b.py", "c.py")


def test_verbs_of_changing() -> None:
    assert is_change("changed")
    assert not is_change("file")


@pytest.mark.parametrize(
    ("prose", "command"),
    [
        ("I ran git reset --hard. What now?", "git reset --hard"),
        ("I ran git checkout .", "git checkout ."),
        ("I ran git checkout ., sorry...", "git checkout ."),
        ("I did git checkout -- util.py, sorry.", "git checkout -- util.py"),
        ("I ran `git` reset --hard and went home", "git reset --hard"),
        ("I have run sed -i s/a/b/ util.py", "sed -i s/a/b/ util.py"),
    ],
)
def test_a_command_is_read_as_it_is_written(prose: str, command: str) -> None:
    assert told(prose, may_be_path).commands == (command,)


@pytest.mark.parametrize(
    ("prose", "symbols"),
    [
        ("I've modified total myself.", ("total",)),
        ("I changed total by hand.", ("total",)),
        ("I renamed `shout`.", ("shout",)),
        ("I changed the `total` function and `mean`.", ("total", "mean")),
        ("I updated the total function.", ("total",)),
        ("I added a call to `total` in main.py", ()),
        ("I wrote tests for total", ()),
        ("I looked at total", ()),
        ("I changed the total amount in the invoice", ()),
        ("I changed the config", ()),
    ],
)
def test_definitions_that_are_a_verb_s_own_objects(prose: str, symbols: tuple[str, ...]) -> None:
    assert told(prose, may_be_path).symbols == symbols
