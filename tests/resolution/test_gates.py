"""The gates, one refusal at a time, each with its witness."""

from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.softened import compilations

NO_WORD, LIMITS = Intent(), Limits()
BASE = "import re\n\nLIMIT = 3\n\n\ndef clean(s):\n    return re.sub(r'x+', ' ', s).strip()\n\n\ndef title(s):\n    return clean(s).title()\n"


def py(text: str) -> Outline:
    return outline(language_named("python"), text)


def test_a_sound_candidate_passes() -> None:
    assert gates.whole_refused(py(BASE.replace("' '", "'-'")), py(BASE), NO_WORD, LIMITS) is None
    assert gates.whole_refused(py(BASE), None, NO_WORD, LIMITS) is None


def test_a_new_error_is_refused_an_old_one_is_not() -> None:
    broken = BASE.replace("def title(s):", "def title(s:")
    refusal = gates.whole_refused(py(broken), py(BASE), NO_WORD, LIMITS)
    assert refusal is not None
    assert refusal.body() == {"gate": "A", "reason": "syntax-error", "errors": 1, "line": "def title(s:", "needed": 0}
    assert gates.whole_refused(py(broken.replace("' '", "'-'")), py(broken), NO_WORD, LIMITS) is None


def test_left_out_code_is_refused() -> None:
    refusal = gates.whole_refused(
        py(BASE.replace("return clean(s).title()", "# ... rest of the code ...\n    pass")), py(BASE), NO_WORD, LIMITS
    )
    assert refusal is not None
    assert refusal.reason == "left-out-code"
    assert dict(refusal.witness)["placeholders"] == ["# ... rest of the code ..."]


def test_a_collapse_is_refused_with_its_figures() -> None:
    refusal = gates.whole_refused(py("import re\n"), py(BASE), NO_WORD, LIMITS)
    assert refusal is not None
    witness = dict(refusal.witness)
    assert refusal.reason == "collapse"
    assert witness["of"] == "file"
    assert witness["limit"] == LIMITS.nodes_min_ratio
    assert witness["found"] < witness["needed"] < witness["before"]  # type: ignore[operator]
    assert gates.whole_refused(py("import re\n"), py(BASE), NO_WORD, Limits(0, 0)) is None


def test_a_function_shrunk_to_a_stub_is_a_collapse_although_the_file_is_large() -> None:
    big = BASE + "\n\n" + "\n\n\n".join(f"def f{n}(x):\n    return x + {n}" for n in range(20)) + "\n"
    refusal = gates.whole_refused(
        py(big.replace("return re.sub(r'x+', ' ', s).strip()", "return s")), py(big), NO_WORD, LIMITS
    )
    assert refusal is not None
    assert dict(refusal.witness)["of"] == "clean"


def test_code_that_moved_into_a_helper_is_no_collapse() -> None:
    body = "".join(f"    total = total * {n} + {n}\n" for n in range(10))
    base = f"import re\n\n\ndef report(total):\n{body}    return total\n"
    moved = f"import re\n\n\ndef step(total):\n{body}    return total\n\n\ndef report(total):\n    return step(total)\n"
    assert gates.whole_refused(py(moved), py(base), NO_WORD, LIMITS) is None


def test_an_overload_is_held_beside_the_one_with_its_parameters_wherever_that_stands_now() -> None:
    def java(*methods: str) -> Outline:
        return outline(language_named("java"), "class A {\n" + "".join(methods) + "}\n")

    body = "".join(f"    n += {n} * n;\n" for n in range(10))
    small, large = "  int f(int n) {\n    return n;\n  }\n", f"  int f(int n, int m) {{\n{body}    return n;\n  }}\n"
    first, other = "  int f() {\n    return 1;\n  }\n", f"  int g(int n) {{\n{body * 2}    return n;\n  }}\n"
    base = java(small, large, other)
    moved = java(first, small.replace("return n", "return -n"), large.replace("+=", "-="), other)
    assert gates.whole_refused(moved, base, NO_WORD, LIMITS) is None
    refusal = gates.whole_refused(java(first, small, large.replace(body, ""), other), base, NO_WORD, LIMITS)
    assert refusal is not None
    assert dict(refusal.witness)["of"] == "A.f#2"


def test_what_gets_overloads_is_held_beside_what_has_the_body() -> None:
    def ts(text: str) -> Outline:
        return outline(language_named("typescript"), text)

    old, new = ("".join(f"    {name} = f{n}({name})\n" for n in range(10)) for name in "st")
    stubs = "@overload\ndef slug(s: str, n=0): ...\n@overload\ndef slug(s, n=0): ...\n"
    base = py(f"def slug(s, n=0):\n{old}")
    assert gates.whole_refused(py(f"{stubs}def slug(s, n):\n{new}"), base, NO_WORD, LIMITS) is None
    assert gates.whole_refused(py(f"{stubs}def slug(s, n):\n    return s\n"), base, NO_WORD, LIMITS) is not None
    head = "function slug(s: any, n: number): any"
    stubs = f"function slug(s: string): any;\n{head};\n"
    base = ts(f"{head} {{\n{old}}}\n")
    assert (
        gates.whole_refused(ts(f"{stubs}function slug(s: any, n?: any): any {{\n{new}}}\n"), base, NO_WORD, LIMITS)
        is None
    )


