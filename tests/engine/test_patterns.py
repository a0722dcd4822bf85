"""Languages without a grammar, whole turns: what `symbols.json` confirms, what it only infers, what it leaves alone."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

ADD = "# Adds.\nsub add {\n    my ($x, $y) = @_;\n    return $x + $y;\n}"
SUB = "sub minus {\n    my ($x, $y) = @_;\n    return $x - $y;\n}"
CALC = f"#!/usr/bin/perl\nuse strict;\nuse warnings;\n\n{ADD}\n\n{SUB}\n\nprint add(1, 2);\n"
CHECKED = ADD.replace("    return", "    die 'no' unless defined $y;\n    return")


def fence(text: str, path: str = "calc.pl") -> str:
    return f"{path}\n```perl\n{text}```\n"


@pytest.fixture
def shown(session: Session) -> Session:
    return session.ask(fence(CALC) + "Look at it.")


def test_a_whole_file_brings_its_definitions(shown: Session) -> None:
    assert shown.state() == {
        "calc.pl": sha(CALC),
        "calc.pl::add": sha(ADD),
        "calc.pl::minus": sha(SUB),
    }
    shown.forget().ask("What does `minus` do?")
    assert shown.hydrated == ["calc.pl::minus"]
    assert "\nSource: Confirmed via pattern\n\n" + SUB in shown.prompt


def test_a_fragment_changes_its_own_definition(shown: Session) -> None:
    shown.ask("Check the arguments of `add`.", fence(CHECKED + "\n"))
    assert shown.holds("calc.pl", CALC.replace(ADD, CHECKED))
    assert shown.state()["calc.pl::add"] == sha(CHECKED)


def test_the_comment_above_is_kept_where_the_fragment_has_none(shown: Session) -> None:
    shown.ask("Check the arguments of `add`.", fence(CHECKED.partition("\n")[2] + "\n"))
    assert shown.holds("calc.pl", CALC.replace(ADD, CHECKED))


def test_a_definition_that_nobody_knew_is_only_inferred(shown: Session) -> None:
    shown.ask("Add times.", fence("sub times {\n    return $_[0] * $_[1];\n}\n"))
    assert shown.holds("calc.pl", CALC)
    assert "calc.pl::times" not in shown.state()
    shown.ask("Go on.")
    assert "could not be structurally linked" in shown.prompt


def test_a_definition_that_is_there_twice_is_nobodys(shown: Session) -> None:
    shown.ask("Change add.", fence(f"{CHECKED}\n\n{ADD}\n"))
    assert shown.holds("calc.pl", CALC)


def test_a_whole_file_that_loses_a_definition_stays_proposed(shown: Session) -> None:
    less = CALC.replace(SUB + "\n\n", "").replace(
        "print add(1, 2);", "print add(1, 2), add(3, 4), add(5, 6), add(7, 8);"
    )
    shown.ask("Improve it.", f"Here is all of it:\n\n{fence(less)}")
    assert shown.holds("calc.pl", CALC)


def test_what_the_user_removes_is_gone(shown: Session) -> None:
    less = CALC.replace(SUB + "\n\n", "")
    shown.ask("Remove `minus`:\n\n" + fence(less))
    assert shown.holds("calc.pl", less)
    assert "calc.pl::minus" not in shown.state(), "its name stands nowhere in the file any more"


def test_what_the_user_asks_to_remove_is_gone(shown: Session) -> None:
    less = CALC.replace(SUB + "\n\n", "")
    shown.ask("Remove minus from calc.pl.", fence(less))
    assert shown.holds("calc.pl", less)
    assert "calc.pl::minus" not in shown.state()


def test_a_loss_that_nobody_asked_for_waits_for_authority(shown: Session) -> None:
    shown.ask("Tidy up calc.pl.", fence(CALC.replace(SUB + "\n\n", "")))
    assert shown.holds("calc.pl", CALC)
    assert [(q.entity, q.hangs) for q in shown.questions] == [("calc.pl", True)]


def test_a_placeholder_is_refused(shown: Session) -> None:
    shown.ask("Change add.", fence("sub add {\n    my ($x, $y) = @_;\n    # ... rest of the code ...\n}\n"))
    assert shown.holds("calc.pl", CALC)


def test_too_little_is_refused(shown: Session) -> None:
    shown.ask("Change add.", fence("sub add {\n}\n"))
    assert shown.holds("calc.pl", CALC)


def test_a_definition_in_doubt_is_tracked_with_its_file_only(session: Session) -> None:
    odd = CALC.replace("    return $x - $y;", "    print <<EOT;\nflush left\nEOT")
    session.ask(fence(odd) + "Look.")
    assert set(session.state()) == {"calc.pl", "calc.pl::add"}
    session.ask("Change minus.", fence("sub minus {\n    return 1;\n}\n"))
    assert session.holds("calc.pl", odd)


def test_one_that_comes_into_doubt_is_dirty(shown: Session) -> None:
    odd = CALC.replace("    return $x - $y;", "    print <<EOT;\nflush left\nEOT")
    shown.ask("Print it.", fence(odd))
    assert shown.holds("calc.pl", odd)
    assert shown.state()["calc.pl::minus"] == "DIRTY"


def test_code_without_a_path_is_of_the_file_that_defines_it(shown: Session) -> None:
    shown.ask("Check add.", f"```perl\n{CHECKED}\n```\n")
    assert shown.holds("calc.pl", CALC.replace(ADD, CHECKED))
