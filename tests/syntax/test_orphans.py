"""Names whose line is gone, though what stands there as before uses them."""

from __future__ import annotations

import pytest

from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import measure
from tslp_litellm.syntax.stubs import gave_way

PYTHON = """\
import re

BASE = 2


def run(s, n):
    a = re.sub('x', '', s)
    b = a.strip()
    c = b.lower()
    d = c.split()
    e = [x for x in d if x]
    return len(e) + n
"""
MIDDLE = PYTHON[PYTHON.index("    b = ") : PYTHON.index("    e = ")]
TYPESCRIPT = """\
import { x } from './x';

export function run(s: string, n: number): number {
  const a = s.trim();
  const b: string[] = a.split(' ');
  log(b);
  return b.length + n;
}
"""
GO = "package m\n\nfunc F(s string) int {\n\ta := g(s)\n\th(a)\n\tk(s)\n\treturn a\n}\n"
JAVA = "class A {\n    int f(int n) {\n        int a = g(n);\n        total = a;\n        return a + total;\n    }\n}\n"
SAMPLES = {"python": PYTHON, "typescript": TYPESCRIPT, "go": GO, "java": JAVA}


def found(language: str, old: str, new: str) -> bool:
    base = SAMPLES[language]
    assert old in base
    known = language_named(language)
    return bool(gave_way(measure(known, base.replace(old, new).encode()), measure(known, base.encode())))


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("python", MIDDLE, "    print('same as before')\n"),
        ("python", MIDDLE, "    assert False, 'existing code'\n"),
        ("python", MIDDLE, "    if False:\n        pass\n"),
        ("python", MIDDLE, "    lambda: None\n"),
        ("python", MIDDLE, "    type: ignore\n"),
        ("python", MIDDLE, "    keep(the, old)\n"),
        ("python", MIDDLE, ""),
        ("typescript", "  const b: string[] = a.split(' ');\n", "  throw new Error('existing code');\n"),
        ("typescript", "  const b: string[] = a.split(' ');\n", "  {}\n"),
        ("go", "\ta := g(s)\n", "\tkeep()\n"),
        ("java", "        int a = g(n);\n", "        keep();\n"),
    ],
)
def test_what_is_missed(language: str, old: str, new: str) -> None:
    assert found(language, old, new)


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("python", MIDDLE, "    d = a.strip().lower().split()\n"),
        ("python", MIDDLE, "    with lower(a) as d:\n        pass\n"),
        ("python", MIDDLE, "    d, _ = parts(a)\n"),
        ("python", MIDDLE + "    e = [x for x in d if x]\n", "    e = a.split()\n"),
        ("python", "    a = re.sub('x', '', s)\n    b = a.strip()\n", "    b = s.strip()\n"),
        ("python", "BASE = 2", "BASE = 2\nd = ['a']"),
        ("typescript", "  const b: string[] = a.split(' ');\n", "  const [b] = parts(a);\n"),
        ("typescript", "  const a = s.trim();\n  const b: string[] = a.split", "  const b: string[] = s.split"),
        ("java", "        total = a;\n", "        add(a);\n"),
    ],
)
def test_what_is_not(language: str, old: str, new: str) -> None:
    assert not found(language, old, new)


def test_a_name_that_may_be_another_one_is_not_missed() -> None:
    base = PYTHON.replace("BASE = 2", "d = 2")
    known = language_named("python")
    assert not gave_way(measure(known, base.replace(MIDDLE, "    a.pop()\n").encode()), measure(known, base.encode()))
