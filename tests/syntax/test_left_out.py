"""Left-out code: what stands for code, what only talks about it, and what was there before."""

import pytest

from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.left_out import is_placeholder, placeholders
from tslp_litellm.syntax.measuring import measure

PYTHON = language_named("python")
PLACEHOLDERS = """
// ...
# ... (existing code)
// ... existing code ...
# ... (rest of the existing code)
# other methods...
# ... rest of the method ...
# existing code...
# ... (rest of the method)
// ... rest of the code
/* rest of existing styles... */
{/* ... */}
# ... (keep the rest of the method as is)
# ... (other parts of the class remain the same)
// ... methods using itemdata
<!-- ... autres balises meta ... -->
{/* ... autres sections existantes ... */}
# your existing code here
# ... rest of the function stays the same ...
// ...existing code...
// rest of the file remains unchanged
# unchanged
// (rest of code)
/* previous code */
// UNCHANGED CODE
// No changes here
# Existing methods remain unchanged
// Keep existing imports
# rest of implementation...
// existing handler code here
# The rest of the code remains the same as before.
// Same as before
# [rest of the file]
// other routes unchanged
-- rest of the query
# ... (other parts remain the same)
# (rest of the class unchanged)
// Weitere Methoden bleiben unverändert
// Restlicher Code bleibt gleich
// Остальной код без изменений
// 其余代码保持不变
// 残りのコードは変更なし
# code omitted for brevity
# skipped for brevity
// remains unchanged
// stays the same
# same code as before
// add your code here
# implementation goes here
// logic here
// weitere Methoden unverändert
// wie zuvor
# el resto sigue igual
# tu código aquí
# sem alterações
// o resto do código permanece o mesmo
// invariato
# как раньше
# 与之前相同
// 其餘程式碼保持不變
// 同上
# rest van de code
# reszta kodu
# kodun geri kalanı aynı
# решта коду
# ... and so on
# ... and the rest of the code
""".strip().splitlines()

REMARKS = """
// ...prev,
# TODO: existing code needs a rewrite ...
# loading...
# Handle the rest of the arguments
# keep the connection alive
# Wait for more data
// existing users get a discount
# return the remaining balance
// other is the right-hand side
# same thing for headers
# skip unchanged files
# If the rest of the line is empty, stop
// previous value of x
# as above, but for bytes
# No changes are made to the input
// original implementation by Joe Smith
# We need to use the existing connection
// the class is the same for both
# more tests
# See https://example.com/...
# Remaining bytes
# Use the remaining budget
# the body is empty
// keep the existing behaviour for old clients
/* Keep the rest */
# This is the same as in the RFC
# Other methods are not allowed here
# the remaining arguments
# ... and do it!
# ... but do not escape inside comment.
# ... = await connect(...)
# Same here
# for brevity
# TODO: add your code here
# rebind it to that of the current class...
# the code here is generated
# Put the value here
""".strip().splitlines()


@pytest.mark.parametrize("comment", PLACEHOLDERS)
def test_a_placeholder_is_one(comment: str) -> None:
    assert is_placeholder(comment)


@pytest.mark.parametrize("comment", REMARKS)
def test_a_remark_is_none(comment: str) -> None:
    assert not is_placeholder(comment)


def found(language: str, text: str, base: str | None = None) -> int:
    row = language_named(language)
    return len(placeholders(measure(row, text.encode()), measure(row, base.encode()) if base is not None else None))


def test_strings_are_not_comments() -> None:
    assert found("python", 'x = "... existing code ..."\ny = "# ... rest of the file ..."\n') == 0
    assert found("javascript", "const a = [...prev, 'loading...'];\nconst b = `// ... existing code ...`;\n") == 0


def test_lines_of_a_docstring_give_way_to_a_comment_that_says_so() -> None:
    head, tail = 'def f(x):\n    """Doubles.\n\n', '    x: a number\n    """\n    return x * 2\n'
    old = f"{head}    first\n    second\n    third\n{tail}"
    line = "    # ... (other parts remain the same)\n"

    def found(text: str) -> tuple[int, ...]:
        return placeholders(measure(PYTHON, text.encode()), measure(PYTHON, old.encode()))

    assert found(f"{head}    first\n{line}{tail}")
    assert not found(f"{head}    first\n    second\n    third\n{line}{tail}"), "nothing gave way"
    assert not found(f"{head}    first\n    # ...\n{tail}"), "an example"
    assert not found(f"{head}    first\n    second\n{tail}")


