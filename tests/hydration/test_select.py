"""From mentions to entities."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from tslp_litellm.hydration.select import Selection, select
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Source, Tracked
from tslp_litellm.words.mentions import mentions


def row(entity: str, clean: bool = True) -> Tracked:
    name = Entity.parse(entity)
    return Tracked(entity, name.path, name.symbol, "0" * 64, clean, Source.AST)


def chosen(
    prose: str, *entities: str, dirty: tuple[str, ...] = (), types: tuple[str, ...] = (), root: str | None = None
) -> Selection:
    rows = [row(e, e not in dirty) for e in entities]
    return select(mentions(prose), rows, root, lambda r: r.entity in types)


def texts_of(known: dict[str, str]) -> Callable[[Iterable[str]], dict[str, str]]:
    return lambda artifacts: {one: known[one] for one in artifacts}


def names(found: Selection) -> list[str]:
    return [row.entity for row in found.entities]


CART = (
    "src/cart.py",
    "src/cart.py::Cart",
    "src/cart.py::Cart.add",
    "src/cart.py::Cart.total",
    "src/cart.py::make_cart",
)


def test_of_a_type_of_unknown_text_what_is_known_of_it_is_meant() -> None:
    """As of a file. Real answers left out one member of a class; it was DIRTY from then on, and nothing of it shown."""
    file, cart = CART[:2]
    found = chosen("Add a docstring to `Cart`.", *CART, dirty=(file, cart))
    assert (names(found), found.unknown) == (["src/cart.py::Cart.add", "src/cart.py::Cart.total"], [cart])
    assert found.parts == {"src/cart.py::Cart.add", "src/cart.py::Cart.total"}
    found = chosen("Let `Cart.total` of `Cart` round.", *CART, dirty=(file, cart, "src/cart.py::Cart.add"))
    assert (names(found), found.parts) == (["src/cart.py::Cart.total"], frozenset())


def test_a_type_of_go_is_meant_with_its_methods() -> None:
    """They stand outside of it. A real model that was to make `Store` safe saw its fields alone, and made up the rest."""
    store = ("a.go::Store", "a.go::Store.Get", "a.go::Store.Set", "a.go::NewStore")
    found = chosen("Make Store safe, and NewStore.", *store, types=store[:1])
    assert names(found) == list(store)
    assert found.parts == {"a.go::Store.Get", "a.go::Store.Set"}
    assert names(chosen("Let Store.Get of Store fail.", *store, types=store[:1])) == [store[1], store[0], store[2]]
    assert names(chosen("Let Store.Get fail.", *store, types=store[:1])) == [store[1]]
    assert names(chosen("Make Cart safe.", *CART, types=(CART[1],))) == [CART[1]]


@pytest.mark.parametrize(
    ("prose", "meant"),
    [
        ("Add Cart.remove(price).", ["src/cart.py::Cart"]),
        ("What does `Cart.nothing` do?", ["src/cart.py::Cart"]),
        ("Add src/cart.py::Cart.remove.", ["src/cart.py::Cart"]),
        ("Let cart.make_cart take a name.", ["src/cart.py::make_cart"]),
        ("Let shop.make_cart take a name.", []),
        ("Let cart.total round.", ["src/cart.py::Cart.total"]),
        ("Add Cart.remove to src/cart.py.", ["src/cart.py"]),
        ("Cart.add and Cart.remove", ["src/cart.py::Cart"]),
    ],
)
def test_what_stands_around_a_name_that_nothing_has(prose: str, meant: list[str]) -> None:
    """A real model that was asked for `Inventory.total_value` saw nothing, and answered out of its head."""
    found = chosen(prose, *CART, types=("src/cart.py::Cart",))
    assert names(found) == meant


@pytest.mark.parametrize(
    ("prose", "meant"),
    [
        ("src.cart.Cart is wrong", ["src/cart.py::Cart"]),
        ("shop.Cart.total is wrong", ["src/cart.py::Cart.total"]),
        ("crate::cart::make_cart is wrong", ["src/cart.py::make_cart"]),
        ("Shop::Cart#total is wrong", ["src/cart.py::Cart.total"]),
        ("a.b.c.d.Cart.total is wrong", ["src/cart.py::Cart.total"]),
        ("c.total() returns 0", ["src/cart.py::Cart.total"]),
        ("`self.total` returns 0", ["src/cart.py::Cart.total"]),
        ("$cart->total() returns 0", ["src/cart.py::Cart.total"]),
        ("this.make_cart(3) fails", ["src/cart.py::make_cart"]),
        ("c.total is what he says", []),
        ("Basket.total() is of another type", []),
    ],
)
def test_what_stands_in_front_of_a_name_is_a_package_or_a_variable(prose: str, meant: list[str]) -> None:
    assert names(chosen(prose, *CART, types=("src/cart.py::Cart",))) == meant


def test_members_of_many_types_are_not_meant_by_a_call_on_a_variable() -> None:
    found = chosen("c.get() fails", *(f"a{n}.py::C{n}.get" for n in range(4)))
    assert (names(found), found.ambiguous) == ([], [])


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/home/me/shop/src/cart.py", ["src/cart.py"]),
        (r"C:\Users\me\shop\src\cart.py", ["src/cart.py"]),
        ("~/shop/src/cart.py", ["src/cart.py"]),
        ("my-shop/src/cart.py", ["src/cart.py"]),
        ("/home/me/shop/.venv/lib/site-packages/src/cart.py", []),
        ("lib/app/src/cart.py", []),
        ("other/cart.py", []),
    ],
)
def test_a_path_from_another_folder(path: str, meant: list[str]) -> None:
    assert names(chosen(f'File "{path}", line 3', *CART)) == meant


def test_a_member_is_shown_once_with_its_type() -> None:
    assert names(chosen("Explain Cart and Cart.total.", *CART, types=("src/cart.py::Cart",))) == ["src/cart.py::Cart"]


def test_a_module_may_be_called_as_a_value_of_its_type() -> None:
    java = ("src/Cart.java::Cart", "src/Cart.java::Cart.total")
    assert names(chosen("cart.total() returns 0", *java, types=java[:1])) == [java[1]]


def test_a_type_that_is_shown_for_a_new_member_shows_the_others_once() -> None:
    rows = [replace(row(entity), artifact=entity) for entity in CART]
    texts = {CART[1]: "class Cart:\n    def add(self): ...\n", CART[2]: "    def add(self): ..."}
    found = select(
        mentions("Rename Cart.add to Cart.put."), rows, None, lambda r: r.entity == CART[1], texts=texts_of(texts)
    )
    assert names(found) == [CART[1]]
    assert found.uncover([CART[1]])
    assert names(found) == [CART[2]], "where the type does not fit"
    apart = texts | {CART[1]: "type Cart struct {}\n"}
    found = select(
        mentions("Rename Cart.add to Cart.put."), rows, None, lambda r: r.entity == CART[1], texts=texts_of(apart)
    )
    assert names(found) == [CART[2], CART[1]]


def test_what_stands_around_a_name_in_one_of_two_files_is_not_guessed() -> None:
    found = chosen("Add Cart.remove.", *CART, "b.py::Cart", types=("src/cart.py::Cart", "b.py::Cart"))
    assert (names(found), found.ambiguous) == ([], [])


def test_a_path_or_its_unique_tail() -> None:
    assert names(chosen("Review src/cart.py", *CART)) == ["src/cart.py"]
    assert names(chosen("Review cart.py", *CART)) == ["src/cart.py"]
    found = chosen("Review cart.py", *CART, "old/cart.py")
    assert names(found) == []
    assert found.ambiguous == [("cart.py", ["old/cart.py", "src/cart.py"])]
    assert names(chosen("Review /w/p/src/cart.py", *CART, root="/w/p")) == ["src/cart.py"]


def test_a_path_with_spaces_stands_in_the_prose_as_it_is_tracked() -> None:
    files = ("my docs/notes file.md", "file.md", "old/file.md", "my docs/run 🎉.md")
    for prose in ("Show `my docs/notes file.md`.", "Show my docs/notes file.md.", "Show notes file.md and stop."):
        assert names(chosen(prose, *files)) == ["my docs/notes file.md"]
        assert chosen(prose, *files).ambiguous == []
    assert names(chosen("First my docs/notes file.md, then file.md.", *files)) == ["my docs/notes file.md", "file.md"]
    assert names(chosen("Show my docs/run 🎉.md!", *files)) == ["my docs/run 🎉.md"]
    assert names(chosen("Show docs/notes file.md", "notes/docs/notes file.md", "docs/notes")) == [
        "notes/docs/notes file.md"
    ]


def test_a_name_within_a_path_is_no_mention_of_a_symbol() -> None:
    both = ("load_rows/a.py", "b.py", "b.py::load_rows")
    assert names(chosen("Show load_rows/a.py", *both)) == ["load_rows/a.py"]
    assert names(chosen("Show load_rows/a.py and load_rows", *both)) == ["load_rows/a.py", "b.py::load_rows"]
    common = ("common/Instant.kt", "common/Instant.kt::Instant")
    assert names(chosen("I changed js/Instant.kt myself.", *common, types=common[1:])) == []
    assert names(chosen("Make Instant as in js/Instant.kt.", *common, types=common[1:])) == [
        "common/Instant.kt::Instant"
    ]


def test_the_most_specific_mention_wins() -> None:
    assert names(chosen("Speed up `make_cart` in src/cart.py", *CART)) == ["src/cart.py::make_cart"]
    assert names(chosen("Fix src/cart.py::Cart.add", *CART)) == ["src/cart.py::Cart.add"]
    assert names(chosen("Fix Cart.add", *CART)) == ["src/cart.py::Cart.add"]
    area = ("box.py", "box.py::area", "box.py::Box.area")
    assert names(chosen("Explain box.py::area.", *area)) == ["box.py::area"]
    assert names(chosen("Explain box.py::area.", "box.py", "box.py::Box.area")) == ["box.py::Box.area"]


@pytest.mark.parametrize(
    "prose",
    [
        "Explain a.py::one and b.py.",
        "Let `a.py::one` be used in b.py.",
        "Explain a.py::one. Then look at b.py.",
        "a.py::one, b.py",
    ],
)
def test_a_symbol_with_its_path_and_a_path_in_one_line(prose: str) -> None:
    files = ("a.py", "a.py::one", "b.py", "b.py::one")
    assert names(chosen(prose, *files)) == ["a.py::one", "b.py"]
    assert names(chosen(f"{prose} Compare `b.py::one`.", *files)) == ["a.py::one", "b.py::one"]


@pytest.mark.parametrize(
    ("removed", "dirty", "meant"),
    [
        ("Cart.total", (), ["src/cart.py"]),
        ("make_cart", (), ["src/cart.py"]),
        ("Cart.total", ("src/cart.py",), ["src/cart.py::Cart", "src/cart.py::Cart.total", "src/cart.py::make_cart"]),
        ("Cart", (), ["src/cart.py::Cart.total", "src/cart.py::make_cart"]),
    ],
)
def test_what_is_to_go_from_a_file_means_the_file(removed: str, dirty: tuple[str, ...], meant: list[str]) -> None:
    """The file is what has to be written without it; where its text is unknown, all that is known of it."""
    prose = "In src/cart.py, `Cart.total` is slow and `make_cart` unused"
    rows = [row(e, e not in dirty) for e in CART]
    found = select(mentions(prose), rows, None, lambda _: False, removed=lambda r: r.symbol == removed)
    assert sorted(names(found)) == meant


def test_what_is_to_go_means_itself_where_no_file_is_named() -> None:
    found = select(mentions("`make_cart`"), [*map(row, CART)], None, lambda _: False, removed=lambda _: True)
    assert names(found) == ["src/cart.py::make_cart"]


def test_a_name_is_looked_for_in_the_files_that_are_named() -> None:
    both = ("a.py", "a.py::load_rows", "b.py", "b.py::load_rows")
    assert names(chosen("Change `load_rows` in b.py", *both)) == ["b.py::load_rows"]
    assert names(chosen("Change load_rows", *both)) == ["a.py::load_rows", "b.py::load_rows"]
    assert names(chosen("Change load_rows and a.py", "b.py::load_rows", "a.py")) == ["b.py::load_rows", "a.py"]


def test_a_name_in_too_many_places_is_named_not_shown() -> None:
    found = chosen("Change load_rows", *(f"{c}.py::load_rows" for c in "abcd"))
    assert names(found) == []
    assert found.ambiguous == [("load_rows", [f"{c}.py::load_rows" for c in "abcd"])]


def test_definitions_of_one_name_are_meant_together() -> None:
    assert names(chosen("Change init_x", "a.go::init_x", "a.go::init_x#2", "a.go::init_x#3", "a.go::init_x#4")) == [
        "a.go::init_x",
        "a.go::init_x#2",
        "a.go::init_x#3",
        "a.go::init_x#4",
    ]


def test_members_by_their_bare_name_unless_a_function_has_it() -> None:
    assert names(chosen("Change `total`", *CART)) == ["src/cart.py::Cart.total"]
    assert names(chosen("Change `total`", *CART, "b.py::total")) == ["b.py::total"]


def test_capitalised_words_mean_types_only() -> None:
    assert names(chosen("Improve Cart", *CART, types=("src/cart.py::Cart",))) == ["src/cart.py::Cart"]
    assert names(chosen("Run it", "a.go::Run")) == []
    assert names(chosen("Call Run() now", "a.go::Run")) == ["a.go::Run"]


def test_dirty_entities_are_named_not_shown() -> None:
    found = chosen("Change `make_cart`", *CART, dirty=CART)
    assert (names(found), found.unknown) == ([], ["src/cart.py::make_cart"])


def test_a_dirty_file_shows_its_clean_symbols() -> None:
    found = chosen("Review src/cart.py", *CART, dirty=("src/cart.py", "src/cart.py::Cart"))
    assert names(found) == ["src/cart.py::Cart.add", "src/cart.py::Cart.total", "src/cart.py::make_cart"]
    assert found.unknown == ["src/cart.py"]
    found = chosen("Review src/cart.py", *CART, dirty=("src/cart.py",))
    assert names(found) == ["src/cart.py::Cart", "src/cart.py::make_cart"], "a type covers its members"


@pytest.mark.parametrize(("holds", "meant"), [(True, ["s.go::Store"]), (False, ["s.go::Store", "s.go::Store.Put"])])
def test_of_a_dirty_file_a_type_covers_what_stands_in_its_text(holds: bool, meant: list[str]) -> None:
    """A method of Go's stands outside of its type, and so do those of Rust and C++."""
    entities = ("s.go", "s.go::Store", "s.go::Store.Put")
    rows = [replace(row(e, e != "s.go"), artifact=e) for e in entities]
    text = {"s.go::Store": "type Store { Put }" if holds else "type Store {}", "s.go::Store.Put": "Put"}
    found = select(mentions("Review s.go"), rows, None, lambda _: False, texts=lambda _: text)
    assert names(found) == meant


def test_case_counts() -> None:
    assert names(chosen("Change Make_Cart and MAKE_CART", *CART)) == []


def test_order_of_first_mention() -> None:
    assert names(chosen("`make_cart`, then `Cart.add`, then make_cart", *CART)) == [
        "src/cart.py::make_cart",
        "src/cart.py::Cart.add",
    ]


def test_a_name_that_is_too_much_behind_its_package_is_not_read_further() -> None:
    rows = [f"a{n}.py::Cart.total" for n in range(4)]
    found = chosen("shop.Cart.total fails", *rows, "shop.py::total")
    assert (names(found), found.ambiguous) == ([], [("Cart.total", rows)])
