"""What is known of one file, and how it changes: whole texts, spliced symbols, drift (SEMANTICS 1, Coherence).

A change gives a new `FileState` and the moves that lead there; nothing is written here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from tslp_litellm.parser import outline
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.names import holders
from tslp_litellm.state.values import Confidence, FileState, Freshness, Known, Source, artifact_hash
from tslp_litellm.syntax.exports import given_twice
from tslp_litellm.syntax.languages import Language, language_of_path
from tslp_litellm.syntax.outline import Outline, Symbol

Change = tuple[FileState, tuple[Move, ...]]
_NONE: Mapping[str, str] = {}


def language_of(state: FileState) -> Language | None:
    """A file's language, by its path."""
    return language_of_path(state.path)


def outline_of(state: FileState) -> Outline | None:
    """The outline of a file's last known text; None where there was none."""
    return outline(language_of(state), state.file.text) if state.file is not None else None


def promotion(
    entity: str,
    artifact: str,
    source: Source,
    reason: str,
    before: Known | None,
    confidence: Confidence = Confidence.CONFIRMED,
) -> Move:
    """The move that makes an artifact the truth, and the one it replaces superseded."""
    return Move(Op.PROMOTE, entity, artifact, confidence, reason, source, before.artifact if before else None)


def tombstone(entity: str, known: Known, reason: str) -> Move:
    """The move that removes an entity."""
    return Move(Op.TOMBSTONE, entity, known.artifact, reason=reason)


def adopt(state: FileState, text: str, source: Source, reason: str) -> Change:
    """The file with `text` as its whole, true text: symbols are derived anew, what is gone is tombstoned.

    Where the text doesn't parse, its error-free definitions are derived and what can't be found becomes DIRTY.
    """
    seen = outline(language_of(state), text)
    moves: list[Move] = []
    known = _known(state.file, text, source)
    if state.file is None or not state.file.clean or state.file.artifact != known.artifact:
        moves.append(promotion(state.entity(), known.artifact, source, reason, state.file))
    symbols: dict[str, Known] = {}
    for symbol in seen.symbols:
        if symbol.sound:
            old = state.symbols.get(symbol.name)
            symbols[symbol.name] = new = _known(old, seen.slice(symbol), source_in(seen))
            if old is None or not old.clean or old.artifact != new.artifact:
                moves.append(promotion(state.entity(symbol.name), new.artifact, new.source, reason, old))
    for name, old in state.symbols.items():
        if name not in symbols:
            kept, move = _unfound(state, name, old, seen, reason)
            moves += move
            symbols |= kept
    return FileState(state.path, known, symbols), tuple(moves)


def _known(old: Known | None, text: str, source: Source) -> Known:
    """A text as known now; the text as it was keeps how it was confirmed."""
    artifact = artifact_hash(text)
    if old is not None and old.artifact == artifact and old.clean:
        return old
    return Known(artifact, text, Freshness.CLEAN, source)


def _unfound(
    state: FileState, name: str, old: Known, seen: Outline, reason: str
) -> tuple[dict[str, Known], list[Move]]:
    """A tracked symbol that a new whole text doesn't show: gone where the text proves it, else of unknown text."""
    if seen.refused is None:
        if old.source is Source.PATTERN and old.text and old.text in seen.text.decode():
            return {name: old}, []
        if seen.sound or (old.source is Source.PATTERN and not _names(seen, name)):
            return {}, [tombstone(state.entity(name), old, reason)]
    return {name: replace(old, freshness=Freshness.DIRTY)}, [
        Move(Op.DIRTY, state.entity(name), reason=reason)
    ] if old.clean else []


def source_in(seen: Outline) -> Source:
    """How a text's definitions were confirmed."""
    return Source.AST if seen.parsed else Source.PATTERN


def _names(seen: Outline, symbol: str) -> bool:
    """Whether a symbol's last part stands anywhere in a text, as a word of its own."""
    leaf = symbol.rsplit(".", 1)[-1].partition("#")[0]
    return re.search(rf"(?<!\w){re.escape(leaf)}(?!\w)", seen.text.decode()) is not None


