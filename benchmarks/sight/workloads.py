"""Conversations to measure with: replayed histories, long ones made from them, and recorded sessions of real clients.

The replays are the acceptance suite's (`../shared/acceptance/replay` beside the checkout): its clients, in the order
and with the words that its seed gives them, put on the wire as it does. Nothing of it is imported before it is asked
for. The same seed gives the same bytes.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import random
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.servers import ROOT
from benchmarks.workloads import words

ACCEPTANCE = ROOT.parent / "shared" / "acceptance"
RECORDED = ROOT / "tests" / "recorded"
SEED, NOISE = 1, 0.3
CALL_TYPES = {"chat": "acompletion", "messages": "anthropic_messages", "responses": "aresponses"}
FIXED_TOKENS = {"aider": 900, "cline": 2_700, "codex": 4_000, "opencode": 6_800, "qwen": 17_800, "claude": 18_600}
"""What the clients' system prompts and tools take; the recordings hold only their beginnings."""
LONG = ("Plain", "OpenCodePatch", "Aider", "Claude")
"""The clients of long histories, by turns: text and tool clients."""
SYMBOL_MENTIONED = 0.3


@dataclass(frozen=True, slots=True)
class Call:
    """One request and its answer. `task`: the latest words of the user's own; `loop`: its client works in tool
    loops."""

    call_type: str
    body: dict[str, Any]
    answer: dict[str, Any]
    conversation: str
    task: str
    loop: bool


@dataclass(frozen=True, slots=True)
class Workload:
    """What to play: `kind` is `replay`, `long` or `recorded`; `name` the data's or the client's; `which`: of the long
    ones the client's class."""

    kind: str
    name: str
    which: str = ""
    turns: int | None = None

    def calls(self, acceptance: Path) -> list[Call]:
        """Its requests, in order."""
        if self.kind == "recorded":
            return recorded(self.name)
        return replayed(acceptance, self.name, self.turns, self.which)


def choose(acceptance: Path, short: bool) -> list[Workload]:
    """All there is to play; without the acceptance suite only the recordings."""
    names = sorted(path.stem for path in (acceptance / "replay" / "data").glob("*.jsonl"))
    if short:
        names = names[1:3]
    turns, long_turns = (10, 6) if short else (None, 16)
    out = [Workload("replay", name, turns=turns) for name in names]
    out += [Workload("long", name, LONG[n % len(LONG)], long_turns) for n, name in enumerate(names)]
    clients = sorted(path.stem for path in RECORDED.glob("*.json"))
    return [*out, *(Workload("recorded", name) for name in (clients[:2] if short else clients))]


def replayed(acceptance: Path, name: str, turns: int | None, which: str = "") -> list[Call]:
    """A replay's requests. `which`: one client in one conversation that nothing is dropped from, where it can carry the
    change; else clients and conversations as the suite chooses them."""
    args = argparse.Namespace(
        data=acceptance / "replay" / "data" / f"{name}.jsonl", seed=SEED, turns=turns, noise=NOISE, hard=False,
        paths="client", oracle=None, workspace=name, no_state=True, key="",
    )  # fmt: skip
    player = _player(acceptance)(args, which)
    player.run()
    return player.sent


@cache
def _player(acceptance: Path) -> Any:
    """The suite's player, sending to nobody."""
    sys.path.insert(0, str(acceptance / "replay"))
    replay, wire, tools = (importlib.import_module(name) for name in ("replay", "wire", "tools"))
    carriers = importlib.import_module("carriers")

    class Recorder(replay.Player):  # type: ignore[misc]
        def __init__(self, args: argparse.Namespace, which: str) -> None:
            super().__init__(args, http=object())
            self.sent: list[Call] = []
            self._which, self._own, self._task = which, None, ""

        def converse(self, number: int, changes: list[Any]) -> Any:
            if not self._which:
                return super().converse(number, changes)
            if self._own is None:
                kind = next(k for k in tools.CLIENTS if k.__name__ == self._which)
                client = kind(self.rng("style", self._which), self.project, False, False)
                self._own = replay.Conversation(client)
            if all(self._own.client.options(c) for c in changes if c.op in ("delete", "rename")):
                self.talk = self._own
                return self.talk
            self.talk = None
            return super().converse(number, changes)

        def plan(self, number: int, subject: str, changes: list[Any]) -> Any:
            turn, carried, held = super().plan(number, subject, changes)
            rng = self.rng("symbol", number)
            named = [f"{c.path}::{s}" for c in changes for s in c.symbols if c.before is not None]
            if self._which and named and rng.random() < SYMBOL_MENTIONED:
                turn.prompt += f"\n\nMind {rng.choice(named)}."
            self._task = turn.prompt
            return turn, carried, held

        def play(self, script: Any, rng: random.Random) -> None:
            said = script.steps[0].say
            if not self._task or self._task not in said.text:
                self._task = said.parts[0]
            super().play(script, rng)
            self._task = ""

        def send(self, messages: list[Any], answer: Any, stream: bool) -> Any:
            client = self.talk.client
            _, body = wire.request(client.endpoint, client.system(), messages, client.tools, False)
            loop = isinstance(client, (tools.ToolClient, carriers.Cline3))
            kind, name = CALL_TYPES[client.endpoint], f"{self.workspace} {id(self.talk)}"
            said = answered(client.endpoint, answer.text, answer.calls, answer.finish)
            self.sent.append(Call(kind, copy.deepcopy(body), said, name, self._task, loop))
            return answer

    return Recorder


