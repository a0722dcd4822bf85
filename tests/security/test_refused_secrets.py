"""`refuse_secrets`: no text with a secret is kept, none becomes the truth, and what was the truth is DIRTY."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.helpers import Session, make_engine
from tests.samples_of_secrets import ALL
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import rebuild, verify

SECRET = ALL["github classic"]
CLEAN = (
    "import os\n\n\ndef token():\n    return os.environ['TOKEN']\n\n\ndef url():\n    return 'https://example.org'\n"
)
LEAKY = CLEAN.replace("os.environ['TOKEN']", f"'{SECRET}'")
MENDED = CLEAN.replace("TOKEN", "OTHER")


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


def call(name: str, **arguments: str) -> dict[str, dict[str, object]]:
    return {"c1": {"name": name, "arguments": arguments}}


class Place:
    """A database in a file, so that its bytes can be looked through."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder, self.database = folder, Database(f"sqlite:///{folder / 'tslp.db'}")
        self.database.migrate()
        self.session = Session(make_engine(self.database, **settings), self.database)

    def bytes_hold(self, text: str) -> bool:
        with self.database.reading() as connection:  # also what is packed
            from tslp_litellm.store import vault
            from tslp_litellm.store.schema import vault as table

            hashes = list(connection.execute(table.select().with_only_columns(table.c.hash)).scalars())
            packed = any(text in kept for kept in vault.get(connection, hashes).values())
        return packed or any(text.encode() in file.read_bytes() for file in self.folder.iterdir())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, refuse_secrets=True)


def shown_by_user(s: Session, text: str) -> None:
    s.ask(fence("a.py", text))


def said_by_model(s: Session, text: str) -> None:
    s.ask("Write a.py anew.", fence("a.py", text))


def written_by_tool(s: Session, text: str) -> None:
    s.ask("Write a.py anew.", "", calls=call("Write", file_path="a.py", content=text))
    s.ask(None, "Done.", results={"c1": "File created successfully at: a.py"})


def read_by_tool(s: Session, text: str) -> None:
    s.ask("Look at a.py.", "", calls=call("read_file", path="a.py"))
    s.ask(None, "Seen.", results={"c1": text})


def edited_by_tool(s: Session, text: str) -> None:
    old = "    return os.environ['TOKEN']"
    new = next(line for line in text.split("\n") if "return" in line)
    s.ask("Edit a.py.", "", calls=call("Edit", file_path="a.py", old_string=old, new_string=new))
    s.ask(None, "Done.", results={"c1": "The file a.py has been updated."})


def shown_in_part(s: Session, text: str) -> None:
    s.ask(fence("a.py", "def token():\n" + text.split("def token():\n")[1].split("\n\n", maxsplit=1)[0] + "\n"))


WAYS: list[Callable[[Session, str], None]] = [
    shown_by_user, said_by_model, written_by_tool, read_by_tool, edited_by_tool, shown_in_part,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_tracked_file_that_now_holds_a_secret_is_dirty(place: Place, way: Callable[[Session, str], None]) -> None:
    s = place.session
    shown_by_user(s, CLEAN)
    assert s.holds("a.py", CLEAN)
    way(s, LEAKY)
    assert set(s.state().values()) == {"DIRTY"}
    held = [a for e in s.recent() for a in e["artifact_states"] if a["reason"] == "holds-secret"]
    assert held
    assert all(a["artifact"] is None and a["state"] == "PROPOSED" for a in held)
    s.ask("What does `token` in a.py do?")
    assert s.hydrated == []
    assert "unknown" in s.prompt
    assert not place.bytes_hold(SECRET)
    shown_by_user(s.forget(), MENDED)
    assert s.holds("a.py", MENDED)
    rebuild(place.database)
    assert s.holds("a.py", MENDED)
    assert verify(place.database) == []


@pytest.mark.parametrize("way", WAYS[:4])
def test_an_unknown_file_that_holds_a_secret_is_not_tracked(place: Place, way: Callable[[Session, str], None]) -> None:
    way(place.session, LEAKY)
    assert place.session.state() == {}
    assert not place.bytes_hold(SECRET)


@pytest.mark.parametrize("way", WAYS)
def test_without_the_setting_they_are_kept_as_any_text(tmp_path: Path, way: Callable[[Session, str], None]) -> None:
    place = Place(tmp_path)
    shown_by_user(place.session, CLEAN)
    way(place.session, LEAKY)
    assert place.session.holds("a.py", LEAKY)
    assert place.bytes_hold(SECRET)


@pytest.mark.parametrize("secret", ALL.values(), ids=ALL)
def test_no_secret_of_any_kind_reaches_the_database(place: Place, secret: str) -> None:
    s = place.session
    kept = 'x = """\n' + secret + '\n"""\n'
    s.ask(
        f"My key is {secret}, look:\n\n{fence('keys.py', kept)}",
        f"I see {secret}.\n\n```python\n{kept}\ndef f():\n    pass\n```",
    )
    s.ask(f"Write `x` in keys.py to {secret}.py", "", calls=call("Write", file_path=f"{secret}.py", content=kept))
    s.ask(None, "ok", results={"c1": f"Error: no such file {secret}"})
    s.ask("Edit it.", f"keys.py\n<<<<<<< SEARCH\n{kept}=======\nx = 1\n>>>>>>> REPLACE\n")
    for line in secret.split("\n"):
        assert len(line) < 12 or not place.bytes_hold(line)
    assert verify(place.database) == []


def test_a_candidate_that_holds_a_secret_waits_for_no_authority(place: Place) -> None:
    s = place.session
    shown_by_user(s, CLEAN)
    s.ask("Rewrite `token` in a.py.", fence("a.py", f"import os\n\n\ndef token():\n    return '{SECRET}'\n"))
    assert s.questions == []
    s.ask("Now let `token` in a.py also log.")
    assert s.holds("a.py", CLEAN) or set(s.state().values()) == {"DIRTY"}
    assert not place.bytes_hold(SECRET)


def test_what_holds_none_is_untouched_by_the_setting(place: Place) -> None:
    s = place.session
    shown_by_user(s, CLEAN)
    said_by_model(s, MENDED)
    assert s.holds("a.py", MENDED)
    s.ask("What does `token` in a.py do?")
    assert s.hydrated == ["a.py::token"] or "a.py" in str(s.messages)