def test_a_part_that_moved_with_one_line_changed_is_no_collapse() -> None:
    body = "".join(f"    total = total * {n} + {n}\n" for n in range(10))
    base = f"import re\n\n\ndef report(total):\n    if total:\n        return total\n{body}    return total\n"
    part = f"    if not total:\n        total = 1\n{body}    return total\n"
    moved = f"import re\n\n\ndef step(total):\n{part}\n\ndef report(total):\n    return step(total)\n"
    assert gates.whole_refused(py(moved), py(base), NO_WORD, LIMITS) is None


def test_a_function_gutted_while_other_code_grew_is_a_collapse() -> None:
    body = "".join(f"    total = total * {n} + {n}\n" for n in range(10))
    base = f"import re\n\n\ndef report(total):\n{body}    return total\n"
    other = body.replace("total", "other")
    grown = f"import re\n\n\ndef report(total):\n    return total\n\n\ndef more(other):\n{other}    return other\n"
    refusal = gates.whole_refused(py(grown), py(base), NO_WORD, LIMITS)
    assert refusal is not None
    assert refusal.body()["of"] == "report"


def test_code_that_gave_way_to_a_stub_is_left_out_but_for_what_was_asked_to_go() -> None:
    stub = BASE.replace("return clean(s).title()", "pass")
    refusal = gates.whole_refused(py(stub), py(BASE), NO_WORD, LIMITS)
    assert refusal is not None
    assert refusal.reason == "left-out-code"
    gone = BASE.partition("\n\n\ndef title")[0] + "\n\n# no more titles\n"
    assert gates.whole_refused(py(gone), py(BASE), NO_WORD, LIMITS) is not None
    assert gates.whole_refused(py(gone), py(BASE), Intent("Remove title."), LIMITS) is None


def test_a_line_that_a_grammar_cannot_read_refuses_nothing() -> None:
    ts = language_named("typescript")
    base = outline(ts, "import a from 'a';\n\nexport function f() {\n  return a;\n}\n")

    def refused(text: str) -> str | None:
        refusal = gates.whole_refused(outline(ts, text), base, NO_WORD, LIMITS)
        return refusal.reason if refusal is not None else None

    text = base.text.decode()
    assert refused("export type * from './types';\n" + text) is None
    assert refused("export type * from ('./types';\n" + text) == "syntax-error", "a bracket is open"
    assert refused(text.replace("return a;", "return a a;")) == "syntax-error", "inside a definition"


def test_alternatives_of_conditional_compilation_are_no_errors() -> None:
    cs = language_named("csharp")
    text = "class A {\n    public int F(\n#if NET\n        int a)\n#else\n        long a)\n#endif\n    {\n        return 1;\n    }\n}\n"
    compiled = [outline(cs, one.decode()) for one in compilations("csharp", text.encode())]
    assert len(compiled) == 2
    assert outline(cs, text).errors
    assert gates.whole_refused(outline(cs, text), None, NO_WORD, LIMITS, compiled) is None


def test_an_error_in_any_alternative_is_one() -> None:
    cs = language_named("csharp")
    text = "#if A\nclass L { void W() { } }\n#else\nclass L { void W((int x) { } }\n#endif\n"
    compiled = [outline(cs, one.decode()) for one in compilations("csharp", text.encode())]
    assert gates.whole_refused(outline(cs, text), None, NO_WORD, LIMITS, compiled) is not None


def test_what_was_asked_to_go_does_not_count_as_lost_mass() -> None:
    base = (
        "import re\n\n\ndef tiny():\n    return 1\n\n\n"
        + "def huge():\n"
        + "".join(f"    x{n} = {n} + {n}\n" for n in range(30))
    )
    after = "import re\n\n\ndef tiny():\n    return 1\n"
    assert gates.whole_refused(py(after), py(base), NO_WORD, LIMITS) is not None
    assert gates.whole_refused(py(after), py(base), Intent("Remove huge."), LIMITS) is None


def test_texts_without_a_grammar_collapse_by_words() -> None:
    prose = language_named("markdown")
    long, short = outline(prose, "word " * 100), outline(prose, "word " * 10)
    assert gates.whole_refused(short, long, NO_WORD, LIMITS) is not None
    assert gates.whole_refused(long, short, NO_WORD, LIMITS) is None


