"""What real clients send is not refused: of the recorded requests' own calls and results, nearly all count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.outcomes import outcome
from tslp_litellm.clients.reads import read
from tslp_litellm.clients.tools import arguments_of, kind_of
from tslp_litellm.dialects.values import Verdict
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.turn import Item

FOLDER = Path(__file__).parent.parent / "recorded"
CALL_TYPES = {"/v1/messages": "anthropic_messages", "/v1/responses": "responses", "/v1/chat/completions": "completion"}
KEPT_MIN = 0.95


def answered() -> Iterator[tuple[Item, Item]]:
    """Every recorded call with its result, once."""
    seen = set[tuple[str, str, str]]()
    for file in sorted(FOLDER.glob("*.json")):
        for request in json.loads(file.read_text("utf-8")).values():
            talk = ReadingCache().talk(FORMATS[CALL_TYPES[request["path"]]].parse(request["body"]))
            for item, call in zip(talk.items, talk.calls, strict=True):
                if call is not None and (key := (call.name, call.text, item.text)) not in seen:
                    seen.add(key)
                    yield call, item


def test_outcomes_of_real_clients_are_known() -> None:
    verdicts = [outcome(made, item).verdict for call, item in answered() if (made := attempt(call)) is not None]
    known = [verdict for verdict in verdicts if verdict is not Verdict.UNKNOWN]
    assert len(verdicts) > 40
    assert len(known) >= KEPT_MIN * len(verdicts), f"{len(known)} of {len(verdicts)}"


def test_reads_of_real_clients_are_read() -> None:
    reads = [
        (call.text, item.text, read(call, item))
        for call, item in answered()
        if kind_of(call.name, arguments_of(call)) == "read"
    ]
    refused = [text for text, said, found in reads if not found and "nchanged" not in said]
    assert len(reads) > 15
    assert len(refused) <= (1 - KEPT_MIN) * len(reads), refused
