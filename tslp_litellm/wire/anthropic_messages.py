"""`/v1/messages`: content blocks, tool results inside user messages, streams of raw SSE bytes."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from tslp_litellm.wire import extent
from tslp_litellm.wire.extent import Beside, Extent
from tslp_litellm.wire.openai_chat import ROLES, arguments_text, prefixed, suffixed, tool_names
from tslp_litellm.wire.sse import EventParser
from tslp_litellm.wire.turn import (
    Answer,
    Changes,
    Item,
    ItemKind,
    Role,
    Turn,
    item,
    listed,
    mapping,
    string,
    texts,
)

WHOLE = frozenset({"end_turn", "tool_use", "stop_sequence"})
"""Stop reasons after which an answer is whole."""


def block_items(block: object, role: Role, index: int) -> list[Item]:
    """The items of one content block. Thinking is none."""
    if isinstance(block, str):
        return [item(role, ItemKind.TEXT, block, index)]
    body = mapping(block)
    match body.get("type"):
        case "text" if string(body.get("text")):
            return [item(role, ItemKind.TEXT, string(body.get("text")), index)]
        case "tool_use":
            return [
                item(
                    Role.ASSISTANT,
                    ItemKind.CALL,
                    arguments_text(body.get("input")) or "{}",
                    index,
                    name=string(body.get("name")),
                    call_id=string(body.get("id")),
                )
            ]
        case "tool_result":
            return [
                item(
                    Role.TOOL,
                    ItemKind.RESULT,
                    "\n".join(texts(body.get("content"))),
                    index,
                    call_id=string(body.get("tool_use_id")),
                    is_error=body.get("is_error") is True,
                )
            ]
        case _:
            return []


def message_items(message: Mapping[str, Any], index: int) -> list[Item]:
    """The items of one message."""
    role = ROLES.get(string(message.get("role")))
    if role is None:
        return []
    content = message.get("content")
    return [
        i
        for block in ([content] if isinstance(content, str) else listed(content))
        for i in block_items(block, role, index)
    ]


def _items(message: object, n: int) -> list[Item]:
    return message_items(mapping(message), n)


def _blocks(message: Mapping[str, Any]) -> list[Any]:
    content = message.get("content")
    return [content] if isinstance(content, str) else listed(content)


def _beside(message: Mapping[str, Any], at: int) -> Beside:
    """What a message whose first item has the index `at` holds beside its items."""
    role = ROLES.get(string(message.get("role")))
    said, images, inside, fixed, bound = list[str](), 0, list[int](), set[int](), False
    for block in _blocks(message):
        body, content = mapping(block), mapping(block).get("content")
        number = len(block_items(block, role, -1)) if role is not None else 0
        if extent.is_media(body):
            images += 1
        elif body.get("type") == "tool_result":
            held = extent.of_result(content, at)
            images, inside, fixed = images + held.images, [*inside, *held.inside], fixed | held.fixed
        elif not number and body:
            bound = bound or string(body.get("type")).endswith("thinking")
            said.append(extent.as_json(body))
        at += number
    return Beside(tuple(said), images, tuple(inside), frozenset(fixed), bound)


def _with_texts(message: object, changed: Mapping[int, str], bare: Collection[int]) -> dict[str, Any]:
    """A message with other texts for some of its items, given by their place in it; `bare`: without their images."""
    out = dict(mapping(message))
    role = ROLES[string(out.get("role"))]
    if isinstance(out.get("content"), str):
        out["content"] = changed[0]
        return out
    blocks, at = [], 0
    for block in listed(out.get("content")):
        number = len(block_items(block, role, -1))
        blocks.append(_block_with(block, changed[at], at in bare) if number and at in changed else block)
        at += number
    out["content"] = blocks
    return out


def _block_with(block: object, text: str, bare: bool) -> Any:
    if isinstance(block, str):
        return text
    body = dict(mapping(block))
    if body.get("type") == "tool_result":
        return {**body, "content": extent.changed(body.get("content"), text, bare)}
    return {**body, "text": text}


class AnthropicMessages:
    """The Anthropic messages API."""

    def parse(self, data: Mapping[str, Any]) -> Turn:
        """The request as a turn; what has the wrong type is passed over."""
        items = [item(Role.SYSTEM, ItemKind.TEXT, text, -1) for text in texts(data.get("system"))]
        items += [
            i for n, message in enumerate(listed(data.get("messages"))) for i in message_items(mapping(message), n)
        ]
        return Turn(tuple(items), tool_names(data.get("tools")))

    def insert(self, data: dict[str, Any], message: int, text: str) -> bool:
        """Put `text` at the start of a message, after its tool results; False where there is no such message."""
        messages = data.get("messages")
        if not isinstance(messages, list) or not 0 <= message < len(messages):
            return False
        target = dict(mapping(messages[message]))
        content = target.get("content")
        results = [n for n, block in enumerate(listed(content)) if mapping(block).get("type") == "tool_result"]
        target["content"] = prefixed(content, text, "text", results[-1] + 1 if results else 0)
        messages[message] = target
        return True

    def append(self, data: dict[str, Any], text: str) -> bool:
        """Put `text` behind the last message's content, its tool results too; False where it is not the user's."""
        messages = data.get("messages")
        last = dict(mapping(messages[-1])) if isinstance(messages, list) and messages else {}
        content = suffixed(last.get("content"), text, "text")
        if last.get("role") != "user" or content is None:
            return False
        data["messages"] = [*data["messages"][:-1], {**last, "content": content}]
        return True

    def leave_out(self, data: dict[str, Any], changes: Changes) -> None:
        """Give items another text, and take whole messages out; all else stays as it is."""
        if isinstance(data.get("messages"), list):
            first = len(texts(data.get("system")))
            data["messages"] = extent.carried_out(data["messages"], first, changes, _items, _with_texts)

    def extent(self, data: Mapping[str, Any], turn: Turn) -> Extent:
        """What of the request its items don't tell."""
        first, messages = turn.first_of(), listed(data.get("messages"))
        return extent.whole(data, [(said, _beside(mapping(said), first.get(n, -1))) for n, said in enumerate(messages)])

    def whole(self, response: object) -> Answer:
        """The answer of a call that was not streamed."""
        body = mapping(response)
        finish = string(body.get("stop_reason"))
        items = message_items({"role": "assistant", "content": body.get("content")}, -1)
        return Answer(tuple(items), finish in WHOLE, finish, string(body.get("id")))

    def stream(self) -> MessagesStream:
        """An accumulator for the event stream."""
        return MessagesStream()


