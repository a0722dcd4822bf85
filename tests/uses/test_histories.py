"""Real histories, played in process: renames across files are told to exactly those who use what was renamed, and few
prompts are told of anything stale."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.helpers import Session, make_engine
from tests.uses.reading import known, uses
from tslp_litellm.engine.projecting import is_read, problems
from tslp_litellm.state.names import Entity
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path

DATA = Path(__file__).parents[3] / "shared" / "acceptance" / "replay" / "data"
HISTORIES = ("anyhow", "h11", "ky", "linenoise", "pflag", "rack-test")
RENAMES = {
    "h11/state.py::ConnectionState": "ParticipantStates",
    "h11/util.py::ProtocolError": "BrokenProtocol",
    "h11/readers.py::READERS": "READER_TABLE",
    "h11/writers.py::WRITERS": "WRITER_TABLE",
    "source/types/options.ts::NormalizedOptions": "ResolvedOptions",
    "source/types/hooks.ts::Hooks": "HookTable",
    "source/core/constants.ts::maxSafeTimeout": "longestTimeout",
    "linenoise.h::linenoiseCompletions": "linenoiseMatches",
    "flag.go::NewFlagSet": "MakeFlagSet",
    "src/context.rs::ContextError": "WithContext",
}
STALE_SHARE_MAX = 0.1
TOLD_STALE = re.compile(r"; it was: |has other members since: ")
STILL_USED = re.compile(r"These entities still use it[^\n]*\n((?:- .*\n)+)")
IDS = itertools.count()  # no two calls have the same, as with real clients

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not DATA.is_dir(), reason="the replay histories are not here")]


@pytest.fixture
def session() -> Iterator[Session]:
    database = Database("sqlite://")
    database.migrate()
    yield ample(database)
    assert verify(database, also=problems) == []
    database.close()


def ample(database: Database) -> Session:
    """A conversation whose prompts have room for all that is to be told."""
    return Session(make_engine(database, audit=False, hydration_tokens_max=32_000), database)


def commits(name: str) -> list[list[dict[str, Any]]]:
    lines = (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["changes"] for line in lines[1:]]


def tree(name: str) -> dict[str, str]:
    """The files at a history's end, as far as it showed them and uses are read in them."""
    texts = dict[str, str]()
    for change in (change for changes in commits(name) for change in changes):
        texts.pop(change.get("old_path") or change["path"], None)
        if change["after"] is not None and is_read(change["path"]):
            texts[change["path"]] = change["after"]
    return texts


def fence(path: str, text: str) -> str:
    ticks = "````" if "```" in text else "```"
    language = language_of_path(path)
    return f"{path}\n{ticks}{language.name if language else ''}\n{text}{ticks}\n"


def renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w$]){old}(?![\w$])", new, text)


def listed(session: Session) -> set[str]:
    return {line[2:] for found in STILL_USED.finditer(session.prompt) for line in found[1].splitlines()}


@pytest.mark.parametrize("entity", RENAMES)
def test_a_rename_is_told_to_all_who_use_it_and_to_nobody_else(session: Session, entity: str) -> None:
    path, new = Entity.parse(entity).path, RENAMES[entity]
    old = Entity.parse(entity).leaf or ""
    texts = next(texts for name in HISTORIES if path in (texts := tree(name)))
    proven = {str(use.user) for at in texts if at != path for use in uses(at, known(texts)) if str(use.used) == entity}
    session.ask("These are mine:\n\n" + "".join(fence(*one) for one in texts.items())).forget()
    play(session, [modify(path, texts[path], old, new)], texts)
    assert listed(session.ask("What is a good name for a cat?", "Tom.")) == proven != set()
    naming = {at for at, text in texts.items() if renamed(text, old, new) != text}
    assert {Entity.parse(user).path for user in proven} <= naming
    play(session, [modify(at, texts[at], old, new) for at in naming], texts)
    assert listed(session.ask("And for a dog?", "Rex.")) == set()


def test_a_move_that_was_made_is_told_between_its_two_files(session: Session) -> None:
    held = dict[str, str]()
    for changes in commits("pflag"):
        if [change["path"] for change in changes] == ["duration.go", "flag.go"]:
            break
        play(session, changes, held)
    taken, given = changes
    session.ask("This is mine:\n\n" + fence("flag.go", given["before"])).forget()
    play(session, [taken], held | {"flag.go": given["before"]})
    told = listed(session.ask("What is a good name for a cat?", "Tom."))
    assert told >= {"flag.go::Flag", "flag.go::FlagSet.Var", "flag.go::FlagSet.VarP", "flag.go::Var", "flag.go::VarP"}
    assert all(re.search(r"\bValue\b", part(session, user)) for user in told)
    play(session, [given], held | {"flag.go": given["before"]})
    assert listed(session.ask("And for a dog?", "Rex.")) == set()


def part(session: Session, entity: str) -> str:
    """The text of an entity as it is held."""
    artifact = session.state()[entity]
    with session.database.reading() as connection:
        return WorkspaceReader(connection, "local", session.workspace).texts([artifact])[artifact]


def modify(path: str, text: str, old: str, new: str) -> dict[str, Any]:
    return {"path": path, "before": text, "after": renamed(text, old, new)}


def play(session: Session, changes: list[dict[str, Any]], held: dict[str, str]) -> str:
    """A turn of a history: the user names the files, and shows what has changed unseen; the model's tools write. The
    prompt as it reached the model."""
    unseen = [c for c in changes if c["before"] is not None and held.get(c.get("old_path") or c["path"]) != c["before"]]
    shown = "".join(fence(c.get("old_path") or c["path"], c["before"]) for c in unseen)
    calls = {f"call{next(IDS)}": call for call in _calls(changes)}
    session.ask(f"Go on with {', '.join(c['path'] for c in changes)}.\n\n{shown}", "", calls=calls)
    prompt = session.prompt
    session.ask(
        None, "Done.", results={n: "" if call["name"] == "bash" else "Wrote file." for n, call in calls.items()}
    )
    for change in changes:
        held.pop(change.get("old_path") or change["path"], None)
        if change["after"] is not None:
            held[change["path"]] = change["after"]
    return prompt


def _calls(changes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for change in changes:
        old, path = change.get("old_path"), change["path"]
        if change["after"] is None or old not in (None, path):
            command = f"rm {path}" if change["after"] is None else f"mv {old} {path}"
            yield {"name": "bash", "arguments": {"command": command}}
        if change["after"] is not None:
            yield {"name": "write", "arguments": {"filePath": path, "content": change["after"]}}


def test_few_turns_are_told_of_anything_stale(record_property: Any) -> None:
    chance, turns, told = random.Random(1), 0, 0
    for name in HISTORIES:
        database = Database("sqlite://")
        database.migrate()
        session, held = ample(database), dict[str, str]()
        for changes in commits(name):
            if chance.random() < 0.35:
                session.forget()
            turns, told = turns + 1, told + bool(TOLD_STALE.search(play(session, changes, held)))
        wrong = {path for path, text in held.items() if not session.holds(path, text)}
        assert len(wrong) <= len(held) // 10, wrong
        database.close()
    record_property("stale", f"{told} of {turns}")
    assert 0 < told <= turns * STALE_SHARE_MAX