class TestParity:
    def test_a_lost_symbol_is_named(self) -> None:
        base = py(BASE)
        refusal = gates.parity(py(BASE.partition("\n\n\ndef title")[0] + "\n"), base.top_level(), NO_WORD)
        assert refusal is not None
        assert (refusal.gate, dict(refusal.witness)["lost"]) == ("B", ["title"])

    def test_constants_count(self) -> None:
        after = py(BASE.replace("LIMIT = 3\n", ""))
        refusal = gates.whole_parity(after, py(BASE), NO_WORD, "a.py")
        assert refusal is not None
        assert refusal.body()["lost"] == ["LIMIT"]
        assert gates.whole_parity(after, py(BASE), Intent("Remove the constant LIMIT."), "a.py") is None

    def test_of_a_constant_that_is_defined_twice_once_is_enough(self) -> None:
        twice = py(BASE.replace("LIMIT = 3\n", "LIMIT = 3\nLIMIT = 4\n"))
        assert "LIMIT#2" in twice.by_name
        assert gates.whole_parity(py(BASE), twice, NO_WORD, "a.py") is None

    def test_the_main_guard_counts(self) -> None:
        base = py(BASE + "\n\nif __name__ == '__main__':\n    print(title('a'))\n")
        refusal = gates.whole_parity(py(BASE), base, NO_WORD, "a.py")
        assert refusal is not None
        assert refusal.body()["lost"] == ["main guard"]
        assert gates.whole_parity(py(BASE), base, Intent("Remove the main guard."), "a.py") is None

    def test_the_keys_of_data_files_count(self) -> None:
        data = language_named("json")
        base, after = outline(data, '{"a": 1, "b": {"c": 2}}\n'), outline(data, '{"a": 1}\n')
        refusal = gates.whole_parity(after, base, NO_WORD, "p.json")
        assert refusal is not None
        assert refusal.body()["lost"] == ["b"]
        assert gates.whole_parity(after, base, Intent("Remove the `b` key."), "p.json") is None
        assert gates.whole_parity(outline(data, '{"b": 2, "a": 1, "d": 3}\n'), base, NO_WORD, "p.json") is None

    def test_a_loss_asked_for_is_granted(self) -> None:
        after = py(BASE.partition("\n\n\ndef title")[0] + "\n")
        assert gates.parity(after, py(BASE).top_level(), Intent("remove title from it")) is None

    def test_one_of_several_definitions_of_a_name_is_a_loss(self) -> None:
        base = py("@overload\ndef f(x: int): ...\n@overload\ndef f(x: str): ...\ndef f(x):\n    return x\n")
        assert (
            gates.parity(py("@overload\ndef f(x: int): ...\ndef f(x):\n    return x\n"), base.top_level(), NO_WORD)
            is not None
        )


def test_a_method_written_out_of_its_type_counts_for_parity() -> None:
    go = language_named("go")
    base = outline(go, "package a\n\ntype T struct{}\n\nfunc (t *T) F() {}\n\nfunc (t *T) G() {}\n")
    refusal = gates.parity(
        outline(go, "package a\n\ntype T struct{}\n\nfunc (t *T) F() {}\n"), base.top_level(), NO_WORD
    )
    assert refusal is not None
    assert refusal.body()["lost"] == ["T.G"]


def test_a_line_of_no_known_form_is_an_error_wherever_it_stands() -> None:
    for line in ("Now the changed function:", "import", "-import os", "~~~", "$ python util.py"):
        broken = BASE.replace("' '", "'-'").replace("\n\n\ndef title", f"\n\n{line}\n\n\ndef title")
        refusal = gates.whole_refused(py(broken), py(BASE), NO_WORD, LIMITS)
        assert refusal is not None, line
        assert refusal.reason == "syntax-error"


def test_a_merge_left_undone_is_an_error_whatever_the_grammar_says() -> None:
    torn = f"# Notes\n\n<<<<<<< HEAD\n{BASE}=======\n{BASE}>>>>>>> main\n"
    for name in ("python", "markdown"):
        refusal = gates.whole_refused(outline(language_named(name), torn), None, NO_WORD, LIMITS)
        assert refusal is not None
        assert dict(refusal.witness)["line"] == "<<<<<<< HEAD"


def test_members_that_are_asked_to_go_are_no_loss_of_their_type() -> None:
    more = "".join(f"\n    def m{n}(self):\n        self.n = {n}\n        return self.n + {n}\n" for n in range(4))
    base, left = f"class Cart:\n    n = 1\n{more}", f"class Cart:\n    n = 1\n{more[: len(more) // 4]}"
    asked = Intent("Remove `m1`, `m2` and `m3` from Cart.", "a.py")
    assert gates.whole_refused(py(left), py(base), asked, LIMITS) is None
    refusal = gates.whole_refused(py(left), py(base), Intent("Remove `m1` from Cart.", "a.py"), LIMITS)
    assert refusal is not None and refusal.reason == "collapse"
