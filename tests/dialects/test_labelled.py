"""Path proof in every style that models and users have, and what is no proof."""

import pytest

from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.labelled import read, shown_by, shown_in
from tslp_litellm.dialects.values import Edit, Evidence, Shown, Snippet, Standing

CODE = "x = 1\n"
FENCE = f"```python\n{CODE}```\n"


def labels(text: str) -> list[str]:
    return stated([e for e in shown_in(text) if not isinstance(e, Shown) or e.sure])


def stated(found: list[Evidence]) -> list[str]:
    return [e.path for e in found if isinstance(e, Shown) and e.standing is Standing.STATED]


@pytest.mark.parametrize(
    "text",
    [
        f"src/a.py\n{FENCE}",
        f"src/a.py:\n{FENCE}",
        f"src/a.py\n\n\n{FENCE}",
        f"**src/a.py**\n{FENCE}",
        f"**src/a.py**:\n\n{FENCE}",
        f"**`src/a.py`**\n{FENCE}",
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
        f"**File:** `src/a.py`\n{FENCE}",
        f"Filename: src/a.py\n{FENCE}",
        f"Updated file: src/a.py\n{FENCE}",
        f"Here is the updated `src/a.py`:\n\n{FENCE}",
        f"I changed the function. Now src/a.py looks like this:\n{FENCE}",
        f"See README. The new content of\nsrc/a.py is:\n{FENCE}",
        f"```python src/a.py\n{CODE}```\n",
        f"```src/a.py\n{CODE}```\n",
        f"```python:src/a.py\n{CODE}```\n",
        f'```python title="src/a.py"\n{CODE}```\n',
        f"```python {{filename=src/a.py}}\n{CODE}```\n",
        f"```python\n# src/a.py\n{CODE}```\n",
        f"```python\n# filepath: src/a.py\n{CODE}```\n",
        f"```python\n# File: src/a.py\n{CODE}```\n",
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
        (f"### lib/Koa.js\n{JS}", "lib/Koa.js"),
        ("```js App.js\nrun();\n```\n", "App.js"),
        ("```js\n// File: App.js\nrun();\n```\n", "App.js"),
        ("```js\n// app.js\nrun();\n```\n", "app.js"),
        (f"Here is the new `App.js` component:\n{JS}", "App.js"),
        (f"Here is the new app.js:\n{JS}", "app.js"),
        (f"Here is the new app.js file:\n{JS}", "app.js"),
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


@pytest.mark.parametrize(
    "text", [f"### App.js\n{JS}", f"Here is the new App.js:\n{JS}", "schema.prisma\n```\nx\n```\n"]
)
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


@pytest.mark.parametrize("info", ["suggestion", "pycon", "repl", "suggestion src/a.py", "whatever title=src/a.py"])
def test_a_fence_in_a_language_that_nobody_knows_is_doubted(info: str) -> None:
    assert [s.doubted for s in shown_in(f"src/a.py\n```{info}\n{CODE}```\n") if isinstance(s, Shown)] == [True]


@pytest.mark.parametrize("info", ["python", "py", "", "src/a.py", "py:src/a.py", "{.python}", 'title="src/a.py"'])
def test_one_of_the_path_s_language_is_not(info: str) -> None:
    assert [s.doubted for s in shown_in(f"src/a.py\n```{info}\n{CODE}```\n") if isinstance(s, Shown)] == [False]


@pytest.mark.parametrize("asked", ["Do you want me to apply this?", "**Soll ich das so übernehmen?**", "要这样写吗？"])
def test_what_a_model_asks_about_is_not_written(asked: str) -> None:
    text = f"{asked}\n\nsrc/a.py\n{FENCE}"
    assert labels(text) == []
    assert stated(shown_by(text, fences(text), by_user=True)) == ["src/a.py"]
    assert labels(f"{asked}\n\nIt is done.\n\nsrc/a.py\n{FENCE}") == ["src/a.py"]


def test_a_user_s_sentence_shows_a_script() -> None:
    script = "Here is my bin/run.sh:\n\n```bash\n{}ls\n```\n"
    by_user = [shown_by(text, fences(text), by_user=True) for text in (script.format("#!/bin/sh\n"), script.format(""))]
    assert [(s.path, s.said, s.doubted) for (s,) in by_user if isinstance(s, Shown)] == [
        ("bin/run.sh", True, False),
        ("bin/run.sh", True, True),
    ]
    assert shown_in(script.format("#!/bin/sh\n")) == shown_in(script.format("")) == []


@pytest.mark.parametrize(("path", "info"), [("Dockerfile", "dockerfile"), ("Makefile", "makefile")])
def test_a_sentence_names_a_file_whose_name_is_a_word(path: str, info: str) -> None:
    assert labels(f"Here is my {path}:\n\n```{info}\nall: x\n```\n") == [path]


def test_a_script_with_its_interpreter_line_is_a_file() -> None:
    assert labels("scripts/x.sh\n```bash\n#!/bin/sh\nls\n```\n") == ["scripts/x.sh"]
    assert labels("```bash scripts/x.sh\nls\n```\n") == ["scripts/x.sh"]


def test_output_diffs_and_data_are_no_code() -> None:
    assert shown_in("```log\nx\n```\n```diff\n-a\n+b\n```\n```json\n{}\n```\n") == []


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


def test_a_diff_that_is_called_an_alternative_is_one_of_several_versions() -> None:
    diff = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n"
    (one,) = read(f"Alternatively:\n\n{diff}").evidence
    assert isinstance(one, Edit)
    assert one.standing is Standing.ALTERNATIVE
    assert read(f"Don't do this:\n\n{diff}").evidence == ()
