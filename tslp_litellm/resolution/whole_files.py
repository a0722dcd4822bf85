"""Whether a text is all of its file or a part of it (SEMANTICS 2, Whole file or fragment)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from tslp_litellm.resolution.gates import is_idle_import, is_there, symbols_missing, taken_along
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.renaming import missing_in, renames
from tslp_litellm.syntax.alike import counted, keeps_ends
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.syntax.stubs import is_constructor


def is_whole(
    candidate: Outline,
    base: Outline,
    symbols: Iterable[str],
    intent: Intent,
    *,
    labelled: bool,
    by_model: bool = True,
    known: bool = True,
) -> bool:
    """Whether a text is its whole file (SEMANTICS 2): it has all the top-level symbols, but for those that the prompt
    asks to go, and some of the preamble; or, a model's labelled one, the preamble, unless the prompt names all that it
    shows. In doubt it is a part, which deletes nothing. What has another name in a model's is there: whether it may
    have is judged with it. A user's labelled one also tells that a statement has gone. `known`: `base` is the file's
    text, and not merely the last one that is known."""
    if not base.sections <= candidate.sections:  # a component's script without its markup
        return False
    there = candidate.by_name.keys() | candidate.named
    there |= {s.name for s in base.symbols if is_there(s, there)}
    top = [s.name for s in base.symbols if s.parent is None]
    missing = [s for s in {*top, *symbols_missing(candidate, symbols)} - there if not intent.asks_to_lose(s)]
    missing = [s for s in missing if not (taken_along(s, candidate, intent) or is_idle_import(s, base, candidate))]
    named = renames(candidate, base) if missing else {}
    missing = [s for s in missing if s not in named or not (by_model or intent.asks_to_rename(s, named[s]))]
    if not top:
        return not missing and keeps_ends(candidate, base)
    if not missing and _keeps_what_stands_around(
        candidate, base, intent, statements_may_go=labelled and not by_model, known=known
    ):
        return not _is_frame(candidate, base, intent, labelled)
    headers = {p for p in base.preamble if p.startswith(("package ", "module ", "namespace "))}
    if not (labelled and by_model) or not base.preamble or not (headers or base.preamble) <= candidate.preamble:
        return False
    return not all(intent.mentions(s.name) for s in candidate.symbols if s.parent is None)


def _is_frame(candidate: Outline, base: Outline, intent: Intent, labelled: bool) -> bool:
    """Whether a text lacks members of a type that nobody asked to go, and the type is only a frame around those that
    the prompt names: it names all that are shown, but for those that are as they were in a file with nothing else; or,
    where nobody says that this is the file, one that is another now, or nothing else is in the file."""
    known = [symbol for symbol in base.symbols if "." in symbol.name]
    if not any(s.name not in candidate.by_name and not intent.asks_to_lose(s.name) for s in known):
        return False
    shown = [s for s in candidate.symbols if "." in s.name and s.kind is not Kind.VALUE]
    texts = {symbol.name: base.slice(symbol) for symbol in known}
    named = [symbol for symbol in shown if intent.mentions(symbol.name)]
    members = [symbol for symbol in named if not is_constructor(symbol)]  # its name is the type's, and often the file's
    changed = any(candidate.slice(symbol) != texts[symbol.name] for symbol in members if symbol.name in texts)
    alone = not base.preamble and len(base.top_level()) == 1
    others_stay = all(s in named or (alone and candidate.slice(s) == texts.get(s.name)) for s in shown)
    return (others_stay and (bool(members) or not shown)) or (not labelled and (changed or alone))


def _keeps_what_stands_around(
    candidate: Outline, base: Outline, intent: Intent, *, statements_may_go: bool, known: bool
) -> bool:
    """Whether a text with all the symbols has what else its file holds: as many statements, some of the preamble (by a
    name in it), and, where there is none, most lines around the definitions (a namespace, a header's prototypes, of
    which one may have changed), but for those that use what has gone, and some of the comments. Another preamble is
    enough where the prompt names what comes or goes of it, or nobody knows what is there, and none of the old one's
    names is used."""
    now = _statements(candidate, b"export" in candidate.text) + _filled(base, candidate)
    if now < _statements(base) and not (statements_may_go and base.preamble):
        return False
    if base.by_pattern and 2 * len(base.loose & candidate.loose) < len(base.loose):
        return False
    if base.preamble:
        old, new = ({word for line in seen.preamble for word in _WORD.findall(line)} for seen in (base, candidate))
        if (old & new) - _OF_IMPORTS or base.preamble <= candidate.preamble:
            return True
        lost, brought = old - new - _OF_IMPORTS, new - old - _OF_IMPORTS
        may_go = bool(new) and (not known or any(map(intent.mentions, lost | brought)))
        return may_go and lost.isdisjoint(_WORD.findall(candidate.text.decode()))
    if not base.parsed:
        return True
    around, code = counted(_around(base, base.text)), counted(_around(base, _bare(base)))
    comments = around - code
    gone = {symbol.leaf.encode() for symbol in missing_in(base, candidate)}
    kept = Counter({line: n for line, n in code.items() if gone.isdisjoint(re.findall(rb"\w+", line))})
    missing = (kept - counted(_bare(candidate))).total()
    keeps_code = bool(base.loose) or 2 * missing < max(1, kept.total())  # statements are there, and may be others
    return keeps_code and (not comments or bool(comments & counted(candidate.text)))


def _statements(seen: Outline, exports: bool = False) -> int:
    """How many statements stand around the definitions, imports aside. All that list exports are one, and as good as
    one is `export` in front of a definition (`exports`)."""
    statements = seen.loose - seen.preamble
    lists = [one for one in statements if _EXPORTS.match(one)]
    return len(statements) - len(lists) + (exports or bool(lists))


def _filled(base: Outline, candidate: Outline) -> int:
    """How many empty statements (`impl Display for Cart {}`) are there, and hold something now."""
    empty = [one for one in base.loose - candidate.loose if one.endswith("{}")]
    words = _words(candidate.text.decode()) if empty else ""
    return sum(_words(one) in words for one in empty)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text))} "


_EXPORTS = re.compile(r"export\s*\{|(?:module\.)?exports\b")


def _around(seen: Outline, text: bytes) -> bytes:
    """Of a text, or what has its places, what stands around the definitions."""
    at, around = 0, b""
    for symbol in sorted((s for s in seen.symbols if s.parent is None), key=lambda s: s.start):
        around, at = around + text[at : max(at, symbol.start)] + b"\n", max(at, symbol.end)
    return around + text[at:]


def _bare(seen: Outline) -> bytes:
    """A text with blanks for its comments."""
    text = bytearray(seen.text)
    for span in seen.comments:
        text[span.start : span.end] = re.sub(rb"[^\n]", b" ", text[span.start : span.end])
    return bytes(text)


_WORD = re.compile(r"\w+")
_OF_IMPORTS = frozenset(
    [
        "import", "from", "as", "use", "using", "require", "include", "include_once", "package", "module", "namespace",
        "type", "static", "const", "let", "var", "export", "default", "crate", "self", "super", "pub", "std", "java",
        "javax", "com", "org", "github",
    ]
)  # fmt: skip
"""What a line of a preamble is made of beside names: any two have some of it in common."""
