"""What the parts of a request show of tracked files, for the plan; the evidence is read as it is for judging."""

from __future__ import annotations

from collections import Counter, defaultdict

from tslp_litellm.dialects import values as evidence
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.truths import Truths
from tslp_litellm.placing.rules import said_above
from tslp_litellm.plan.showing import Lines, shown_by
from tslp_litellm.plan.values import Shown
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.names import normalise_path
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import ItemKind, Role, Turn

SHOWN_FILES_MAX = 200
"""Of more files in one request only the last ones are looked at."""
_TEXTS = (ItemKind.TEXT, ItemKind.RESULT)


class Showing:
    """What the parts of a request show of tracked files; found out once, where a plan needs it. What calls write is
    shown, too, and is nothing that may be cut."""

    def __init__(
        self,
        store: WorkspaceReader,
        readings: ReadingCache,
        truths: Truths,
        turn: Turn,
        talk: Talk,
        root: str | None,
    ) -> None:
        self._store, self._readings, self._truths = store, readings, truths
        self._turn, self._talk, self._root = turn, talk, root
        self._found: tuple[Shown, ...] | None = None

    def all(self) -> tuple[Shown, ...]:
        """Everything that is shown, in the order of the request."""
        if self._found is None:
            self._found = self._all()
        return self._found

    def _all(self) -> tuple[Shown, ...]:
        of_message: dict[int, list[tuple[str, evidence.Shown]]] = defaultdict(list)
        called: dict[int, list[tuple[str, evidence.Shown]]] = defaultdict(list)
        for n, item in enumerate(self._talk.items):
            if item.message < 0 or item.role is Role.SYSTEM:
                continue
            written = item.kind is ItemKind.CALL
            for piece in map(_labelled, self._readings.visible(self._talk, n)):
                path = normalise_path(piece.path, self._root) if isinstance(piece, evidence.Shown) else None
                if path is not None and isinstance(piece, evidence.Shown) and not holds_marker(piece.text):
                    (called if written else of_message)[item.message].append((path, piece))
        pieces = (one for by in (of_message, called) for several in by.values() for one in several)
        paths = list(dict.fromkeys(path for path, _ in pieces))[-SHOWN_FILES_MAX:]
        files = self._store.files(paths)
        once = self._truths.once(self._store, files)
        texts = Counter(item.message for item in self._turn.items if item.kind in _TEXTS)
        found = list[Shown]()
        for n, item in enumerate(self._turn.items):
            calls = called.pop(item.message, ()) if item.role is Role.ASSISTANT else ()
            found += [shown_by(n, None, piece, files[path], once) for path, piece in calls if path in files]
            if item.kind in _TEXTS and of_message.get(item.message):
                lines = Lines(item.text)
                for path, piece in of_message[item.message]:
                    if path in files and ((place := lines.find(piece.text)) or texts[item.message] == 1):
                        found.append(shown_by(n, place, piece, files[path], once))
        return tuple(found)


def _labelled(piece: evidence.Evidence) -> evidence.Evidence:
    """Code with the path that the sentence above it ends with; whether it is that file's, its text tells."""
    path = said_above(piece.above, by_user=True) if isinstance(piece, evidence.Snippet) else ""
    return evidence.Shown(path, piece.text, evidence.Carrier.FENCE) if path else piece  # type: ignore[union-attr]
