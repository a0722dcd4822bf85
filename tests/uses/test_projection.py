"""The fold of uses: cut anywhere, the same; and what confirms, what follows, what stays."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.growth import steep
from tests.uses.reading import known_file
from tslp_litellm.state.events import GENESIS, Entry, Event, EventKind, Move, Op, chained
from tslp_litellm.state.values import Doubt
from tslp_litellm.uses.following import Route
from tslp_litellm.uses.known import KnownFile, decoded, encoded
from tslp_litellm.uses.projection import Edge, Edges, advance

MONEY = "def to_cents(amount):\n    return int(amount * 100)\n"
OTHER = "def to_cents(amount, currency):\n    return int(amount * 100)\n"
CART = "from .money import to_cents\n\n\ndef put(price):\n    return to_cents(price)\n"
API = "from .cart import put\n\n\ndef post(price):\n    return put(price)\n"
PUT = "def put(price):\n    return to_cents(price)"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def is_doubt(edge: Edge) -> bool:
    return isinstance(edge.route, Doubt)


READ = functools.cache(known_file)


class Story:
    """A Ledger of a workspace, and the texts that it names."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.texts: dict[str, str] = {}

    def _append(self, *moves: Move) -> Story:
        event = Event(EventKind.EVIDENCE, moves)
        last = self.entries[-1].hash if self.entries else GENESIS
        seq = len(self.entries) + 1
        self.entries.append(chained(event, workspace_id=1, seq=seq, episode_id=None, at="", prev_hash=last))
        return self

    def show(self, path: str, text: str) -> Story:
        """A file with all that it defines."""
        self.texts[sha(text)] = text
        symbols = known_file(text).definitions.items()
        parts = (Move(Op.PROMOTE, f"{path}::{name}", symbol.artifact) for name, symbol in symbols)
        return self._append(Move(Op.PROMOTE, path, sha(text)), *parts)

    def move(self, op: Op, entity: str, artifact: str | None = None) -> Story:
        return self._append(Move(op, entity, artifact))

    def read(self, path: str, artifact: str) -> KnownFile:
        return READ(self.texts[artifact])

    def edges(self, *cuts: int) -> Edges:
        """What the Ledger makes, read in pieces."""
        files, edges = dict[str, str](), Edges()
        for begin, end in itertools.pairwise((0, *cuts, len(self.entries))):
            made = advance(self.entries[begin:end], files, self.read, lambda path: path.endswith(".py"))
            files = made.files
            edges = {user: found for user, found in edges.items() if user not in made.replaced}
            for user, found in made.edges.items():
                kept = edges.setdefault(user, {})
                kept |= {u: e for u, e in found.items() if u not in kept or is_doubt(kept[u]) > is_doubt(e)}
        return edges

    def told(self) -> dict[tuple[str, str], str]:
        return {(u, used): edge.signature for u, found in self.edges().items() for used, edge in found.items()}


BEFORE = {("src/cart.py::put", "src/money.py::to_cents"): "def to_cents(amount):"}
AFTER = {("src/cart.py::put", "src/money.py::to_cents"): "def to_cents(amount, currency):"}


def test_a_use_keeps_the_interface_that_it_was_confirmed_with() -> None:
    story = Story().show("src/money.py", MONEY).show("src/cart.py", CART).show("src/money.py", OTHER)
    assert story.told() == BEFORE
    assert story.move(Op.CONFIRM, "src/cart.py::put", sha(PUT)).told() == AFTER


def test_a_use_follows_when_the_file_becomes_known() -> None:
    story = Story().show("src/cart.py", CART)
    assert story.told() == {}
    assert story.show("src/money.py", MONEY).show("src/money.py", OTHER).told() == BEFORE


def test_what_was_removed_is_still_asked_for_and_what_asks_no_more_is_not() -> None:
    story = Story().show("src/money.py", MONEY).show("src/cart.py", CART)
    story.move(Op.TOMBSTONE, "src/money.py").move(Op.TOMBSTONE, "src/money.py::to_cents")
    assert story.told() == BEFORE
    assert story.move(Op.TOMBSTONE, "src/cart.py::put").told() == {}


