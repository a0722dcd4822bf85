"""One member of a type, shown alone as small models show it: below the word of its language, of another, of none."""

from __future__ import annotations

import textwrap

import pytest

from .helpers import Session

FILES = {
    "src/cart.ts": "export class Cart {\n  private items: number[] = [];\n\n  add(price: number): void {\n"
    "    this.items.push(price);\n  }\n\n«  total(): number {\n    return sum(this.items)§;\n  }\n»}\n",
    "src/cart.js": "class Cart {\n  constructor() {\n    this.items = [];\n  }\n\n«  total() {\n"
    "    return sum(this.items)§;\n  }\n»}\n\nmodule.exports = { Cart };\n",
    "src/cart.py": 'class Cart:\n    """What is bought."""\n\n    rate = 1\n\n    def add(self, price):\n'
    "        self.items.append(price)\n\n«    def total(self):\n        return sum(self.items)§\n»",
    "src/Cart.java": "package shop;\n\npublic class Cart {\n    private final List<Double> items = List.of();\n\n"
    "«    public double total() {\n        return sum(items)§;\n    }\n»}\n",
    "src/Cart.cs": "namespace Shop\n{\n    public class Cart\n    {\n        private decimal rate = 1;\n\n"
    "«        public decimal total()\n        {\n            return items.Sum()§;\n        }\n»    }\n}\n",
    "src/Cart.kt": "package shop\n\nclass Cart {\n    private val items = listOf(1.0)\n\n"
    "«    fun total(): Double {\n        return items.sum()§\n    }\n»}\n",
    "src/Cart.php": "<?php\n\nnamespace Shop;\n\nclass Cart\n{\n    private array $items = [];\n\n"
    "«    public function total(): float\n    {\n        return array_sum($this->items)§;\n    }\n»}\n",
    "lib/cart.rb": "class Cart\n  attr_reader :items\n\n«  def total\n    @items.sum§\n  end\n»end\n",
    "src/cart.rs": "pub struct Cart {\n    items: Vec<f64>,\n}\n\nimpl Cart {\n"
    "«    pub fn total(&self) -> f64 {\n        self.sum()§\n    }\n»}\n",
    "cart/cart.go": "package cart\n\ntype Cart struct {\n\titems []float64\n}\n\n"
    "«func (c *Cart) total() float64 {\n\treturn sum(c.items)§\n}\n»",
    "src/cart.cpp": '#include "cart.h"\n\n«double Cart::total() const {\n    return sum(items)§;\n}\n»',
    "Sources/Cart.swift": "class Cart {\n    var items: [Double] = []\n\n"
    "«    func total() -> Double {\n        return items.sum()§\n    }\n»}\n",
}
WORDS = {"py": "python", "rs": "rust", "rb": "ruby", "kt": "kotlin", "cs": "csharp"}
WRONG = {"py": "javascript"}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("said", ["its own", "another", "none"])
def test_it_takes_its_place_and_nothing_else_is_in_doubt(session: Session, path: str, said: str) -> None:
    end, marked = path.rpartition(".")[2], FILES[path]
    member = textwrap.dedent(marked.partition("«")[2].partition("»")[0])
    text = marked.replace("«", "").replace("»", "")
    word = {"its own": WORDS.get(end, end), "another": WRONG.get(end, "python"), "none": ""}[said]
    session.ask(f"{path}\n```\n{text.replace('§', '')}```\nJust say ok.")
    session.ask(f"Double the sum in `total` of {path}.", f"Here:\n\n```{word}\n{member.replace('§', ' * 2')}```\n")
    assert session.holds(path, text.replace("§", " * 2"))
    assert "DIRTY" not in session.state().values()
    session.ask(f"So it stands now:\n```\n{member.replace('§', ' * 3')}```\nJust say ok.")
    assert session.holds(path, text.replace("§", " * 3"))


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("frame", ["{0} ... existing code ...\n\n{1}\n{0} ... rest of code ...\n", "{0} Twice\n{1}"])
def test_comments_at_the_margin_say_nothing_of_its_place(session: Session, path: str, frame: str) -> None:
    end, (before, rest) = path.rpartition(".")[2], FILES[path].split("«")
    member, _, after = rest.partition("»")
    mark = "#" if end in ("py", "rb") else "//"
    session.ask(f"{path}\n```\n{(before + member + after).replace('§', '')}```\nJust say ok.")
    new = member.replace("§", " * 2")
    shown = frame.format(mark, new)
    session.ask(f"Double the sum in `total` of {path}.", f"Here:\n\n```{WORDS.get(end, end)}\n{shown}```\n")
    margin = member[: len(member) - len(member.lstrip())]
    new = f"{margin}{mark} Twice\n{new}" if "Twice" in frame else new
    assert session.holds(path, before + new + after)
    assert "DIRTY" not in session.state().values()


