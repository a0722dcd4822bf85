"""A file whose text is known, as far as its uses depend on it: names, where they are asked for, and interfaces.

Nothing in it is a place in the text, so that it can be kept beside the text and read back (`encoded`, `decoded`).
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tslp_litellm.state.values import artifact_hash
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.syntax.references import THIS, Bindings, Import, Reference
from tslp_litellm.syntax.symbols import Symbol
from tslp_litellm.uses.interfaces import interface
from tslp_litellm.uses.modules import package_key

_GIVEN = {
    "lua": re.compile(r"^return[ \t]+(\w+)\s*\Z", re.MULTILINE),
    **dict.fromkeys(("javascript", "typescript", "tsx"), re.compile(r"\bmodule\.exports\s*=\s*([^\s={;][^\s;]*)")),
}
"""What a module gives out whole, by language: a table, or whatever nobody knows."""


_ALONE = re.compile(r"(?!.*\b(?:data|enum|record|extends|implements)\b)[^:]*", re.DOTALL)
"""A type's head, without what is in brackets, that names nothing it inherits from, nor members that are made for it."""
_BRACKETS = re.compile(r"<[^<>]*>|\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition: whether it is a type, whether nothing holds it, its text and its interface as SHA-256, and its
    signature."""

    is_type: bool
    is_top: bool
    artifact: str
    interface: str
    signature: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A name that a text asks for. `holders`: the definitions in which it does, the innermost last; `chain`: the name
    and the members asked of it; `why`: the `Doubt` whether it does, where the place itself says that."""

    holders: tuple[str, ...]
    chain: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file whose text is known, as its language reads it. `artifact`: its text, as SHA-256; `package`: the one that
    it declares; `opens`: files or packages all of whose names it sees. `exports`: as of `Bindings`; of a module
    of Lua or CommonJS that gives out a table its members, and the table itself. `doubts`, `unsure` (by name)
    and `stars`: as of `Bindings`; none where they were not kept yet."""

    language: str = ""
    artifact: str = ""
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()
    imports: Mapping[str, Import] = field(default_factory=dict)
    defined: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()
    star: bool = False
    package: str = ""
    opens: tuple[str, ...] = ()
    exports: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[Asked, ...] = ()
    unsure: Mapping[str, tuple[Import, ...]] = field(default_factory=dict)
    stars: tuple[str, ...] = ()

    @property
    def key(self) -> str | None:
        """What its declared package is found by."""
        return package_key(self.language, self.package)

    def may_bind(self, name: str) -> bool:
        """Whether a name may be bound in a way that nobody knows."""
        return self.star or name in self.several

    def defines(self, name: str) -> bool:
        """Whether a definition that nothing holds has a name."""
        return name in self.definitions and self.definitions[name].is_top

    def may_have(self, of: str, name: str) -> bool:
        """Whether a type may have a member of a name: it has one, or inherits, or is none."""
        head = self.definitions.get(of)
        if head is None or not head.is_type or f"{of}#2" in self.definitions or not _ALONE.fullmatch(_bare(head)):
            return True
        members = {one.partition("#")[0] for one in self.definitions if one.startswith(f"{of}.")}
        declared = {one.chain[1] for one in self.asked if one.chain[0] == THIS and of in one.holders and one.chain[1:]}
        return f"{of}.{name}" in members or not declared.isdisjoint((name, "*"))

    def own(self, chain: tuple[str, ...]) -> tuple[str, ...]:
        """What is asked of the module, by the file's own names; without a word the module itself. A module that is
        something else as a whole gives out nothing by a name of its own."""
        name, *rest = chain or ("",)
        return (self.exports.get(name, "" if "" in self.exports else name), *rest)

    def binds(self, name: str, *, perhaps: bool = False) -> bool:
        """Whether a name is bound exactly once, or `perhaps` in a way that nobody knows."""
        return name in self.defined or name in self.imports or (perhaps and self.may_bind(name))


class World(Mapping[str, KnownFile]):
    """Known files, by path."""

    @abstractmethod
    def packaged(self, key: str) -> Collection[str]:
        """The files that declare a package, by its key."""


def known_file(seen: Outline, bound: Bindings) -> KnownFile:
    """What is known of a text by its outline and its bindings."""
    top = {symbol.base for symbol in seen.symbols if symbol.parent is None}
    local = (bound.defined | bound.several) - top
    whole = _GIVEN.get(seen.language)
    found = whole.search(seen.text.decode()) if whole is not None else None
    table = _table(found[1], seen.by_name) if found is not None else {}
    unsure = _by_name(bound.unsure)
    return KnownFile(
        seen.language,
        artifact_hash(seen.text.decode()),
        {
            symbol.name: Definition(
                symbol.kind is Kind.TYPE,
                symbol.parent is None,
                artifact_hash(seen.slice(symbol)),
                artifact_hash(interface(seen, symbol.name)),
                seen.signature(symbol),
            )
            for symbol in seen.symbols
        },
        _asked(seen, (made for made in bound.references if made.name not in local)),
        {made.name: made for made in bound.imports},
        bound.defined | {own for own in table.values() if "." in own},
        bound.several,
        bound.star,
        bound.package,
        bound.opens,
        {**bound.exports, **table},
        _asked(seen, (made for made in bound.doubts if made.name not in local or made.name in unsure)),
        unsure,
        bound.stars,
    )


def _bare(head: Definition) -> str:
    """A signature without what is in brackets."""
    text, n = head.signature, 1
    while n:
        text, n = _BRACKETS.subn("", text)
    return text


def _table(name: str, definitions: Collection[str]) -> dict[str, str]:
    """What a module gives out whose whole is a table, or a class: itself, and its members."""
    members = {one.removeprefix(f"{name}."): one for one in definitions if one.startswith(f"{name}.")}
    return {"": name, "default": name, **members}


def _asked(seen: Outline, references: Iterable[Reference]) -> tuple[Asked, ...]:
    """References, which are in order, by the definitions in which they are."""
    made = list(references)
    holders = _holders(seen, [reference.start for reference in made])
    return tuple(dict.fromkeys(Asked(h, one.chain, one.why) for h, one in zip(holders, made, strict=True)))


def _by_name(imports: Iterable[Import]) -> dict[str, tuple[Import, ...]]:
    found = dict[str, tuple[Import, ...]]()
    for made in imports:
        found[made.name] = (*found.get(made.name, ()), made)
    return found


def _holders(seen: Outline, places: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """The definitions around each of some places, which are in order; the innermost last. One walk over the text."""
    coming = sorted(seen.symbols, key=lambda s: (s.node_start, -s.node_end))
    around, n = list[Symbol](), 0
    for at in places:
        while n < len(coming) and coming[n].node_start <= at:
            around.append(coming[n])
            n += 1
        around = [symbol for symbol in around if at < symbol.node_end]
        yield tuple(s.name for s in around)


def encoded(known: KnownFile) -> str:
    """A known file as JSON in one canonical form."""
    body: list[object] = [
        known.language,
        known.artifact,
        [
            [name, d.is_type, d.is_top, d.artifact, d.interface, d.signature]
            for name, d in sorted(known.definitions.items())
        ],
        [[list(one.holders), list(one.chain)] for one in known.asked],
        [[one.name, one.module, one.member, one.whole] for _, one in sorted(known.imports.items())],
        sorted(known.defined),
        sorted(known.several),
        known.star,
        known.package,
        list(known.opens),
        dict(sorted(known.exports.items())) or "",  # as a file that gives out nothing else was always kept
    ]
    unsure = [made for _, some in sorted(known.unsure.items()) for made in some]
    if known.doubts or unsure or known.stars:
        body += [
            [[list(one.holders), list(one.chain), one.why] for one in known.doubts],
            [[one.name, one.module, one.member, one.whole] for one in unsure],
            list(known.stars),
        ]
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def decoded(body: str) -> KnownFile:
    """The reverse of `encoded`. A body from before anything in doubt was kept reads as one that has none, and so
    does one from before `exports` were."""
    language, artifact, definitions, asked, imports, defined, several, star, package, opens, *more = json.loads(body)
    exports, doubts, unsure, stars = more if len(more) > 1 else (*more, (), (), ())
    return KnownFile(
        language,
        artifact,
        {name: Definition(*rest) for name, *rest in definitions},
        tuple(Asked(tuple(holders), tuple(chain)) for holders, chain in asked),
        {row[0]: Import(*row) for row in imports},
        frozenset(defined),
        frozenset(several),
        star,
        package,
        tuple(opens),
        exports if isinstance(exports, dict) else {},
        tuple(Asked(tuple(holders), tuple(chain), why) for holders, chain, why in doubts),
        _by_name(Import(*row) for row in unsure),
        tuple(stars),
    )
