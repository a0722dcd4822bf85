"""Code without a label, whole turns."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

CART = (
    "import re\n\n\nclass Cart:\n    rate = 1\n\n    def total(self):\n        return sum(self.items)\n\n"
    "    def add(self, price):\n        self.items.append(price)\n"
)


def shown(session: Session) -> Session:
    return session.ask(f"src/cart.py\n```python\n{CART}```\n")


def test_a_type_with_some_of_its_members_only_is_these_members(session: Session) -> None:
    part = "class Cart:\n    def total(self):\n        return round(sum(self.items), 2)\n"
    shown(session).ask("Make `Cart.total` round.", f"```python\n{part}```\n")
    assert session.holds("src/cart.py", CART.replace("sum(self.items)", "round(sum(self.items), 2)"))


def test_of_a_type_with_some_members_and_new_lines_of_its_own_the_members_count(session: Session) -> None:
    part = "class Cart:\n    digits = 2\n\n    def total(self):\n        return round(sum(self.items), self.digits)\n"
    before = shown(session).state()
    state = session.ask("Make `Cart.total` round.", f"```python\n{part}```\n").state()
    assert state["src/cart.py"] == state["src/cart.py::Cart"] == "DIRTY"
    assert state["src/cart.py::Cart.total"] not in ("DIRTY", before["src/cart.py::Cart.total"])
    assert state["src/cart.py::Cart.add"] == before["src/cart.py::Cart.add"]


def test_what_is_known_of_a_type_of_unknown_text_is_shown(session: Session) -> None:
    """A real model left out a method that nobody asked to go; the class was DIRTY, and nothing of it shown again."""
    part = "class Cart:\n    rate = 2\n\n    def total(self):\n        return round(sum(self.items), 2)\n"
    shown(session).ask("Make `Cart.total` round.", f"```python\n{part}```\n")
    assert session.state()["src/cart.py::Cart"] == "DIRTY"
    session.forget().ask("Add docstrings to `Cart`.")
    assert sorted(session.hydrated) == ["src/cart.py::Cart.add", "src/cart.py::Cart.total"]
    assert "is unknown" in session.prompt


def test_a_function_that_became_a_method_is_of_unknown_text(session: Session) -> None:
    """A real model put the function that it was asked to change into a type, and the old one was shown once more."""
    body = "    key, value = line.split('=')\n    return key.strip(), value.strip()\n"
    text = f"import re\n\n\nclass Store:\n    def get(self):\n        return 1\n\n\ndef parse(line):\n{body}"
    session.ask(f"store.py\n```python\n{text}```\n")
    inside = "".join(f"    {line}\n" for line in f"def parse(self, line):\n{body}".splitlines())
    answer = text[: text.index("\n\ndef parse")] + inside.replace("    key,", "    line = line.strip()\n        key,")
    state = session.ask("`parse` should ignore white space.", f"```python\n{answer}```\n").state()
    assert state["store.py::parse"] == state["store.py"] == "DIRTY"
    assert state["store.py::Store.parse"] != "DIRTY"
    again = answer.replace("def parse", "def split")
    session.ask("Rename parse to split.", f"```python\n{again}```\n")
    assert session.holds("store.py", again) and "store.py::parse" not in session.state()


@pytest.mark.parametrize("label", ["", "account.py\n"])
def test_functions_that_became_a_class_are_of_unknown_text(session: Session, label: str) -> None:
    text = "def deposit(a, n):\n    a['b'] += n\n\n\ndef withdraw(a, n):\n    a['b'] -= n\n"
    session.ask(f"account.py\n```python\n{text}```\n")
    answer = "class Account:\n    def deposit(self, n):\n        self.b += n\n\n    def withdraw(self, n):\n        self.b -= n\n"
    state = session.ask("Make account.py object oriented.", f"{label}```python\n{answer}```\n").state()
    assert {state["account.py"], state["account.py::deposit"], state["account.py::withdraw"]} == {"DIRTY"}
    assert state["account.py::Account"] != "DIRTY"


def test_what_a_prompt_adds_to_a_file_by_no_name_is_new_there(session: Session) -> None:
    session.ask("todo.py\n```python\ndef load():\n    return 1\n```\n")
    state = session.ask(
        "Add argparse to todo.py.", "```python\nimport argparse\n\n\ndef main():\n    load()\n```\n"
    ).state()
    assert state["todo.py"] == "DIRTY" not in (state["todo.py::load"], state["todo.py::main"])
    session.ask("How would you add argparse to todo.py?", "```python\ndef run():\n    load()\n```\n")
    assert "todo.py::run" not in session.state()


def test_a_method_beside_the_function_of_its_name_is_another(session: Session) -> None:
    text = "class Cart:\n    n = 1\n\n\ndef total(items):\n    return sum(items)\n"
    session.ask(f"cart.py\n```python\n{text}```\n")
    answer = "class Cart:\n    n = 1\n\n    def total(self):\n        return self.n * 2\n"
    state = session.ask("Add a method total to `Cart`.", f"```python\n{answer}```\n").state()
    assert "DIRTY" not in (state["cart.py::total"], state["cart.py::Cart.total"])


def test_in_rust_the_tests_of_a_file_stand_in_it(session: Session) -> None:
    text = "use std::fmt;\n\npub fn one() -> i32 {\n    1\n}\n"
    session.ask(f"src/lib.rs\n```rust\n{text}```\n")
    tests = "\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn test_one() {\n        assert_eq!(one(), 1);\n    }\n}\n"
    session.ask("Write tests for `one` at the end of the file.", f"```rust\n{text}{tests}```\n")
    assert session.holds("src/lib.rs", text + tests)


def test_a_usage_example_in_the_same_fence_is_no_part_of_the_file(session: Session) -> None:
    session.ask("a.py\n```python\ndef f(x):\n    return x\n```\n")
    session.ask("Let f double.", "```python\ndef f(x):\n    return 2 * x\n\n\n# Example\nprint(f(2))\n```\n")
    assert session.holds("a.py", "def f(x):\n    return 2 * x\n")


def test_what_the_user_says_that_he_changed_is_dirty_until_he_shows_it(session: Session) -> None:
    shown(session).ask("I renamed things in `Cart.total`.")
    assert session.state()["src/cart.py::Cart.total"] == session.state()["src/cart.py"] == "DIRTY"
    assert session.state()["src/cart.py::Cart.add"] != "DIRTY"
    session.ask(f"Here:\n\nsrc/cart.py\n```python\n{CART}```\n")
    assert session.holds("src/cart.py", CART)


def test_what_he_changed_and_shows_is_as_he_shows_it(session: Session) -> None:
    text = "    def add(self, price):\n        self.items += [price]\n"
    shown(session).ask(f"I changed `Cart.add`:\n\n```python\n{text}```\n")
    assert session.holds("src/cart.py", CART.replace("self.items.append(price)", "self.items += [price]"))


def test_a_history_that_nobody_heard_brings_no_file_that_an_answer_may_have_changed(session: Session) -> None:
    session.messages = [
        {
            "role": "user",
            "content": "a.py\n```python\ndef f():\n    return 1\n```\n\nb.py\n```python\ndef g():\n    return 1\n```\n",
        },
        {"role": "assistant", "content": "```python\ndef f():\n    return 2\n```\n"},
    ]
    session.ask("Go on.")
    assert session.state().get("a.py", "DIRTY") == "DIRTY"
    assert session.state()["b.py"] != "DIRTY"


TWO = "def load(p):\n    return p\n\n\ndef save(p):\n    return p\n"
LOAD, SAVE = (
    "```python\ndef load(p):\n    return p.strip()\n```\n",
    "```python\ndef save(p):\n    return p.strip()\n```\n",
)


def test_the_wrong_function_was_not_asked_for(session: Session) -> None:
    session.ask(f"a.py\n```python\n{TWO}```\n").ask("In a.py, change `load`: strip it.", SAVE)
    assert session.holds("a.py", TWO)
    session.ask("In a.py, change `load`: strip it.", LOAD + "\nAnd so:\n\n" + SAVE)
    assert session.holds("a.py", TWO.replace("return p\n", "return p.strip()\n"))


def test_what_the_named_function_uses_may_be_at_fault(session: Session) -> None:
    text = f"{TWO}\n\ndef copy(p):\n    save(load(p))\n"
    session.ask(f"a.py\n```python\n{text}```\n").ask("copy() crashes on blanks.", f"Here is the fix:\n\n{LOAD}")
    assert session.holds("a.py", text.replace("return p\n", "return p.strip()\n", 1))


def test_beside_a_named_function_at_fault_another_one_is_no_longer_sure(session: Session) -> None:
    session.ask(f"a.py\n```python\n{TWO}```\n").ask("`save` fails, as p is blank.", LOAD)
    state = session.state()
    assert {name for name, text in state.items() if text == "DIRTY"} == {"a.py", "a.py::load"}


def test_what_the_model_speaks_of_beside_its_code_withholds_nothing(session: Session) -> None:
    session.ask(f"a.py\n```python\n{TWO}```\n").ask("In a.py, strip what is loaded.", f"As `save` does not:\n\n{LOAD}")
    assert session.holds("a.py", TWO.replace("return p\n", "return p.strip()\n", 1))


def test_a_file_is_in_play_after_a_question_of_the_model_s(session: Session) -> None:
    session.ask(f"a.py\n```python\n{TWO}```\n").ask("Thanks.").ask("Make `load` strip.", "On both ends?").ask(
        "Yes.", LOAD
    )
    assert session.holds("a.py", TWO.replace("return p\n", "return p.strip()\n", 1))


def test_a_quotation_before_the_new_version_is_no_version(session: Session) -> None:
    quote = "```python\ndef load(p):\n    return p\n```\n"
    session.ask(f"a.py\n```python\n{TWO}```\n").ask("Make `load` strip.", f"You have\n\n{quote}\nNow:\n\n{LOAD}")
    assert session.holds("a.py", TWO.replace("return p\n", "return p.strip()\n", 1))


def test_what_stands_around_a_lone_definition_is_kept(session: Session) -> None:
    text = "// shop\nfunction add(a) {\n  return a;\n}\n\nmodule.exports = add;\n"
    session.ask(f"lib/add.js\n```js\n{text}```\n")
    session.ask("Let `add` double.", "```js\nfunction add(a) {\n  return 2 * a;\n}\n```\n")
    assert session.holds("lib/add.js", text.replace("return a", "return 2 * a"))


def test_a_main_of_another_program_is_none_of_ours(session: Session) -> None:
    session.ask("tool.py\n```python\ndef main():\n    return 1\n```\n")
    session.ask("Write a script that counts.", "```python\nimport sys\n\n\ndef main():\n    print(sys.argv)\n```\n")
    assert session.holds("tool.py", "def main():\n    return 1\n")


MEMBERS = {
    "src/Cart.java": ("java", "class Cart {\n    int n = 0;\n\n    int total() {\n        return n;\n    }\n}\n", "int total() {\n    return n * 2;\n}\n"),
    "src/cart.ts": ("ts", "export class Cart {\n  n = 0;\n\n  total(): number {\n    return this.n;\n  }\n}\n", "total(): number {\n  return this.n * 2;\n}\n"),
    "src/Cart.php": ("php", "<?php\n\nclass Cart\n{\n    private int $n = 0;\n\n    public function total(): int\n    {\n        return $this->n;\n    }\n}\n", "public function total(): int\n{\n    return $this->n * 2;\n}\n"),
    "src/cart.rb": ("ruby", "class Cart\n  def total\n    @n\n  end\nend\n", "def total\n  @n * 2\nend\n"),
    "src/cart.rs": ("rust", "pub struct Cart {\n    n: u32,\n}\n\nimpl Cart {\n    pub fn total(&self) -> u32 {\n        self.n\n    }\n}\n", "pub fn total(&self) -> u32 {\n    self.n * 2\n}\n"),
    "src/cart.py": ("python", "class Cart:\n    n = 0\n\n    def total(self):\n        return self.n\n", "def total(self):\n    return self.n * 2\n"),
}  # fmt: skip


@pytest.mark.parametrize("path", MEMBERS)
@pytest.mark.parametrize("label", ["", "{}\n", "{}::Cart.total\n", "{}::Cart\n", "{}::total\n"])
def test_a_member_alone_is_the_member_whatever_its_label(session: Session, path: str, label: str) -> None:
    language, text, member = MEMBERS[path]
    session.ask(f"{path}\n```{language}\n{text}```\n")
    session.ask("Double the total in `Cart`.", f"{label.format(path)}```{language}\n{member}```\n")
    assert session.recent()[0]["artifact_states"][0]["reason"] == "structural-parity"
    session.forget().ask("What does `Cart.total` do?")
    assert "* 2" in session.prompt


def test_what_a_prompt_asks_to_lose_is_in_doubt_where_only_its_neighbours_are_shown(session: Session) -> None:
    session.ask("a.py\n```python\nimport os\n\n\ndef load():\n    return 1\n\n\ndef save():\n    return 2\n```\n")
    session.ask("Remove `load` and let `save` return 3.", "```python\ndef save():\n    return 3\n```\n")
    assert {e: t == "DIRTY" for e, t in session.state().items()} == {
        "a.py": True, "a.py::load": True, "a.py::save": False,
    }  # fmt: skip


def test_php_without_its_opening_tag(session: Session) -> None:
    text = "<?php\n\nnamespace App;\n\nfunction load(): int\n{\n    return 1;\n}\n"
    session.ask(f"src/a.php\n```php\n{text}```\n")
    session.ask("Let `load` in src/a.php return 2.", "```php\nfunction load(): int\n{\n    return 2;\n}\n```\n")
    assert session.holds("src/a.php", text.replace("return 1", "return 2"))


def test_a_foreign_preamble_is_none_of_the_file_s(session: Session) -> None:
    session.ask("a.py\n```python\nfrom math import pi\n\n\ndef area(r):\n    return pi * r * r\n```\n")
    session.ask("Speed up `area`.", "```python\nimport numpy\n\n\ndef area(r):\n    return 3.14 * r * r\n```\n")
    assert session.state()["a.py"] == "DIRTY"


FORMAT = "def format(x):\n    return f'E{x}'\n\n\ndef other(x):\n    return format(x) + 1\n"


class TestRenamed:
    """The new name alone, without a label, as a real 1.5B model answers; the old one is a plain word of the prompt."""

    def test_with_the_same_body(self, session: Session) -> None:
        session.ask(f"a.py\n```python\n{FORMAT}```\n")
        session.ask("Rename format to format_price.", "```python\ndef format_price(x):\n    return f'E{x}'\n```\n")
        assert session.holds("a.py", FORMAT.replace("def format(", "def format_price("))

    @pytest.mark.parametrize("prompt", ["Rename format to format_price.", "Rename `format` to `format_price`."])
    def test_with_another_body_the_old_one_is_unknown(self, session: Session, prompt: str) -> None:
        session.ask(f"a.py\n```python\n{FORMAT}```\n")
        state = session.ask(prompt, "```python\ndef format_price(price):\n    return f'{price}'\n```\n").state()
        assert state["a.py"] == state["a.py::format"] == "DIRTY"
        assert state["a.py::format_price"] != "DIRTY"

    def test_two_at_once(self, session: Session) -> None:
        session.ask(f"a.py\n```python\n{FORMAT}```\n")
        after = FORMAT.replace("format", "form").replace("other", "rest")
        session.ask("Rename format to form and other to rest.", f"```python\n{after}```\n")
        assert session.holds("a.py", after)

    def test_a_method_alone(self, session: Session) -> None:
        shown(session).ask("Rename total to grand_total.", "```python\ndef grand_total(self):\n    return 1\n```\n")
        state = session.state()
        assert state["src/cart.py::Cart.total"] == state["src/cart.py"] == "DIRTY"
        assert state["src/cart.py::Cart.grand_total"] != "DIRTY"

    def test_a_type_with_all_that_its_methods_stand_outside_of(self, session: Session) -> None:
        text = "package shop\n\ntype Cart struct {\n\tn int\n}\n\nfunc New() *Cart {\n\treturn &Cart{}\n}\n\n"
        text += "func (c *Cart) Total() int {\n\treturn c.n\n}\n"
        session.ask(f"cart.go\n```go\n{text}```\n").ask("What is 1 + 1?", "2").ask("And 2 + 2?", "4")
        session.ask("Rename Cart to Basket.", f"```go\n{text.replace('Cart', 'Basket')}```\n")
        assert session.holds("cart.go", text.replace("Cart", "Basket"))
        assert "cart.go::Cart.Total" not in session.state()

    @pytest.mark.parametrize(
        "prompt",
        [
            "Write `format_price` like `format`.",
            "Remove format, format_price does the same.",
            "How would you rename format to format_price?",
            "Don't rename format to format_price yet.",
        ],
    )
    def test_what_is_not_renamed(self, session: Session, prompt: str) -> None:
        session.ask(f"a.py\n```python\n{FORMAT}```\n").ask("What is 1 + 1?", "2")
        session.ask(prompt, "```python\ndef format_price(price):\n    return f'{price}'\n```\n")
        assert session.holds("a.py", FORMAT)


GAME = (
    "player = [0, 0]\n\n\ndef move(key):\n    player[0] += 1\n\n\ndef main():\n    while True:\n        move(input())\n"
)
SAVES = "def save():\n    print(player)\n\n\ndef main():\n    while True:\n        move(input())\n        save()\n"


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        (SAVES, True),
        (f"import game\n\n\n{SAVES.replace('move(', 'game.move(').replace('player', '1')}", False),
        (f"from game import move, player\n\n\n{SAVES}", False),
        (SAVES[SAVES.index("def main") :].replace("        save()\n", ""), False),  # as any example of its use
        (SAVES.replace("move(input())", "pass").replace("player", "1"), False),
    ],
)
def test_a_program_goes_on_where_it_uses_what_its_file_defines(session: Session, answer: str, meant: bool) -> None:
    """Asked "can we save the game", a real model showed new functions and `main`, and nothing of it was believed."""
    session.ask(f"game.py\n```python\n{GAME}```\nJust say ok.")
    state = session.ask("can we save it", f"```python\n{answer}```").state()
    assert (state["game.py"] == sha(GAME)) is not meant
    assert ("game.py::save" in state) is meant


RUST = "pub struct Cart {\n    n: u32,\n}\n\nimpl Cart {\n    pub fn new() -> Self {\n        Cart { n: 0 }\n    }\n\n    pub fn total(&self) -> u32 {\n        self.n\n    }\n}\n"
CPP = "#include <vector>\n\nclass Cart {\npublic:\n    void add() { n++; }\n    int total() const {\n        return n;\n    }\nprivate:\n    int n = 0;\n};\n"


@pytest.mark.parametrize(
    ("path", "text", "part", "program", "new"),
    [
        ("src/cart.rs", RUST, "impl Cart {\n    pub fn total(&self) -> u64 {\n        self.n as u64\n    }\n}\n",
         "\nfn main() {\n    println!(\"{}\", Cart::new().total());\n}\n", "u64"),
        ("cart.hpp", CPP, "class Cart {\npublic:\n    long total() const {\n        return n;\n    }\n};\n",
         "\nint main() {\n    Cart c;\n    return 0;\n}\n", "long"),
    ],
)  # fmt: skip
def test_a_program_behind_a_method_is_an_example(
    session: Session, path: str, text: str, part: str, program: str, new: str
) -> None:
    """Small models add one most of the time; the bracket that ends the type went with it, and so did the change."""
    word = "rust" if path.endswith("rs") else "cpp"
    session.ask(f"{path}\n```{word}\n{text}```\nJust say ok.")
    state = session.ask("Let `Cart::total` be larger.", f"```{word}\n{part}{program}```").state()
    assert "DIRTY" not in state.values() and f"{path}::main" not in state
    assert new in session.forget().ask("Show `Cart::total`.", "Look.").sent[-1]["content"]
