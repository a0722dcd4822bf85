"""Names within a call of a Rust macro: what calls, what a path begins with, and constants and types are names; whatever
may bind one in there makes none."""

from __future__ import annotations

import pytest

from tests.uses.reading import known, uses

FILE = "fn to_cents(a: f64) -> i64 {\n    1\n}\n\nconst MAX: i64 = 3;\n\nfn put(a: f64) {\n    %s;\n}\n"
PATH = "src/lib.rs"


def used(macro: str) -> set[str]:
    found = uses(PATH, known({PATH: FILE % macro}))
    return {use.used.symbol or "" for use in found if use.user.symbol == "put"}


@pytest.mark.parametrize(
    ("macro", "names"),
    [
        ('println!("{}", to_cents(1.0))', {"to_cents"}),
        ("vec![to_cents(a), to_cents(2.0)]", {"to_cents"}),
        ("assert_eq!(&[self.a, (to_cents(3.0))], MAX)", {"to_cents", "MAX"}),
        ("assert!(a.to_cents(1) > other::to_cents(2))", set()),
        ("json!({ to_cents: 1, MAX: 2 })", set()),
        ('format!("{to_cents}", to_cents = 3)', set()),
        ("run!(|to_cents| to_cents(1))", set()),
        ("run!(|a, to_cents| to_cents(1))", set()),
        ("run!({ let mut to_cents = f; to_cents(1) })", set()),
        ("run!(match f { to_cents => to_cents(1) })", set()),
        ("quote! { fn to_cents(a: i8) { to_cents(1) } }", set()),
        ("{ let to_cents = f; println!(to_cents(2)) }", set()),
    ],
)
def test_names_in_a_macro(macro: str, names: set[str]) -> None:
    assert used(macro) == names


def test_a_path_in_a_macro_leads_to_the_member_of_its_type() -> None:
    text = "struct Queue;\n\nimpl Queue {\n    fn new() -> Queue {\n        Queue\n    }\n}\n\nfn put() {\n    vec![Queue::new()];\n}\n"
    assert "Queue.new" in {use.used.symbol for use in uses(PATH, known({PATH: text})) if use.user.symbol == "put"}


def test_what_a_macro_is_made_of_asks_for_nothing() -> None:
    text = "fn to_cents() {}\n\nmacro_rules! put {\n    ($x:expr) => { to_cents($x) };\n}\n"
    assert uses(PATH, known({PATH: text})) == []
