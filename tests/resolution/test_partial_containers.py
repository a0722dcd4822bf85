"""Containers with left-out parts: each complete member is judged by itself, whatever holds it (SEMANTICS 3)."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.values import Carrier, Ground, Shown
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.unit_of_work import UnitOfWork

from .helpers import asked, known

CASES = {
    "a.rs": (
        "use std::fmt;\n\nstruct Cart { n: u32 }\n\nimpl Cart {\n    fn add(&mut self) {\n        self.n += 1;\n    }\n\n    fn total(&self) -> u32 {\n        self.n\n    }\n}\n",
        "impl Cart {\n    // ... existing methods ...\n\n    fn total(&self) -> u32 {\n        self.n * 2\n    }\n}\n",
    ),
    "a.rb": (
        "require 'x'\n\nmodule Shop\n  class Cart\n    def add\n      @n += 1\n    end\n\n    def total\n      @n\n    end\n  end\nend\n",
        "module Shop\n  class Cart\n    # ... existing code ...\n\n    def total\n      @n * 2\n    end\n  end\nend\n",
    ),
    "a.cpp": (
        "#include <x>\nnamespace shop {\nclass Cart {\npublic:\n  void add() { n++; }\n  int total() { return n; }\nprivate:\n  int n;\n};\n}\n",
        "namespace shop {\nclass Cart {\npublic:\n  // ... other methods unchanged ...\n  int total() { return n * 2; }\n};\n}\n",
    ),
    "a.cs": (
        "using System;\nnamespace Shop\n{\n    public class Cart\n    {\n        int n;\n        public void Add() { n++; }\n        public int Total() { return n; }\n    }\n}\n",
        "namespace Shop\n{\n    public class Cart\n    {\n        // ... existing code ...\n        public int Total() { return n * 2; }\n    }\n}\n",
    ),
    "a.py": (
        "import re\n\n\nclass Cart:\n    def add(self):\n        self.n += 1\n\n    def total(self):\n        return self.n\n",
        "class Cart:\n    # ... existing methods ...\n\n    def total(self):\n        return self.n * 2\n",
    ),
    "a.ts": (
        "import x from 'x';\n\nexport class Cart {\n  n = 0;\n\n  add() {\n    this.n++;\n  }\n\n  total() {\n    return this.n;\n  }\n}\n",
        "export class Cart {\n  // ... existing code ...\n\n  total() {\n    return this.n * 2;\n  }\n}\n",
    ),
    "a.kt": (
        "package shop\n\nclass Cart {\n    var n = 0\n    fun add() { n++ }\n    fun total(): Int { return n }\n}\n",
        "class Cart {\n    // ... existing code ...\n    fun total(): Int { return n * 2 }\n}\n",
    ),
    "a.go": (
        "package shop\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Add() {\n\tc.n++\n}\n\nfunc (c *Cart) Total() int {\n\treturn c.n\n}\n",
        "// ... rest of the code unchanged ...\n\nfunc (c *Cart) Total() int {\n\treturn c.n * 2\n}\n",
    ),
}


@pytest.mark.parametrize("path", CASES)
def test_a_complete_member_of_an_incomplete_container_is_taken(path: str) -> None:
    before, part = CASES[path]
    b = UnitOfWork({path: known(path, before)})
    judge_model(b, [Shown(path, part, Carrier.FENCE)], asked("Double the total."))
    changed = next(line for line in part.splitlines() if "* 2" in line).strip()
    head, _, tail = before.rpartition(changed.replace(" * 2", ""))
    assert b.file(path).text() == head + changed + tail


@pytest.mark.parametrize("path", CASES)
def test_an_incomplete_member_is_not(path: str) -> None:
    before, part = CASES[path]
    comment = "# ... rest of it" if path.endswith((".py", ".rb")) else "// ... rest of it"
    lines = [comment if "* 2" in line else line for line in part.splitlines()]
    b = UnitOfWork({path: known(path, before)})
    judge_model(b, [Shown(path, "\n".join(lines), Carrier.FENCE)], asked("Double the total."))
    assert b.file(path).text() == before


BOX = "class Box:\n    n = 0\n\n    def put(self, x):\n        self.n += x\n\n    def take(self, x):\n        self.n -= x\n"
TAKE = "    def take(self, x):\n        self.n = max(0, self.n - x)\n"
CART = CASES["a.ts"][0].removeprefix("import x from 'x';\n\n")


@pytest.mark.parametrize("by", [Ground.LABEL, Ground.STRUCTURE])
@pytest.mark.parametrize(
    "rest",
    ["# put() stays as it is", "# keep everything else", "# les autres méthodes", "# methods", "# 其他方法"],
)
def test_whatever_words_stand_for_the_rest(rest: str, by: Ground) -> None:
    b = UnitOfWork({"a.py": known("a.py", BOX)})
    shown = Shown("a.py", f"class Box:\n    {rest}\n\n{TAKE}", Carrier.FENCE, by=by)
    judge_model(b, [shown], asked("Box.take should never go below zero."))
    assert b.file("a.py").text() == BOX.replace("self.n -= x", "self.n = max(0, self.n - x)")


def test_words_beside_a_known_mark_are_no_new_code() -> None:
    part = "export class Cart {\n  // n and add() remain the same\n\n  total() {\n    return 2 * this.n;\n  }\n  // ...\n}\n"
    b = UnitOfWork({"a.ts": known("a.ts", CART)})
    judge_model(b, [Shown("a.ts", part, Carrier.FENCE, by=Ground.STRUCTURE)], asked("Double the total."))
    assert b.file("a.ts").text() == CART.replace("return this.n", "return 2 * this.n")


def test_a_member_whose_body_gave_way_beside_a_complete_one_is_not_taken() -> None:
    text = f"class Box:\n    def put(self, x):\n        # stays as it is\n        pass\n\n{TAKE}"
    b = UnitOfWork({"a.py": known("a.py", f"{BOX}\n    def clear(self):\n        self.n = 0\n")})
    judge_model(b, [Shown("a.py", text, Carrier.FENCE, by=Ground.STRUCTURE)], asked("Box.take should not go below."))
    now = b.file("a.py").text() or ""
    assert "self.n += x" in now and "max(0" in now and "clear" in now
