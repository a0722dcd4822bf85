"""What already stands in a request is not injected again."""

from tslp_litellm.dialects.values import Carrier, Evidence, Shown
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.state.values import artifact_hash

V1, V2, V3 = (f"def f():\n    return {n}" for n in (1, 2, 3))
ONCE = {V1, V2, V1 + "\n"}


def once(entity: str, artifact: str) -> bool:
    """All that was ever current; V3 was only proposed."""
    return artifact in {artifact_hash(text) for text in ONCE}


def here(entity: str, text: str, *items: Stated, root: str | None = None) -> bool:
    return stands(entity, text, items, root, once)


def said(text: str, *evidence: Evidence) -> Stated:
    return Stated(text, lambda: list(evidence))


def fenced(text: str, path: str = "a.py", whole: bool = False) -> Stated:
    return said(f"{path}\n```\n{text}\n```", Shown(path, text + "\n", Carrier.FENCE, whole=whole))


def test_a_text_that_stands_in_the_request() -> None:
    assert here("a.py::f", V1, fenced(V1), said("Change f"))
    assert not here("a.py::f", V1, fenced(V2), said("Change f"))
    assert here("a.py::f", V1, said(f"x\n{V1}\ny\nChange f"))


def test_only_on_lines_of_its_own() -> None:
    assert not here("a.py::x", "x = 1", said("max = 1"))
    assert not here("a.py::x", "x = 1", said("x = 10"))
    assert here("a.py::x", "x = 1", said("max = 1\nx = 1\n"))


def test_what_the_running_tool_loop_has_read_counts() -> None:
    assert here("a.py::f", V1, said("Change f"), fenced(V1))


def test_an_older_text_behind_it_has_the_last_word_otherwise() -> None:
    assert not here("a.py::f", V2, fenced(V2), fenced(V1), said("Change f"))
    assert not here("a.py::f", V2, fenced(V2), said("Change f"), fenced(V1))
    assert here("a.py::f", V2, fenced(V1), fenced(V2), said("Change f"))
    assert here("a.py::f", V2, fenced(V2), fenced(V1, "b.py"), said("Change f"))


def test_what_was_only_proposed_is_no_older_text() -> None:
    assert here("a.py::f", V2, fenced(V2), fenced(V3), said("Change f"))
    assert here("a.py", V2 + "\n", fenced(V2, whole=True), fenced(V3, whole=True), said("Change a.py"))


def test_files() -> None:
    whole = V1 + "\n\n\n" + "x = 1\n"
    shown = fenced(whole.rstrip("\n"))
    assert here("a.py", whole, shown, said("Review a.py"))
    assert here("a.py", whole, shown, fenced(V3), said("Review a.py")), "a fragment"
    assert not here("a.py", whole, shown, fenced(V1), said("Review a.py")), "once all of the file"
    assert here("a.py", V2 + "\n", fenced(V2), fenced(V2 + "\n\n"), said("Review a.py")), "how it ends is not shown"


def test_texts_that_are_shown_in_another_form() -> None:
    numbered = said("1 | def f():\n2 |     return 1", Shown("/w/a.py", V1 + "\n", Carrier.READ, whole=True))
    assert here("a.py::f", V1, numbered, said("Change f"), root="/w")


def test_empty_texts_never_stand() -> None:
    assert not here("a.py", "", said(""))


def test_an_item_that_can_not_hold_the_text_is_not_read() -> None:
    def unread() -> list[Evidence]:
        raise AssertionError("read in vain")

    other = Stated("     1\tdef g():", unread, '{"path": "b.py"}')
    assert not here("a.py::f", "def long_name():\n    pass", other, said("Change f"))
    assert here("src/cart.py::f", V1, fenced(V1, "src/cart.py"), other, said("Change f"))


def test_words_survive_every_carrier() -> None:
    text = 'def total(a):\n    return f"<{a}>"'
    shown = Shown("src/cart.py", text + "\n", Carrier.READ, whole=True)
    escaped = said('{"text":"def total(a):\\n    return f\\"<{a}>\\""}', shown)
    numbered = said('     1\tdef total(a):\n     2\t    return f"<{a}>"', shown)
    quoted = said("def total(a):\n    return f&quot;&lt;{a}&gt;&quot;", shown)
    for item in (escaped, numbered, quoted):
        assert here("src/cart.py::total", text, item, said("Change it"))


def test_a_later_read_of_the_file_is_found_by_its_call() -> None:
    later = Shown("src/cart.py", V1 + "\n", Carrier.READ, whole=True)
    read = Stated("     1\tdef f():\n     2\t    return 1", lambda: [later], '{"file_path": "/w/src/cart.py"}')
    assert not here("src/cart.py::f", V2, fenced(V2, "src/cart.py"), read, said("Change f"))
