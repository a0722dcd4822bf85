"""What a prompt moves to a file that is not there yet, without labels or without the file that it leaves (SEMANTICS 2)."""

from __future__ import annotations

import pytest

from .helpers import Session

JS = (
    "src/a.js",
    "src/b.js",
    "js",
    "export function one() {\n  return 1;\n}\n",
    "export function two() {\n  return one() + 1;\n}\n",
    'import { one } from "./b.js";\n',
)
PY = (
    "src/a.py",
    "src/b.py",
    "python",
    "def one():\n    return 1\n",
    "def two():\n    return one() + 1\n",
    "from .b import one\n",
)
RUST = (
    "src/a.rs",
    "src/b.rs",
    "rust",
    "pub fn one() -> i32 {\n    1\n}\n",
    "pub fn two() -> i32 {\n    one() + 1\n}\n",
    "use crate::b::one;\n",
)
LANGUAGES = [JS, PY, RUST]
Case = tuple[str, str, str, str, str, str]


def fence(language: str, text: str) -> str:
    return f"```{language}\n{text}```\n"


def shown(session: Session, case: Case) -> Session:
    return session.ask(f"{case[0]}\n{fence(case[2], case[3] + chr(10) + case[4])}")


@pytest.mark.parametrize("case", LANGUAGES)
@pytest.mark.parametrize("heads", [("", ""), ("The new file:\n\n", "{} becomes:\n\n"), ("Done:\n\n", "And:\n\n")])
@pytest.mark.parametrize(
    "asked", ["Move one() into {}.", "Please extract `one` into {}.", "Move one() to its own file {}."]
)
def test_both_files_are_known_without_a_label(session: Session, case: Case, heads: tuple[str, str], asked: str) -> None:
    old, new, language, one, two, imported = case
    left = f"{imported}\n{two}"
    answer = f"{heads[0]}{fence(language, one)}\n{heads[1].format(old)}{fence(language, left)}"
    shown(session, case).ask(asked.format(new), answer)
    assert (session.holds(new, one), session.holds(old, left)) == (True, True)


@pytest.mark.parametrize("case", LANGUAGES)
@pytest.mark.parametrize("label", [True, False])
@pytest.mark.parametrize("said", ["Now delete it from {}.", "", "In `{}`, import it instead:\n\n{}"])
def test_where_it_stood_it_is_in_doubt(session: Session, case: Case, label: bool, said: str) -> None:
    old, new, language, one, _, imported = case
    answer = f"{new + chr(10) if label else ''}{fence(language, one)}\n{said.format(old, fence(language, imported))}"
    state = shown(session, case).ask(f"Move `one` to its own file {new}.", answer).state()
    assert session.holds(new, one)
    assert state[old] == state[f"{old}::one"] == "DIRTY" != state[f"{old}::two"]


@pytest.mark.parametrize(
    "asked",
    [
        "Is it wise to move one() into {}?",
        "Don't move one() into {}, keep it.",
        "Write {}, which uses one().",
        "Write tests of one() in src/test_b.py.",
    ],
)
def test_it_is_not_where_the_prompt_does_not_put_it_there(session: Session, asked: str) -> None:
    old, new, language, one, two, _ = PY
    shown(session, PY).ask(asked.format(new), f"You have:\n\n{fence(language, one)}")
    assert session.holds(old, f"{one}\n{two}")
    assert f"{new}::one" not in session.state()


def test_nor_where_it_is_copied_or_shown_otherwise(session: Session) -> None:
    old, new, language, one, two, _ = PY
    shown(session, PY).ask(f"Copy one() to {new}.", f"{new}\n{fence(language, one)}")
    assert session.holds(old, f"{one}\n{two}")


def test_what_was_changed_instead_is_of_its_file(session: Session) -> None:
    old, new, language, *_ = PY
    changed = "from .b import check\n\n\ndef one():\n    check()\n    return 1\n"
    state = shown(session, PY).ask(f"Move the check in one() to {new}.", fence(language, changed)).state()
    assert new not in state and state[old] == "DIRTY"


@pytest.mark.parametrize("case", LANGUAGES)
@pytest.mark.parametrize("asked", ["move one from {} to {}", "move one out of {} into a new file {}"])
def test_a_file_that_is_named_like_what_it_holds_names_only_itself(session: Session, case: Case, asked: str) -> None:
    _, _, language, one, two, imported = case
    end = case[0].rpartition(".")[2]
    old, new, left = f"two.{end}", f"other.{end}", f"{imported}\n{two}"
    session.ask(f"{old}\n{fence(language, one + chr(10) + two)}")
    answer = f"Here's `{new}`:\n\n{fence(language, one)}\nAnd `{old}` becomes:\n\n{fence(language, left)}"
    session.ask(asked.format(old, new), answer)
    assert (session.holds(new, one), session.holds(old, left)) == (True, True)
