"""Shapes: how a text of any size is made of a language's tokens. Pure, and the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

PAIRS_SAMPLED, TRIPLES_SAMPLED, PHRASES_SAMPLED, SOUPS = 60, 30, 60, 20
"""How many of the combinations of two, three and more tokens a seed takes."""
PHRASE_TOKENS = (3, 8)
TOKENS_SAMPLED = 60
"""How many tokens a seed takes one by one."""
CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
NAMES = ("a", "1", "x.y", "f(", "é", "a:")
DEEPEST_INDENT = 400


@dataclass(frozen=True)
class Shape:
    """A text of about a size, in characters. The name tells one from another of the same alphabet and seed."""

    name: str
    make: Callable[[int], str]


def fill(piece: str, size: int) -> str:
    """A piece as often as fits."""
    return piece * max(1, size // max(1, len(piece)))


def nest(opener: str, closer: str, size: int) -> str:
    """As many openers as closers."""
    count = max(1, size // (len(opener) + len(closer)))
    return opener * count + closer * count


def indented(piece: str, size: int) -> str:
    """Lines that each stand deeper than the one before, and come back, again and again."""
    lines: list[str] = []
    length = depth = 0
    while length < size:
        lines.append(" " * depth + piece)
        length, depth = length + depth + len(piece) + 1, (depth + 1) % DEEPEST_INDENT
    return "\n".join(lines)


def numbered(piece: str, size: int) -> str:
    """The piece with a number of its own each time: many names instead of one."""
    return "".join(f"{piece}{n}\n" for n in range(max(1, size // (len(piece) + 5))))


def soup(tokens: Sequence[str], gap: str, seed: str, size: int) -> str:
    """Tokens at random."""
    rng, average = random.Random(seed), 1 + sum(map(len, tokens)) / len(tokens) + len(gap)
    return gap.join(rng.choices(tokens, k=max(1, int(size / average))))[:size]


def shapes(tokens: Sequence[str], seed: str) -> list[Shape]:
    """All shapes of an alphabet that a seed takes: several hundred, in the order of their kinds."""
    return list({shape.name: shape for shape in _all(tokens, random.Random(seed), seed)}.values())


def _all(tokens: Sequence[str], rng: random.Random, seed: str) -> Iterator[Shape]:
    for token in rng.sample(tokens, min(TOKENS_SAMPLED, len(tokens))):
        yield from _of_one(token)
    for opener, closer in CLOSERS.items():
        for name in ("", *rng.sample(NAMES, 3)):
            yield Shape(f"nested {name + opener!r}", lambda n, o=name + opener, c=closer: nest(o, c, n))
            yield Shape(f"flat {name + opener!r}", lambda n, p=name + opener + closer + ",": fill(p, n))
    for _ in range(PAIRS_SAMPLED):
        one, other = rng.choice(tokens), rng.choice(tokens)
        yield Shape(f"pair {one!r} {other!r}", lambda n, p=one + other: fill(p, n))
        yield Shape(f"spaced pair {one!r} {other!r}", lambda n, p=f"{one} {other} ": fill(p, n))
        yield Shape(f"nested {one!r} in {other!r}", lambda n, o=one, c=other: nest(o, c, n))
    for _ in range(TRIPLES_SAMPLED):
        line = " ".join(rng.choice(tokens) for _ in range(3)) + "\n"
        yield Shape(f"triple {line!r}", lambda n, p=line: fill(p, n))
    for number in range(PHRASES_SAMPLED):
        at, count = rng.randrange(len(tokens)), rng.randint(*PHRASE_TOKENS)
        phrase = ("", " ", "\n")[number % 3].join(tokens[at : at + count])  # neighbours belong together
        yield Shape(f"phrase {phrase!r}", lambda n, p=phrase + ("\n" if number % 2 else ""): fill(p, n))
    for quote in ('"', "'", "`", '"""', "/*", "//", "#", "--", "<!--"):
        inside = rng.choice(tokens)
        yield Shape(f"{inside!r} inside {quote!r}", lambda n, q=quote, p=inside: q + fill(p, n))
        yield Shape(f"{inside!r} between {quote!r}", lambda n, q=quote, p=inside: fill(f"{q}{p}{q} ", n))
    for number in range(SOUPS):
        gap = ("", " ", "\n", " \n")[number % 4]
        yield Shape(f"soup {number}", lambda n, g=gap, s=f"{seed} {number}": soup(tokens, g, s, n))


def _of_one(token: str) -> Iterator[Shape]:
    bare = token.strip() or token
    yield Shape(f"repeated {token!r}", lambda n: fill(token, n))
    yield Shape(f"spaced {token!r}", lambda n: fill(token + " ", n))
    yield Shape(f"lines {token!r}", lambda n: fill(token + "\n", n))
    yield Shape(f"after a name {token!r}", lambda n: fill("a" + token, n))
    yield Shape(f"indented {bare!r}", lambda n: indented(bare, n))
    yield Shape(f"numbered {token!r}", lambda n: numbered(token, n))
    yield Shape(f"once, then blanks {token!r}", lambda n: token + fill(" ", n))
    yield Shape(f"once, then a name {token!r}", lambda n: token + fill("a", n))