def dirty(state: FileState, reason: str, symbols: bool | Collection[str] = True) -> Change:
    """The file of unknown current text: its entities DIRTY, or only the file's own, or only some beside it."""
    moves = []
    if state.file is not None and state.file.clean:
        moves.append(Move(Op.DIRTY, state.entity(), reason=reason))
    file = replace(state.file, freshness=Freshness.DIRTY) if state.file else None
    marked = dict(state.symbols)
    for name, known in state.symbols.items():
        if known.clean and (name in symbols if not isinstance(symbols, bool) else symbols):
            moves.append(Move(Op.DIRTY, state.entity(name), reason=reason))
            marked[name] = replace(known, freshness=Freshness.DIRTY)
    return FileState(state.path, file, marked), tuple(moves)


def remove(state: FileState, reason: str) -> Change:
    """The file gone, with everything in it."""
    moves = [tombstone(state.entity(name), known, reason) for name, known in state.symbols.items()]
    if state.file is not None:
        moves.insert(0, tombstone(state.entity(), state.file, reason))
    return FileState(state.path), tuple(moves)


@dataclass(frozen=True, slots=True)
class Piece:
    """A complete definition out of a text that is not the whole file."""

    symbol: Symbol
    outline: Outline

    @property
    def name(self) -> str:
        """The symbol's name."""
        return self.symbol.name

    @property
    def text(self) -> str:
        """Its whole lines."""
        return self.outline.slice(self.symbol)

    def parts(self) -> dict[str, str]:
        """The definition and all that stands inside it: name -> text."""
        return {s.name: self.outline.slice(s) for s in (*self.outline.members(self.name), self.symbol)}


def insert(
    state: FileState,
    pieces: list[Piece],
    reason: str,
    renamed: Mapping[str, str] = _NONE,
    bare: Collection[str] = (),
) -> Change | None:
    """The file with some definitions replaced or added; None where that can't be done without doubt.

    A definition that is new to the file becomes an entity, but where it stands is unknown: the file becomes DIRTY, and
    so it does where it exports a name twice now.
    `renamed`: new name -> that of the definition in whose place it stands, where the file's text is known. `bare`: the
    definitions that lose the comment block above them.
    """
    places = renamed if state.text() is not None else _NONE
    known = [p for p in pieces if p.name in state.symbols or p.name in places]
    added = [p for p in pieces if p not in known]
    if any(p.outline.by_pattern for p in added):
        return None  # a pattern aligns with what is known; it introduces nothing (§11)
    moves: list[Move] = []
    if state.text() is not None and known:
        base = outline_of(state)
        at = {p.name: places.get(p.name, p.name) for p in known}
        spliced = splice(base, known, at, bare) if base and all(name in base.by_name for name in at.values()) else None
        if base is None or spliced is None or not _came_through(outline(language_of(state), spliced), base, known, at):
            return None
        state, done = adopt(state, spliced, source_in(base), reason)
        moves += done
        known = []
        if given_twice(outline(language_of(state), spliced)) - given_twice(base):
            state, done = dirty(state, "exported-twice", symbols=False)
            moves += done
    state, done = _set_symbols(state, known + added, reason)
    moves += done
    if added:
        state, done = dirty(state, "unknown-place", symbols=False)
        moves += done
    return state, tuple(moves)


def splice(base: Outline, pieces: list[Piece], at: Mapping[str, str], bare: Collection[str] = ()) -> str | None:
    """A file's text with some of its definitions replaced, those that stand `at` a name by the piece of that name;
    None where one can't be cut out cleanly.

    A comment block that stands above a definition is kept where the piece brings none of its own, but for the `bare`
    ones.
    """
    source = base.text
    for piece in sorted(pieces, key=lambda p: base.by_name[at[p.name]].start, reverse=True):
        symbol = base.by_name[at[piece.name]]
        if not symbol.alone or not piece.symbol.alone:
            return None
        loses = piece.name in bare or below_comments(piece.outline, piece.symbol)
        start = symbol.start if loses else below_comments(base, symbol) or symbol.start
        source = source[:start] + piece.text.encode() + source[symbol.end :]
    return source.decode()


