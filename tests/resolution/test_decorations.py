"""Decorators, attributes and `export`, which small models leave out in front of what they change."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.resolution.decorations import decorations, redecorated
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.syntax.languages import language_named

ROUTED = "@app.route(\n    '/add',\n)\n@login\ndef add():\n    return 1\n"
MEMBER = "class A:\n    # what it is\n    @property\n    def x(self):\n        return 1\n"


@pytest.mark.parametrize(
    ("language", "base", "shown", "kept"),
    [
        ("javascript", "export function f() {\n  return 1;\n}\n", "function f() {\n  return 2;\n}\n", None),
        ("javascript", "export default async function f() {}\n", "async function f() { g(); }\n", None),
        ("typescript", "export const f = () => 1;\n", "// twice\nconst f = () => 2;\n", None),
        ("python", ROUTED, "# as asked\ndef add():\n    return 2\n", None),
        (
            "python",
            MEMBER,
            "class A:\n  def x(self):\n    return 2\n",
            "class A:\n  @property\n  def x(self):\n    return 2\n",
        ),
        ("rust", "#[test]\nfn f() {\n    g();\n}\n", "fn f() {\n    h();\n}\n", None),
        ("python", ROUTED, "@login\ndef add():\n    return 2\n", "@login\ndef add():\n    return 2\n"),
        ("python", "def f():\n    return 1\n", "def f():\n    return 2\n", "def f():\n    return 2\n"),
    ],
)
def test_the_bare_definition_gets_what_stood_in_front(language: str, base: str, shown: str, kept: str | None) -> None:
    of = language_named(language)
    was, seen = outline(of, base), outline(of, shown)
    made = redecorated(seen, was, of, Intent("Let it give 2."))
    if kept is not None:
        assert made.text.decode() == kept
    else:
        assert len(made.text) > len(seen.text)
        assert decorations(made, made.symbols[0]) == decorations(was, was.symbols[0]) != set()
    assert made.sound


def test_what_the_prompt_names_may_have_been_asked_to_go() -> None:
    of = language_named("javascript")
    seen = outline(of, "function f() {\n  return 2;\n}\n")
    base = outline(of, "export function f() {\n  return 1;\n}\n")
    assert redecorated(seen, base, of, Intent("Do not export f.")) is seen
