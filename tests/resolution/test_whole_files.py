"""Whether a text is its whole file or a part of it. In doubt it is a part, which deletes nothing."""

from tslp_litellm.parser import outline
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.whole_files import is_whole
from tslp_litellm.syntax.languages import language_named

from .test_gates import BASE, NO_WORD, py


def test_a_text_without_the_preamble_of_its_file_is_a_fragment() -> None:
    base = "import re\n\n\nclass Cart:\n    def total(self):\n        return re.sub('a', 'b', '')\n"
    bare = py(base.removeprefix("import re\n\n\n"))
    assert not is_whole(bare, py(base), ["Cart", "Cart.total"], NO_WORD, labelled=False)
    more = py("import os\n" + base)
    assert is_whole(more, py(base), ["Cart", "Cart.total"], NO_WORD, labelled=False)


class TestWholeOrFragment:
    """In doubt it is a fragment, which deletes nothing."""

    def whole(self, text: str, base: str = BASE, prompt: str = "", labelled: bool = False) -> bool:
        seen = py(base)
        return is_whole(py(text), seen, seen.by_name, Intent(prompt), labelled=labelled)

    def test_the_preamble_makes_a_labelled_one_of_the_model_whole(self) -> None:
        part = "import re\nLIMIT = 4\n\n\ndef clean(s):\n    return s\n"
        assert not self.whole(part)
        assert self.whole(part, labelled=True)
        assert not self.whole(part.replace("LIMIT = 4\n", ""), BASE, "Make clean faster.", labelled=True), (
            "asked for it"
        )

    def test_all_symbols_and_some_of_the_preamble_make_it_whole(self) -> None:
        text = "import re\nLIMIT = 4\n\n\ndef clean(s): pass\n\n\ndef title(s): pass\n"
        assert self.whole(text)
        assert not self.whole(text.replace("import re\n", ""))

    def test_what_the_prompt_asks_to_go_may_be_missing(self) -> None:
        text = "import re\nLIMIT = 4\n\n\ndef clean(s): pass\n"
        assert self.whole(text, BASE, "Remove title.")

    def test_one_function_is_a_fragment(self) -> None:
        assert not self.whole("def clean(s):\n    return s\n")

    def test_functions_without_the_constants_are_a_fragment(self) -> None:
        base = "A = 1\nB = 2\nC = 3\n\n\ndef f():\n    return A\n"
        assert not self.whole("def f():\n    return 2\n", base)
        assert not self.whole("A = 1\nB = 2\n\n\ndef f():\n    return 2\n", base)

    def test_a_header_is_whole_with_most_of_what_stands_around_its_types(self) -> None:
        c = language_named("c")
        frame = "/* {} */\n#ifndef H\n#define H\ntypedef int size;\nint f(size);\n#endif /* H */\n"
        base = outline(c, frame.format("cart.h: MIT\n * by A"))
        said = frame.format("cart.h: MIT\n * by B")
        whole = (said, said.replace("f(size)", "f(size, int)"), said.replace("int f(size);\n", ""))
        parts = (
            "/* cart.h: MIT */\ntypedef int size;\nint f(size, int);\n",
            frame.format("Another").replace(" /* H */", ""),
            "typedef int size;\n",
        )
        for text in (*whole, *parts):
            one = outline(c, text)
            assert is_whole(one, base, base.by_name, NO_WORD, labelled=False) is (text in whole), text

    def test_settings_of_constants_only(self) -> None:
        base = "A = 1\nB = 2\n"
        assert not self.whole("A = 2\n", base)
        assert self.whole("A = 2\nB = 2\n", base)

    def test_a_go_file_is_known_by_its_package_clause(self) -> None:
        go = language_named("go")
        base = outline(go, 'package net\n\nimport "io"\n\nfunc A() {}\n\nfunc B() {}\n')
        part = outline(go, 'package net\n\nimport "os"\n\nfunc A() {}\n')
        assert is_whole(part, base, base.by_name, NO_WORD, labelled=True)
        assert not is_whole(part, base, base.by_name, NO_WORD, labelled=False)
        assert not is_whole(outline(go, "func A() {}\n"), base, base.by_name, NO_WORD, labelled=True)

    def test_a_text_without_symbols_must_keep_its_ends_and_half_of_its_lines(self) -> None:
        prose = language_named("markdown")
        base = outline(prose, "# T\n\none\n\ntwo\n\nthree\n")
        assert is_whole(outline(prose, "# T\n\none\n\nthree\n"), base, (), NO_WORD, labelled=False)
        assert is_whole(outline(prose, "# U\n\none\n\ntwo\n\nfour\n"), base, (), NO_WORD, labelled=False)
        assert not is_whole(outline(prose, "# T\n\none\n\nfour\n"), base, (), NO_WORD, labelled=False)
        assert not is_whole(outline(prose, "one\n\ntwo\n\nthree\n"), base, (), NO_WORD, labelled=False)
        assert not is_whole(outline(prose, "Something else.\n"), base, (), NO_WORD, labelled=False)


def test_a_components_script_without_its_markup_is_a_fragment() -> None:
    vue = language_named("vue")
    script = "<script>\nimport a from 'a'\n\nfunction add() {\n  return a\n}\n</script>\n"
    base = outline(vue, "<template>\n  <p/>\n</template>\n\n" + script)
    assert not is_whole(outline(vue, script), base, base.by_name, NO_WORD, labelled=False)
    assert is_whole(
        outline(vue, "<template>\n  <b/>\n</template>\n\n" + script), base, base.by_name, NO_WORD, labelled=False
    )
