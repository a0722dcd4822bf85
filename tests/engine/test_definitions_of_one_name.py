"""Several definitions of one name: a second one shown alone stands beside the first; one of several is known by its
signature or its role."""

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


# -- overloads

JAVA = (
    "public class Calc {\n    private int base;\n\n    public Calc(int base) {\n        this.base = base;\n    }\n\n"
    "    public int add(int a, int b) {\n        return a + b;\n    }\n}\n"
)
OF_DOUBLES = "    public double add(double a, double b) {\n        return a + b;\n    }\n"
TWO = JAVA.removesuffix("}\n") + f"\n{OF_DOUBLES}}}\n"


def java(session: Session, text: str, prompt: str, answer: str) -> dict[str, str]:
    session.ask(f"Calc.java\n```java\n{text}```\n")
    session.ask(prompt, f"Here it is:\n\n```java\n{answer}```\n")
    return session.state()


@pytest.mark.parametrize(
    ("prompt", "answer", "name"),
    [
        ("Add an overload of `add` for doubles.", OF_DOUBLES, "add"),
        (
            "Let `add` sum three, too.",
            "public int add(int a, int b, int c) {\n    return add(add(a, b), c);\n}\n",
            "add",
        ),
        ("Calc should start without a base.", "public Calc() {\n    this(0);\n}\n", "Calc"),
        ("Add a constructor to Calc that takes no base.", "public Calc() {\n    base = 1;\n}\n", "Calc"),
    ],
)
def test_an_overload_stands_beside_what_it_overloads(session: Session, prompt: str, answer: str, name: str) -> None:
    session.ask(f"Calc.java\n```java\n{JAVA}```\n")
    first = session.state()[f"Calc.java::Calc.{name}"]
    session.ask(prompt, f"Here it is:\n\n```java\n{answer}```\n")
    state = session.state()
    assert (state["Calc.java"], state["Calc.java::Calc"]) == ("DIRTY", "DIRTY")
    assert state[f"Calc.java::Calc.{name}"] == first


@pytest.mark.parametrize("new", ["int a, int b, int c", "double a, double b"])
def test_other_parameters_are_a_change(session: Session, new: str) -> None:
    answer = f"public int add({new}) {{\n    return a + b;\n}}\n"
    state = java(session, JAVA, "Give `add` other parameters.", answer)
    assert state["Calc.java"] == sha(JAVA.replace("int a, int b", new))


@pytest.mark.parametrize("by_user", [False, True])
def test_one_of_several_is_known_by_its_signature(session: Session, by_user: bool) -> None:
    new = OF_DOUBLES.replace("a + b", "round(a + b)")
    if by_user:
        session.ask(f"Calc.java\n```java\n{TWO}```\n")
        session.ask(f"Calc.java::Calc.add\n```java\n{new}```\nFaster!")
    else:
        java(session, TWO, "Let `add` of doubles round.", new)
    assert session.state()["Calc.java"] == sha(TWO.replace(OF_DOUBLES, new))


def test_one_of_several_is_known_by_its_role(session: Session) -> None:
    setter = CASES[0][2].replace("def", "    def").replace("@", "    @").replace("    self", "        self")
    text = f"{CASES[0][1]}\n{setter}"
    session.ask(f"a.py\n```python\n{text}```\n")
    new = "@price.setter\ndef price(self, new: int):\n    self._price = new\n"
    session.ask("Type the setter of `price`.", f"Here it is:\n\n```python\n{new}```\n")
    assert session.state()["a.py"] == sha(text.replace("value)", "new: int)").replace("= value", "= new"))


def test_two_of_several_are_told_apart_in_any_order(session: Session) -> None:
    first = "    public int add(int a, int b) {\n        return sum(a, b);\n    }\n"
    second = OF_DOUBLES.replace("a + b", "sum(a, b)")
    state = java(session, TWO, "Let `add` call sum, both.", f"{second}\n{first}")
    assert state["Calc.java"] == sha(TWO.replace("return a + b", "return sum(a, b)"))


@pytest.mark.parametrize("by_user", [False, True])
def test_what_may_be_any_of_several_leaves_them_unknown(session: Session, by_user: bool) -> None:
    new = "    public long add(long a, long b) {\n        return a + b;\n    }\n"
    if by_user:
        session.ask(f"Calc.java\n```java\n{TWO}```\n")
        session.ask(f"Calc.java::Calc.add\n```java\n{new}```\nFaster!")
    else:
        java(session, TWO, "Let `add` take longs.", new)
    state = session.state()
    unknown = ("Calc.java", "Calc.java::Calc", "Calc.java::Calc.add", "Calc.java::Calc.add#2")
    assert [state[one] for one in unknown] == ["DIRTY"] * 4
    assert state["Calc.java::Calc.Calc"] != "DIRTY"
