"""A prompt's paths as people write them, with markup, brackets and other scripts beside them (SEMANTICS 4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .helpers import Session

Sessions = Callable[..., Session]
FILES = {
    "src/cart.py": "def gross(amount):\n    return amount * 2\n\n\ndef load_cart(path):\n    return [path]\n",
    "web/Basket.tsx": "export function Basket() {\n  return null;\n}\n\nexport function Row() {\n  return 1;\n}\n",
    "pkg/store.go": "package pkg\n\nfunc Lookup(k string) string {\n\treturn k\n}\n\nfunc Put(k string) {\n}\n",
}


@pytest.fixture
def shop(session: Session) -> Session:
    for path, text in FILES.items():
        session.ask(f"{path}\n```\n{text}```")
    return session.forget()


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize(
    "prompt",
    [
        "Fix **{}** please",
        "Fix *{}* please",
        "Fix ***{}***.",
        "Fix _{}_ please",
        "Fix ~~{}~~ please",
        "请修改{}",
        "{}的测试在哪里",
        "修复（{}）",
        "看一下「{}」",
        "これは【{}】です",
        "See {}#L12",
        "See {}#L12-L20.",
        "How about [the file]({})?",
        "How about [{0}]({0}#L3)?",
        "How about [`{0}`](./{0})?",
        "#file:{} is slow",
        "{}—it is slow",
        "It is slow – see {}…",
        "The order is {}→main.py",
        "At <{}> it fails",
        "It fails in {}(12,3)",
        "It fails in {{{}}}",
        "file={} is slow",
    ],
)
def test_a_path_is_found_with_anything_beside_it(shop: Session, prompt: str, path: str) -> None:
    shop.ask(prompt.format(path))
    assert shop.hydrated == [path]


@pytest.mark.parametrize(
    "prompt",
    [
        "Write lib/cart.py#L12 anew.",
        "Look into **app/cart.py** once",
        "See https://example.com/x/src/cart.py#L12",
        "Add lib/[id]/cart.py",
        "Add 文档/cart.py",
        "Add C:\\src\\cart.py",
        "How about [cart](the cart)?",
        "It has # and * and — and (a, b)",
    ],
)
def test_another_file_s_path_means_none_that_is_tracked(shop: Session, prompt: str) -> None:
    shop.ask(prompt)
    assert shop.hydrated == []


def test_a_tracked_path_that_holds_another_s_is_the_one_that_is_meant(session: Session) -> None:
    for path in ("a#b.py", "b.py"):
        session.ask(f'<file_content path="{path}">\ndef {path[0]}_one():\n    return 1\n</file_content>')
    session.forget().ask("See a#b.py please")
    assert session.hydrated == ["a#b.py"]


@pytest.mark.parametrize(
    "written", ["**src/cart.py**", "_src/cart.py_", "[cart](src/cart.py#L5)", "src/cart.py—please"]
)
def test_markup_around_its_own_file_makes_no_other_file_of_it(shop: Session, written: str) -> None:
    kept = FILES["src/cart.py"].partition("\n\n\n")[0] + "\n"
    shop.ask(f"Remove `load_cart` from {written}", f"src/cart.py\n```python\n{kept}```")
    assert shop.holds("src/cart.py", kept)


@pytest.mark.parametrize("info", ["", "text", "python"])
def test_a_trace_in_a_fence_means_the_files_that_it_names_by_a_line(shop: Session, info: str) -> None:
    trace = 'Traceback (most recent call last):\n  File "/home/me/shop/src/cart.py", line 2, in total\nValueError: x'
    shop.ask(f"I get this, please fix it:\n\n```{info}\n{trace}\n```")
    assert shop.hydrated == ["src/cart.py"]


def test_other_paths_in_a_fence_mean_nothing(shop: Session) -> None:
    shop.ask('What is this?\n\n```\nopen("src/cart.py")\n```')
    assert shop.hydrated == []


def test_what_was_said_since_the_last_answer_is_one_prompt(shop: Session) -> None:
    shop.messages.append({"role": "user", "content": "Explain src/cart.py please."})
    shop.ask("Be short.")
    assert shop.hydrated == ["src/cart.py"]
    shop.ask("Thanks.")
    assert shop.hydrated == []
