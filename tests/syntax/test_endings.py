"""What the last line of a text is by its language."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.syntax.endings import Ending, ending, first_word
from tslp_litellm.syntax.languages import language_of_path

PY = "import os\n\n\ndef slug(s):\n    return s.lower()\n"
JS = "import a from 'a';\n\nfunction slug(s) {\n  return a(s);\n}\n"


@pytest.mark.parametrize(
    ("path", "text", "what"),
    [
        ("a.py", PY, Ending.INSIDE),
        ("a.py", PY + "\n\nslug(os.name)\n", Ending.OUTSIDE),
        ("a.py", PY + "\n\nLIMIT = 5\n", Ending.OUTSIDE),
        ("a.py", PY + "\n\nif os:\n    slug(1)\n", Ending.OUTSIDE),
        ("a.py", PY + "[cut]\n", Ending.IDLE),
        ("a.py", PY + "    [cut]\n", Ending.IDLE),
        ("a.py", PY + "...\n", Ending.IDLE),
        ("a.py", PY + "more\n", Ending.IDLE),
        ("a.py", PY + "not shown\n", Ending.IDLE),
        ("a.py", PY + '{"has_more": True}\n', Ending.IDLE),
        ("a.py", PY + '{\n  "has_more": True\n}\n', Ending.IDLE),
        ("a.js", JS, Ending.CLOSING),
        ("a.js", JS + "\nslug('a');\n", Ending.OUTSIDE),
        ("a.js", JS + "\nmodule.exports = {\n  slug,\n};\n", Ending.OUTSIDE),
        ("a.js", JS + "\n(() => slug('a'))();\n", Ending.OUTSIDE),
        ("a.js", JS + "\nexport default slug\nexport { slug }\n", Ending.OUTSIDE),
        ("a.js", JS + "[cut]\n", Ending.IDLE),
        ("A.cs", "namespace A\n{\n    class B\n    {\n        int C() { return 1; }\n    }\n}\n", Ending.CLOSING),
        ("a.clj", "(defn two [z]\n  (+ (one z)\n     (one (inc z))))\n", Ending.CLOSING),
        ("a.rb", "def slug(s)\n  s.downcase\nend\n", Ending.INSIDE),
        ("a.rb", "def slug(s)\n  s.downcase\nend\n[cut]\n", Ending.IDLE),
    ],
)
def test_a_last_line(path: str, text: str, what: Ending) -> None:
    assert ending(outline(language_of_path(path), text)) is what


@pytest.mark.parametrize(("line", "word"), [("  return x", "return"), ("@app.get", "@app"), ("} else", ""), ("", "")])
def test_the_word_that_a_line_begins_with(line: str, word: str) -> None:
    assert first_word(line) == word