def test_code_that_always_had_the_phrase_is_no_placeholder() -> None:
    text = "def f():\n    # rest of the code\n    return 1\n"
    assert found("python", text) == 1
    assert found("python", text.replace("1", "2"), text) == 0


def test_documentation_shows_dots_in_its_examples() -> None:
    assert found("rust", "/// ```\n/// ...\n/// ```\npub fn f() {}\n") == 0
    assert found("javascript", "/**\n * foo(1)\n * ...\n */\nfunction foo() { return 1; }\n") == 0
    assert found("javascript", "function foo() {\n  /* ... */\n}\n") == 1


def test_an_example_in_a_run_of_comments_shows_dots() -> None:
    assert found("python", "# Use it so:\n#     with lock:\n#         ...\nx = 1\n") == 0
    assert found("python", "# Use it so:\n# ...\nx = 1\n") == 1
    assert found("c", "/*\n * start();\n *   ... wait for it\n */\nint x;\n") == 0
    assert found("c", "/*\n * start();\n *   ... rest of the code\n */\nint x;\n") == 1


def test_the_end_of_a_wrapped_sentence_is_none() -> None:
    full = "# The names of the arguments may be anything, as long as the types are"
    assert found("python", f"{full}\n# unchanged.\nx = 1\n") == 0
    assert found("python", f"{full}\n# unchanged\nx = 1\n") == 1, "no full stop: it may stand for code"
    assert found("python", f"{full}.\n# unchanged.\nx = 1\n") == 1, "the sentence was over"
    assert found("python", "# The types are\n# unchanged.\nx = 1\n") == 1, "there was room for the word"
    assert found("python", f"{full}\n# ... unchanged.\nx = 1\n") == 1, "dots are no sentence"
    assert found("c", f"/* {full[2:]}\n   unchanged */\nint x;\n") == 0


def test_a_placeholder_inside_a_block_comment_is_seen() -> None:
    assert found("c", "int f(void) {\n/*\n * rest of the code\n */\n}\n") == 1


class TestBareDots:
    """In Python a bare `...` is code; beside other statements, or in the place of a body, it hides some."""

    def test_stubs_are_code(self) -> None:
        assert found("python", "class P(Protocol):\n    def f(self) -> int: ...\n\n\nclass E(Exception): ...\n") == 0

    def test_beside_other_statements(self) -> None:
        assert found("python", "def f():\n    x = 1\n    ...\n    return x\n") == 1
        assert found("python", "class A:\n    ...\n\n    def g(self):\n        return 1\n") == 1

    def test_in_the_place_of_a_body(self) -> None:
        assert found("python", "def f():\n    ...\n", "def f():\n    return 1\n") == 1
        assert found("python", "def f(): ...\n", "def f(): ...\n") == 0

    def test_an_overload_in_front_of_the_body(self) -> None:
        body = "def f(x):\n    return x\n"
        assert found("python", f"@overload\ndef f(x: int) -> int: ...\n\n\n{body}", body) == 0
        assert found("python", f"{body}\n\ndef f(x): ...\n", f"{body}\n\n{body}") == 1
        more = f"{body}\n\n@overload\ndef f(x: str) -> str: ...\n\n\n{body}"
        assert found("python", more, f"{body}\n\n{body}") == 0, "in front of the last of three"

    def test_where_it_always_was(self) -> None:
        text = "def f():\n    x = 1\n    ...\n    return x\n"
        assert found("python", text.replace("x = 1", "x = 2"), text) == 0

    def test_without_a_parse_the_lines_are_looked_at(self) -> None:
        assert found("perl", "sub f {\n  ...\n}\n") == 1
        assert found("perl", "sub f {\n  # rest of the code\n}\n") == 1
        assert found("perl", "sub f { return 1; }\n") == 0
