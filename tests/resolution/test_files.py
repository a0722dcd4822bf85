"""How a file's state changes, and that it stays coherent."""

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.resolution.files import Piece, adopt, dirty, insert, remove
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.values import FileState, Freshness, Source, artifact_hash
from tslp_litellm.syntax.languages import language_named, language_of_path

from .helpers import known

CART = "import re\n\n\nclass Cart:\n    def add(self):\n        return 1\n\n    def total(self):\n        return 2\n\n\ndef make():\n    return Cart()\n"


def ops(moves: tuple[Move, ...]) -> dict[str | None, str]:
    return {m.entity: str(m.op) for m in moves}


def pieces(text: str) -> list[Piece]:
    seen = outline(language_named("python"), text)
    return [Piece(s, seen) for s in seen.symbols if s.parent is None]


def test_adopting_a_file_derives_its_symbols() -> None:
    state, moves = adopt(FileState("a.py"), CART, Source.AST, "x")
    assert set(state.symbols) == {"Cart", "Cart.add", "Cart.total", "make"}
    assert state.symbols["make"].artifact == artifact_hash("def make():\n    return Cart()")
    assert ops(moves) == dict.fromkeys(
        ["a.py", "a.py::Cart", "a.py::Cart.add", "a.py::Cart.total", "a.py::make"], "promote"
    )


def test_adopting_the_same_text_again_changes_nothing() -> None:
    state = known("a.py", CART)
    assert adopt(state, CART, Source.AST, "x") == (state, ())


def test_only_what_differs_moves() -> None:
    _, moves = adopt(known("a.py", CART), CART.replace("return 2", "return 3"), Source.AST, "x")
    assert ops(moves) == dict.fromkeys(["a.py", "a.py::Cart", "a.py::Cart.total"], "promote")
    assert all(m.replaces for m in moves)


def test_a_symbol_that_is_gone_is_tombstoned() -> None:
    state, moves = adopt(known("a.py", CART), CART.replace("\n\ndef make():\n    return Cart()\n", ""), Source.AST, "x")
    assert ops(moves)["a.py::make"] == "tombstone"
    assert "make" not in state.symbols


def test_a_text_that_does_not_parse_hides_what_it_may_hold() -> None:
    state, moves = adopt(
        known("a.py", CART), "import re\n\n\nclass Cart(:\n    pass\n\n\ndef make():\n    return 9\n", Source.AST, "x"
    )
    assert ops(moves)["a.py::Cart.add"] == "dirty"
    assert state.symbols["Cart.add"].freshness is Freshness.DIRTY
    assert state.text() is not None, "the user's text is the truth even where it does not parse"


def test_dirt_covers_the_file_and_its_symbols_until_the_next_text() -> None:
    state, moves = dirty(known("a.py", CART), "drift")
    assert set(ops(moves).values()) == {"dirty"}
    assert state.text() is None
    assert dirty(state, "again") == (state, ())
    state, _ = adopt(state, CART, Source.AST, "x")
    assert all(k.clean for k in state.symbols.values())
    assert state.text() == CART


def test_removing_a_file_tombstones_everything_in_it() -> None:
    state, moves = remove(known("a.py", CART), "deleted")
    assert not state.tracked
    assert set(ops(moves).values()) == {"tombstone"}
    assert len(moves) == 5


