"""Code that gave way to nothing, in any words, and edits that only look like it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tslp_litellm.syntax.languages import Nature, language_named
from tslp_litellm.syntax.measuring import measure, outlined
from tslp_litellm.syntax.outline import Outline, Span
from tslp_litellm.syntax.stubs import gave_way

PYTHON = """\
import re


def slug(s):
    s = s.strip().lower()
    s = re.sub(r'a', '-', s)
    if not s:
        raise ValueError('empty')
    return s.strip('-')


def title(s):
    return s.title()
"""
SLUG = PYTHON[PYTHON.index("    s = s.strip()") : PYTHON.index("\n\n\ndef title")]
CHECK = "    if not s:\n        raise ValueError('empty')\n"
LAST = "    return s.title()"
JAVASCRIPT = """\
import a from 'a';

export function one(x) {
  const y = x + 1;
  log(y);
  return y * 2;
}

const two = (a) => {
  run(a);
  return a;
};
"""
ONE, TWO = "  const y = x + 1;\n  log(y);\n  return y * 2;\n", "  run(a);\n  return a;\n"
RUST = "use a::b;\n\nimpl T {\n    pub fn f(&self, n: u32) -> Result<u32, E> {\n        let x = self.g(n)?;\n        Ok(x + 1)\n    }\n}\n"
GO = "package a\n\nfunc F(n int) (int, error) {\n\tx, err := g(n)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn x, nil\n}\n"
RUBY = "class A\n  def f(x)\n    y = x + 1\n    g(y)\n  end\nend\n"
LOOP = "package a\n\nfunc F(n int) {\n\tfor x := range n {\n\t\tg(x)\n\t\th(x)\n\t}\n\tk(n)\n}\n"
CSHARP = "class A {\n    int B(int x) {\n        var y = x + 1;\n        return y * G(y);\n    }\n}\n"
KOTLIN = "package a\n\nclass A {\n    fun two(): Int {\n        val x = one()\n        return x + 2\n    }\n}\n"
SCALA = "package a\n\nobject A {\n  def one(x: Int): Int = {\n    val y = compute(x)\n    y + 1\n  }\n}\n"
JSON = '{\n  "name": "x",\n  "dependencies": {\n    "a": "1",\n    "b": "2"\n  }\n}\n'
INNER = {
    "rust": (RUST, "        let x = self.g(n)?;\n        Ok(x + 1)\n"),
    "go": (GO, GO[GO.index("\tx, err") : -2]),
    "ruby": (RUBY, "    y = x + 1\n    g(y)\n"),
    "csharp": (CSHARP, "        var y = x + 1;\n        return y * G(y);\n"),
    "kotlin": (KOTLIN, "        val x = one()\n        return x + 2\n"),
    "scala": (SCALA, "    val y = compute(x)\n    y + 1\n"),
    "json": (JSON, '    "a": "1",\n    "b": "2"\n'),
}


def seen(language: str, text: str) -> Outline:
    return measure(language_named(language), text.encode())


def found(language: str, base: str, old: str, new: str) -> bool:
    assert old in base
    return bool(gave_way(seen(language, base.replace(old, new)), seen(language, base)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LAST, "    pass"),
        (LAST, "    # identico a quello di prima\n    pass"),
        ("(s):\n" + LAST, "(s, x=1): pass"),
        (LAST, '    """Unaltered."""'),
        (LAST, "    raise NotImplementedError"),
        (CHECK, "    # validation comes here\n"),
        (CHECK, "    pass\n"),
        (SLUG, "    return ''"),
        (SLUG, "    raise RuntimeError('later')"),
        (SLUG, "    # 중간 내용은 이전과 같습니다\n    return s"),
        (SLUG, "    'unchanged'"),
        (LAST, "    raise Exception('keep the old body')"),
        (LAST, "    assert False, 'existing code'"),
        (LAST, "    return NotImplemented"),
    ],
)
def test_python(old: str, new: str) -> None:
    if new.endswith("return s"):
        new, old = new.replace("\n    return s", ""), SLUG.rpartition("\n")[0]
    assert found("python", PYTHON, old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (TWO, "  // igual que antes\n"),
        (ONE, "  throw new Error('Not implemented');\n"),
        (ONE, "  return null;\n"),
        ("(x) {\n" + ONE + "}", "(x, z) { return null; }"),
        ("  log(y);\n", "  // (bleibt, wie es ist)\n"),
        (ONE, "  throw 'keep the old body';\n"),
        (ONE, "  `existing code`;\n"),
        (ONE, "  return null!;\n"),
    ],
)
def test_javascript(old: str, new: str) -> None:
    assert found("javascript", JAVASCRIPT, old, new)


@pytest.mark.parametrize(
    ("language", "new"),
    [
        ("rust", "        todo!()\n"),
        ("rust", '        unimplemented!("later")\n'),
        ("go", '\tpanic("not implemented")\n'),
        ("go", "\t// wie gehabt\n\treturn 0, nil\n"),
        ("ruby", "    # stays\n"),
        ("ruby", "    raise NotImplementedError\n"),
        ("csharp", "        throw new NotImplementedException();\n"),
        ("kotlin", '        TODO("x")\n'),
        ("json", '    "...": "..."\n'),
        ("rust", '        panic!("existing body")\n'),
        ("rust", "        std::process::abort()\n"),
        ("rust", "        Default::default()\n"),
        ("go", '\tpanic("same as before")\n'),
        ("go", '\tlog.Fatal("elided")\n\treturn 0, nil\n'),
        ("csharp", "        return default;\n"),
        ("csharp", "        throw null!;\n"),
        ("csharp", '        throw new InvalidOperationException("unchanged");\n'),
        ("kotlin", '        error("existing code")\n'),
        ("scala", '    sys.error("as before")\n'),
    ],
)
def test_other_languages(language: str, new: str) -> None:
    base, inner = INNER[language]
    assert found(language, base, inner, new)


@pytest.mark.parametrize(
    ("language", "base", "old", "new"),
    [
        ("python", PYTHON, CHECK, ""),
        ("python", PYTHON, LAST, "    return 1"),
        ("python", PYTHON, "'-', s)", "'_', s)  # underscore"),
        ("python", PYTHON, "    if not", "    # nothing left\n    if not"),
        (
            "python",
            PYTHON,
            "        raise ValueError('empty')\n",
            "        # raise ValueError('empty')\n        return ''\n",
        ),
        ("python", PYTHON, "raise ValueError('empty')", "return None"),
        ("python", PYTHON, SLUG, "    return re.sub(r'a', '-', s.strip().lower())"),
        ("python", PYTHON, SLUG, "    return title(s)"),
        ("python", PYTHON, CHECK + "    return s", "    return s"),
        ("python", PYTHON, CHECK, "    print('not empty')\n"),
        ("python", PYTHON, CHECK, "    print()\n"),
        ("python", PYTHON, LAST, "    return None"),
        ("javascript", JAVASCRIPT, ONE, "  super();\n"),
        ("csharp", CSHARP, "        var y = x + 1;\n        return y * G(y);\n", "        return Sum();\n"),
        ("go", LOOP, "\t\tg(x)\n\t\th(x)\n", "\t\tcontinue\n"),
        ("go", LOOP, "\t\tg(x)\n\t\th(x)\n", "\t\tstep()\n"),
        ("javascript", JAVASCRIPT, ONE, "  return twice(x);\n"),
        ("javascript", JAVASCRIPT, ONE, "  two();\n"),
        ("ruby", RUBY, "    y = x + 1\n    g(y)\n", "    g(x + 1)\n"),
        ("rust", RUST, "        let x = self.g(n)?;\n        Ok(x + 1)\n", "        self.g(n).map(|x| x + 1)\n"),
        ("javascript", JAVASCRIPT, "log(y);", "log(y, x); // both"),
        ("kotlin", KOTLIN, "x + 2", "x + 3"),
        ("json", JSON, '"1"', '"2"'),
    ],
)
def test_edits(language: str, base: str, old: str, new: str) -> None:
    assert not found(language, base, old, new)


def test_code_that_moved_gave_way_to_nothing() -> None:
    moved = (
        "import re\n\n\ndef _check(s):\n" + CHECK + "\n\n" + PYTHON[11:].replace(CHECK, "    # checks\n    _check(s)\n")
    )
    assert not gave_way(seen("python", moved), seen("python", PYTHON))


def test_code_of_which_most_moved_gave_way_to_nothing() -> None:
    """A call comes first now, below a comment, and the loop behind it was changed beside."""
    calls = "        a(x)\n        b(x)\n" * 2
    before = f"def f(x):\n    n = 1\n    for _i in x:\n{calls}        if x:\n            end()\n    return n\n"
    after = f"def f(x):\n    n = 1\n    # Begin clean.\n    end()\n    for _ in x:\n{calls}    return n\n"
    assert not gave_way(seen("python", after), seen("python", before))


def test_comments_above_a_definition_are_about_it() -> None:
    new = JAVASCRIPT.replace("export function", "/** Doubles. */\nexport function").replace("import a from 'a';\n", "")
    assert not gave_way(seen("javascript", new), seen("javascript", JAVASCRIPT))


def test_what_may_go_is_not_looked_for() -> None:
    base = seen("python", PYTHON)
    gone = seen("python", PYTHON[: PYTHON.index("def title")] + "# no titles\n")
    symbol = base.by_name["title"]
    assert gave_way(gone, base)
    assert not gave_way(gone, base, [Span(symbol.start, symbol.end)])


def test_a_text_that_is_a_part_of_what_stands_around_it_is_no_stub() -> None:
    base = "def f(a):\n    return g(\n        a.b(),\n        a.c(),\n        'old'\n    )\n"
    assert not found("python", base, "        a.b(),\n        a.c(),\n        'old'\n", "        'new'\n")


JSX = "export default function A() {\n  return (\n    <ul>\n      <li>a</li>\n      <li>b</li>\n    </ul>\n  );\n}\n"
ITEMS = "\n      <li>a</li>\n      <li>b</li>\n    "
MAKE = "CC = gcc\n\nall: build\n\nbuild:\n\t$(CC) a.c\n\t$(CC) b.c\n\nclean:\n\trm -rf out\n"
HTML = "<html>\n<head>\n  <title>a</title>\n  <meta b>\n</head>\n<body>\n  <p>Hello</p>\n</body>\n</html>\n"
XML = "<a>\n  <b>\n    <c>1</c>\n    <c>2</c>\n  </b>\n  <d>1</d>\n</a>\n"
PROTO = 'syntax = "proto3";\n\nmessage A {\n  string b = 1;\n  int32 c = 2;\n}\n\nmessage D {\n  int32 e = 1;\n}\n'
SCSS = ".a {\n  .b {\n    color: red;\n    margin: 0;\n  }\n  color: blue;\n}\n"
ZIG = "pub fn parse(x: i32) i32 {\n    var y = x;\n    y += 1;\n    return y;\n}\n"
HASKELL = "module A where\n\nparse :: String -> [String]\nparse s =\n  let w = words s\n  in w\n"
MARKDOWN = "# App\n\n## Install\n\n1. Clone\n2. Build\n\n## Usage\n\nRun it.\n"
STEPS = "1. Clone\n2. Build\n"
TERRAFORM = 'resource "a" "b" {\n  c = 1\n  d {\n    e = 2\n    f = 3\n  }\n}\n'
UNKNOWN = "one: 1\ntwo:\n    2\n    3\n"


@pytest.mark.parametrize(
    ("language", "base", "old", "new"),
    [
        ("javascript", JSX, ITEMS, "\n      {/* see above */}\n    "),
        ("tsx", JSX, ITEMS, "{/* wie gehabt */}"),
        ("tsx", JSX, ITEMS, "\n      {/*\n        wie gehabt\n      */}\n    "),
        ("makefile", MAKE, "\t$(CC) a.c\n\t$(CC) b.c\n", "\t# see above\n"),
        ("makefile", MAKE, "\t$(CC) a.c\n\t$(CC) b.c\n", "# see above\n"),
        ("html", HTML, "  <title>a</title>\n  <meta b>\n", "  <!-- hier kommt der Rest hin -->\n"),
        ("html", HTML, "<p>Hello</p>", "<!-- mismo contenido -->"),
        ("html", HTML, "Hello", "<!-- mismo contenido -->"),
        ("xml", XML, "    <c>1</c>\n    <c>2</c>\n", "    <!-- see above -->\n"),
        ("proto", PROTO, "  string b = 1;\n  int32 c = 2;\n", "  // wie gehabt\n"),
        ("scss", SCSS, "    color: red;\n    margin: 0;\n", "    /* wie gehabt */\n"),
        ("scss", SCSS, "  .b {\n    color: red;\n    margin: 0;\n  }\n", "  // mismo contenido\n"),
        ("zig", ZIG, "    var y = x;\n    y += 1;\n    return y;\n", "    // wie gehabt\n"),
        ("zig", ZIG, "    y += 1;\n    return y;\n", "    // wie gehabt\n"),
        ("haskell", HASKELL, "  let w = words s\n  in w\n", "  -- see above\n  undefined\n"),
        ("markdown", MARKDOWN, STEPS, "<!-- wie gehabt -->\n"),
        ("markdown", MARKDOWN, STEPS, "*(see above)*\n"),
        ("markdown", MARKDOWN, STEPS, "[mismo contenido]\n"),
        ("hcl", TERRAFORM, "    e = 2\n    f = 3\n", "    # see above\n"),
        ("", UNKNOWN, "    2\n    3\n", "    # see above\n"),
        ("go", LOOP, " {\n\t\tg(x)\n\t\th(x)\n\t}", " { // see above\n\t}"),
        ("go", LOOP, " {\n\t\tg(x)\n\t\th(x)\n\t}", " { /* see above */ }"),
    ],
)
def test_comments_in_every_language(language: str, base: str, old: str, new: str) -> None:
    assert old in base
    assert gave_way(read(language, base.replace(old, new)), read(language, base))


def read(language: str, text: str) -> Outline:
    if not language:
        return Outline(text.encode(), parsed=False)
    row = language_named(language)
    made = outlined(row, text.encode())
    return replace(made, prose=row.nature is Nature.PROSE)


@pytest.mark.parametrize(
    ("language", "base", "old", "new"),
    [
        ("tsx", JSX, "<li>a</li>", "{/* the first */}\n      <li>c</li>"),
        ("tsx", JSX, ITEMS, "{items.map((one) => <li>{one}</li>)}"),
        ("makefile", MAKE, "\t$(CC) a.c\n", "\t# both at once\n\t$(CC) a.c b.c\n"),
        ("makefile", MAKE, "\t$(CC) a.c\n", ""),
        ("html", HTML, "  <meta b>\n", ""),
        ("html", HTML, "<title>a</title>", "<!-- the name -->\n  <title>App</title>"),
        ("html", HTML, "Hello", "None"),
        ("xml", XML, "<c>1</c>", "<c>3</c> <!-- was one -->"),
        ("xml", XML, "    <c>1</c>\n", ""),
        ("proto", PROTO, "  int32 c = 2;\n", "  // numbers\n  int64 c = 2;\n"),
        ("scss", SCSS, "    margin: 0;\n", ""),
        ("zig", ZIG, "    y += 1;\n", "    // one more\n    y += 2;\n"),
        ("markdown", MARKDOWN, STEPS, "Run `make`.\n"),
        ("markdown", MARKDOWN, STEPS, "See [the docs](docs/install.md).\n"),
        ("markdown", MARKDOWN, "## Install\n\n" + STEPS, "## Build\n\nNone\n"),
        ("markdown", MARKDOWN, "Run it.", "## Options\n\nNone."),
        ("text", "a\nb\nc\n", "b\nc\n", "undefined\n"),
        ("csv", "a,b\n1,2\n3,4\n5,6\n7,8\n", "1,2\n3,4\n5,6\n", "0,0\n"),
        ("", UNKNOWN, "    2\n", "    4\n"),
        ("go", LOOP, "\tk(n)", "\tk(n) // the last"),
    ],
)
def test_edits_in_every_language(language: str, base: str, old: str, new: str) -> None:
    assert old in base
    assert not gave_way(read(language, base.replace(old, new)), read(language, base))


SUM = "def total(items):\n    out = 0\n    for p, n in items:\n        out += p * n\n    return out + FEE\n"


@pytest.mark.parametrize("words", ["same loop as you had", "(resto igual)", "sum up the items", "jak dotychczas"])
@pytest.mark.parametrize("kept", ["", "    out = 0\n"])
def test_a_comment_above_a_changed_line_stands_for_what_was_there(words: str, kept: str) -> None:
    new = f"def total(items):\n{kept}    # {words}\n    return round(out + FEE, 2)\n"
    assert gave_way(read("python", new), read("python", SUM))


@pytest.mark.parametrize(
    "body",
    [
        "    # all at once\n    out = sum(p * n for p, n in items)\n    return round(out + FEE, 2)\n",
        "    # all at once\n    return round(sum(p * n for p, n in items) + FEE, 2)\n",
        "    out = 0\n    for p, n in items:\n        out += p * n\n    # to cents\n    return round(out + FEE, 2)\n",
    ],
)
def test_a_comment_above_other_code_stands_for_nothing(body: str) -> None:
    assert not gave_way(read("python", f"def total(items):\n{body}"), read("python", SUM))


@pytest.mark.parametrize(
    ("comment", "stands_for"),
    [
        ("# existing steps", True),
        ("# keep the rest", True),
        ("# other checks", True),
        ("# lower case, without blanks", False),
    ],
)
def test_a_comment_with_less_code_than_before_below_it(comment: str, stands_for: bool) -> None:
    two = "    s = s.strip().lower()\n    s = re.sub(r'a', '-', s)\n"
    assert found("python", PYTHON, two, f"    {comment}\n    s = clean(s)\n") is stands_for
    assert not found("python", PYTHON, two, f"    {comment}\n    s = clean(s)\n    s = s + 'x'\n"), "as much code"


def test_an_overload_has_its_body_behind_it() -> None:
    declared = f"@overload\ndef total(items: list) -> int: ...\n\n\n{SUM}"
    assert not gave_way(read("python", declared), read("python", SUM))
    assert gave_way(read("python", declared.replace(SUM, "def total(items):\n    ...\n")), read("python", SUM))


def test_a_private_name_has_no_number() -> None:
    held = "class A {\n  #secret() {\n    this.a = 1;\n    return this.b(2);\n  }\n}\n"
    assert gave_way(read("javascript", "class A {\n  #secret() {}\n}\n"), read("javascript", held))
