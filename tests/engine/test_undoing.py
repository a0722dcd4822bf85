"""What the answer before brought, and the user does not keep."""

from __future__ import annotations

import pytest

from .helpers import Session

AREA, RING = "def area(r):\n    return 3 * r * r\n", "\n\ndef ring(a, b):\n    return area(a) - area(b)\n"
POWER = AREA.replace("r * r", "r ** 2")
ALONE = {"geo.py", "geo.py::area"}


def fence(text: str) -> str:
    return f"```python\n{text}```\n"


def changed(session: Session) -> Session:
    session.ask(f"geo.py\n{fence(AREA + RING)}")
    return session.ask("area should use the power operator", f"Sure:\n\n{fence(POWER)}")


def unknown(session: Session) -> set[str]:
    return {entity for entity, artifact in session.state().items() if artifact == "DIRTY"}


@pytest.mark.parametrize(
    "prompt", ["no, keep the old one", "Undo that.", "I reverted that, it is slower", "I undid your change."]
)
def test_what_the_user_does_not_keep_and_nobody_shows_is_unknown(session: Session, prompt: str) -> None:
    assert unknown(changed(session).ask(prompt, "Alright.")) == ALONE


def test_what_he_tells_that_he_undid_is_unknown_at_once(session: Session) -> None:
    changed(session).ask("I reverted that. Add a docstring to ring.", fence(RING.replace(":\n", ':\n    "A ring."\n')))
    assert unknown(session) == ALONE


@pytest.mark.parametrize(
    "prompt",
    ["Thanks.", "No problem.", "Why did you undo that?", "Add a button to undo the last move of the player, then.",
     "I updated that.", "I like the old one less."],
)  # fmt: skip
def test_else_it_stands(session: Session, prompt: str) -> None:
    assert unknown(changed(session).ask(prompt, "Alright.")) == set()


def test_what_an_answer_in_between_says_ends_it(session: Session) -> None:
    assert unknown(changed(session).ask("Thanks.", "Good.").ask("Undo that.", "What?")) == set()


@pytest.mark.parametrize(
    ("prompt", "above"),
    [
        ("no, please put the old one back", "Sure, here is the original version:"),
        ("Please undo that last change.", "Okay, here's the function as it was before:"),
    ],
)
def test_the_old_text_is_there_again(session: Session, prompt: str, above: str) -> None:
    assert changed(session).ask(prompt, f"{above}\n\n{fence(AREA)}").holds("geo.py", AREA + RING)


def test_what_the_next_answer_shows_is_known_again(session: Session) -> None:
    changed(session).ask("Undo that.", "Alright.").ask(
        "Please write `area` with two factors.", f"Sure:\n\n{fence(AREA)}"
    )
    assert "geo.py::area" not in unknown(session)
