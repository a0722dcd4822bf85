"""What the Ledger's events say as pulses (LedgerPulse 6 to 8). Pure: the same events give the same pulses, whenever
they are read.

A recorded turn is one pulse, with all that was judged in it; so is a checkpoint, and whatever is told of a turn later.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from tslp_litellm.journal.pulses import Pulse, Type, in_short
from tslp_litellm.secrets import redact
from tslp_litellm.state.events import Entry, EventKind, Move, Op
from tslp_litellm.state.names import Entity

LISTED = 5
PROMPT_CHARS = 20_000
"""So much of a prompt is looked at."""
TURNS_KEPT = 10_000
"""So many turns are remembered, for what is told of them later."""
_DONE = {
    Op.PROMOTE: "became the truth",
    Op.TOMBSTONE: "was removed",
    Op.DIRTY: "is DIRTY",
    Op.PROPOSE: "waits",
    Op.REJECT: "was refused",
}
_CHANGES = (Op.PROMOTE, Op.TOMBSTONE, Op.DIRTY)
TextOf = Callable[[str], str | None]


class Teller:
    """Hears a workspace's events in order. `text_of`: a text of the Vault; None where it is gone."""

    def __init__(self, project: str, text_of: TextOf) -> None:
        self.project, self._text_of = project, text_of
        self._seq = 0
        self._intent = "Nothing yet."
        self._by: dict[str, str] = {}
        self._open: OrderedDict[str, list[Entry] | None] = OrderedDict()  # None: the turn has been told
        self._dirty: dict[str, str] = {}
        self._waiting: dict[str, None] = {}
        self._red: dict[str, str] = {}

    def hear(self, entry: Entry) -> Pulse | None:
        """The pulse that an event makes, if it makes one."""
        self._seq = entry.seq
        for move in entry.moves():
            self._moved(move)
        if entry.kind == EventKind.REPORTED:
            self._reported(entry)
        if entry.kind == EventKind.CHECKPOINT:
            return self._pulse(Type.CHECKPOINT, entry.at, [entry])
        if entry.episode_id is None:
            return None
        if entry.kind == EventKind.EPISODE:
            return self._turn(entry, self._open.pop(entry.episode_id, None) or [])
        before = self._open.setdefault(entry.episode_id, [])
        if before is None:
            return self._pulse(Type.PULSE, entry.at, [entry]) if [*_facts([entry])] else None
        before.append(entry)
        return None

    def stands(self, at: str, kind: Type = Type.PULSE) -> Pulse:
        """Where the workspace stands, though nothing happened: every ten minutes, and where a stream begins anew."""
        return self._pulse(kind, at, [])

    # -- what stands

    def _moved(self, move: Move) -> None:
        if move.entity is None or move.op not in _DONE:
            return
        path = Entity.parse(move.entity).path
        if move.op is Op.PROPOSE:
            self._waiting[move.entity] = None
            return
        done = [one for one in self._waiting if Entity.parse(one).path == path] if move.op in _CHANGES else []
        for entity in (move.entity, *done):
            self._waiting.pop(entity, None)
        if move.op is Op.DIRTY:
            self._dirty.setdefault(path, move.reason or "")
        elif move.op in _CHANGES and move.entity == path:
            self._dirty.pop(path, None)

    def _reported(self, entry: Entry) -> None:
        content = entry.content()
        if content["verdict"] == "red":
            self._red[content["tool"]] = _counted(content)
        else:
            self._red.pop(content["tool"], None)

    def _next(self) -> list[str]:
        mend = [f"Mend what {tool} reports: {said}." for tool, said in self._red.items()]
        show = [f"Show the current text of {path}: it is DIRTY." for path in self._dirty]
        settle = [f"Settle {entity}: its change is not confirmed yet." for entity in self._waiting]
        return [*mend[:LISTED], *show[-LISTED:], *settle[-LISTED:]]

    # -- pulses

    def _turn(self, entry: Entry, before: list[Entry]) -> Pulse | None:
        """A turn's pulse. A client's request for itself (a title, a summary) is no turn."""
        content = entry.content()
        self._open[entry.episode_id or ""] = None
        while len(self._open) > TURNS_KEPT:
            self._open.popitem(last=False)
        if content.get("side"):
            return None
        prompt = self._text_of(content["prompt"]) if content.get("prompt") else None
        asked = in_short(redact(prompt[:PROMPT_CHARS])) if prompt and prompt.strip() else ""  # half of one is none
        by, other = content.get("by") or {}, self._by
        self._by = by
        if not [*_facts(before)]:
            return self._pulse(Type.TANGENT, entry.at, [], [f"asked: {asked}"] if asked else [])
        self._intent = asked or self._intent
        handed = bool(other and by and by != other)
        said = [f"{name}: {value}" for name, value in by.items()] if handed else []
        return self._pulse(Type.HANDOFF if handed else Type.PULSE, entry.at, before, said)

    def _pulse(self, kind: Type, at: str, of: Sequence[Entry], facts: Sequence[str] = ()) -> Pulse:
        moves = [move for entry in of for move in entry.moves() if move.entity is not None and move.op in _DONE]
        paths = tuple(dict.fromkeys(Entity.parse(move.entity or "").path for move in moves))
        lost = [path for path in paths if path in self._dirty and any(m.op is Op.DIRTY for m in moves)]
        doubt = "low" if lost else "medium" if self._waiting or self._dirty or self._red else "high"
        return Pulse(
            at,
            kind,
            self._seq,
            self.project,
            self._intent,
            next=tuple(self._next()) if kind is not Type.TANGENT else (),
            topics=paths[:LISTED] or ("where it stands",),
            files=paths,
            facts=(*facts, *_facts(of)),
            tags=tuple(dict.fromkeys(str(move.reason) for move in moves if move.reason)),
            confidence=doubt,
            blocked=bool(self._waiting),
            shift=_shift(lost),
        )


def _shift(lost: list[str]) -> tuple[str, str] | None:
    if not lost:
        return None
    named = _listed(lost)
    return f"The text of {named} was known.", f"Something changed {named}; what stands there now is not known."


def _facts(entries: Iterable[Entry]) -> Iterator[str]:
    """What events say happened, a sentence each; nothing of one whose words were erased."""
    for entry in (one for one in entries if one.body):
        content = entry.content()
        match entry.kind:
            case EventKind.REPORTED:
                yield f"{content['tool']}: {_counted(content)}"
            case EventKind.STATED:
                yield f"decided: {content['says']}"
            case EventKind.DECISION:
                yield f"decided: {content['says']} {content['chosen']}"
            case EventKind.ERROR:
                yield f"failed: {content['tool']} {content.get('says') or ''}"
            case EventKind.CHECKPOINT:
                yield f"checkpoint at event {entry.seq}, chain head {entry.hash[:16]}"
        yield from _moves(entry.moves())


def _moves(moves: list[Move]) -> Iterator[str]:
    told = [move for move in moves if move.entity is not None and move.op in _DONE]
    for (path, op, reason), some in groupby(told, lambda m: (Entity.parse(m.entity or "").path, m.op, m.reason)):
        symbols = [name for move in some if (name := Entity.parse(move.entity or "").symbol) is not None]
        yield f"{path}{f' ({_listed(symbols)})' if symbols else ''} {_DONE[op]}{f': {reason}' if reason else ''}"


def _counted(content: dict[str, object]) -> str:
    counts = content.get("counts")
    said = ", ".join(f"{number} {name}" for name, number in counts.items()) if isinstance(counts, dict) else ""
    return f"{content['verdict']}{f' ({said})' if said else ''}"


def _listed(names: list[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")
