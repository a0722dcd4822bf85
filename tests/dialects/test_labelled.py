"""Path proof in every style that models and users have, and what is no proof."""

import pytest

from tslp_litellm.dialects.labelled import read, shown_in
from tslp_litellm.dialects.several import FILES_MAX
from tslp_litellm.dialects.values import Shown, Snippet

CODE = "x = 1\n"
FENCE = f"```python\n{CODE}```\n"


def labels(text: str) -> list[str]:
    return [e.path for e in shown_in(text) if isinstance(e, Shown) and e.sure]


@pytest.mark.parametrize(
    "text",
    [
        f"src/a.py\n{FENCE}",
        f"src/a.py:\n{FENCE}",
        f"src/a.py\n\n\n{FENCE}",
        f"**src/a.py**\n{FENCE}",
        f"**src/a.py**:\n\n{FENCE}",
        f"**`src/a.py`**\n{FENCE}",
        f"=== src/a.py ===\n{FENCE}",
        f"--- src/a.py ---\n{FENCE}",
        f"* src/a.py *\n{FENCE}",
        f"### src/a.py\n\n{FENCE}",
        f"#### `src/a.py`:\n{FENCE}",
        f"# src/a.py\n{FENCE}",
        f"`src/a.py`\n{FENCE}",
        f"`src/a.py`:\n{FENCE}",
        f"- `src/a.py`\n{FENCE}",
        f"1. src/a.py\n{FENCE}",
        f"### 2. `src/a.py` (updated)\n{FENCE}",
        f"File: src/a.py\n{FENCE}",
        f"File：src/a.py\n{FENCE}",
        f"文件：src/a.py\n{FENCE}",
        f"文件名: `src/a.py`\n{FENCE}",
        f"### 文件：`src/a.py`：\n{FENCE}",
        f"**文件：** `src/a.py`\n{FENCE}",
        f"Файл: src/a.py\n{FENCE}",
        f"`src/a.py`：\n{FENCE}",
        f"src/a.py：\n{FENCE}",
        f"**File:** `src/a.py`\n{FENCE}",
        f"Filename: src/a.py\n{FENCE}",
        f"Updated file: src/a.py\n{FENCE}",
        f"```python src/a.py\n{CODE}```\n",
        f"```src/a.py\n{CODE}```\n",
        f"```python:src/a.py\n{CODE}```\n",
        f'```python title="src/a.py"\n{CODE}```\n',
        f"```python {{filename=src/a.py}}\n{CODE}```\n",
        f"```python\n# src/a.py\n{CODE}```\n",
        f"```python\n# filepath: src/a.py\n{CODE}```\n",
        f"```python\n# File: src/a.py\n{CODE}```\n",
        f"```python\n# 文件：src/a.py\n{CODE}```\n",
        f"```python\nsrc/a.py\n```\n```python\n{CODE}```\n",
        f"```plaintext\nsrc/a.py\n```\n\n```python\n{CODE}```\n",
        f"~~~python src/a.py\n{CODE}~~~\n",
        f"````\nsrc/a.py\n````\n````python\n{CODE}````\n",
    ],
)
def test_a_path_is_proven(text: str) -> None:
    found = [e for e in shown_in(text) if isinstance(e, Shown)]
    assert [(e.path, e.text) for e in found] == [("src/a.py", CODE)]


@pytest.mark.parametrize(
    "text",
    [
        FENCE,
        f"Use this:\n{FENCE}",
        f"Both src/a.py and src/b.py need this:\n{FENCE}",
        f"The change is in src/a.py. Here it is\n{FENCE}",
        f"See src/a.py for details.\n\nThis is how:\n{FENCE}",
        f"src/a.ts\n{FENCE}",
        f"Node.js\n{FENCE}",
        "### Next.js\n```js\nx = 1\n```\n",
        f"https://example.com/a.py\n{FENCE}",
        "```python\nnpm install\n```\n```python\nx = 1\n```\n",
        f"some words src/a.py\n{FENCE}",
        f"这是我的src/a.py：\n{FENCE}",
        f"参见 src/a.py。代码：\n{FENCE}",
    ],
)
def test_what_proves_nothing(text: str) -> None:
    assert labels(text) == []
    assert all(isinstance(e, Snippet) or not e.sure for e in shown_in(text) if isinstance(e, (Shown, Snippet)))
    assert shown_in(text)


