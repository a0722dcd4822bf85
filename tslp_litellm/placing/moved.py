"""Code that the prompt moves, as it stands, to a file that is not there yet (SEMANTICS 2, Which file)."""

from __future__ import annotations

from collections.abc import Iterable

from tslp_litellm.dialects.paths import is_of_tests
from tslp_litellm.dialects.values import Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.new_files import lacks_head, paths_named, paths_put
from tslp_litellm.placing.readings import readings
from tslp_litellm.placing.structure import held_in, is_of, placed_in
from tslp_litellm.placing.values import Asked, Known
from tslp_litellm.syntax.languages import Language, language_of_path
from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.words.sentences import holds, mentions_word, sentences


def moved_to_new(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """A file that is not tracked yet, by the sentence of the prompt that puts just these definitions there, which the
    code shows as they stand elsewhere: `Move fib to its own file mathx.py.`"""
    named = paths_named(asked.prose, asked.root) if asked.by_model else ()
    untracked = [path for path in named if not known.file(path).tracked and not known.longer(path)]
    for language, seen in readings(snippet, known.languages) if untracked else ():
        new, top = [path for path in untracked if is_of(path, language)], [s for s in seen.symbols if s.parent is None]
        alone = bool(top) and seen.loose <= seen.preamble
        stands = alone and all(_stands(one, seen, language, known) for one in top)
        if len(new) != 1 or is_of_tests(new[0]) or not stands:
            continue
        if any(_moves(one, new[0], [symbol.leaf for symbol in top], asked) for one in sentences(asked.prose)):
            part = lacks_head(language, snippet.text)
            return placed_in(snippet, new[0], language, Ground.PLACE, part=part)
    return None


def stands_elsewhere(snippet: Snippet, path: str, known: Known) -> bool:
    """Whether code that is said to be of a file that is not tracked yet shows what stands in others, as it is there."""
    for language, seen in readings(snippet, known.languages):
        top = [symbol for symbol in seen.symbols if symbol.parent is None]
        if is_of(path, language) and top and all(_stands(one, seen, language, known) for one in top):
            return True
    return False


def _moves(sentence: str, path: str, names: Iterable[str], asked: Asked) -> bool:
    """Whether a sentence puts definitions into a file, and does not merely ask for it, or for more in it."""
    words, named, put = sentence, paths_named(sentence, asked.root), paths_put(sentence, asked.root).get(path)
    for one in sorted(named, key=len, reverse=True):  # `run.ts` names no `run`
        words = words.replace(one, " ")
    here = path in named and all(mentions_word(words, name) for name in names)
    goes = holds(sentence, "goes_on") or (put is False and not (holds(sentence, "makes") or holds(sentence, "adds")))
    return here and goes and not holds(sentence, "negation")


def _stands(symbol: Symbol, seen: Outline, language: Language, known: Known) -> bool:
    """Whether a definition stands in a tracked file as it is, but for who may use it from outside."""
    states = map(known.file, held_in(symbol.name, language, known))
    bases = (outline(language_of_path(one.path), one.file.text) for one in states if one.file is not None)
    texts = (base.slice(base.by_name[symbol.name]) for base in bases if symbol.name in base.by_name)
    return any(_closed(text) == _closed(seen.slice(symbol)) for text in texts)


def _closed(text: str) -> list[str]:
    return [word for word in text.split() if word not in ("export", "default", "pub", "public")]
