"""Mutual tests: whatever words stand where code stood, the text does not become the truth."""

from __future__ import annotations

import random

import pytest

from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.unit_of_work import UnitOfWork

from .helpers import asked, known

FEW, MANY = 300, 10_000

LETTERS = (
    "abcdefghijklmnopqrstuvwxyzéñßøłçş"
    "абвгдежзиклмнопрстуя"
    "αβγδεκλμνοπρστυω"
    "此处同前文略的不变代码"
    "はここと前変わらず"
    "그대로둡니다여기"
)


SAMPLES = {
    "a.py": (
        "#",
        "import re\n\n\ndef slug(s, sep='-'):\n@    s = s.strip().lower()\n@    s = re.sub('x', sep, s)\n@    return s.strip(sep)\n\n\ndef other(s):\n    return s.title() + str(len(s))\n",
    ),
    "a.js": (
        "//",
        "import a from 'a';\n\nexport function one(x) {\n@  const y = x + 1;\n@  log(y);\n@  return y * 2;\n}\n\nexport function two(z) {\n  return a(z, z + 1);\n}\n",
    ),
    "a.go": (
        "//",
        'package a\n\nimport "os"\n\nfunc F(n int) int {\n@\tx := g(n)\n@\tos.Exit(x)\n@\treturn x + h(n)\n}\n\nfunc G(n int) int {\n\treturn n * n * F(n)\n}\n',
    ),
    "a.rs": (
        "//",
        "use a::b;\n\npub fn f(n: u32) -> u32 {\n@    let x = b(n);\n@    log(x);\n@    x + n * 2\n}\n\npub fn g(n: u32) -> u32 {\n    f(n) * f(n + 1)\n}\n",
    ),
    "a.rb": (
        "#",
        "require 'set'\n\ndef one(x)\n@  y = x + 1\n@  puts y\n@  y * 2\nend\n\ndef two(z)\n  one(z) + one(z + 1)\nend\n",
    ),
    "A.java": (
        "//",
        "package a;\n\nclass A {\n    int one(int x) {\n@        int y = x + 1;\n@        log(y);\n@        return y * 2;\n    }\n\n    int two(int z) {\n        return one(z) + one(z + 1);\n    }\n}\n",
    ),
}
STUBS = {
    "a.py": [
        "pass",
        "...",
        "return",
        "raise NotImplementedError",
        "raise NotImplementedError('{w}')",
        "return None",
        "raise RuntimeError('{w}')",
    ],
    "a.js": [
        "return;",
        "return null;",
        "throw new Error('{w}');",
        "return undefined;",
        "throw new NotImplementedError('{w}');",
    ],
    "a.go": ['panic("{w}")', "return 0"],
    "a.rs": ["todo!()", 'unimplemented!("{w}")', 'todo!("{w}")', 'panic!("{w}")'],
    "a.rb": ["raise NotImplementedError", "raise '{w}'", "nil"],
    "A.java": [
        'throw new UnsupportedOperationException("{w}");',
        'throw new IllegalStateException("{w}");',
        "return 0;",
    ],
}


def word(draw: random.Random) -> str:
    return "".join(draw.choices(LETTERS, k=draw.randint(2, 9)))


def mutant(draw: random.Random) -> tuple[str, str, str]:
    """A file, its text, and the same with code that gave way to words: a comment, a stub, or both."""
    path = draw.choice(list(SAMPLES))
    sign, marked = SAMPLES[path]
    lines = marked.splitlines()
    code = [n for n, line in enumerate(lines) if line.startswith("@")]
    said = " ".join(word(draw) for _ in range(draw.randint(2, 6)))
    indent = lines[code[0]][1:][: len(lines[code[0]][1:]) - len(lines[code[0]][1:].lstrip())]
    whole = draw.random() < 0.5
    gone = code if whole else code[draw.randint(0, 1) :][: draw.randint(1, 2)]
    comment = f"{indent}{sign} {draw.choice(['', '', '(', '[', '<'])}{said}{draw.choice(['', '', ')', '.', ' …'])}"
    stub = indent + draw.choice(STUBS[path]).format(w=said)
    put = draw.choice([[comment, stub], [stub], [comment]]) if whole else [comment]
    if put == [comment] and path == "a.py" and whole:
        put = [comment, indent + "pass"]
    kept = [line for n, line in enumerate(lines) if n not in gone]
    kept[gone[0] : gone[0]] = put
    return path, marked.replace("@", ""), "\n".join(line.removeprefix("@") for line in kept) + "\n"


def taken(count: int) -> list[str]:
    draw = random.Random(count)
    out = []
    for _ in range(count):
        path, base, text = mutant(draw)
        unit = UnitOfWork({path: known(path, base)})
        judge_model(unit, [Shown(path, text, Carrier.FENCE, language="")], asked("Please go on."))
        if unit.file(path).text() != base:
            out.append(text)
    return out


def test_no_stub_becomes_the_truth() -> None:
    assert taken(FEW) == []


@pytest.mark.slow
def test_no_stub_becomes_the_truth_at_length() -> None:
    assert taken(MANY) == []
