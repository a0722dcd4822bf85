"""What is known of files after a script, by its effects: the texts that stand, and which are unknown."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from tslp_litellm.shell import changed_by
from tslp_litellm.shell.effects import Appended, Dirtied, Effect, Formatted, Moved, Patched, Ran, Removed, Written
from tslp_litellm.shell.targets import At, Target

GONE = "\0gone"


class Book:
    """Tracked files: a text, None where it is unknown, GONE where a removal was certain."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files: dict[str, str | None] = {**files}
        self.last = {**files}

    def apply(self, effects: Iterable[Effect]) -> Book:
        for effect in effects:
            self._apply(effect)
            self.last |= {path: text for path, text in self.files.items() if text is not None and text != GONE}
        return self

    def _dirty(self, targets: Iterable[Target]) -> None:
        for known in self.files:
            if any(meant(target, known) for target in targets):
                self.files[known] = None

    def _apply(self, effect: Effect) -> None:
        match effect:
            case Written(path=path, text=text):
                self.files[path] = text
            case Appended(path=path, text=text):
                before = self.files.get(path)
                self.files[path] = before + text if before is not None and before != GONE else None
            case Removed(path=path, tree=tree):
                for known in list(self.files):
                    if known == path or (tree and known.startswith(path + "/")):
                        self.files[known] = GONE
            case Moved():
                self._move(effect)
            case Ran(targets=targets, folder=folder):
                for path in [path for path in self.last if any(meant(target, path) for target in targets)]:
                    self._dirty(changed_by(path, self.last[path], folder)[0])
            case Dirtied(targets=targets) | Formatted(targets=targets):
                self._dirty(targets)
            case Patched():
                raise AssertionError(effect)

    def _move(self, effect: Moved) -> None:
        to = effect.to
        inside = [known for known in self.files if known.startswith(effect.path + "/")]
        if effect.loose and (effect.path in self.files or not inside):
            self._apply(Removed(effect.path, tree=True))
            self._dirty([At(to)])
            self.files[to] = None
            return
        if any(known.startswith(to + "/") for known in self.files):
            to = posixpath.join(to, posixpath.basename(effect.path))
        if effect.loose:
            for known in inside:
                self.files[to + known[len(effect.path) :]], self.files[known] = self.files[known], GONE
            return
        text = self.files.get(effect.path)
        if text is None or text == GONE:
            if any(known.startswith(effect.path + "/") for known in self.files) and not effect.keep:
                for known in [k for k in self.files if k.startswith(effect.path + "/")]:
                    self.files[known] = None
            self.files[to] = None
        else:
            self.files[to] = text
        if not effect.keep and effect.path in self.files:
            self.files[effect.path] = GONE


def meant(target: Target, path: str) -> bool:
    """Whether a target may be this file."""
    if isinstance(target, At):
        return target.path in (".", path) or path.startswith(target.path + "/")
    return target.matches(path)
