"""What the words around a labelled fence leave of it: a user's, a model's, a client's that reads no words."""

from __future__ import annotations

import pytest

from .helpers import Session

OLD = "def slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
NEW = OLD.replace("s.lower()", "s.strip().lower()")
ELSEWHERE = ["From the release branch:", "Our vendor ships:", "Früher sah es so aus:", "In the other repository:"]


def fence(text: str) -> str:
    return f"util.py\n```python\n{text}```\n"


@pytest.fixture
def known(session: Session) -> Session:
    session.ask("I have this file:\n\n" + fence(OLD))
    assert session.holds("util.py", OLD)
    return session


@pytest.mark.parametrize("caption", ELSEWHERE)
def test_a_model_s_text_from_elsewhere_changes_nothing(known: Session, caption: str) -> None:
    known.ask("What about slug?", f"{caption}\n\n{fence(NEW)}")
    assert known.holds("util.py", OLD)


@pytest.mark.parametrize("caption", ELSEWHERE)
def test_a_user_s_text_from_elsewhere_is_no_truth_and_leaves_none(known: Session, caption: str) -> None:
    known.ask(f"{caption}\n\n{fence(NEW)}", "I see.")
    assert known.state()["util.py"] == "DIRTY"


@pytest.mark.parametrize("caption", ELSEWHERE)
def test_the_same_text_from_elsewhere_says_nothing_else(known: Session, caption: str) -> None:
    known.ask(f"{caption}\n\n{fence(OLD)}", "I see.")
    assert known.holds("util.py", OLD)


@pytest.mark.parametrize("caption", ["Fix it:", "I changed it:", "Could you check this:", "This doesn't work:"])
def test_a_user_s_own_text_is_the_truth(known: Session, caption: str) -> None:
    known.ask(f"{caption}\n\n{fence(NEW)}", "I see.")
    assert known.holds("util.py", NEW)


def test_a_file_that_nobody_knows_comes_under_any_words_but_those_that_take_it_back(session: Session) -> None:
    session.ask(f"Model layer:\n\n{fence(OLD)}\nAnd another:\n\n{fence(NEW).replace('util', 'other')}", "I see.")
    assert session.holds("util.py", OLD)
    assert session.holds("other.py", NEW)


def test_one_caption_stands_for_all_fences_below_it(known: Session) -> None:
    known.ask(f"From the release branch:\n\n{fence(NEW).replace('util', 'other')}\n{fence(NEW)}", "I see.")
    assert known.state()["util.py"] == "DIRTY"


@pytest.mark.parametrize("below", ["Should I apply it?", "Ignore the above.", "Sorry, that was for another project."])
def test_what_a_model_takes_back_below_changes_nothing(known: Session, below: str) -> None:
    known.ask("What about slug?", f"{fence(NEW)}\n{below}")
    assert known.holds("util.py", OLD)


def test_what_a_user_takes_back_below_leaves_no_truth(known: Session) -> None:
    known.ask(f"{fence(NEW)}\nI have reverted that since.", "I see.")
    assert known.state()["util.py"] == "DIRTY"


@pytest.mark.parametrize("label", ["> util.py", "--- util.py", "$ util.py", '"util.py"'])
def test_what_is_not_exactly_a_label_is_none(known: Session, label: str) -> None:
    known.ask("Make slug strip.", f"{label}\n```python\n{NEW}```\n")
    assert known.holds("util.py", OLD)


@pytest.mark.parametrize("label", ["- util.py", "1. `util.py`:", "### **util.py**", "File: `util.py`", "* util.py"])
def test_labels(known: Session, label: str) -> None:
    known.ask("Make slug strip.", f"{label}\n```python\n{NEW}```\n")
    assert known.holds("util.py", NEW)


@pytest.mark.parametrize("info", ["console", "terminal", "diff", "text", "shell", "output"])
def test_an_info_string_of_another_kind_of_text_proves_nothing(known: Session, info: str) -> None:
    known.ask("Make slug strip.", f"```{info} util.py\n{NEW}```\n")
    assert known.holds("util.py", OLD)


@pytest.mark.parametrize(
    "below",
    [
        "(This is the buggy one.)",
        "That's the problem.",
        "^ this is what we had",
        "Previous version, for reference.",
        "The above is what you had.",
        "So sah es bisher aus.",
        "これは古いバージョンです。",
        "上面是旧版本。",
        "Это старая версия.",
        "Esta es la versión anterior.",
    ],
)
def test_words_below_that_call_it_what_was(known: Session, below: str) -> None:
    known.ask("Make slug strip.", fence(NEW) + f"\n{below}\n")
    assert known.holds("util.py", OLD)


@pytest.mark.parametrize(
    "below", ["This strips the text first.", "It is now safe for blanks.", "Das entfernt die Leerzeichen.", "Done."]
)
def test_words_below_that_explain_it(known: Session, below: str) -> None:
    known.ask("Make slug strip.", fence(NEW) + f"\n{below}\n")
    assert known.holds("util.py", NEW)
