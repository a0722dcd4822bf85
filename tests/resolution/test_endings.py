"""Bare output that ends otherwise than our text: what may be a tool's word about more makes the file DIRTY."""

from __future__ import annotations

import pytest

from tests.mutual.judging import ABSENT, DIRTY, becomes

PY = (
    "import os\n\nLIMIT = 5\n\n\ndef slug(s):\n    return s.lower()\n\n\ndef shout(s):\n    return s.upper()\n\n\n"
    "def count(items):\n    n = 0\n    for item in items:\n        n += 1\n    return n\n"
)
GO = (
    'package a\n\nimport "strings"\n\nfunc Slug(s string) string {\n\treturn strings.ToLower(s)\n}\n\n'
    "func Count(n int) int {\n\treturn n + 1\n}\n"
)
RB = "require 'set'\n\ndef slug(s)\n  s.downcase\nend\n\ndef count(n)\n  n + 1\nend\n"
MD = "# Title\n\nSome words here.\n\n## Usage\n\nCall `slug`.\n\n## License\n\nMIT, see the file.\n"
TXT = "alpha one\nbeta two\ngamma three\ndelta four\nepsilon five\n"
YML = "name: a\nsteps:\n  - run: make\n  - run: test\nend: true\nlast: 5\n"
SH = '#!/bin/sh\nslug() {\n  echo "$1"\n}\nslug a\nslug b\necho done\n'
JSON = '{\n  "name": "a",\n  "deps": {\n    "b": "1"\n  }\n}\n'
FILES = {
    "a.py": (PY, 8), "a.go": (GO, 7), "a.rb": (RB, 5), "README.md": (MD, 5), "a.txt": (TXT, 3), "a.yaml": (YML, 4),
    "a.sh": (SH, 5), "a.json": (JSON, 6),
}  # fmt: skip
WORDS = [
    "The file continues.", '{"has_more": true}', "[cut]", "    [cut]", "--More--", "(12 more lines)", "… and so on",
    "...", "has_more = True", "more", "# and so on", "<more/>", "truncated: true", "next_offset=11", "not shown",
    "Und so weiter bis zum Schluss", '{\n  "next": 9\n}',
]  # fmt: skip
READS = [("read_file", "file_path", ""), ("bash", "command", "cat ")]


def after_read(path: str, base: str | None, shown: str, read: tuple[str, str, str]) -> str:
    tool, argument, prefix = read
    return becomes(path, base, tool, {argument: prefix + path}, shown)


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("path", FILES)
class TestAWordAboutMore:
    def test_behind_the_beginning_never_becomes_the_text(
        self, path: str, word: str, read: tuple[str, str, str]
    ) -> None:
        text, lines = FILES[path]
        head = "".join(text.splitlines(keepends=True)[:lines])
        for shown in (head + word, head + word + "\n", head + "\n" + word + "\n"):
            assert after_read(path, text, shown, read) in (text, DIRTY)
            changed = text.replace("a", "e", 1)
            assert after_read(path, changed, shown, read) in (changed, DIRTY)

    def test_behind_all_of_it_never_becomes_the_text(self, path: str, word: str, read: tuple[str, str, str]) -> None:
        text, _ = FILES[path]
        for shown in (text + word, text + word + "\n", text + "\n" + word + "\n"):
            assert after_read(path, text, shown, read) in (text, DIRTY)


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("path", ["a.py", "a.go", "a.rb", "a.json"])
@pytest.mark.parametrize("word", ["The file continues.", '{"has_more": true}', "[cut]", "--More--", "...", "more"])
def test_of_an_unknown_file_it_proves_nothing(path: str, word: str, read: tuple[str, str, str]) -> None:
    text, lines = FILES[path]
    for head in ("".join(text.splitlines(keepends=True)[:lines]), text):
        assert after_read(path, None, f"{head}{word}\n", read) == ABSENT


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("path", FILES)
def test_a_word_in_the_place_of_lines_in_the_midst_never_becomes_the_text(
    path: str, read: tuple[str, str, str]
) -> None:
    lines = FILES[path][0].splitlines(keepends=True)
    shown = "".join([*lines[:2], "[cut]\n", *lines[-2:]])
    assert after_read(path, FILES[path][0], shown, read) in (FILES[path][0], DIRTY)


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    ("path", "base", "now"),
    [
        ("a.py", PY, PY.replace("    return n\n", "    return n + 1\n")),
        ("a.py", PY, PY.replace("    return n\n", "    print(n)\n")),
        ("a.py", PY, PY.replace("lower", "casefold")),
        ("a.py", PY, PY + "\n\ndef more(x):\n    return x\n"),
        ("a.py", PY, PY + "\n\nOTHER = 3\n"),
        ("a.py", PY, PY + '\n\nif __name__ == "__main__":\n    print(count([]))\n'),
        ("a.py", PY, PY + "\n\nshout('a')\n"),
        ("a.py", PY, PY[: PY.index("\n\n\ndef count")] + "\n"),
        ("a.py", "A = 1\nB = 2\n", "A = 1\nB = 3\n"),
        ("a.py", "A = 1\n", "A = 1\nB = 2\n"),
        ("a.go", GO, GO + "\nfunc More() int {\n\treturn 1\n}\n"),
        ("a.rb", RB, RB + "\ndef more(n)\n  n\nend\n"),
        ("README.md", MD, MD.replace("Some words", "Other words")),
        ("README.md", MD, MD + "\n## More\n\nText here.\n"),
        ("README.md", MD, MD.replace("see the file", "see LICENSE")),
        ("a.txt", TXT, TXT.replace("beta", "bita")),
        ("a.yaml", YML, YML.replace("last: 5", "last: 6")),
        ("a.sh", SH, SH + "slug c\n"),
        ("a.json", JSON, JSON.replace('"1"', '"2"')),
        ("requirements.txt", "flask==2.0\nrequests==1.1\n", "flask==2.0\nrequests==1.1\nrich==3.0\n"),
    ],
)
def test_a_file_that_changed_is_read(path: str, base: str, now: str, read: tuple[str, str, str]) -> None:
    assert after_read(path, base, now, read) == now


@pytest.mark.parametrize("read", READS)
def test_a_last_function_that_gave_way_to_another_is_right_or_dirty(read: tuple[str, str, str]) -> None:
    now = PY[: PY.index("def count")] + "def total(items):\n    return sum(items)\n"
    assert after_read("a.py", PY, now, read) in (now, DIRTY)


def test_the_frame_of_an_output_tells_nothing_of_its_end() -> None:
    shown = "<returncode>0</returncode>\n<output>\n" + PY[: PY.index("def count")] + "[cut]\n</output>"
    assert becomes("a.py", PY, "bash", {"command": "cat a.py"}, shown) == DIRTY
    assert becomes("a.py", None, "bash", {"command": "cat a.py"}, shown) == ABSENT
