"""What of an answer is none of what was asked for: small models do it to other code, or say again what they said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tslp_litellm.dialects.values import Evidence, Ground, Shown
from tslp_litellm.parser import outline
from tslp_litellm.placing.new_files import leaves_in
from tslp_litellm.placing.rules import only_introduced, without_labels
from tslp_litellm.placing.values import Play, Unplaced
from tslp_litellm.resolution.common import unplaced
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import dirty, language_of, outline_of, with_holders
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.moving import stands_in_one
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.resolution.versions import changed_parts
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState, Origin
from tslp_litellm.syntax.alike import counted
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.words.sentences import holds, mentions_word, merely_asks, sentences


def asked_for(unit: UnitOfWork, found: Sequence[Evidence], context: Context) -> list[Evidence]:
    """The placed code of an answer, without what is none of what its prompt asks for."""
    found = [piece for piece in found if not (_given_back(unit, piece, context) or _beside_it(unit, piece, context))]
    return [piece for piece in found if not _is_not_asked(unit, piece, found, context)]


def cut_as_named(unit: UnitOfWork, found: Sequence[Evidence], context: Context) -> frozenset[str]:
    """The entities that an answer leaves out of a file which is all that it shows, as it is but for them, and that the
    prompt names, and nothing else of that file, in whatever words it asks for it (`cart_size can go`). What it says
    with a word of the list is said."""
    piece = found[0] if len(found) == 1 else None
    base = outline_of(unit.file(piece.path)) if isinstance(piece, Shown) and not piece.part else None
    if not isinstance(piece, Shown) or base is None:
        return frozenset()
    state, intent = unit.file(piece.path), context.about(piece.path).intent
    seen = outline(language_of(state), piece.text)
    if any(intent.mentions(symbol.name) for symbol in seen.top_level()):
        return frozenset()
    lost = _cut_out(seen, base)
    return frozenset(map(state.entity, lost if all(_is_named(intent, name) for name in lost) else ()))


def _cut_out(seen: Outline, base: Outline) -> list[str]:
    """The definitions without which, and what they need of the imports, a text is all of its file as it was."""
    lost = [symbol for symbol in base.symbols if symbol.name not in seen.by_name]
    gone, new = counted(base.text) - counted(seen.text), counted(seen.text) - counted(base.text)
    theirs = counted("\n".join([*map(base.slice, lost), *base.preamble]).encode())
    return [symbol.name for symbol in lost] if seen.symbols and not new and gone <= theirs else []


def _is_named(intent: Intent, symbol: str) -> bool:
    parts = symbol.split(".")
    names = [name for n in range(len(parts)) if intent.mentions(name := ".".join(parts[: n + 1]))]
    said = [one for one in sentences(intent.prompt) if any(mentions_word(one, name) for name in names)]
    return bool(said) and not any(holds(one, "lose") for one in said) and not merely_asks(intent.prompt, *names)


def _is_not_asked(unit: UnitOfWork, piece: Evidence, answer: Sequence[Evidence], context: Context) -> bool:
    """Whether code without a label is none of what was asked for: the prompt names other definitions of its file, and
    the whole answer shows nothing that the prompt or the model's own words name, nor what these use (there a fault of
    theirs may lie), nor what uses them otherwise than it did. Small models give back the wrong function at times. What
    the prompt pastes is not named by its label alone."""
    if not isinstance(piece, Shown) or piece.by is not Ground.STRUCTURE:
        return False
    intent = context.about(piece.path).intent
    words = replace(intent, prompt=without_labels(intent.prompt))
    in_play = {e.symbol for e in map(Entity.parse, context.play.entities) if e.path == piece.path and e.symbol}
    mentioned = {symbol for symbol in in_play if words.mentions(symbol) or not intent.mentions(symbol)}
    named = [symbol for symbol in mentioned if intent.mentions(symbol) and not intent.asks_to_lose(symbol)]
    shown = [other for other in answer if isinstance(other, Shown) and other.path == piece.path]
    names = {s.name for other in shown for s in outline(language_of(unit.file(other.path)), other.text).symbols}
    if (
        not named
        or any(map(words.mentions, names))
        or _went_elsewhere(unit, piece, named, answer)
        or _are_used(unit.file(piece.path), named, names)
        or _use_otherwise(unit, shown, named, context)
        or any(_is_in(a, b) or _is_in(b, a) for a in mentioned for b in names)
    ):
        return False
    unplaced(unit, Unplaced(piece.text, piece.language, (piece.path,), tuple(sorted(names)), "not-asked"), Origin.MODEL)
    _doubt_blamed(unit, piece, named, context)
    return True


def _went_elsewhere(unit: UnitOfWork, piece: Shown, named: Iterable[str], answer: Sequence[Evidence]) -> bool:
    """Whether one of some definitions of a file stands in another one of the answer as it was, and not in this piece:
    it moves, and this is what is left."""
    base = outline_of(unit.file(piece.path))
    others = [one for one in answer if isinstance(one, Shown) and one.path != piece.path]
    texts = [outline(language_of(unit.file(one.path)), one.text) for one in others]
    return base is not None and any(stands_in_one(name, base, texts) for name in named)


def _are_used(state: FileState, by: Iterable[str], names: Iterable[str]) -> bool:
    """Whether one of some definitions of a file uses another by its name."""
    base = outline_of(state)
    texts = [base.slice(base.by_name[name]) for name in by if base is not None and name in base.by_name]
    return any(mentions_word(text, name.rpartition(".")[2]) for text in texts for name in names)


def _use_otherwise(unit: UnitOfWork, shown: Iterable[Shown], named: Iterable[str], context: Context) -> bool:
    """Whether what an answer changes of a file has new lines that use one of some definitions: callers are adapted."""
    parts = [part for piece in shown for part in changed_parts(unit, piece, context).items()]
    bases = {path: base for (path, _), _ in parts if (base := outline_of(unit.file(path))) is not None}
    ours = [(bases[p].slice(bases[p].by_name[n]), new) for (p, n), new in parts if p in bases and n in bases[p].by_name]
    lines = {line for old, new in ours for line in _lines(new) - _lines(old)}
    return any(mentions_word(line, name.rpartition(".")[2]) for line in lines for name in named)


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n")}


def _doubt_blamed(unit: UnitOfWork, piece: Shown, named: Sequence[str], context: Context) -> None:
    """Where the sentence that names the others finds fault with them, the fault may lie in what is shown."""
    said = sentences(without_labels(context.intent.prompt))
    about = [one for one in said if any(mentions_word(one, name.rpartition(".")[2]) for name in named)]
    if not any(holds(one, "fault") for one in about) or merely_asks("\n\n".join(about)) or not unit.trust.takes_model:
        return
    changed = [name for _, name in changed_parts(unit, piece, context)]
    state = unit.file(piece.path)
    if names := with_holders(state, changed) & state.symbols.keys():
        unit.change(dirty(state, "not-asked", names), origin=Origin.MODEL, carrier=piece.carrier)


def _given_back(unit: UnitOfWork, piece: Evidence, context: Context) -> bool:
    """Whether code was said before what is current now, and the prompt names something else: small models say once
    more what they said. Where the prompt names its file, that may be for what it shows of it, and a label that says the
    same is no slip."""
    words = without_labels(context.intent.prompt)
    if not isinstance(piece, Shown) or context.forms is not None or not _names_another(words, piece.path, context.play):
        return False
    if piece.by is not Ground.STRUCTURE and mentions_word(words, piece.path.rpartition("/")[2]):
        return False
    parts = {name: text for (_, name), text in changed_parts(unit, piece, context).items()}
    names = tuple(sorted(filter(None, parts)))
    if not names or any(mentions_word(words, name.rpartition(".")[2]) for name in names):
        return False
    entities = {str(Entity(piece.path, name or None)): text for name, text in parts.items()}
    before = context.earlier(piece.path, piece.text, entities)
    if not before.said or not (before.shown or piece.path not in context.play.paths):
        return False
    unplaced(unit, Unplaced(piece.text, piece.language, (piece.path,), names, "given-back"), Origin.MODEL)
    return True


def _beside_it(unit: UnitOfWork, piece: Evidence, context: Context) -> bool:
    """Whether code without a label is of a file that neither the sentence above nor the prompt names, or this only
    introduces, while it names another one, and what it changes there has nothing to do with what is said: no name of
    the prompt stands in it but as a parameter, and no word of the prompt's names it or what holds it, but for what is
    in play in another file. Small models that do not see what they are asked for do it to what they see."""
    words = without_labels(context.intent.prompt)
    if not isinstance(piece, Shown) or piece.by is not Ground.STRUCTURE or context.forms is not None:
        return False
    if mentions_word(piece.above, piece.path.rpartition("/")[2]):
        return False
    if not only_introduced(words, [piece.path]) or not _names_another(words, piece.path, context.play):
        return False
    parts = {name: text for (_, name), text in changed_parts(unit, piece, context).items() if name}
    seen, leaves = outline(language_of(unit.file(piece.path)), piece.text), leaves_in(words)
    heads = [seen.signature(s) for s in seen.symbols if s.name in parts and s.kind is Kind.FUNCTION]
    used = {leaf for leaf in leaves if not any(mentions_word(head, leaf) for head in heads)}
    if not parts or not leaves or any(mentions_word(text, leaf) for text in parts.values() for leaf in used):
        return False
    elsewhere = {e.symbol for e in map(Entity.parse, context.play.entities) if e.path != piece.path}
    elsewhere -= set(context.play.symbols(piece.path))
    names = {*parts, *(symbol for symbol in context.play.symbols(piece.path) if any(_is_in(n, symbol) for n in parts))}
    if any(mentions_word(words, name.rpartition(".")[2]) for name in names if name not in elsewhere):
        return False
    unplaced(unit, Unplaced(piece.text, piece.language, (piece.path,), tuple(sorted(parts)), "not-asked"), Origin.MODEL)
    return True


def _names_another(words: str, path: str, play: Play) -> bool:
    """Whether words name, of what is in play, another file than that, or something in it that the file has none of."""
    others = {one.rpartition("/")[2] for one in play.paths if one != path}
    there, here = ({e.leaf for e in map(Entity.parse, play.entities) if (e.path == path) is of} for of in (False, True))
    return any(mentions_word(words, other) for other in others | (there - here) if other)


def _is_in(name: str, holder: str) -> bool:
    return name == holder or name.startswith(holder + ".")
