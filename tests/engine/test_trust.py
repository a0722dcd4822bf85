"""Trust modes over whole conversations: what becomes the truth, and what only makes a file DIRTY (SEMANTICS 13)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.resolution.trust import Trust
from tslp_litellm.state.events import Entry, Op
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader

from .helpers import Session, make_engine, sha

TEXT = "def f(x):\n    return x\n\n\ndef g(x):\n    return f(x)\n"
OTHER = TEXT.replace("return x\n", "return x + 1\n")
TOOLS = ("read", "edit", "write", "bash")


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


def call(name: str, **arguments: Any) -> dict[str, dict[str, Any]]:
    return {"c1": {"name": name, "arguments": arguments}}


def promoted(database: Database, workspace: str = "w") -> list[tuple[str | None, str | None]]:
    """Origin and artifact of all that was ever made true."""
    with database.reading() as connection:
        entries: list[Entry] = list(WorkspaceReader(connection, "local", workspace).entries_after(0))
    return [
        (e.content().get("origin"), m.artifact)
        for e in entries
        for m in e.moves()
        if m.op in (Op.PROMOTE, Op.TOMBSTONE)
    ]


def freshness(session: Session) -> dict[str, tuple[str, str]]:
    with session.database.reading() as connection:
        found = queries.state(connection, "local", session.workspace)["entities"]
    return {e["entity"]: (e["artifact"], e["freshness"]) for e in found}


def clean(session: Session) -> dict[str, str]:
    return {name: artifact for name, (artifact, fresh) in freshness(session).items() if fresh == "CLEAN"}


def dirty(session: Session) -> set[str]:
    return {name for name, (_, fresh) in freshness(session).items() if fresh == "DIRTY"}


@pytest.fixture
def closed(session: Session) -> Callable[[Trust], Session]:
    def make(trust: Trust) -> Session:
        session.trust = trust
        return session

    return make


@pytest.mark.parametrize("trust", [Trust.CLIENT, Trust.HUMAN])
def test_a_user_who_goes_on_verifies_nothing(closed: Callable[[Trust], Session], trust: Trust) -> None:
    session = closed(trust).ask(fence("a.py", TEXT))
    session.ask("Simplify a.py.", fence("a.py", "def f(x):\n    return x or None\n"))
    session.ask("Now make `f` faster.", "Sure.")
    assert session.state()["a.py"] == sha(TEXT)


def test_a_proposal_of_a_closed_turn_is_verified_by_nobody_later(closed: Callable[[Trust], Session]) -> None:
    session = closed(Trust.CLIENT).ask(fence("a.py", TEXT))
    session.ask("Change `f` in a.py.", fence("a.py", OTHER))
    session.trust = Trust.PROOF
    session.ask("Now make a.py faster.", "Sure.")
    assert session.state()["a.py"] == sha(TEXT)


def test_no_question_hangs_on_an_audit(database: Database) -> None:
    session = Session(make_engine(database, audit=True), database)
    session.trust = Trust.CLIENT
    session.ask(fence("a.py", TEXT)).ask("Change a.py.", fence("a.py", "def f(x):\n    return x or None\n"))
    assert session.questions == []


def test_a_confirmed_edit(closed: Callable[[Trust], Session]) -> None:
    session = closed(Trust.HUMAN).ask(fence("a.py", TEXT))
    done = call("edit", filePath="a.py", oldString="return x\n", newString="return x + 1\n")
    session.ask("Add one.", None, calls=done).ask("And?", "ok", results={"c1": "Edit applied successfully."})
    assert dirty(session) == {"a.py", "a.py::f", "a.py::g"}


def test_a_full_read(closed: Callable[[Trust], Session]) -> None:
    numbered = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(OTHER.splitlines(), 1))
    session = closed(Trust.HUMAN).ask(fence("a.py", TEXT))
    read = call("Read", file_path="a.py")
    session.ask("Look.", None, calls=read).ask("And?", "ok", results={"c1": numbered})
    assert dirty(session) == {"a.py", "a.py::f", "a.py::g"}
    session.ask("Look.", None, calls={"c2": read["c1"]}).ask("And?", "ok", results={"c2": numbered})
    assert dirty(session) == {"a.py", "a.py::f", "a.py::g"}, "a read cleans nothing either"


def test_a_reader_s_word_makes_nothing_true(closed: Callable[[Trust], Session], database: Database) -> None:
    session = closed(Trust.PROOF).ask(fence("a.py", TEXT)).forget()
    before = promoted(database)
    session.trust = Trust.NOBODY
    session.ask(fence("b.py", TEXT), fence("a.py", OTHER))
    done = call("write", filePath="a.py", content=OTHER)
    assert session.state()["a.py"] == sha(TEXT)
    session.ask("Write it.", None, calls=done).ask("And?", "ok", results={"c1": "Wrote file successfully."})
    assert promoted(database) == before
    assert dirty(session) == {"a.py", "a.py::f", "a.py::g"}


def test_a_branch_of_the_models_does_not_come_back(closed: Callable[[Trust], Session]) -> None:
    """What the model made true for a caller who trusts it is taken up again by one who does not."""
    session = closed(Trust.PROOF).ask(fence("a.py", TEXT)).ask("Change `f` in a.py, please.", fence("a.py", OTHER))
    assert session.state()["a.py"] == sha(OTHER)
    branch = list(session.messages)
    session.messages = session.messages[:2]
    session.trust = Trust.CLIENT
    session.ask("Leave it as it was, and explain it.", "It returns.")
    assert session.state()["a.py"] == sha(TEXT)
    session.messages = branch
    session.ask("Go on from here, then.", "Sure.")
    assert clean(session).get("a.py") != sha(OTHER)


STEPS = ("fence", "new", "edit", "write", "read", "rm", "diff", "undo")


def play(session: Session, rng: random.Random, steps: int) -> set[str]:
    """A conversation made at random in which the user shows a file now and then; what was shown."""
    shown = {TEXT}
    session.ask(fence("a.py", TEXT))
    for n in range(steps):
        text = TEXT.replace("return x\n", f"return x + {rng.randrange(10**9)}\n")
        match rng.choice(STEPS):
            case "fence":
                session.ask("Change a.py.", fence("a.py", text))
            case "new":
                session.ask("Write it.", fence(f"n{n}.py", text))
            case "edit":
                done = {
                    f"e{n}": {
                        "name": "edit",
                        "arguments": {
                            "filePath": "a.py",
                            "oldString": "return f(x)",
                            "newString": f"return f(x + {n})",
                        },
                    }
                }
                session.ask("Do.", None, calls=done).ask("And?", "ok", results={f"e{n}": "Edit applied successfully."})
            case "write":
                done = {f"w{n}": {"name": "write", "arguments": {"filePath": "a.py", "content": text}}}
                session.ask("Do.", None, calls=done).ask("And?", "ok", results={f"w{n}": "Wrote file successfully."})
            case "read":
                numbered = "\n".join(f"{i:6}\t{line}" for i, line in enumerate(text.splitlines(), 1))
                done = {f"r{n}": {"name": "Read", "arguments": {"file_path": "a.py"}}}
                session.ask("Look.", None, calls=done).ask("And?", fence("a.py", text), results={f"r{n}": numbered})
            case "rm":
                done = {f"d{n}": {"name": "bash", "arguments": {"command": "rm a.py"}}}
                session.ask("Do.", None, calls=done).ask("And?", "ok", results={f"d{n}": "Exit code: 0\nOutput:\n"})
            case "diff":
                session.ask(
                    "Change.",
                    f"a.py\n<<<<<<< SEARCH\n    return f(x)\n=======\n    return f(x) + {n}\n>>>>>>> REPLACE\n",
                )
            case "undo":
                session.messages = session.messages[: 2 * rng.randrange(1, 1 + len(session.messages) // 2)]
                session.ask("Another way, please.", "ok")
        if rng.random() < 0.3:
            shown.add(text)
            session.ask(fence("a.py", text))
    return shown


@pytest.mark.parametrize("seed", range(12))
def test_only_what_the_user_showed_was_ever_true(session: Session, database: Database, seed: int) -> None:
    session.trust = Trust.HUMAN
    shown = {sha(text) for text in play(session, random.Random(seed), 12)}
    files = {name: artifact for name, artifact in clean(session).items() if "::" not in name}
    assert set(files.values()) <= shown
    assert {origin for origin, _ in promoted(database)} == {"user"}
