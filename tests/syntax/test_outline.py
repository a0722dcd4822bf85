"""Spans, artifacts and figures of an outline, beyond the corpus."""

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import LANGUAGES, language_named
from tslp_litellm.syntax.measuring import measure
from tslp_litellm.syntax.outline import Outline, Span

PYTHON = language_named("python")


def of(language: str, text: str) -> Outline:
    return measure(language_named(language), text.encode())


def test_an_artifact_is_whole_lines_without_the_last_newline() -> None:
    seen = of("python", "import re\n\n\n# Attached.\n@cache\ndef slug(s):\n    return s.lower()  # lower\n\n\nx = 1\n")
    assert seen.slice(seen.by_name["slug"]) == "# Attached.\n@cache\ndef slug(s):\n    return s.lower()  # lower"
    assert seen.slice(seen.by_name["x"]) == "x = 1"


def test_a_nested_artifact_keeps_its_indentation() -> None:
    seen = of("python", "class A:\n    def f(self):\n        return 1\n")
    assert seen.slice(seen.by_name["A.f"]) == "    def f(self):\n        return 1"
    assert [m.name for m in seen.members("A")] == ["A.f"]


def test_carriage_returns_are_no_part_of_an_artifact() -> None:
    seen = of("python", "def f():\r\n    return 1\r\n\r\n\r\ndef g():\r\n    return 2")
    assert seen.slice(seen.by_name["f"]) == "def f():\r\n    return 1"
    assert seen.slice(seen.by_name["g"]) == "def g():\r\n    return 2"


def test_offsets_are_bytes_not_characters() -> None:
    seen = of("python", "a = 'ü✓😀'\n\n\ndef ñame():\n    return 'é'\n")
    assert seen.slice(seen.by_name["ñame"]) == "def ñame():\n    return 'é'"


def test_exported_and_decorated_definitions_begin_at_the_wrapper() -> None:
    seen = of("typescript", "// c\n@dec()\nexport class A {\n  x = 1;\n}\n")
    assert seen.slice(seen.by_name["A"]).startswith("// c\n@dec()\nexport class A")


def test_figures_count_nodes_and_tokens() -> None:
    small, large = of("python", "def f():\n    return 1\n"), of("python", "def f():\n    return 1 + 2 + 3\n")
    assert small.nodes < large.nodes
    assert small.tokens == 7  # def f ( ) : return 1
    assert small.by_name["f"].tokens == 7


def test_typedefs_share_their_lines_and_are_members_of_each_other() -> None:
    seen = of("c", "typedef struct line {\n    int price;\n} line_t;\n")
    assert [m.name for m in seen.members("line_t")] == ["line"]


def test_without_a_grammar_there_is_no_parse() -> None:
    assert not outline(None, "x").parsed
    assert not outline(language_named("perl"), "sub f {}").parsed


def test_a_language_without_a_query_is_still_checked() -> None:
    assert outline(language_named("json"), '{"a": 1}').sound
    assert not outline(language_named("json"), '{"a": 1').sound


@pytest.mark.parametrize("text", ["", "\n", "\x00", "def", "((((", "class A:", "'", '"""', "\ufeffx = 1", "é" * 10])
def test_nothing_raises(text: str) -> None:
    for language in LANGUAGES:
        outline(language, text)


def test_error_lines_tell_new_errors_from_old_ones() -> None:
    before = of("python", "def bad(:\n    pass\n\n\ndef f():\n    return 1\n")
    after = of("python", "def f():\n    return 2\n\n\ndef bad(:\n    pass\n")
    assert before.error_lines() == after.error_lines()
    assert before.error_lines()
    worse = of("python", "def bad(:\n    pass\n\n\ndef f(:\n    return 1\n")
    assert worse.error_lines() - before.error_lines()


VUE = "<template>\n  <p/>\n</template>\n\n<script>\nconst n = 1\nfunction add() {\n  return n\n}\n</script>\n"


def test_a_components_symbols_stand_at_their_place_in_the_file() -> None:
    seen = of("vue", VUE)
    assert seen.slice(seen.by_name["add"]) == "function add() {\n  return n\n}"
    assert seen.sections == {"template", "script"}
    assert seen.tokens > of("javascript", "const n = 1\nfunction add() {\n  return n\n}\n").tokens


def test_a_script_on_the_line_of_its_tag_is_not_alone() -> None:
    assert not of("vue", "<script>function add() { return 1 }</script>\n").by_name["add"].alone


def test_an_error_in_the_markup_is_an_error_of_the_component() -> None:
    assert of("vue", VUE).sound
    assert not of("vue", VUE.replace("return n\n}", "return (n\n}")).sound
    assert not of("svelte", "<script>\nlet n = 1\n</script>\n\n{#if n}\n<p>\n").sound


def test_comments_of_markup_and_styles_are_comments() -> None:
    seen = of("vue", VUE + "<style>\n/* a */\np { color: red }\n</style>\n<!-- b -->\n")
    assert {seen.text[c.start : c.end] for c in seen.comments} == {b"/* a */", b"<!-- b -->"}


def test_a_header_is_read_as_what_it_has_fewer_errors_as() -> None:
    assert of("c", "class A {\n public:\n  int f() { return 1; }\n};\n").by_name["A.f"]
    assert of("c", "int class = 1;\nint f(int new) { return new; }\n").sound


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("go", "package a\n\nvar _ = fmt.Printf\n\nvar x, _ = f()\n\nconst (\n\t_ = iota\n\ty\n)\n\nfunc f() {}\n"),
        ("rust", "const _: () = ();\nconst x: i32 = 1;\nfn f() {}\n"),
        ("python", "_ = 1\nx = 1\n"),
    ],
)
def test_a_blank_name_names_nothing(language: str, source: str) -> None:
    names = {symbol.name for symbol in of(language, source).symbols}
    assert names >= {"x"} and ("_" in names) is (language == "python")


def test_members_written_out_of_their_type_stand_at_the_top() -> None:
    seen = of("go", "package a\n\ntype T struct{}\n\nfunc (t *T) F() {}\n")
    assert [s.name for s in seen.top_level()] == ["T", "T.F"]


def test_errors_and_their_lines_however_long_the_line_is() -> None:
    text = b" when when\n\twhen\r\n" + b"when " * 200_000
    starts = [1, 6, 12, *range(18, len(text), 5)]
    seen = Outline(text, True, errors=tuple(Span(start, start + 4) for start in starts))
    last = text[18:].strip()
    assert [line for _, line in seen.errors_on_lines()][:4] == [b"when when", b"when when", b"when", last]
    assert seen.error_lines() == {b"when when": 2, b"when": 1, last: 200_000}