JS = "```js\nrun();\n```\n"


@pytest.mark.parametrize(
    "text",
    [
        f"### Koa.js\n\n{JS}",
        f"**Koa.js**\n{JS}",
        f"Koa.js\n{JS}",
        f"Koa.js:\n{JS}",
        f"- Koa.js\n{JS}",
        "```js\n// Koa.js\nrun();\n```\n",
        f"Here is the new Koa.js:\n{JS}",
        f"Here is the complete Koa.js script:\n{JS}",
        f"Here is a koa.js page:\n{JS}",
        "### koa.js\n```js\nimport Koa from 'koa';\n```\n",
        "### koa.js\n```js\nconst Koa = require('koa')\n```\n",
        "**discord.py**\n```python\nimport discord\n```\n",
        "**discord.py**\n```python\nfrom discord.ext import commands\n```\n",
        "**os.path**\n```python\nimport os\n```\n",
        "`os.path`:\n```python\nimport os\n```\n",
        f"Socket.io\n{JS}",
        f"Vue 3.x\n{JS}",
        f"ASP.NET\n{FENCE}",
        "e.g.\n```\nx = 1\n```\n",
    ],
)
def test_a_title_names_no_new_file(text: str) -> None:
    assert labels(text) == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (f"koa.js\n{JS}", "koa.js"),
        (f"### app.js\n{JS}", "app.js"),
        (f"### `App.js`\n{JS}", "App.js"),
        (f"**`App.js`**:\n{JS}", "App.js"),
        (f"### App.js (new)\n{JS}", "App.js"),
        (f"**File:** App.js\n{JS}", "App.js"),
        (f"Datei: App.js\n{JS}", "App.js"),
        (f"Fichier : App.js\n{JS}", "App.js"),
        (f"新文件：App.js\n{JS}", "App.js"),
        (f"「lib/app.js」\n{JS}", "lib/app.js"),
        (f"### lib/Koa.js\n{JS}", "lib/Koa.js"),
        ("```js App.js\nrun();\n```\n", "App.js"),
        ("```js\n// File: App.js\nrun();\n```\n", "App.js"),
        ("```js\n// app.js\nrun();\n```\n", "app.js"),
        ("### test.js\n```js\nimport test from 'ava';\nimport './test.js';\n```\n", "test.js"),
        ("### README.md\n```markdown\n# T\n```\n", "README.md"),
        ("**Cargo.toml**\n```toml\na = 1\n```\n", "Cargo.toml"),
        ("`schema.prisma`\n```prisma\nmodel A {}\n```\n", "schema.prisma"),
        ("```prisma schema.prisma\nmodel A {}\n```\n", "schema.prisma"),
        ('```text title="x" file="schema.prisma"\nmodel A {}\n```\n', "schema.prisma"),
        ("db/schema.prisma\n```\nmodel A {}\n```\n", "db/schema.prisma"),
    ],
)
def test_a_bare_name_in_a_form_that_no_title_has(text: str, path: str) -> None:
    assert labels(text) == [path]


@pytest.mark.parametrize("text", [f"### App.js\n{JS}", "schema.prisma\n```\nx\n```\n"])
def test_any_label_names_a_file_that_is_tracked(text: str) -> None:
    (shown,) = shown_in(text)
    assert isinstance(shown, Shown) and not shown.sure


@pytest.mark.parametrize(
    "text",
    [
        f"```py d.py (1-2)\n{CODE}```\n",
        f"```12:15:app/d.py\n{CODE}```\n",
        f"In d.py (lines 3-7) I used to have:\n\n{FENCE}",
        f"d.py (12-30)\n{FENCE}",
        f"d.py:10-20\n{FENCE}",
        f"Lines 1-3 of d.py:\n{FENCE}",
    ],
)
def test_an_excerpt_says_that_it_is_one(text: str) -> None:
    assert shown_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "package.json\n```bash\nnpm install\n```\n",
        "setup.sh\n```bash\n./setup.sh --force\n```\n",
        "Run `setup.sh`:\n```sh\n./setup.sh\n```\n",
        "```console\n$ ls src/a.py\n```\n",
        "```bash\nnpm install\n```\n",
    ],
)
def test_shell_fences_are_commands(text: str) -> None:
    assert shown_in(text) == []


