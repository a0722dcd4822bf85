"""What users say of a change of the model's that is not on their disk."""

import pytest

from tslp_litellm.prose.taken_back import takes_back


@pytest.mark.parametrize(
    "prose",
    [
        "I rejected it.",
        "I rejected it. What does `slug` do?",
        "I've rejected that.",
        "I didn't apply your change.",
        "I didn’t apply it, it is too slow.",
        "We have not accepted your last edit",
        "Sorry, I undid your changes.",
        "I just reverted all of it",
        "I rolled it back",
        "We rolled back your last change because it broke the build",
        "I threw your patch away.",
        "I won't use that version.",
        "I'm not using it.",
        "Nope, that is wrong, I've restored the previous version.",
        "I kept my version.",
        "I rolled that back. What now?",
        "I restored the file from git.",
        "I changed the file by hand since.",
        "I put the old code back.",
        "I've edited it since.",
        "I'm keeping my own version",
        "The tests failed, so I discarded your suggestion and went home",
        "Ich behalte meine Version.",
        "Ich habe deine Änderung verworfen",
        "He revertido tu cambio.",
        "J'ai annulé ta modification",
        "Я откатил твоё изменение.",
        "I hit undo in VS Code.",
        "I pressed Ctrl+Z a few times.",
        "I closed the file without saving.",
        "I've dropped that change.",
        "I changed the rate back to 0.2.",
        "I accepted only half of your change.",
    ],
)
def test_it_is_taken_back(prose: str) -> None:
    assert takes_back(prose)


@pytest.mark.parametrize(
    "prose",
    [
        "I applied it.",
        "I changed the file as you suggested.",
        "I edited it with your changes.",
        "I want the file changed.",
        "I accepted your change.",
        "Did I reject it?",
        "I rejected it?",
        "If I rejected it, what would happen?",
        "Why was it rejected?",
        "You rejected it.",
        "The server rejected it.",
        "I rejected that customer's order",
        "I want to reject it",
        "Please revert your change",
        "Revert it",
        "I would have rejected it",
        "I have not rejected it",
        "I don't like it",
        "I didn't understand your change",
        "> I rejected it",
        "I kept the code",
        "I keep my files in src",
        "It didn't apply the discount",
        "",
    ],
)
def test_it_is_not(prose: str) -> None:
    assert not takes_back(prose)
