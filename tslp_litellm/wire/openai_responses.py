"""`/v1/responses`: input items, function and custom tool calls, typed stream events."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tslp_litellm.wire import extent
from tslp_litellm.wire.extent import Beside, Extent
from tslp_litellm.wire.openai_chat import ROLES, arguments_text, prefixed, suffixed, tool_names, with_parts
from tslp_litellm.wire.sse import EventParser
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
    plain,
    string,
    texts,
)

_CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "mcp_call": "arguments",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
}
_ROOMY = frozenset({"function_call_output", "custom_tool_call_output"})
"""Results whose output may be a list of parts."""
_RESULTS = frozenset(
    {
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "shell_call_output",
        "apply_patch_call_output",
    }
)


def entry_items(entry: object, index: int) -> list[Item]:
    """The items of one input or output entry. Reasoning is none."""
    if isinstance(entry, str):
        return [item(Role.USER, ItemKind.TEXT, entry, index)]
    body = mapping(entry)
    kind = string(body.get("type")) or "message"
    call_id = string(body.get("call_id")) or string(body.get("id"))
    if kind == "message":
        role = ROLES.get(string(body.get("role")))
        return [item(role, ItemKind.TEXT, text, index) for text in texts(body.get("content"))] if role else []
    if kind in _CALLS:
        name = string(body.get("name")) or kind.removesuffix("_call")
        return [
            item(
                Role.ASSISTANT, ItemKind.CALL, arguments_text(body.get(_CALLS[kind])), index, name=name, call_id=call_id
            )
        ]
    if kind in _RESULTS:
        output = body.get("output")
        text = string(mapping(output).get("content")) if isinstance(output, Mapping) else "".join(texts(output))
        return [item(Role.TOOL, ItemKind.RESULT, text, index, call_id=call_id, is_error=body.get("status") == "failed")]
    return []


def _items(entry: object, n: int) -> list[Item]:
    return entry_items(plain(entry), n)


def _result(body: Mapping[str, Any]) -> object:
    """The content of a result."""
    output = body.get("output")
    return output.get("content") if isinstance(output, Mapping) else output


def _beside(entry: object, at: int) -> Beside:
    """What an entry whose first item has the index `at` holds beside its items."""
    body = mapping(entry)
    kind = string(body.get("type")) or "message"
    if kind == "message" or kind in _CALLS:
        return Beside(images=sum(extent.is_media(part) for part in listed(body.get("content"))))
    if kind in _RESULTS:
        return extent.of_result(_result(body), at)
    return Beside((extent.as_json(body),), bound=True)


def _with_texts(entry: object, changed: Mapping[int, str], bare: Collection[int]) -> Any:
    """An entry with other texts for some of its items, given by their place in it; `bare`: without their images."""
    if isinstance(entry, str):
        return changed[0]
    out = dict(mapping(entry))
    if string(out.get("type")) in _RESULTS:
        new = extent.changed(_result(out), changed[0], 0 in bare, "input_text")
        out["output"] = {**out["output"], "content": new} if isinstance(out.get("output"), Mapping) else new
        return out
    return with_parts(out, changed)


class OpenAIResponses:
    """The responses API."""

    def parse(self, data: Mapping[str, Any]) -> Turn:
        """The request as a turn; what has the wrong type is passed over."""
        items = [item(Role.SYSTEM, ItemKind.TEXT, text, -1) for text in texts(data.get("instructions"))]
        previous = string(data.get("previous_response_id"))
        if previous:
            items.append(item(Role.ASSISTANT, ItemKind.RESPONSE, previous, -1))
        entries = data.get("input")
        for index, entry in enumerate([entries] if isinstance(entries, str) else listed(entries)):
            items += entry_items(plain(entry), index)
        return Turn(tuple(items), tool_names(data.get("tools")))

    def insert(self, data: dict[str, Any], message: int, text: str) -> bool:
        """Put `text` at the very start of an entry; False where there is no such entry."""
        entries = data.get("input")
        if isinstance(entries, str):
            data["input"] = text + entries
            return True
        if not isinstance(entries, list) or not 0 <= message < len(entries):
            return False
        if isinstance(entries[message], str):
            entries[message] = text + entries[message]
            return True
        target = dict(mapping(entries[message]))
        target["content"] = prefixed(target.get("content"), text, "input_text")
        entries[message] = target
        return True

    def append(self, data: dict[str, Any], text: str) -> bool:
        """Put `text` behind the last entry's content or output; False where that is neither the user's nor a tool's."""
        entries = data.get("input")
        entries = [entries] if isinstance(entries, str) else entries
        if not isinstance(entries, list) or not entries:
            return False
        last = entries[-1]
        last = {"role": "user", "content": last} if isinstance(last, str) else dict(mapping(last))
        field_of = "output" if last.get("type") in _ROOMY else "content" if last.get("role") == "user" else ""
        content = suffixed(last.get(field_of), text, "input_text")
        if not field_of or content is None:
            return False
        data["input"] = [*entries[:-1], {**last, field_of: content}]
        return True

    def leave_out(self, data: dict[str, Any], changes: Changes) -> None:
        """Give items another text, and take whole entries out; nothing where the server keeps the history."""
        if isinstance(data.get("input"), list) and not data.get("previous_response_id"):
            first = len(texts(data.get("instructions")))
            data["input"] = extent.carried_out(data["input"], first, changes, _items, _with_texts)

    def extent(self, data: Mapping[str, Any], turn: Turn) -> Extent:
        """What of the request its items don't tell."""
        first, entries = turn.first_of(), map(plain, listed(data.get("input")))
        return extent.whole(data, [(said, _beside(said, first.get(n, -1))) for n, said in enumerate(entries)])

    def whole(self, response: object) -> Answer:
        """The answer of a call that was not streamed."""
        body = mapping(response)
        status = string(body.get("status"))
        items = [i for entry in listed(body.get("output")) for i in entry_items(plain(entry), -1)]
        return Answer(tuple(items), status == "completed", status, string(body.get("id")))

    def stream(self) -> ResponsesStream:
        """An accumulator for the typed events."""
        return ResponsesStream()