def answered(api: str, text: str, calls: list[Any], finish: str | None) -> dict[str, Any]:
    """A model's whole answer in an API's words."""
    cut = finish == "length"
    if api == "chat":
        made = [{"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in calls]
        message = {"role": "assistant", "content": text or None, **({"tool_calls": made} if made else {})}
        return {"choices": [{"message": message, "finish_reason": finish or ("tool_calls" if made else "stop")}]}
    if api == "messages":
        parts: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        parts += [{"type": "tool_use", "id": c.id, "name": c.name, "input": json.loads(c.arguments)} for c in calls]
        reason = "max_tokens" if cut else "tool_use" if calls else "end_turn"
        return {"role": "assistant", "content": parts, "stop_reason": reason}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    items = [said] if text else []
    items += [{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.arguments} for c in calls]
    more = {"incomplete_details": {"reason": "max_output_tokens"}} if cut else {}
    return {"output": items, "status": "incomplete" if cut else "completed", **more}


def recorded(client: str) -> list[Call]:
    """A client's recorded turns: of each every call of its loop, its system prompt filled up to its real length."""
    out: list[Call] = []
    for name, one in json.loads((RECORDED / f"{client}.json").read_text("utf-8")).items():
        body, api = one["body"], _api(one["body"], one["path"])
        key = "input" if api == "responses" else "messages"
        entries, (at, task) = body[key], _task(body[key])
        if at < 0:
            continue
        ends = [n for n in range(at, len(entries)) if n + 1 == len(entries) or _is_model(entries[n + 1])]
        for end in (n for n in ends if not _is_model(entries[n])):
            sent = {**copy.deepcopy(body), key: copy.deepcopy(entries[: end + 1])}
            said = list[Any]()
            for entry in entries[end + 1 :]:
                if not _is_model(entry):
                    break
                said.append(entry)
            filled = _filled(sent, api, FIXED_TOKENS.get(client, 0))
            answer = _resent(api, said)
            out.append(Call(CALL_TYPES[api], filled, answer, f"{client} {name}", task, client != "aider"))
    return out


def _api(body: dict[str, Any], path: str) -> str:
    return "responses" if "input" in body else "messages" if path.endswith("/messages") else "chat"


def _is_model(entry: dict[str, Any]) -> bool:
    return entry.get("role") == "assistant" or entry.get("type") == "function_call"


def _task(entries: list[dict[str, Any]]) -> tuple[int, str]:
    """Where the user's own latest words stand, and they."""
    for n in reversed(range(len(entries))):
        if entries[n].get("role") != "user":
            continue
        content = entries[n]["content"]
        texts = [content] if isinstance(content, str) else [part.get("text") or "" for part in content]
        own = [t for t in texts if t.strip() and not re.match(r"<(?!task>|user_input)|\[\w+ for '|# \d+ SEARCH", t)]
        if own:
            return n, own[0]
    return -1, ""


def _filled(body: dict[str, Any], api: str, tokens: int) -> dict[str, Any]:
    """The request with a system prompt as long as the client's really is."""
    more = words(max(0, tokens * 5 - len(json.dumps(body.get("tools", ""))) - 800))
    if not tokens:
        return body
    if api == "responses":
        return {**body, "instructions": (body.get("instructions") or "") + "\n\n" + more}
    if api == "messages":
        system = body.get("system") or []
        listed = [{"type": "text", "text": system}] if isinstance(system, str) else system
        return {**body, "system": [*listed, {"type": "text", "text": more}]}
    return {**body, "messages": [*body["messages"][:1], {"role": "system", "content": more}, *body["messages"][1:]]}


def _resent(api: str, said: list[Any]) -> dict[str, Any]:
    """An answer, as the client sent it back; where the recording ends, a word."""
    if not said:
        return answered(api, "Done.", [], None)
    if api == "chat":
        return {"choices": [{"message": said[0], "finish_reason": "tool_calls" if "tool_calls" in said[0] else "stop"}]}
    if api == "messages":
        return {"role": "assistant", "content": said[0]["content"], "stop_reason": "tool_use"}
    return {"output": said, "status": "completed"}
