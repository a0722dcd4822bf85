"""A rehearsal before the first request: what is made on first use (patterns, the parser's process) is made at start."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from tslp_litellm.engine import Engine, Request
from tslp_litellm.parser import prepare
from tslp_litellm.settings import Settings
from tslp_litellm.store.database import Database
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.wire.openai_chat import OpenAIChat

USUAL = ("python", "javascript", "typescript", "tsx", "go", "java", "rust", "bash")
"""Languages that are prepared even if nothing in the database is written in them."""
_FILE = "# A module.\n\n\ndef area(x):\n    return x * x\n"
_TALK = (
    {
        "messages": [
            {"role": "system", "content": "You are a coding agent."},
            {"role": "user", "content": f"a.py\n```python\n{_FILE}```\n\nLet `area` double it, see `a.py`."},
        ],
        "tools": [{"type": "function", "function": {"name": "write_file"}}],
    },
    {"messages": [{"role": "user", "content": "I renamed a variable. What of `a.py::area`?"}]},
    {
        "messages": [
            {"role": "user", "content": "Go on with `a.py::area`."},
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": "1", "function": {"name": "bash", "arguments": '{"command": "cat a.py && rm b.py"}'}},
                    {"id": "2", "function": {"name": "edit", "arguments": '{"path": "a.py", "old": "x", "new": "y"}'}},
                ],
            },
            {"role": "tool", "tool_call_id": "1", "content": _FILE},
            {"role": "tool", "tool_call_id": "2", "content": "Error: no such text"},
            {"role": "user", "content": "Try again."},
        ]
    },
)
_SAID = f"Here:\n\na.py\n```python\n{_FILE.replace('x * x', '2 * x')}```\n"
_ANSWER = {"choices": [{"message": {"role": "assistant", "content": _SAID}, "finish_reason": "stop"}]}


def rehearse(settings: Settings, paths: Iterable[str]) -> None:
    """Prepare the languages of some paths, and play some turns on a database of their own, in memory."""
    known = {language.name for path in paths if (language := language_of_path(path)) is not None and language.grammar}
    prepare(sorted({*known, *USUAL}))
    database, numbers, wire = Database("sqlite://"), itertools.count(), OpenAIChat()
    database.migrate()
    engine = Engine(
        database, settings, now=lambda: "1970-01-01T00:00:00.000Z", new_id=lambda: str(next(numbers)), count_tokens=len
    )
    for body in _TALK:
        request = Request("local", "rehearsal", "acompletion", "", wire.parse(body))
        engine.record(engine.preflight(request), wire.whole(_ANSWER))
    database.close()