class TestInsert:
    """Definitions out of fragments."""

    def test_a_known_definition_is_spliced_into_the_text(self) -> None:
        done = insert(known("a.py", CART), pieces("def make():\n    return None\n"), "x")
        assert done is not None
        state, moves = done
        assert state.text() == CART.replace("return Cart()", "return None")
        assert set(ops(moves)) == {"a.py", "a.py::make"}

    def test_a_new_definition_stands_somewhere_unknown(self) -> None:
        done = insert(known("a.py", CART), pieces("def extra():\n    return 1\n"), "x")
        assert done is not None
        state, moves = done
        assert ops(moves) == {"a.py::extra": "promote", "a.py": "dirty"}
        assert state.text() is None
        assert state.symbols["make"].clean

    def test_several_at_once(self) -> None:
        text = "class Cart:\n    def add(self):\n        return 11\n\n    def total(self):\n        return 22\n\n\ndef make():\n    return 33\n"
        done = insert(known("a.py", CART), pieces(text), "x")
        assert done is not None
        assert done[0].text() == "import re\n\n\n" + text

    def test_comments_above_are_kept_unless_new_ones_come(self) -> None:
        base = "# Old.\ndef f():\n    return 1\n"
        done = insert(known("a.py", base), pieces("def f():\n    return 2\n"), "x")
        assert done is not None
        assert done[0].text() == "# Old.\ndef f():\n    return 2\n"
        done = insert(known("a.py", base), pieces("# New.\ndef f():\n    return 2\n"), "x")
        assert done is not None
        assert done[0].text() == "# New.\ndef f():\n    return 2\n"

    def test_what_shares_a_line_can_not_be_cut_out(self) -> None:
        state = known("a.js", "const a = () => 1, b = () => 2;\n")
        seen = outline(language_named("javascript"), "const a = () => 3;\n")
        assert insert(state, [Piece(seen.symbols[0], seen)], "x") is None

    def test_where_the_text_is_unknown_symbols_change_alone(self) -> None:
        state, _ = dirty(known("a.py", CART), "drift", symbols=False)
        done = insert(state, pieces("class Cart:\n    def add(self):\n        return 7\n"), "x")
        assert done is not None
        state, moves = done
        assert state.text() is None
        assert ops(moves) == {"a.py::Cart": "promote", "a.py::Cart.add": "promote", "a.py::Cart.total": "tombstone"}

    def test_a_type_of_known_text_takes_in_what_is_new_of_it(self) -> None:
        state, _ = dirty(known("a.py", CART), "drift", symbols=False)
        seen = outline(language_named("python"), "class Cart:\n    def add(self):\n        return 7\n")
        done = insert(state, [Piece(seen.by_name["Cart.add"], seen)], "x")
        assert done is not None
        assert ops(done[1]) == {"a.py::Cart.add": "promote", "a.py::Cart": "promote"}
        cart = CART[CART.index("class Cart") : CART.index("\n\n\ndef make")]
        assert done[0].symbols["Cart"].text == cart.replace("return 1", "return 7")

    def test_a_member_alone_leaves_a_type_unknown_that_had_none_of_its_name(self) -> None:
        state, _ = dirty(known("a.py", CART), "drift", symbols=False)
        seen = outline(language_named("python"), "class Cart:\n    def lose(self):\n        return 7\n")
        done = insert(state, [Piece(seen.by_name["Cart.lose"], seen)], "x")
        assert done is not None
        assert ops(done[1]) == {"a.py::Cart.lose": "promote", "a.py::Cart": "dirty"}


@pytest.mark.parametrize(
    ("path", "holder", "member", "affected"),
    [
        ("a.go", "type Cart struct {\n\tn int\n}", "func (c *Cart) Count() int {\n\treturn c.n\n}", False),
        ("a.rs", "pub struct Cart {\n    n: u8,\n}", "impl Cart {\n    fn count(&self) -> u8 { self.n }\n}", False),
        ("a.cpp", "class Cart {\n  int n;\n};", "int Cart::count() { return n; }", False),
        ("a.py", "class Cart:\n    n = 1", "class Cart:\n    def count(self):\n        return self.n", True),
    ],
)
def test_a_new_member_changes_the_type_that_it_stands_in(path: str, holder: str, member: str, affected: bool) -> None:
    seen = outline(language_of_path(path), f"{member}\n")
    changed = insert(known(path, f"{holder}\n"), [Piece(s, seen) for s in seen.symbols if "." in s.name], "x")
    assert changed is not None
    assert changed[0].file is not None
    assert not changed[0].file.clean
    assert changed[0].symbols["Cart"].clean is not affected


@pytest.mark.parametrize(
    ("path", "holder", "member", "gone"),
    [
        ("a.go", "type Cart struct {\n\tn int\n}", "func (c *Cart) Count() int {\n\treturn c.n\n}", False),
        ("a.rs", "pub struct Cart {\n    n: u8,\n}", "impl Cart {\n    fn Count(&self) -> u8 { self.n }\n}", False),
        (
            "a.py",
            "class Cart:\n    n = 1\n\n    def add(self):\n        return 1",
            "    def Count(self):\n        return 1",
            True,
        ),
    ],
)
def test_a_type_that_is_shown_alone_has_lost_what_stood_in_it(path: str, holder: str, member: str, gone: bool) -> None:
    state, _ = dirty(known(path, f"{holder}\n\n{member}\n"), "drift", symbols=False)
    seen = outline(language_of_path(path), f"{holder}\n")
    changed = insert(state, [Piece(seen.by_name["Cart"], seen)], "x")
    assert changed is not None
    assert ("Cart.Count" not in changed[0].symbols) is gone


def test_every_move_of_a_change_names_its_file() -> None:
    _, moves = adopt(FileState("x/a.py"), CART, Source.AST, "x")
    assert all(m.op is Op.PROMOTE and (m.entity or "").startswith("x/a.py") for m in moves)