def below_comments(seen: Outline, symbol: Symbol) -> int:
    """Where a definition begins below the comment block above it; 0 where there is no such block."""
    end = 0
    for comment in seen.comments:
        if (
            max(end, symbol.start) <= comment.start < symbol.node_start
            and not seen.text[max(end, symbol.start) : comment.start].strip()
        ):
            end = seen.text.find(b"\n", comment.end - 1) + 1
    return end


def _came_through(after: Outline, before: Outline, pieces: list[Piece], at: Mapping[str, str]) -> bool:
    """Whether a spliced text has exactly the definitions it should have, with the text they should have."""
    inside = {one for name in at.values() for one in (name, *(member.name for member in before.members(name)))}
    parts = {name for p in pieces for name in p.parts()}
    return (
        not after.error_lines() - before.error_lines()
        and {s.name for s in after.symbols} == ({s.name for s in before.symbols} - inside) | parts
        and all(after.slice(after.by_name[p.name]).endswith(p.text) for p in pieces)
    )


def _set_symbols(state: FileState, pieces: list[Piece], reason: str) -> Change:
    """Symbols by themselves, where the file's text is not known; what they stand inside is then of unknown text too,
    but for a type whose own text is known."""
    symbols, moves = dict(state.symbols), []
    for piece in pieces:
        parts, outer = piece.parts(), holders(piece.name) if piece.symbol.parent is not None else []
        held = _held(state.path, symbols, piece) if outer else None
        for name, text in parts.items():
            old = symbols.get(name)
            symbols[name] = new = _known(old, text, source_in(piece.outline))
            if new is not old:
                moves.append(promotion(state.entity(name), new.artifact, new.source, reason, old))
        for name in [
            n for n in symbols if n.startswith(piece.name + ".") and n not in parts and _stands_in(state, n, piece)
        ]:
            moves.append(tombstone(state.entity(name), symbols.pop(name), reason))
        if held is not None:
            old, (holder,) = symbols[outer[0]], outer
            symbols[holder] = new = _known(old, held, old.source)
            moves += [promotion(state.entity(holder), new.artifact, new.source, reason, old)] if new is not old else []
        for holder in outer if held is None else []:
            if holder in symbols and symbols[holder].clean:
                symbols[holder] = replace(symbols[holder], freshness=Freshness.DIRTY)
                moves.append(Move(Op.DIRTY, state.entity(holder), reason=reason))
    return FileState(state.path, state.file, symbols), tuple(moves)


def _held(path: str, symbols: Mapping[str, Known], piece: Piece) -> str | None:
    """The known text of the type that a definition stands in, with that definition; None where it had none of its name,
    or the text is no whole one by itself."""
    (holder, *others), language = holders(piece.name), language_of_path(path)
    known = symbols.get(holder)
    if others or language is None or known is None or not known.clean or known.text is None:
        return None
    base = outline(language, known.text)
    if piece.name not in base.by_name or base.by_name[holder].start != 0:
        return None
    at = {piece.name: piece.name}
    text = splice(base, [piece], at)
    return text if text is not None and _came_through(outline(language, text), base, [piece], at) else None


def _stands_in(state: FileState, member: str, piece: Piece) -> bool:
    """Whether a member stood inside of its type: Go's methods, and those of an `impl`, stand outside, and are not gone
    where the type is shown without them."""
    base = outline_of(state)
    known = base.by_name.get(member) if base is not None else None
    if known is not None:
        return known.parent is not None
    return any(inner.parent is not None for inner in piece.outline.members(piece.name))


def with_holders(state: FileState, names: Iterable[str]) -> set[str]:
    """Symbols of a file, and what they stand in. A method of Go's stands outside of its type, and so does a new one of
    a type whose others do."""
    seen, found = outline_of(state), set(names)
    symbols = seen.by_name if seen is not None else {}
    outside = {name for name, symbol in symbols.items() if symbol.parent is None}
    open_types = {name.rpartition(".")[0] for name in outside}
    outside |= {name for name in found - symbols.keys() if name.rpartition(".")[0] in open_types - {""}}
    return found | {holder for name in found - outside for holder in holders(name)}
