"""Ordinary chats with a real 1.5B model (`tests/recorded/chats`), told once more: what each turn makes of the State Map.

What differs is no fault by itself: the turn and its answer are to be read, and the better outcome is kept.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.recorded.chats.record import SYSTEM, WINDOW, chats
from tslp_litellm.store.database import Database

from .helpers import Session, make_engine

CHATS = chats()


def became(turns: list[dict[str, Any]]) -> list[dict[str, list[str]]]:
    """Of each turn the entities that have a new text, are of unknown text, or are gone."""
    database, found = Database("sqlite://"), list[dict[str, list[str]]]()
    database.migrate()
    session = Session(make_engine(database), database, limit=WINDOW)
    session.messages.append({"role": "system", "content": SYSTEM})
    before = dict[str, str]()
    for turn in turns:
        session.messages = session.messages[:1] if turn.get("new") else session.messages
        after = session.ask(turn["prompt"], turn["answer"], finish=turn["finish"]).state()
        other = [entity for entity in after if after[entity] != before.get(entity)]
        kinds = {
            "is": [entity for entity in other if after[entity] != "DIRTY"],
            "dirty": [entity for entity in other if after[entity] == "DIRTY"],
            "gone": [*before.keys() - after.keys()],
        }
        found.append({kind: sorted(entities) for kind, entities in kinds.items() if entities})
        before = after
    database.close()
    return found


@pytest.mark.parametrize("name", CHATS)
def test_each_turn_becomes_what_it_should(name: str) -> None:
    turns = CHATS[name]
    found = became(turns)
    others = [
        (n, one["became"], now)
        for n, (one, now) in enumerate(zip(turns, found, strict=True), 1)
        if one["became"] != now
    ]
    assert others == []
