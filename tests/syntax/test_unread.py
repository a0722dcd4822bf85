"""A gap of a grammar is proven by a known form of line, and by nothing else."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import measure
from tslp_litellm.syntax.unread import are_the_grammars

BODIES = {
    "typescript": "export function f() {\n  return 1;\n}\n",
    "tsx": "export function f() {\n  return <b>1</b>;\n}\n",
    "javascript": "export function f() {\n  return 1;\n}\n",
    "java": "public class B {\n    int a() { return 1; }\n}\n",
    "csharp": "namespace A\n{\n    public class B { public int C() { return 1; } }\n}\n",
    "cpp": "#include <a>\n\nint a() {\n    return 1;\n}\n",
    "c": "#include <a.h>\n\nint a(void) {\n    return 1;\n}\n",
    "dart": "int a() {\n  return 1;\n}\n",
    "bash": "a() {\n  echo 1\n}\n",
    "python": "import re\n\n\ndef a():\n    return 1\n",
    "go": "package a\n\nfunc A() int {\n\treturn 1\n}\n",
}
ROWS = json.loads((resources.files("tslp_litellm") / "data" / "grammar_gaps.json").read_text("utf-8"))["rows"]
EXAMPLES = [(name, line) for row in ROWS for name in row["languages"] for line in row["examples"]]


def excused(language: str, line: str) -> bool | None:
    """Whether a new line before or after a file's code is taken for a gap; None where the grammar reads it."""
    known, body = language_named(language), BODIES[language]
    base = measure(known, body.encode())
    first, _, rest = body.partition("\n")
    places = [f"{first}\n\n{line}\n{rest}", f"{body}\n{line}\n"] if language == "go" else [f"{line}\n{body}"]
    seen = [measure(known, text.encode()) for text in places]
    return None if any(one.sound for one in seen) else all(are_the_grammars(one, base) for one in seen)


@pytest.mark.parametrize(("language", "line"), EXAMPLES)
def test_known_forms_that_the_grammar_cannot_read(language: str, line: str) -> None:
    assert excused(language, line) is True, "the row has become needless, or is too narrow"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("python", "import"),
        ("python", "import re from"),
        ("python", "Now the changed function:"),
        ("python", "$ python util.py"),
        ("python", "~~~"),
        ("python", "<<<<<<< HEAD"),
        ("python", "-import os"),
        ("python", "export type * from './types';"),
        ("go", "This is the new version"),
        ("javascript", "import x form 'x';"),
        ("javascript", "export type * from './types';"),
        ("typescript", "export type * form './types';"),
        ("typescript", "export type * from './types'; and so on"),
        ("java", "import java.util.;"),
        ("java", "import module java.base"),
        ("csharp", "using System"),
        ("c", "see the header"),
    ],
)
def test_whatever_else_has_an_error_is_wrong(language: str, line: str) -> None:
    assert excused(language, line) is False


def test_a_gap_beside_a_bracket_that_is_open_is_none() -> None:
    ts = language_named("typescript")
    base = measure(ts, BODIES["typescript"].encode())
    gap = "export type * from './types';\n"
    assert are_the_grammars(measure(ts, (gap + BODIES["typescript"]).encode()), base)
    assert not are_the_grammars(measure(ts, (gap + "const x = (\n" + BODIES["typescript"]).encode()), base)
