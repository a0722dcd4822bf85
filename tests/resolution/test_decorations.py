"""Decorators, attributes and `export`, which small models leave out in front of what they change."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.decorations import decorations, redecorated
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.syntax.languages import language_named

from .helpers import asked, fence, unit

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


CACHED = "@lru_cache(maxsize=None)\ndef fib(n):\n    return n\n\n\ndef other():\n    return 1\n"
BARE = "def fib(n):\n    return 2 * n\n"


@pytest.mark.parametrize(
    ("prompt", "is_put_back"),
    [
        ("Remove the decorator from `fib`.", False),
        ("Rewrite `fib` iteratively, without the cache.", False),
        ("fib should not be cached.", False),
        ("Make fib double.", True),
    ],
)
def test_a_decorator_that_is_spoken_of_is_not_put_back(prompt: str, is_put_back: bool) -> None:
    of = language_named("python")
    seen = outline(of, BARE)
    made = redecorated(seen, outline(of, CACHED), of, Intent(prompt))
    assert (made is not seen) is is_put_back


@pytest.mark.parametrize(
    ("path", "base", "prompt", "shown"),
    [
        ("a.py", CACHED, "Remove the decorator from `fib`.", "def fib(n):\n    return n\n"),
        ("a.py", CACHED, "Remove the cache of `fib`.", BARE),
        ("a.ts", "export function one() {\n  return 1;\n}\n\nexport function two() {}\n", "Drop the export of `one`.",
         "function one() {\n  return 1;\n}\n"),
    ],
)  # fmt: skip
def test_one_that_is_asked_to_go_goes(path: str, base: str, prompt: str, shown: str) -> None:
    b = unit(**{path.replace(".", "_"): base})
    judge_model(b, [fence(path, shown)], asked(prompt))
    name = outline(language_named({"py": "python", "ts": "typescript"}[path[-2:]]), shown).symbols[0].name
    assert b.file(path).symbols[name].text == shown.removesuffix("\n")


@pytest.mark.parametrize("prompt", ["Let fib double, but keep lru_cache.", "Rewrite `fib` without the cache."])
def test_one_that_is_spoken_of_and_not_shown_leaves_the_definition_in_doubt(prompt: str) -> None:
    b = unit(a_py=CACHED)
    judge_model(b, [fence("a.py", BARE)], asked(prompt))
    state = b.file("a.py")
    assert not state.symbols["fib"].clean and state.symbols["other"].clean