def test_a_script_with_its_interpreter_line_is_a_file() -> None:
    assert labels("scripts/x.sh\n```bash\n#!/bin/sh\nls\n```\n") == ["scripts/x.sh"]
    assert labels("```bash scripts/x.sh\nls\n```\n") == ["scripts/x.sh"]


def test_output_and_diffs_are_no_code() -> None:
    assert shown_in("```log\nx\n```\n```diff\n-a\n+b\n```\n") == []


def test_a_first_line_label_is_cut_off_and_kept_aside() -> None:
    (shown,) = shown_in("```python\n# src/a.py\nx = 1\n```\n")
    assert isinstance(shown, Shown)
    assert (shown.text, shown.label) == ("x = 1\n", "# src/a.py\n")


def test_a_label_above_and_the_same_in_the_first_line() -> None:
    (shown,) = shown_in("a.py\n```python\n# src/a.py\nx = 1\n```\n")
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text) == ("src/a.py", "x = 1\n")
    (shown,) = shown_in("src/a.py\n```python\n# src/other.py\nx = 1\n```\n")
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text) == ("src/a.py", "# src/other.py\nx = 1\n"), (
        "a comment about another file is content"
    )


def test_a_users_file_may_begin_with_its_own_name() -> None:
    fence = "src/a.py\n```python\n# a.py\nx = 1\n```\n"
    (shown,) = shown_in(fence)
    assert isinstance(shown, Shown) and shown.text == "# a.py\nx = 1\n"
    (shown,) = read(fence).evidence
    assert isinstance(shown, Shown) and (shown.text, shown.label) == ("x = 1\n", "# a.py\n")


def test_a_name_without_an_extension_counts_only_where_it_is_tracked() -> None:
    (shown,) = shown_in("bin/run\n```python\nx = 1\n```\n")
    assert isinstance(shown, Shown)
    assert not shown.sure


def test_an_unclosed_fence_shows_nothing() -> None:
    assert shown_in("src/a.py\n```python\nx = 1\n") == []


def test_search_replace_blocks_are_no_file() -> None:
    assert labels("a.py\n```python\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n") == []


def test_prose_files_with_doubtful_fences_are_refused() -> None:
    assert labels("README.md\n```markdown\n# T\n\n```\nnpm i\n```\n\nMore.\n```\n") == []
    assert labels("README.md\n```markdown\n# T\n```\n") == ["README.md"]


def test_each_fence_has_its_own_label() -> None:
    text = f"a.py\n{FENCE}\nb.py\n{FENCE}\n{FENCE}"
    assert labels(text) == ["a.py", "b.py"]


def test_unlabelled_code_is_a_snippet_in_its_language() -> None:
    assert shown_in(FENCE) == [Snippet(CODE, "python")]
    assert shown_in("```\ndef f(): pass\n```\n") == [Snippet("def f(): pass\n", "")]


@pytest.mark.parametrize(
    "above",
    ["Before:", "**Before**", "### Example usage", "This is the old version:", "I like it. For example:", "Avoid this"],
)
@pytest.mark.parametrize("label", ["", "src/a.py\n"])
def test_the_sentence_just_above_takes_back(above: str, label: str) -> None:
    assert shown_in(f"{above}\n\n{label}{FENCE}") == []


@pytest.mark.parametrize(
    "above", ["That was not right. Here is mine:", "The old one was bad.\n\nThis is it:", "After:"]
)
def test_words_in_other_sentences_take_nothing_back(above: str) -> None:
    assert shown_in(f"{above}\n\n{FENCE}") and labels(f"{above}\n\nsrc/a.py\n{FENCE}") == ["src/a.py"]


