"""A second definition of a name, shown alone: it stands beside the first, where is not known."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

CASES = [
    (
        "a.py",
        "class Cart:\n    @property\n    def price(self):\n        return self._price\n",
        "@price.setter\ndef price(self, value):\n    self._price = value\n",
        "price",
    ),
    (
        "a.ts",
        "export class Cart {\n  get price(): number {\n    return this.n;\n  }\n}\n",
        "set price(value: number) {\n  this.n = value;\n}\n",
        "price",
    ),
    (
        "a.rs",
        "struct Cart(u8);\n\nimpl fmt::Display for Cart {\n    fn fmt(&self, f: &mut F) -> R {\n        a(f)\n    }\n}\n",
        "impl fmt::Debug for Cart {\n    fn fmt(&self, f: &mut F) -> R {\n        b(f)\n    }\n}\n",
        "fmt",
    ),
]


@pytest.mark.parametrize(("path", "text", "other", "name"), CASES)
def test_another_definition_is_no_new_text_of_the_first(
    session: Session, path: str, text: str, other: str, name: str
) -> None:
    word = {"py": "python", "ts": "typescript", "rs": "rust"}[path[2:]]
    session.ask(f"{path}\n```{word}\n{text}```\n")
    first = session.state()[f"{path}::Cart.{name}"]
    session.ask(f"Cart needs the other {name} as well, in {path}.", f"Here it is:\n\n```{word}\n{other}```\n")
    assert session.state()[path] == "DIRTY"
    assert session.state()[f"{path}::Cart.{name}"] == first


def test_the_same_accessor_is(session: Session) -> None:
    path, text, _, _ = CASES[0]
    session.ask(f"{path}\n```python\n{text}```\n")
    new = "@property\ndef price(self):\n    return round(self._price)\n"
    session.ask("Round `Cart.price`.", f"Here it is:\n\n```python\n{new}```\n")
    assert session.state()[path] == sha(text.replace("self._price", "round(self._price)"))
