"""Trust modes over whole conversations: what becomes the truth, and what only makes a file DIRTY (SEMANTICS 13)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.resolution.trust import Trust
from tslp_litellm.state.events import Entry, Move, Op
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


def test_a_reader_s_word_changes_nothing(closed: Callable[[Trust], Session], database: Database) -> None:
    session = closed(Trust.PROOF).ask(fence("a.py", TEXT)).forget()
    before = session.state()
    session.trust = Trust.NOBODY
    session.ask(fence("b.py", "def b():\n    return 0\n") + fence("a.py", OTHER), fence("a.py", OTHER))
    assert session.ask("What does `f` in a.py do?").hydrated == ["a.py::f"]
    done = call("write", filePath="a.py", content=OTHER)
    session.ask("Write it.", None, calls=done).ask("And?", "ok", results={"c1": "Wrote file successfully."})
    session.ask("I changed a.py and pulled.", None, calls={"c2": {"name": "bash", "arguments": {"command": "rm a.py"}}})
    session.ask("So?", "ok", results={"c2": "Exit code: 0\nOutput:\n"})
    assert session.state() == before
    assert session.events("evidence.judged")[1:] == []
    assert [e.get("prompt") is None for e in session.events("episode.recorded")].count(False) > 1, "it is recorded"


def test_a_reader_s_request_that_is_too_long_to_read_dirties_nothing(database: Database) -> None:
    Session(make_engine(database), database).ask(fence("a.py", TEXT))
    reader = Session(make_engine(database, visit_seconds=1e-9), database)
    reader.trust = Trust.NOBODY
    reader.ask(fence("a.py", OTHER), fence("a.py", OTHER))
    assert reader.episode is not None
    assert reader.episode.over_budget
    assert reader.state()["a.py"] == sha(TEXT)


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


class User:
    """Somebody with a disk, who works in ways made at random and now and then shows what is there.

    Only `said` becomes the truth under HUMAN; whatever the State Map holds as CLEAN must be on the `disk`."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self.session, self.rng, self.count = session, rng, 0
        self.disk: dict[str, str] = {}
        self.said: set[str] = set()
        self.pastes()

    def text(self) -> str:
        return TEXT.replace("return x\n", f"return x + {self.rng.randrange(10**9)}\n")

    def path(self) -> str:
        return self.rng.choice(("a.py", "b.py", "lib/c.py"))

    def turn(self) -> None:
        getattr(self, self.rng.choice(WAYS))()

    def pastes(self) -> None:
        path = self.path()
        self.disk[path] = text = self.text() if self.rng.random() < 0.7 else self.disk.get(path, self.text())
        self.said.add(sha(text))
        self.session.ask(f"This is {path} now:\n\n{fence(path, text)}", self.answer())

    def answer(self) -> str:
        """What a model says, right or wrong: nobody puts it on the disk."""
        path = self.path()
        return self.rng.choice(
            (
                "ok",
                fence(path, self.text()),
                f"{path}\n```python\ndef f(x):\n    return {self.rng.randrange(999)}\n```\n",
                f"{path}\n<<<<<<< SEARCH\n    return f(x)\n=======\n    return f(x) + 1\n>>>>>>> REPLACE\n",
                fence(f"new{self.rng.randrange(9)}.py", self.text()),
            )
        )

    def asks(self) -> None:
        self.session.ask(f"Change `f` in {self.path()}, please.", self.answer())
        self.session.ask(f"Good. Now make {self.path()} faster.", self.answer())

    def calls(self, name: str, result: str, **arguments: Any) -> None:
        self.count += 1
        made = {f"c{self.count}": {"name": name, "arguments": arguments}}
        self.session.ask("Do it.", None, calls=made)
        self.session.ask("And?", self.answer(), results={f"c{self.count}": result})

    def writes(self) -> None:
        path = self.path()
        self.disk[path] = self.text()
        self.calls("write", "Wrote file successfully.", filePath=path, content=self.disk[path])

    def edits(self) -> None:
        path = self.rng.choice(list(self.disk))
        new = f"return f(x + {self.rng.randrange(10**6)})"
        before, self.disk[path] = self.disk[path], self.disk[path].replace("return f(x)", new)
        if before != self.disk[path]:
            self.calls("edit", "Edit applied successfully.", filePath=path, oldString="return f(x)", newString=new)

    def is_denied(self) -> None:
        denied = "The user rejected permission to use this specific tool call."
        self.calls("write", denied, filePath=self.path(), content=self.text())

    def reads(self) -> None:
        path = self.rng.choice(list(self.disk))
        numbered = "\n".join(f"{i:6}\t{line}" for i, line in enumerate(self.disk[path].splitlines(), 1))
        self.calls("Read", numbered, file_path=path)

    def removes(self) -> None:
        if len(self.disk) > 1:
            path, _ = self.disk.popitem()
            self.calls("bash", "Exit code: 0\nOutput:\n", command=f"rm {path}")

    def tells(self) -> None:
        path = self.rng.choice(list(self.disk))
        self.disk[path] = self.text()
        self.session.ask(f"I changed {path} by hand.", self.answer())

    def goes_back(self) -> None:
        users = [n for n, m in enumerate(self.session.messages) if m["role"] == "user"]
        self.session.messages = self.session.messages[: self.rng.choice(users)]
        self.session.ask(f"Another way, please, {self.rng.randrange(10**6)}.", self.answer())

    def begins_anew(self) -> None:
        self.session.forget().ask("Hello, what is there?", self.answer())

    def false(self) -> dict[str, str]:
        """What the State Map holds as CLEAN and is not on the disk."""
        texts = {}
        for path, text in self.disk.items():
            f, _, g = text.partition("\n\n\n")
            texts |= {path: sha(text), f"{path}::f": sha(f), f"{path}::g": sha(g.rstrip("\n"))}
        return {name: artifact for name, artifact in clean(self.session).items() if texts.get(name) != artifact}


WAYS = (
    "pastes",
    "asks",
    "asks",
    "writes",
    "edits",
    "is_denied",
    "reads",
    "removes",
    "tells",
    "goes_back",
    "begins_anew",
)
TURNS = 100


SEEDS = [pytest.param(seed, marks=[pytest.mark.slow] if seed else []) for seed in range(20)]


@pytest.mark.parametrize("seed", SEEDS)
def test_under_human_only_what_the_user_shows_is_ever_true(session: Session, database: Database, seed: int) -> None:
    """2,000 turns and more: no promotion of a model's text, nothing CLEAN that is not on the disk."""
    session.trust = Trust.HUMAN
    user, held = User(session, random.Random(seed)), 0
    while len(session.events("episode.recorded")) < TURNS:
        user.turn()
        assert user.false() == {}
        held += bool(clean(session))
    assert held > TURNS // 5, "what was shown is held, until something happens to it"
    files = {m.artifact for m in _promotions(database) if m.entity and "::" not in m.entity}
    assert files <= user.said
    assert {origin for origin, _ in promoted(database)} == {"user"}


def _promotions(database: Database) -> list[Move]:
    with database.reading() as connection:
        entries = list(WorkspaceReader(connection, "local", "w").entries_after(0))
    return [m for e in entries for m in e.moves() if m.op is Op.PROMOTE]