# -- several files in one fence


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("python", {"shop/a.py": "def aa():\n    return 1\n", "shop/b.py": "def bb():\n    return 2\n"}),
        ("", {"shop/a.py": "def aa():\n    return 1\n", "shop/b.py": "from .a import aa\n\nX = aa()\n"}),
        ("js", {"src/a.js": "export const a = 1;\n", "src/b.jsx": "export const b = <b/>;\n"}),
        ("java", {"Cart.java": "class Cart {}\n", "Item.java": "class Item {}\n", "Tax.java": "class Tax {}\n"}),
        ("python", {"shop/__init__.py": "from .b import bb\n", "shop/b.py": "def bb():\n    return 2\n"}),
        ("yaml", {"k8s/a.yaml": "a: 1\n", "k8s/b.yaml": "b: 1\n"}),
    ],
)
@pytest.mark.parametrize("info", ["", " {}"])
@pytest.mark.parametrize("above", ["", "Both files:\n\n", "{}\n", "Code:\n"])
@pytest.mark.parametrize("between", ["", "\n", "\n\n"])
def test_a_comment_that_is_only_a_path_begins_another_file(
    language: str, texts: dict[str, str], info: str, above: str, between: str
) -> None:
    mark, first = "#" if language in ("", "python", "yaml") else "//", next(iter(texts))
    body = between.join(f"{mark} {path}\n{text}" for path, text in texts.items())
    found = shown_in(f"{above.format(first)}```{language}{info.format(first) if language else ''}\n{body}```\n")
    assert [(e.path, e.text) for e in found if isinstance(e, Shown)] == list(texts.items())


A, B = "# shop/a.py\ndef aa():\n    return 1\n", "def bb():\n    return 2\n"


@pytest.mark.parametrize(
    "body",
    [
        f"def zz(): pass\n{A}# shop/b.py\n{B}",
        f"{A}    # shop/b.py\n{B}",
        f"{A}# shop/a.py\n{B}",
        f"{A}# see shop/b.py\n{B}",
        f"{A}# shop/b.ts\n{B}",
        f"{A}# shop/b\n{B}",
        f"{A}# Discord.py\n{B}",
        f"{A}# shop/b.py\n# as it was\n",
        f"{A}# shop/b.py\nfrom shop import b\nimport b\n\n{B}",
        f"# shop/a.py\n# shop/b.py\n{B}",
    ],
)
def test_other_comments_begin_no_file(body: str) -> None:
    assert [e.text for e in shown_in(f"```python\n{body}```\n") if isinstance(e, (Shown, Snippet))] in (
        [body],
        [body.partition("\n")[2]],
    )


def test_too_many_files_are_one() -> None:
    body = "".join(f"# shop/a{n}.py\nx = 1\n" for n in range(FILES_MAX + 1))
    assert len(shown_in(f"```python\n{body}```\n")) == 1


def test_what_is_taken_back_is_so_with_all_its_files() -> None:
    assert shown_in(f"The old version:\n```python\n{A}\n# shop/b.py\n{B}```\n") == []


@pytest.mark.parametrize(
    ("said", "is_shown"),
    [
        ("Write tests for this file.", True),
        ("Write tests for this:", True),
        ("Please add an example to the docstring", True),
        ("Fix a flaky test for Darwin", True),
        ("the output is wrong", True),
        ("The output is wrong:", False),
        ("Expected output", False),
        ("Here is a test for Darwin:", False),
        ("Avoid the old loop\n\nThis is about shop/a.py, shop/b.py", True),
        ("Here is the example of the docs.", False),
        ("Write it as in this example:", False),
        ("That is\nthe old one", False),
    ],
)
def test_what_the_user_asks_for_takes_nothing_back(said: str, is_shown: bool) -> None:
    assert [isinstance(one, Shown) for one in shown_in(f"{said}\n\nshop/a.py\n```python\n{A}```\n")] == [
        True
    ] * is_shown


def test_what_he_asks_for_may_be_as_code_without_a_label_is() -> None:
    assert shown_in("Write it like the old one.\n\n```python\nx = 1\n```\n") == []


def test_files_of_a_fence_that_another_label_names_are_its_content() -> None:
    (shown,) = shown_in(f"shop/all.py\n```python\n{A}\n# shop/b.py\n{B}```\n")
    assert isinstance(shown, Shown) and shown.path == "shop/all.py"


def test_a_word_above_is_no_label_where_the_first_line_is_one() -> None:
    assert labels("Solution:\n```python\n# src/a.py\nx = 1\n```\n") == ["src/a.py"]
