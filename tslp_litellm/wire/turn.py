"""A request and an answer as values, the same for every API.

Owns the vocabulary that the wire formats produce and everything behind them consumes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tslp_litellm.wire.extent import Extent


class Role(StrEnum):
    """Who a message is from. `developer` messages are SYSTEM."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class ItemKind(StrEnum):
    """What a part of a message is."""

    TEXT = "text"
    CALL = "call"
    RESULT = "result"
    RESPONSE = "response"  # stands for the history that the server keeps under an id


@dataclass(frozen=True, slots=True)
class Item:
    """One part of a message.

    `text` is the text, a call's arguments (JSON as sent), or a result's text. `message` is the index of the wire
    message it stands in, -1 for what stands outside the list. `exact`: False where the text had to be repaired
    (invalid Unicode), so that it is no evidence.
    """

    role: Role
    kind: ItemKind
    text: str
    message: int = -1
    name: str = ""
    call_id: str = ""
    is_error: bool = False
    exact: bool = True


def is_empty(item: Item) -> bool:
    """Whether an item says nothing: clients send and drop such texts as they like."""
    return item.kind is ItemKind.TEXT and not item.text.strip()


@dataclass(frozen=True, slots=True)
class Turn:
    """A request: its items in the order of the wire, the system prompts among them, and the tools it offers."""

    items: tuple[Item, ...]
    tools: tuple[str, ...] = ()

    def system(self) -> str:
        """All system and developer text."""
        return "\n".join(item.text for item in self.items if item.role is Role.SYSTEM)

    def first_of(self) -> dict[int, int]:
        """The index of the first item of each message that has any."""
        return {item.message: n for n, item in reversed([*enumerate(self.items)])}


@dataclass(frozen=True, slots=True)
class Changes:
    """What is left out of a request: items, by their index in its turn, that get another text, those of them whose
    images go with it, and whole messages, by their index on the wire."""

    texts: Mapping[int, str] = dataclasses.field(default_factory=dict)
    bare: frozenset[int] = frozenset()
    messages: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.texts or self.messages)

    def moved(self, message: int) -> int:
        """Where a message stands that had an index before."""
        return message - sum(gone < message for gone in self.messages)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said. `complete`: False where it was cut short or came in several choices; `finish` says how."""

    items: tuple[Item, ...] = ()
    complete: bool = False
    finish: str = ""
    response_id: str = ""


class Accumulator(Protocol):
    """Assembles an answer from what passes by. `feed` never raises for what it does not understand.

    `over`: the API's own last event has come, so that whoever hears it needs to hear nothing more.
    """

    @property
    def over(self) -> bool: ...

    def feed(self, chunk: object) -> None: ...

    def answer(self) -> Answer: ...


class WireFormat(Protocol):
    """One API: request to turn, text into a request and out of it, answer to answer.

    `insert` puts a text at the start of a message; `append` behind the last one's content, as a part of its own, where
    that is the user's or a tool's and has room for one; `leave_out` takes texts and whole messages out; `extent` is
    told the turn that the request was parsed as.
    """

    def parse(self, data: Mapping[str, Any]) -> Turn: ...

    def insert(self, data: dict[str, Any], message: int, text: str) -> bool: ...

    def append(self, data: dict[str, Any], text: str) -> bool: ...

    def leave_out(self, data: dict[str, Any], changes: Changes) -> None: ...

    def extent(self, data: Mapping[str, Any], turn: Turn) -> Extent: ...

    def whole(self, response: object) -> Answer: ...

    def stream(self) -> Accumulator: ...


def clean(text: str) -> tuple[str, bool]:
    """A text that has a UTF-8 form, and whether it had one all along."""
    if text.isascii():
        return text, True
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode(), False
    return text, True


def item(role: Role, kind: ItemKind, text: str, message: int, **more: Any) -> Item:
    """An item whose text is sure to be storable."""
    text, exact = clean(text)
    return Item(role, kind, text, message, exact=exact, **more)


def plain(value: object) -> Any:
    """A pydantic model as a dict; anything else as it is."""
    dump = getattr(value, "model_dump", None)
    return dump() if callable(dump) else value


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one."""
    if type(value) is dict:  # what JSON decodes to
        return value
    value = plain(value)
    return value if isinstance(value, Mapping) else {}


def field(value: object, name: str) -> Any:
    """A field of a mapping or of a model, without decoding the rest: this runs once a chunk."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def listed(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return list(value) if isinstance(value, (list, tuple)) else []


def string(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def texts(content: object, kinds: tuple[str, ...] = ("text", "input_text", "output_text")) -> list[str]:
    """The text parts of a `content` that is a string or a list of parts."""
    if isinstance(content, str):
        return [content]
    parts = (part if isinstance(part, str) else mapping(part) for part in listed(content))
    return [
        part if isinstance(part, str) else string(part.get("text"))
        for part in parts
        if isinstance(part, str) or (part.get("type", "text") in kinds and string(part.get("text")))
    ]
