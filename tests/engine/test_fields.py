"""A field shown beside the method that uses it: where it stands in its type is not known."""

from __future__ import annotations

import pytest

from .helpers import Session

CASES = [
    ("a.java", "java", "class Cart {{\n    private long sum;\n\n{0}}}\n", "private int adds = 0;", "void add(int n) {{ {0}sum += n; }}", "adds++; "),
    ("a.ts", "ts", "export class Cart {{\n    sum = 0;\n\n{0}}}\n", "private adds = 0;", "add(n: number) {{ {0}this.sum += n; }}", "this.adds++; "),
    ("a.cs", "csharp", "class Cart {{\n    long sum;\n\n{0}}}\n", "public int Adds {{ get; set; }}", "void Add(int n) {{ {0}sum += n; }}", "Adds++; "),
    ("a.php", "php", "<?php\nclass Cart {{\n    private $sum = 0;\n\n{0}}}\n", "private $adds = 0;", "function add($n) {{ {0}$this->sum += $n; }}", "$this->adds++; "),
    ("a.py", "python", "class Cart:\n    sum: int = 0\n\n{0}", "adds: int = 0", "def add(self, n): {0}self.sum += n", "self.adds += 1; "),
]  # fmt: skip


@pytest.mark.parametrize(("path", "word", "text", "field", "method", "new"), CASES)
@pytest.mark.parametrize("fences", [1, 2])
def test_leaves_its_type_unknown(
    session: Session, path: str, word: str, text: str, field: str, method: str, new: str, fences: int
) -> None:
    old, changed, field = method.format(""), method.format(new), field.format()
    session.ask(f"{path}\n```{word}\n{text.format(f'    {old}' + chr(10))}```\n", "ok")
    between = "\n\n" if fences == 1 else f"\n```\n\nand use it:\n\n```{word}\n"
    name = next(one for one in session.state() if one.lower().endswith(".add"))
    before = session.state()[name]
    session.ask(f"Let {name.rpartition('::')[2]} count.", f"Like this:\n\n```{word}\n{field}{between}{changed}\n```\n")
    state = session.state()
    assert (state[path], state[f"{path}::Cart"]) == ("DIRTY", "DIRTY")
    assert state[name] not in ("DIRTY", before)


@pytest.mark.parametrize(("path", "word", "text", "field", "method", "new"), CASES)
@pytest.mark.parametrize(
    "beside", ["// It counts now.\n\n{0}", "{0}\n```\n\nUse it:\n\n```{1}\ncart = Cart()\ncart.add(3)"]
)
def test_what_is_no_field_does_not(
    session: Session, path: str, word: str, text: str, field: str, method: str, new: str, beside: str
) -> None:
    changed = method.format(new)
    session.ask(f"{path}\n```{word}\n{text.format(f'    {method.format(str())}' + chr(10))}```\n", "ok")
    name = next(one for one in session.state() if one.lower().endswith(".add"))
    said = beside.format(changed, word) if word != "python" else beside.replace("//", "#").format(changed, word)
    session.ask(f"Let {name.rpartition('::')[2]} count.", f"```{word}\n{said}\n```\n")
    assert session.holds(path, text.format(f"    {changed}\n"))


def test_of_a_component_too(session: Session) -> None:
    form = "export function Form() {\n  const [name, setName] = useState('');\n\n  const send = () => {\n    post(name);\n  };\n\n  return <form onSubmit={send} />;\n}\n"
    session.ask(f"Form.tsx\n```tsx\n{form}```\n", "ok")
    state = "```tsx\nconst [busy, setBusy] = useState(false);\n```"
    send = "```tsx\nconst send = () => {\n  setBusy(true);\n  post(name);\n};\n```"
    session.ask("Add a busy state to Form.", f"Add a state:\n\n{state}\n\nand set it:\n\n{send}\n")
    assert session.state()["Form.tsx::Form"] == "DIRTY"
