"""A call and its result, judged as a request judges them: what becomes of one tracked file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.resolution.helpers import asked, known
from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.outcomes import outcome
from tslp_litellm.clients.reads import read
from tslp_litellm.resolution.by_client import judge_outcome
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import Origin
from tslp_litellm.wire.turn import Item, ItemKind, Role

DIRTY, ABSENT = "(dirty)", "(absent)"


def becomes(path: str, text: str | None, name: str, arguments: Mapping[str, object], result: str) -> str:
    """The text of a file after a call and its result; DIRTY, or ABSENT where there is no such file. `text`: what is
    known of it before, None for nothing."""
    unit = UnitOfWork({path: known(path, text)} if text is not None else {}, {})
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(arguments), name=name, call_id="c")
    answer = Item(Role.TOOL, ItemKind.RESULT, result, call_id="c")
    made = attempt(call)
    if made is not None:
        judge_outcome(unit, outcome(made, answer), asked())
    else:
        judge_user(unit, read(call, answer), asked(), Origin.TOOL)
    state = unit.file(path)
    if not state.tracked:
        return ABSENT
    now = state.text()
    return now if now is not None else DIRTY
