"""What becomes of what real small models answer in plain chat, held against what it should, by hand.

`tests/recorded/models`: the prompts, the answers of two sizes of Qwen2.5-Coder, and for each answer the verdict.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.recorded.models.record import HERE, answers, messages, prompts
from tslp_litellm.store.database import Database

from .helpers import Session, make_engine

VERDICTS: dict[str, dict[str, dict[str, list[str]]]] = json.loads((HERE / "verdicts.json").read_text("utf-8"))
RIGHT_MIN, WRONG_MAX = 0.95, 0.01


def became(prompt: dict[str, Any], answer: str) -> dict[str, list[str]]:
    """What an answer did to the State Map: the entities that have another text, are DIRTY, or are gone."""
    database = Database("sqlite://")
    database.migrate()
    session = Session(make_engine(database), database)
    *first, last = messages(prompt)
    for text in first:
        session.ask(text)
    before = Session(session.engine, database, "before").ask(messages(prompt)[0]).state()
    after = session.ask(last, answer).state()
    database.close()
    changed = [e for e in after if after[e] not in ("DIRTY", before.get(e))]
    found = {
        "changed": sorted(changed),
        "dirty": sorted(e for e in after if after[e] == "DIRTY"),
        "gone": sorted(before.keys() - after.keys()),
    }
    return {key: entities for key, entities in found.items() if entities}


def _untouched(verdict: dict[str, list[str]], found: dict[str, list[str]]) -> set[str]:
    """What should have become another text, and stands as it was."""
    return set(verdict.get("changed", ())) - {entity for entities in found.values() for entity in entities}


@pytest.mark.parametrize("size", VERDICTS)
def test_of_the_recorded_answers_nearly_all_end_as_they_should(size: str) -> None:
    asked, said = prompts(), answers(size)
    ended = {one: became(asked[one], said[one]) for one in VERDICTS[size]}
    others = {one: found for one, found in ended.items() if found != VERDICTS[size][one]}
    stale = [one for one, found in others.items() if _untouched(VERDICTS[size][one], found)]
    assert len(others) <= (1 - RIGHT_MIN) * len(ended), others
    assert len(stale) <= WRONG_MAX * len(ended), stale


def test_every_recorded_answer_has_a_verdict() -> None:
    assert {size: set(by_id) for size, by_id in VERDICTS.items()} == {size: set(answers(size)) for size in VERDICTS}
