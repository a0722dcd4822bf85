"""PHP that is shown without its opening tag."""

from __future__ import annotations

import pytest

from .helpers import Session

HALF = "function half($x)\n{\n    return $x / 2;\n}\n"
TWICE = "function twice($x)\n{\n    return $x * 2;\n}\n"
NEW = "function twice($x)\n{\n    return 2 * $x;\n}\n"
UTIL = f"<?php\n\n{TWICE}\n{HALF}"
CART = (
    "<?php\n\nclass Cart\n{\n    public function total()\n    {\n        return 1;\n    }\n\n"
    "    public function count()\n    {\n        return 2;\n    }\n}\n"
)
TOTAL = "public function total()\n{\n    return 3;\n}\n"
CHANGED = CART.replace("return 1", "return 3")

fences = pytest.mark.parametrize("language", ["php", ""])
tags = pytest.mark.parametrize("tag", ["", "<?php\n\n"])


@fences
@tags
@pytest.mark.parametrize("code", [NEW, f"{NEW}\n{HALF}", f"\n{NEW}"])
def test_functions_need_no_tag(session: Session, language: str, tag: str, code: str) -> None:
    session.ask(f"src/util.php\n```php\n{UTIL}```")
    session.ask("Please change `twice` in src/util.php.", f"```{language}\n{tag}{code}```")
    assert session.holds("src/util.php", UTIL.replace(TWICE, NEW))


@fences
@tags
@pytest.mark.parametrize("code", [CHANGED.removeprefix("<?php\n\n"), TOTAL])
def test_a_class_and_a_member_need_no_tag(session: Session, language: str, tag: str, code: str) -> None:
    session.ask(f"src/Cart.php\n```php\n{CART}```")
    session.ask("Please change `total` in src/Cart.php.", f"```{language}\n{tag}{code}```")
    assert session.holds("src/Cart.php", CHANGED)


@fences
def test_the_users_code_needs_no_tag(session: Session, language: str) -> None:
    session.ask(f"src/util.php\n```php\n{UTIL}```")
    session.ask(f"It is this now:\n\n```{language}\n{NEW}```")
    assert session.holds("src/util.php", UTIL.replace(TWICE, NEW))


@fences
def test_a_sentence_names_a_new_file_without_a_tag(session: Session, language: str) -> None:
    session.ask(f"Here is my src/util.php:\n\n```{language}\n{NEW}```")
    assert session.holds("src/util.php", f"<?php\n\n{NEW}")
