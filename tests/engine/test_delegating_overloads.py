"""One answer shows a function that calls a new overload of its own, and that overload."""

from __future__ import annotations

import pytest

from .helpers import Session

PATH = "src/LoanService.java"
BODY = (
    '        if (loans.countByMember(member) >= MAX_LOANS) {{\n            throw new IllegalStateException("too many loans");\n'
    "        }}\n        Loan loan = new Loan(isbn, member, LocalDate.now().plusDays({}));\n        return loans.save(loan);\n    }}\n"
)
OLD = "    public Loan lend(String isbn, String member) {\n" + BODY.format("LOAN_DAYS")
REST = "\n    public void giveBack(long id) {\n        loans.delete(loans.findById(id).orElseThrow());\n    }\n"
TEXT = (
    "package com.acme;\n\nimport java.time.LocalDate;\n\npublic class LoanService {\n    private static final int LOAN_DAYS = 28;\n\n"
    f"{OLD}{REST}}}\n"
)
SHORT = "    public Loan lend(String isbn, String member) {\n        return lend(isbn, member, LOAN_DAYS);\n    }\n"
LONG = "    public Loan lend(String isbn, String member, int days) {\n" + BODY.format("days")
ASKED = "I'd like `lend` to take the loan days as a parameter, with an overload that uses LOAN_DAYS"


@pytest.mark.parametrize("prompt", [ASKED, "`lend` should take the loan days as a parameter, too"])
@pytest.mark.parametrize("shown", [f"{SHORT}\n{LONG}", f"{LONG}\n{SHORT}"])
@pytest.mark.parametrize("label", ["", f"{PATH}\n\n"])
def test_the_short_one_takes_the_place_of_the_long_one(session: Session, prompt: str, shown: str, label: str) -> None:
    session.ask(f"{PATH}\n```java\n{TEXT}```").ask(prompt, f"{label}```java\n{shown}```")
    assert session.holds(f"{PATH}::LoanService.lend", SHORT.removesuffix("\n"))
    assert session.holds(f"{PATH}::LoanService.lend#2", LONG.removesuffix("\n"))
    assert session.state()[PATH] == "DIRTY"


@pytest.mark.parametrize("prompt", [ASKED, f"Show all of {PATH}: `lend` should take the loan days, too"])
def test_nor_in_a_whole_file(session: Session, prompt: str) -> None:
    new = TEXT.replace(OLD, f"{SHORT}\n{LONG}")
    session.ask(f"{PATH}\n```java\n{TEXT}```").ask(prompt, f"{PATH}\n\n```java\n{new}```")
    assert session.holds(PATH, new)


def test_what_calls_nothing_collapsed(session: Session) -> None:
    short = SHORT.replace("lend(isbn, member, LOAN_DAYS)", "null")
    session.ask(f"{PATH}\n```java\n{TEXT}```").ask(ASKED, f"```java\n{short}\n{LONG}```")
    assert session.holds(f"{PATH}::LoanService.lend", OLD.removesuffix("\n"))
