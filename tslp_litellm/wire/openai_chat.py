"""`/v1/chat/completions`: messages with string or list content, tool calls, streamed deltas."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from tslp_litellm.wire import extent
from tslp_litellm.wire.extent import NOTHING, Beside, Extent
from tslp_litellm.wire.turn import (
    Answer,
    Changes,
    Item,
    ItemKind,
    Role,
    Turn,
    field,
    item,
    listed,
    mapping,
    string,
    texts,
)

ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
WHOLE = frozenset({"stop", "tool_calls", "function_call", "eos", "end_turn", "tool_use", "stop_sequence"})
"""Finish reasons after which an answer is whole."""


def arguments_text(arguments: object) -> str:
    """A call's arguments as JSON text; some backends send them decoded. Empty where they are nested too deep."""
    if isinstance(arguments, str) or not arguments:
        return string(arguments)
    try:
        return json.dumps(arguments, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return ""


def calls(message: Mapping[str, Any], index: int) -> list[Item]:
    """An assistant message's tool calls, the legacy single function call included."""
    found = []
    for call in [*listed(message.get("tool_calls")), {"function": message.get("function_call")}]:
        body = mapping(call)
        function = mapping(body.get("function") or body.get("custom"))
        name = string(function.get("name"))
        if name:
            arguments = function.get("arguments", function.get("input"))
            found.append(
                item(
                    Role.ASSISTANT,
                    ItemKind.CALL,
                    arguments_text(arguments),
                    index,
                    name=name,
                    call_id=string(body.get("id")),
                )
            )
    return found


def message_items(message: Mapping[str, Any], index: int) -> list[Item]:
    """The items of one message."""
    role = ROLES.get(string(message.get("role")))
    if role is None:
        return []
    said = texts(message.get("content"))
    if role is Role.TOOL:
        return [item(role, ItemKind.RESULT, "".join(said), index, call_id=string(message.get("tool_call_id")))]
    return [item(role, ItemKind.TEXT, text, index) for text in said] + (
        calls(message, index) if role is Role.ASSISTANT else []
    )


def tool_names(tools: object) -> tuple[str, ...]:
    """Names of the tools that a request offers, in any of the three APIs' forms."""
    names = []
    for tool in listed(tools):
        body = mapping(tool)
        name = body.get("name") or mapping(body.get("function")).get("name") or body.get("type")
        names.append(string(name))
    return tuple(filter(None, names))


def prefixed(content: object, text: str, part_type: str, at: int = 0) -> Any:
    """A message's content with `text` in front: a part of its own where content is a list."""
    if isinstance(content, list):
        return [*content[:at], {"type": part_type, "text": text}, *content[at:]]
    return text + string(content)


def suffixed(content: object, text: str, part_type: str) -> list[Any] | None:
    """A message's content with `text` behind it, as a part of its own; None where there is no room for one."""
    if isinstance(content, str):
        content = [{"type": part_type, "text": content}] if content else []
    return [*content, {"type": part_type, "text": text}] if isinstance(content, list) else None


THINKING = ("reasoning_content", "reasoning", "thinking_blocks")
"""Where messages hold what a model thought."""


def _items(message: object, n: int) -> list[Item]:
    return message_items(mapping(message), n)


def _beside(message: Mapping[str, Any], at: int) -> Beside:
    """What a message whose first item has the index `at` holds beside its items."""
    content = message.get("content")
    if isinstance(content, str) and not any(map(message.get, THINKING)):
        return NOTHING
    thought = [message[name] for name in THINKING if message.get(name)]
    if ROLES.get(string(message.get("role"))) is Role.TOOL:
        held = extent.of_result(content, at)
    else:
        held = Beside(images=sum(map(extent.is_media, listed(content))))
    said = tuple(one if isinstance(one, str) else extent.as_json(one) for one in thought)
    return replace(held, texts=said, bound=any(not isinstance(one, str) for one in thought))


def _with_texts(message: object, changed: Mapping[int, str], bare: Collection[int]) -> dict[str, Any]:
    """A message with other texts for some of its items, given by their place in it; `bare`: without their images."""
    out = dict(mapping(message))
    content = out.get("content")
    if ROLES.get(string(out.get("role"))) is Role.TOOL or not isinstance(content, (list, tuple)):
        out["content"] = extent.changed(content, changed[0], 0 in bare)
        return out
    return with_parts(out, changed)


def with_parts(message: dict[str, Any], changed: Mapping[int, str]) -> dict[str, Any]:
    """A message with other texts for some of the text parts of its content, given by their number."""
    content = message.get("content")
    if not isinstance(content, (list, tuple)):
        return {**message, "content": changed[0]}
    parts, at = [], 0
    for part in content:
        holds = bool(texts([part]))
        if holds and at in changed:
            parts.append(changed[at] if isinstance(part, str) else {**mapping(part), "text": changed[at]})
        else:
            parts.append(part)
        at += holds
    return {**message, "content": parts}


class OpenAIChat:
    """The chat completions API."""

    def parse(self, data: Mapping[str, Any]) -> Turn:
        """The request as a turn; what has the wrong type is passed over."""
        items = [
            i for n, message in enumerate(listed(data.get("messages"))) for i in message_items(mapping(message), n)
        ]
        return Turn(tuple(items), tool_names(data.get("tools")) + tool_names(data.get("functions")))

    def insert(self, data: dict[str, Any], message: int, text: str) -> bool:
        """Put `text` at the very start of a message; False where there is no such message."""
        messages = data.get("messages")
        if not isinstance(messages, list) or not 0 <= message < len(messages):
            return False
        target = dict(mapping(messages[message]))
        target["content"] = prefixed(target.get("content"), text, "text")
        messages[message] = target
        return True

    def append(self, data: dict[str, Any], text: str) -> bool:
        """Put `text` behind the last message's content; False where that is neither the user's nor a tool's."""
        messages = data.get("messages")
        last = dict(mapping(messages[-1])) if isinstance(messages, list) and messages else {}
        content = suffixed(last.get("content"), text, "text")
        if last.get("role") not in ("user", "tool") or content is None:
            return False
        data["messages"] = [*data["messages"][:-1], {**last, "content": content}]
        return True

    def leave_out(self, data: dict[str, Any], changes: Changes) -> None:
        """Give items another text, and take whole messages out; all else stays as it is."""
        if isinstance(data.get("messages"), list):
            data["messages"] = extent.carried_out(data["messages"], 0, changes, _items, _with_texts)

    def extent(self, data: Mapping[str, Any], turn: Turn) -> Extent:
        """What of the request its items don't tell."""
        first, messages = turn.first_of(), listed(data.get("messages"))
        return extent.whole(data, [(said, _beside(mapping(said), first.get(n, -1))) for n, said in enumerate(messages)])

    def whole(self, response: object) -> Answer:
        """The answer of a call that was not streamed."""
        body = mapping(response)
        choices = listed(body.get("choices"))
        first = mapping(choices[0]) if choices else {}
        message = {**mapping(first.get("message")), "role": "assistant"}
        finish = string(first.get("finish_reason"))
        return Answer(
            tuple(message_items(message, -1)), len(choices) == 1 and finish in WHOLE, finish, string(body.get("id"))
        )

    def stream(self) -> ChatStream:
        """An accumulator for streamed deltas."""
        return ChatStream()


def _named(before: str, name: str) -> str:
    """A name with what a delta says of it: its next part, or all of it so far once more."""
    return name if before and name.startswith(before) else before + name


class ChatStream:
    """Assembles `chat.completion.chunk` deltas; reasoning is not part of what was said."""

    over = False  # the last word, `[DONE]`, is LiteLLM's, behind the last chunk

    def __init__(self) -> None:
        self._text: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._arguments: dict[int, list[str]] = {}
        self._finish = self._id = ""
        self._several = False

    def feed(self, chunk: object) -> None:
        """One chunk, as LiteLLM's model or as a dict."""
        self._id = self._id or string(field(chunk, "id"))
        for choice in listed(field(chunk, "choices")):
            if field(choice, "index"):
                self._several = True
                continue
            self._delta(field(choice, "delta"))
            self._finish = string(field(choice, "finish_reason")) or self._finish

    def _delta(self, delta: object) -> None:
        content = field(delta, "content")
        if content:
            self._text.extend(texts(content))
        for call in listed(field(delta, "tool_calls")):
            self._call(field(call, "index"), string(field(call, "id")), field(call, "function"))
        if legacy := field(delta, "function_call"):
            self._call(0, "", legacy)

    def _call(self, index: object, call_id: str, function: object) -> None:
        number = index if isinstance(index, int) else 0
        known = self._calls.setdefault(number, {"id": "", "name": ""})
        known["id"] = call_id or known["id"]
        known["name"] = _named(known["name"], string(field(function, "name")))
        self._arguments.setdefault(number, []).append(string(field(function, "arguments")))

    def answer(self) -> Answer:
        """What was said so far."""
        said = "".join(self._text)
        items = [item(Role.ASSISTANT, ItemKind.TEXT, said, -1)] if said else []
        items += [
            item(Role.ASSISTANT, ItemKind.CALL, "".join(self._arguments[n]), -1, name=call["name"], call_id=call["id"])
            for n, call in sorted(self._calls.items())
            if call["name"]
        ]
        return Answer(tuple(items), not self._several and self._finish in WHOLE, self._finish, self._id)