def test_a_definition_of_which_only_a_newer_text_is_known_uses_nothing_known() -> None:
    story = Story().show("src/money.py", MONEY).show("src/cart.py", CART)
    assert story.move(Op.PROMOTE, "src/cart.py::put", sha("def put():\n    pass")).told() == {}


TWICE = "try:\n    from .money import to_cents\nexcept ImportError:\n    to_cents = int\n\n\n" + PUT + "\n"


@pytest.mark.parametrize("order", list(itertools.permutations(("money", "cart", "shop"))))
def test_a_use_goes_before_what_may_be_one_in_whatever_pieces_the_ledger_is_read(order: tuple[str, ...]) -> None:
    texts = {"money": MONEY, "cart": TWICE, "shop": "from .cart import *\n"}
    story = Story()
    for name in order:
        story.show(f"src/{name}.py", texts[name])
    assert story.edges()["src/cart.py::put"]["src/money.py::to_cents"].route is Doubt.TWO_BINDINGS
    story.move(Op.PROMOTE, "src/cart.py", sha(CART)).texts[sha(CART)] = CART  # what uses it is the same
    story.move(Op.TOMBSTONE, "src/money.py").show("src/money.py", MONEY)
    whole, n = story.edges(), len(story.entries)
    assert whole["src/cart.py::put"]["src/money.py::to_cents"].route is Route.IMPORT
    for cuts in itertools.combinations(range(1, n), 2):
        assert story.edges(*cuts) == whole


@pytest.mark.parametrize("order", list(itertools.permutations(("money", "cart", "api"))))
def test_the_ledger_may_be_read_in_any_pieces(order: tuple[str, ...]) -> None:
    texts = {"money": MONEY, "cart": CART, "api": API}
    story = Story()
    for name in order:
        story.show(f"src/{name}.py", texts[name])
    story.show("src/money.py", OTHER).move(Op.CONFIRM, "src/cart.py::put", sha(PUT))
    story.move(Op.TOMBSTONE, "src/cart.py::put").move(Op.TOMBSTONE, "src/cart.py").show("src/cart.py", CART)
    whole, n = story.edges(), len(story.entries)
    assert set(whole) == {"src/cart.py::put", "src/api.py::post"}
    for cuts in itertools.combinations(range(1, n), 2):
        assert story.edges(*cuts) == whole
    assert story.edges(*range(1, n)) == whole


def test_what_is_kept_of_a_file_reads_back_as_it_was() -> None:
    text = 'from . import x\nimport a.b as c\nfrom y import *\n\n\nclass A(c.B):\n    """é"""\n\n    def f(self):\n        x.g()\n'
    assert decoded(encoded(known_file(text))) == known_file(text)


def test_so_does_what_is_in_doubt_and_an_older_form_has_none_of_it() -> None:
    text = "from . import m\nfrom .n import *\n" + TWICE + "\n\ndef f(to_cents, m):\n    return m.g(getattr(m, 'h'))\n"
    file = known_file(text + "\n\ndef g():\n    return getattr(m, 'h')\n")
    assert decoded(encoded(file)) == file
    assert (file.doubts != (), file.unsure.keys(), file.stars) == (True, {"to_cents", "m"}, (".n",))
    older = json.dumps(json.loads(encoded(file))[:11])
    assert decoded(older) == replace(file, doubts=(), unsure={}, stars=())
    assert len(json.loads(encoded(known_file(MONEY)))) == 11


@pytest.mark.slow
def test_the_fold_is_linear_in_the_files() -> None:
    part = "from . import m{0}\n\n\ndef f{1}(x):\n    return m{0}.f{0}(x)\n"

    def work(chars: int) -> Callable[[], object]:
        story, read = Story(), dict[tuple[str, str], KnownFile]()
        for n in range(chars // len(part)):
            story.show(f"pkg/m{n}.py", part.format(n // 2, n))
        for entry in story.entries:
            for move in entry.moves():
                if move.artifact in story.texts and move.entity is not None:
                    read[move.entity, move.artifact] = story.read(move.entity, move.artifact)
        return lambda: advance(story.entries, {}, lambda path, artifact: read[path, artifact], lambda _path: True)

    assert steep(work, 64_000) == ""
