"""Bare output for files that nobody knows yet: what ends in a word about more, or can't end there, proves nothing."""

from __future__ import annotations

import pytest

from tests.mutual.judging import ABSENT, DIRTY, becomes

from .test_endings import READS, after_read

SH = '#!/bin/sh\nset -e\nslug() {\n  echo "$1"\n}\nslug a\nslug b\necho done\n'
YML = "name: a\nsteps:\n  - run: make\n  - run: test\nend: true\nlast: 5\n"
TOML = "[a]\nname = 'x'\nport = 80\n\n[b]\nk = 1\nm = 2\n"
MD = "# Title\n\nSome words here.\n\n## Usage\n\nCall `slug`:\n\n```sh\nslug a\n```\n\n## License\n\nMIT, see the file.\n"
ENV = "HOST=example.org\nKEY=abc\nTOKEN=def\nPORT=80\n"
CSS = ".a {\n  color: red;\n}\n\n.b {\n  margin: 0;\n}\n\n.c {\n  top: 0;\n}\n"
XML = '<?xml version="1.0"?>\n<a>\n  <b>1</b>\n  <b>2</b>\n  <c>\n    <d>3</d>\n  </c>\n</a>\n'
HTML = "<!doctype html>\n<html>\n<body>\n  <p>one</p>\n  <p>two</p>\n  <p>three</p>\n</body>\n</html>\n"
JSON = '{\n  "name": "a",\n  "deps": {\n    "b": "1",\n    "c": "2"\n  },\n  "port": 80\n}\n'
CONF = "http {\n  server {\n    listen 80;\n  }\n  server {\n    listen 81;\n  }\n}\n"
TEXTS = {
    "a.sh": SH, "a.yaml": YML, "a.toml": TOML, "README.md": MD, "a.env": ENV, "a.css": CSS, "a.xml": XML,
    "a.html": HTML, "a.json": JSON, "a.jsonc": JSON, "a.conf": CONF,
}  # fmt: skip
WORDS = [
    "# ... 120 more lines", "# 120 more lines follow", "<!-- truncated -->", "[output truncated]", "// … 12 more",
    "/* the rest is unchanged */", "... (40 more lines)", "# file continues below", "<!-- 30 more elements -->",
    "… output cut …",
]  # fmt: skip


def framed(path: str, text: str) -> str:
    shown = f"<returncode>0</returncode>\n<output>\n{text}</output>"
    return becomes(path, None, "bash", {"command": f"cat {path}"}, shown)


@pytest.mark.parametrize("path", TEXTS)
def test_the_frame_of_an_output_tells_nothing_of_its_end(path: str) -> None:
    text, lines = TEXTS[path], TEXTS[path].splitlines(keepends=True)
    assert framed(path, text) == text
    heads = ("".join(lines[: len(lines) // 2]), text)
    assert [word for head in heads for word in WORDS if framed(path, f"{head}{word}\n") != ABSENT] == []


@pytest.mark.parametrize("word", ["# ... 120 more lines ...", "[... 500 lines omitted ...]", "… 12 lines …"])
@pytest.mark.parametrize("path", TEXTS)
def test_a_word_in_the_midst(path: str, word: str) -> None:
    lines = TEXTS[path].splitlines(keepends=True)
    text = "".join([*lines[:2], f"{word}\n", *lines[-2:]])
    assert framed(path, text) == ABSENT
    assert all(after_read(path, None, text, read) == ABSENT for read in READS)


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("path", TEXTS)
def test_a_word_about_more(path: str, read: tuple[str, str, str]) -> None:
    lines = TEXTS[path].splitlines(keepends=True)
    heads = ["".join(lines[: len(lines) // 2]), TEXTS[path]]
    made = [f"{head}{word}\n" for head in heads for word in WORDS]
    made += [f"{head}\n{word}" for head, word in zip(heads * len(WORDS), WORDS, strict=False)]
    assert [text for text in made if after_read(path, None, text, read) != ABSENT] == []
    assert [text for text in made if after_read(path, TEXTS[path], text, read) not in (TEXTS[path], DIRTY)] == []


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    ("path", "cut"),
    [
        ("README.md", MD[: MD.index("```\n\n##")]),
        ("README.md", MD.replace("```sh", "~~~~sh")),
        ("a.html", HTML[: HTML.index("</body>")]),
        ("a.html", HTML.replace("</html>\n", "")),
        ("a.xml", XML[: XML.index("  <c>")]),
        ("a.xml", XML[: XML.index("</a>")]),
        ("a.json", JSON[: JSON.index('  "port"')]),
        ("a.json", JSON[: JSON.rindex("}")]),
        ("a.jsonc", JSON[: JSON.rindex("}")]),
        ("a.jsonl", '{"a": 1}\n{"a": 2}\n{"a": 3}\n{"a": \n'),
        ("a.css", CSS[: CSS.rindex("}")]),
        ("a.scss", CSS[: CSS.rindex("}")]),
        ("a.conf", CONF[: CONF.rindex("}")]),
        ("a.sh", SH + "if true; then\n  echo a\n"),
    ],
)
def test_what_does_not_close(path: str, cut: str, read: tuple[str, str, str]) -> None:
    assert after_read(path, None, cut, read) == framed(path, cut) == ABSENT


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    ("path", "text"),
    [
        *TEXTS.items(),
        ("a.svg", '<svg width="1">\n  <g/>\n  <path d="a"/>\n  <g/>\n</svg>\n'),
        ("a.html", "<ul>\n  <li>one</li>\n  <li>two</li>\n  <li>three</li>\n</ul>\n"),
        ("a.yaml", YML + "# other: 1\n"),
        ("b.md", MD + "\n````md\n```sh\nslug\n```\n````\n"),
    ],
)
def test_a_whole_text_is_read(path: str, text: str, read: tuple[str, str, str]) -> None:
    assert after_read(path, None, text, read) == text