SHOP = "class Cart:\n    def total(self):\n        return 1.234\n\n\nclass Order:\n    def total(self):\n        return 2.345\n"


@pytest.mark.parametrize(("above", "told"), [("In `{}`:", True), ("### {}", True), ("And here:", False)])
def test_the_sentence_above_says_of_which_type_it_is(session: Session, above: str, told: bool) -> None:
    members = {"Cart": "def total(self):\n    return 1.23\n", "Order": "def total(self):\n    return 2.35\n"}
    answer = "\n\n".join(f"{above.format(name)}\n\n```python\n{text}```" for name, text in members.items())
    session.ask(f"shop.py\n```python\n{SHOP}```").ask("`Cart.total` and `Order.total` should round", answer)
    assert session.holds("shop.py", SHOP.replace("1.234", "1.23").replace("2.345", "2.35")) is told


NEW = {
    "src/entry.rs": (
        "pub struct Entry {\n    msg: String,\n}\n\nimpl Entry {\n    pub fn len(&self) -> usize {\n"
        "        self.msg.len()\n    }\n}\n",
        "impl Entry {\n    pub fn clear(&mut self) {\n        self.msg.clear();\n    }\n}\n",
    ),
    "entry.go": (
        "package entry\n\ntype Entry struct {\n\tmsg string\n}\n\nfunc (e *Entry) Len() int {\n\treturn len(e.msg)\n}\n",
        'func (e *Entry) clear() {\n\te.msg = ""\n}\n',
    ),
    "Entry.java": (
        "public class Entry {\n    private String msg;\n\n    public int len() {\n        return msg.length();\n    }\n}\n",
        '    public void clear() {\n        msg = "";\n    }\n',
    ),
    "entry.py": (
        "class Entry:\n    def len(self):\n        return len(self.msg)\n\n\ndef main():\n    Entry()\n",
        '    def clear(self):\n        self.msg = ""\n',
    ),
}


@pytest.mark.parametrize("path", NEW)
@pytest.mark.parametrize(
    ("prompt", "above", "known"),
    [
        ("I need a way to clear it.", "Sure:", True),
        ("I need a way to empty it.", "Add this method to your `Entry` class:", True),
        ("I need a way to empty it.", "**Step 1: Add the method to `Entry`**", True),
        ("Add a method that empties it to Entry.", "Sure:", True),
        ("Add `reset` to Entry.", "Sure:", False),
        ("Improve Entry.", "Sure:", False),
        ("I need a way to empty it.", "Sure:", False),
        ("What could I add?", "For example:", False),
    ],
)
def test_a_new_one_is_of_the_only_type_that_it_may_be_of(
    session: Session, path: str, prompt: str, above: str, known: bool
) -> None:
    text, new = NEW[path]
    language = WORDS.get(path.rpartition(".")[2], path.rpartition(".")[2])
    session.ask(f"{path}\n```{language}\n{text}```").ask(prompt, f"{above}\n\n```{language}\n{new}```")
    assert (session.state()[path] == "DIRTY", f"{path}::Entry.clear" in session.state()) == (known, known)
