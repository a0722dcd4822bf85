"""`tslp head`, and `verify --against` it: what no chain tells once it was made anew (SEMANTICS 12)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslp_litellm.cli import main
from tslp_litellm.state.events import GENESIS, canonical, chain_hash

from .conftest import Shell

Rows = list[list[object]]
SEQ, EPISODE, AT, KIND, BODY = range(1, 6)


def forge(shell: Shell, change: Callable[[Rows], Rows]) -> None:
    """Drop the triggers, alter the Ledger, and make all of its chain and its projection anew."""
    shell.database.close()
    with sqlite3.connect(shell.file) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        rows = change([list(row) for row in connection.execute("SELECT * FROM events ORDER BY seq")])
        connection.execute("DELETE FROM events")
        digest = GENESIS
        for seq, row in enumerate(rows, 1):
            row[SEQ], row[6] = seq, digest
            row[7] = digest = chain_hash(*row[:6], digest)  # type: ignore[arg-type]
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()
    shell.run("rebuild")


def edited(at: int, old: str, new: str) -> Callable[[Rows], Rows]:
    def change(rows: Rows) -> Rows:
        assert old in str(rows[at][BODY])
        rows[at][BODY] = str(rows[at][BODY]).replace(old, new)
        return rows

    return change


FORGERIES: dict[str, Callable[[Rows], Rows]] = {
    "the last ones go": lambda rows: rows[:-3],
    "all but the first go": lambda rows: rows[:1],
    "one in the middle goes": lambda rows: rows[:4] + rows[5:],
    "two change places": lambda rows: [*rows[:3], rows[4], rows[3], *rows[5:]],
    "one comes twice": lambda rows: [*rows[:3], rows[2], *rows[3:]],
    "a time is another": lambda rows: [
        [*r[:AT], "2025-01-01T00:00:00.000Z", *r[KIND:]] if n == 3 else r for n, r in enumerate(rows)
    ],
    "an episode is another": lambda rows: [
        [*r[:EPISODE], "someone", *r[AT:]] if n == 2 else r for n, r in enumerate(rows)
    ],
    "a model is another": edited(2, '"model":"m"', '"model":"n"'),
    "a reason is another": edited(1, "structural-parity", "user-write-head"),
    "whose word it was is another": edited(1, '"origin":"model"', '"origin":"user"'),
}


def promotions(rows: Rows) -> list[int]:
    return [n for n, row in enumerate(rows) if '"op":"promote"' in str(row[BODY])]


def not_current(rows: Rows) -> Rows:
    """The third text replaces the first, which the second one had replaced."""
    first, second, third = (json.loads(str(rows[n][BODY])) for n in promotions(rows))
    third["moves"][0]["replaces"] = second["moves"][0]["replaces"]
    rows[promotions(rows)[2]][BODY] = canonical(third)
    assert first["moves"][0]["artifact"] == third["moves"][0]["replaces"]
    return rows


def two_at_once(rows: Rows) -> Rows:
    """The second and the third text both take the first one's place, in one event."""
    _, second, third = (json.loads(str(rows[n][BODY])) for n in promotions(rows))
    second["moves"] += [{**third["moves"][0], "replaces": second["moves"][0]["replaces"]}]
    rows[promotions(rows)[1]][BODY] = canonical(second)
    return rows[: promotions(rows)[2]]


def circle(rows: Rows) -> Rows:
    """The first text replaces the third, which comes of it."""
    first, _, third = (json.loads(str(rows[n][BODY])) for n in promotions(rows))
    first["moves"][0]["replaces"] = third["moves"][0]["artifact"]
    rows[promotions(rows)[0]][BODY] = canonical(first)
    return rows


def order(rows: Rows) -> Rows:
    """The second and the third text change places."""
    _, second, third = promotions(rows)
    rows[second], rows[third] = rows[third], rows[second]
    return rows


@pytest.mark.parametrize("how", [not_current, two_at_once, circle, order])
def test_a_law_of_succession_that_is_broken_is_found_without_an_older_head(
    bare: Shell, how: Callable[[Rows], Rows]
) -> None:
    for text in ("A = 1\n", "A = 2\n", "A = 3\n"):
        bare.client().ask(f"Now:\n\na.py\n```python\n{text}```\n")
    bare.run("verify")
    forge(bare, how)
    assert "a.py replaces another text" in bare.run("verify", status=1).output


@pytest.fixture
def kept(shell: Shell) -> Path:
    """The notes of a while ago; things went on since."""
    Path("notes.txt").write_text(shell.run("head").stdout)
    shell.client().ask("This is new:\n\nnew.py\n```python\nX = 1\n```\n")
    return Path("notes.txt")


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forgery_whose_chain_was_made_anew_is_found(shell: Shell, kept: Path, how: str) -> None:
    forge(shell, FORGERIES[how])
    said = shell.run("verify", "--against", str(kept), status=1).output
    assert "was rewritten" in said or "is gone" in said


def test_what_only_went_on_is_all_right(shell: Shell, kept: Path) -> None:
    shell.run("verify", "--against", str(kept))
    forge(shell, lambda rows: rows)
    shell.run("verify", "--against", str(kept))


def test_an_older_text_that_comes_back_raises_no_alarm(bare: Shell) -> None:
    for text in ("A = 1\n", "A = 2\n", "A = 1\n"):
        Path("notes.txt").write_text(bare.run("head").stdout)
        bare.client().ask(f"Now:\n\na.py\n```python\n{text}```\n")
    bare.run("verify", "--against", "notes.txt")


def test_the_key_and_by_what_it_is_checked(shell: Shell) -> None:
    made = shell.run("head")
    key = Path(".tslp/head.key")
    assert key.stat().st_mode & 0o777 == 0o600
    verifier = shell.run("head", "--verifier").stdout.strip()
    assert verifier in made.stderr
    Path("notes.txt").write_text(made.stdout)
    key.unlink()
    assert "There is no key" in shell.run("verify", "--against", "notes.txt", status=2).output
    shell.run("verify", "--against", "notes.txt", "--verifier", verifier)
    other = shell.run("head", "--verifier", "--key-file", "other.key").stdout.strip()
    assert "is not signed by" in shell.run("verify", "--against", "notes.txt", "--verifier", other, status=2).output
    key.write_text("no key")
    assert "can't be used" in shell.run("head", status=3).output
    assert "can't be read" in shell.run("verify", "--against", "nowhere", "--verifier", verifier, status=3).output


def test_no_key_is_made_where_there_is_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TSLP_DATABASE_URL", raising=False)
    assert "There is no database" in CliRunner().invoke(main, ["head"]).output
    assert list(tmp_path.iterdir()) == []