class MessagesStream:
    """Assembles the events of a streamed message from raw bytes."""

    def __init__(self) -> None:
        self._events = EventParser()
        self._blocks: dict[int, dict[str, Any]] = {}
        self._finish = self._id = ""
        self.over = False

    def feed(self, chunk: object) -> None:
        """Some bytes of the stream, or one decoded event."""
        if isinstance(chunk, (bytes, str)):
            for event in self._events.feed(chunk):
                self._event(event)
        else:
            self._event(mapping(chunk))

    def _event(self, event: Mapping[str, Any]) -> None:
        index = event.get("index") if isinstance(event.get("index"), int) else 0
        match event.get("type"):
            case "message_start":
                self._id = string(mapping(event.get("message")).get("id"))
            case "content_block_start":
                self._blocks[index or 0] = {**mapping(event.get("content_block")), "texts": [], "json": []}
            case "content_block_delta":
                block, delta = (
                    self._blocks.setdefault(index or 0, {"type": "text", "texts": [], "json": []}),
                    mapping(event.get("delta")),
                )
                block["texts"].append(string(delta.get("text")))
                block["json"].append(string(delta.get("partial_json")))
            case "message_delta":
                self._finish = string(mapping(event.get("delta")).get("stop_reason")) or self._finish
            case "message_stop":
                self.over = True
            case "error":
                self._finish = "error"
            case _:
                pass

    def answer(self) -> Answer:
        """What was said so far."""
        blocks = []
        for _, block in sorted(self._blocks.items()):
            called = "".join(block["json"]) if block.get("type") == "tool_use" else ""
            said = {"text": string(block.get("text")) + "".join(block["texts"])} if block.get("type") == "text" else {}
            blocks.append({**block, **said, **({"input": _decoded(called)} if called else {})})
        items = message_items({"role": "assistant", "content": blocks}, -1)
        whole = self.over and self._finish in WHOLE and not self._events.broken
        return Answer(tuple(items), whole, self._finish, self._id)


def _decoded(text: str) -> object:
    """A tool's input; as it is where it is no JSON, so that nothing is lost."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
