"""Definitions that an answer shows in another file than the one that has them (§12, SEMANTICS 3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tslp_litellm.dialects.paths import is_of_tests
from tslp_litellm.dialects.values import Carrier, Evidence, Shown
from tslp_litellm.parser import outline
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import dirty, language_of, outline_of, with_holders
from tslp_litellm.resolution.mislabelled import doubt_mislabelled
from tslp_litellm.resolution.renaming import moves, renames
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState, Flag, Origin
from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.words.sentences import asks_for_deed, holds, mentions_word, sentences

SAME_MIN_RATIO = 0.7
"""A definition that stands elsewhere has so much of the words that it had."""


def moved_as_asked(unit: UnitOfWork, found: Iterable[Evidence], prompt: str) -> frozenset[str]:
    """The entities that an answer shows no longer in their file, but in one that the prompt names: `Move the constants
    to settings.py` names none of them."""
    shown, moved = _outlines(unit, found), set[str]()
    for path, seen in shown:
        state, base = unit.file(path), outline_of(unit.file(path))
        named = [text for at, text in shown if at != path and mentions_word(prompt, at.rpartition("/")[2])]
        for symbol in base.symbols if base is not None else ():
            gone = symbol.parent is None and symbol.name not in seen.by_name
            if gone and base is not None and any(_stands_in(symbol, base, text) for text in named):
                moved |= {state.entity(name) for name in _with_members(state, [symbol.name])}
    return frozenset(moved)


def doubt_elsewhere(unit: UnitOfWork, found: Sequence[Evidence], context: Context) -> None:
    """What an answer shows in a file that it brings is in doubt where it stood."""
    doubt_moved(unit, found, context.intent.prompt)
    _doubt_renamed(unit, found)
    _doubt_sent(unit, found, context)
    doubt_mislabelled(unit, found, context)


def doubt_moved(unit: UnitOfWork, found: Iterable[Evidence], prompt: str = "") -> None:
    """What the answer newly defines in one file, while the code that it shows of another one imports it, or is all the
    rest of that one, and no longer defines it there: it has moved, and so has what stands there as it was, beside it (a
    constant that it uses)."""
    shown = _outlines(unit, found)
    for path, seen in shown:
        state = unit.file(path)
        elsewhere = {name for other, text in shown if other != path for name in text.by_name}
        gone = [name for name in state.symbols if name in elsewhere and name not in seen.by_name]
        imports = "\n".join(seen.preamble)
        moved = [name for name in gone if "." not in name and mentions_word(imports, name)]
        if moved := moved or _left_behind(unit, path, seen, shown, prompt):
            there = [text for at, text in shown if at != path and not text.by_name.keys().isdisjoint(moved)]
            moved += [name for name in gone if name not in moved and stands_in_one(name, outline_of(state), there)]
            names = with_holders(state, _with_members(state, moved))
            unit.change(dirty(state, "stands-elsewhere", names), origin=Origin.MODEL, carrier=Carrier.FENCE)


def _doubt_renamed(unit: UnitOfWork, found: Iterable[Evidence]) -> None:
    """A rename that nobody confirmed, and whose new name the answer uses in another file, has most likely been made."""
    for flag in [one for one in unit.flags if one.kind == "rename"]:
        old, new = map(Entity.parse, flag.entities)
        texts = [piece.text for piece in found if isinstance(piece, Shown) and piece.path != old.path]
        if any(mentions_word(text, new.leaf or "") for text in texts):
            state = unit.file(old.path)
            names = with_holders(state, [old.symbol or ""])
            unit.change(dirty(state, "rename-used", names), origin=Origin.MODEL, carrier=Carrier.FENCE)


def _doubt_sent(unit: UnitOfWork, found: Iterable[Evidence], context: Context) -> None:
    """What the prompt asks by name to move, and a new file of the answer has as it was, or under another name, has most
    likely gone where it stood, though the answer shows that file not at all, or tells in words what is to go there; and
    so has all of a file that is to go on under a new name."""
    made, shown = {state.path for state, _ in unit.candidates if not state.tracked}, _outlines(unit, found)
    new = {at: text for at, text in shown if at in made and not is_of_tests(at)}
    for path in sorted(context.play.files() - made) if new else ():
        state, intent, base = unit.file(path), context.about(path).intent, outline_of(unit.file(path))
        here = {name for at, text in shown if at == path for name in text.by_name}
        sent = [name for name in state.symbols if "." not in name and name not in here and intent.asks_to_lose(name)]
        gone = [name for name in sent if stands_in_one(name, base, new.values()) or _renamed_in(name, base, new)]
        if gone := gone or ([] if here else _gone_on(state, new, intent.prompt)):
            names = with_holders(state, _with_members(state, gone))
            unit.change(dirty(state, "stands-elsewhere", names), origin=Origin.MODEL, carrier=Carrier.FENCE)


def _renamed_in(name: str, base: Outline | None, new: Mapping[str, Outline]) -> bool:
    """Whether a definition of a file stands in another one under a new name."""
    return base is not None and any(name in renames(text, base) for text in new.values())


def _gone_on(state: FileState, new: Mapping[str, Outline], prompt: str) -> list[str]:
    """All that a file defines, where a sentence gives it a new name and that file has all of it as it was."""
    base, own = outline_of(state), state.path.rpartition("/")[2]
    said = [one for one in sentences(prompt) if holds(one, "goes_on") and asks_for_deed(one)]
    said = [one for one in said if mentions_word(one, own) and not holds(one, "negation")]
    named = [text for at, text in new.items() if any(mentions_word(one, at.rpartition("/")[2]) for one in said)]
    top = [symbol.name for symbol in base.top_level()] if base is not None else []
    return top if all(stands_in_one(name, base, named) for name in top) else []


def _left_behind(
    unit: UnitOfWork, path: str, seen: Outline, shown: Iterable[tuple[str, Outline]], prompt: str
) -> list[str]:
    """What new files of the answer have as it was, where the prompt names the file that had it, or something of it, and
    the text shows all the rest. Tests copy."""
    base, made = outline_of(unit.file(path)), {state.path for state, _ in unit.candidates if not state.tracked}
    new = [text for at, text in shown if at in made and not is_of_tests(at)]
    top = [symbol.name for symbol in base.top_level()] if base is not None else []
    gone = [name for name in top if name not in seen.by_name]
    rest = len(gone) < len(top) and base is not None and (not base.preamble or bool(base.preamble & seen.preamble))
    asked = any(mentions_word(prompt, name) for name in (path.rpartition("/")[2], *gone))
    return gone if rest and asked and all(stands_in_one(name, base, new) for name in gone) else []


def stands_in_one(name: str, base: Outline | None, texts: Iterable[Outline]) -> bool:
    """Whether a definition of a file stands in one of some other texts as it was."""
    symbol = base.by_name.get(name) if base is not None else None
    return base is not None and symbol is not None and any(_stands_in(symbol, base, text) for text in texts)


def flag_moves(unit: UnitOfWork) -> None:
    """Definitions that went from one file to another without being asked for: renames across files (§12).

    The file that lost one was refused; with the user's word for it (`move`, `rename`) it was not, and nothing is said.
    What has another name in its own file went nowhere, and what it is called there came from nowhere.
    """
    known = [(state, text, outline_of(state)) for state, text in unit.candidates]
    own = {state.path: renames(text, base) for state, text, base in known if base is not None}
    for before, after, base in known:
        now = unit.file(before.path)
        if base is None or now.file != before.file:
            continue
        for other, text, there in known:
            found = moves(after, base, text, there) if other.path != before.path else {}
            for old, new in found.items():
                if old not in own[before.path] and new not in own.get(other.path, {}).values():
                    unit.flags.append(Flag("rename", (before.entity(old), other.entity(new))))


def _outlines(unit: UnitOfWork, found: Iterable[Evidence]) -> list[tuple[str, Outline]]:
    return [(p.path, outline(language_of(unit.file(p.path)), p.text)) for p in found if isinstance(p, Shown)]


def _with_members(state: FileState, names: Sequence[str]) -> list[str]:
    return [name for name in state.symbols if name in names or name.partition(".")[0] in names]


def _stands_in(symbol: Symbol, base: Outline, text: Outline) -> bool:
    new = text.by_name.get(symbol.name)
    was, now = _words(base, symbol), _words(text, new) if new is not None else Counter[str]()
    return (was & now).total() >= SAME_MIN_RATIO * was.total()


def _words(seen: Outline, symbol: Symbol) -> Counter[str]:
    return Counter(re.findall(r"\w+", seen.slice(symbol)))