class ResponsesStream:
    """Assembles the events of a streamed response; the last event repeats the whole, the items are the fallback."""

    def __init__(self) -> None:
        self._events = EventParser()
        self._done: dict[int, object] = {}
        self._final: Mapping[str, Any] = {}
        self._text: list[str] = []

    def feed(self, chunk: object) -> None:
        """One event, as LiteLLM's model, as a dict or as SSE bytes."""
        if isinstance(chunk, (bytes, str)):
            for event in self._events.feed(chunk):
                self._event(event)
        else:
            self._event(chunk)

    def _event(self, event: object) -> None:
        kind = str(getattr(field(event, "type"), "value", field(event, "type")))
        if kind == "response.output_text.delta":
            self._text.append(string(field(event, "delta")))
        elif kind == "response.output_item.done":
            index = field(event, "output_index")
            self._done[index if isinstance(index, int) else len(self._done)] = plain(field(event, "item"))
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            self._final = mapping(field(event, "response")) or {"status": kind.removeprefix("response.")}

    @property
    def over(self) -> bool:
        """Whether the event that repeats the whole has come."""
        return bool(self._final)

    def answer(self) -> Answer:
        """What was said so far."""
        status = string(self._final.get("status"))
        entries = listed(self._final.get("output")) or [entry for _, entry in sorted(self._done.items())]
        items = [i for entry in entries for i in entry_items(plain(entry), -1)]
        if not any(i.kind is ItemKind.TEXT for i in items) and self._text:
            items.insert(0, item(Role.ASSISTANT, ItemKind.TEXT, "".join(self._text), -1))
        whole = status == "completed" and not self._events.broken
        return Answer(tuple(items), whole, status, string(self._final.get("id")))
