"""Benches and files for the judgements."""

from __future__ import annotations

from tslp_litellm.dialects.values import Carrier, Edit, Replacement, Shown
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import adopt
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.state.values import FileState, Grant, Source


def known(path: str, text: str) -> FileState:
    """A file as the user has shown it."""
    return adopt(FileState(path), text, Source.AST, Grant.WRITE_HEAD)[0]


def unit(**files: str) -> UnitOfWork:
    """A unit with files; `a_py` stands for `a.py`."""
    states = [known(name.replace("_", "."), text) for name, text in files.items()]
    holders: dict[str, set[str]] = {}
    for state in states:
        for symbol in state.symbols:
            holders.setdefault(symbol, set()).add(state.path)
    return UnitOfWork({s.path: s for s in states}, {name: frozenset(paths) for name, paths in holders.items()})


def fence(path: str, text: str) -> Shown:
    return Shown(path, text, Carrier.FENCE, language="python" if path.endswith(".py") else "")


def edit(path: str, *pairs: tuple[str, str]) -> Edit:
    return Edit(path, tuple(Replacement(old, new, lines=True) for old, new in pairs), Carrier.SEARCH_REPLACE)


def asked(prompt: str = "", **more: object) -> Context:
    return Context(intent=Intent(prompt), **more)  # type: ignore[arg-type]


def reasons(of: UnitOfWork) -> list[tuple[str | None, str | None]]:
    """Entity and reason of what stayed PROPOSED or was only logged."""
    return [(m.entity, m.reason) for e in of.events for m in e.moves if m.op in (Op.PROPOSE, Op.LOG, Op.REJECT)]


def moved(of: UnitOfWork, op: Op) -> list[str | None]:
    return [m.entity for e in of.events for m in e.moves if m.op is op]
