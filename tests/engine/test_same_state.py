"""The State Map is the same with the window on and off: evidence is what the client sent (SEMANTICS 4, The window)."""

from __future__ import annotations

import copy
import json
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from tslp_litellm.clients.frames import working_directory
from tslp_litellm.engine import Request
from tslp_litellm.store.database import Database
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.extent import bytes_max
from tslp_litellm.wire.turn import Answer

from .helpers import make_engine

RECORDED = Path(__file__).parent.parent / "recorded"
APIS = {"/v1/messages": "anthropic_messages", "/v1/responses": "aresponses", "/v1/chat/completions": "acompletion"}
CLIENTS = sorted(path.stem for path in RECORDED.glob("*.json"))


def requests(client: str) -> list[tuple[str, dict[str, Any]]]:
    """A client's recorded requests, each with all turns before it as its history, and its examples once."""
    told, head, found = list[Any](), list[Any](), list[tuple[str, dict[str, Any]]]()
    for one in json.loads((RECORDED / f"{client}.json").read_text("utf-8")).values():
        body = copy.deepcopy(one["body"])
        field = "messages" if "messages" in body else "input"
        mine = body[field] if isinstance(body[field], list) else [{"role": "user", "content": body[field]}]
        first = [message for message in mine[:1] if message.get("role") in ("system", "developer")]
        mine = mine[len(first) :]
        again = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, head, strict=False)))
        head = head or mine
        told += mine[again:]
        found.append((APIS[one["path"]], {**body, field: [*first, *told]}))
    return found


def state_after(client: str, window: int, fits: bool, **settings: Any) -> tuple[list[Any], set[str]]:
    """The State Map and the tombstones after a client's session; and what became of its requests."""
    database = Database("sqlite://")
    database.migrate()
    engine, ends = make_engine(database, **settings), set[str]()
    for api, body in requests(client):
        wire = FORMATS[api]
        turn = wire.parse(body)
        episode = engine.preflight(
            Request(
                "t", "w", api, "m", turn, window, root=working_directory(turn), tools=body.get("tools"),
                size=bytes_max(body) if fits else None, extent=partial(wire.extent, body, turn),
            )
        )  # fmt: skip
        ends.add(episode.fit.partition(";")[0])
        engine.record(episode, Answer())
    with database.reading() as connection:
        tables = [f"SELECT * FROM {name} ORDER BY entity" for name in ("state_map", "tombstones")]
        found = [tuple(row) for query in tables for row in connection.exec_driver_sql(query)]
    database.close()
    return found, ends


@pytest.mark.parametrize("client", CLIENTS)
def test_the_state_of_a_recorded_session(client: str) -> None:
    api, last = requests(client)[-1]
    window = sum(len(item.text) for item in FORMATS[api].parse(last).items) // 4
    plain, nothing = state_after(client, window, fits=False)
    fitted, ends = state_after(client, window, fits=True)
    current, _ = state_after(client, window, fits=True, history="current")
    assert plain
    assert fitted == plain
    assert current == plain
    assert nothing == {""}
    assert "fitted" in ends, "requests were really made to fit"
