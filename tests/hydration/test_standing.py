"""What already stands in a request is not injected again."""

from tslp_litellm.dialects.values import Carrier, Evidence, Shown
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.state.values import artifact_hash

V1, V2 = "def f():\n    return 1", "def f():\n    return 2"


def once(_: str, artifact: str) -> bool:
    """Both versions were the truth once, alone and as all of a file."""
    return artifact in {artifact_hash(text) for v in (V1, V2) for text in (v, v + "\n")}


def said(text: str, *evidence: Evidence) -> Stated:
    return Stated(text, lambda: list(evidence))


def fenced(text: str, path: str = "a.py", whole: bool = False) -> Stated:
    return said(f"{path}\n```\n{text}\n```", Shown(path, text + "\n", Carrier.FENCE, whole=whole))


def test_a_text_that_stands_before_the_prompt() -> None:
    assert stands("a.py::f", V1, [fenced(V1), said("Change f")], None, once)
    assert not stands("a.py::f", V1, [fenced(V2), said("Change f")], None, once)
    assert stands("a.py::f", V1, [said(f"x\n{V1}\ny\nChange f")], None, once)


def test_only_on_lines_of_its_own() -> None:
    assert not stands("a.py::x", "x = 1", [said("max = 1")], None, once)
    assert not stands("a.py::x", "x = 1", [said("x = 10")], None, once)
    assert stands("a.py::x", "x = 1", [said("max = 1\nx = 1\n")], None, once)


def test_what_the_running_turn_shows_counts() -> None:
    assert stands("a.py::f", V1, [said("Change f"), fenced(V1)], None, once)


def test_what_the_window_has_lost_does_not_count() -> None:
    lost = Stated(V1, lambda: [Shown("a.py", V1 + "\n", Carrier.FENCE)], kept=lambda: False)
    assert not stands("a.py::f", V1, [lost, said("Change f")], None, once)
    assert stands("a.py::f", V1, [fenced(V1), lost, said("Change f")], None, once), "in a system message, say"
    assert stands("a.py::f", V2, [fenced(V2), lost, said("Change f")], None, once), "an older text that is not seen"


def test_an_older_text_behind_it_has_the_last_word_otherwise() -> None:
    assert not stands("a.py::f", V2, [fenced(V2), fenced(V1), said("Change f")], None, once)
    assert not stands("a.py::f", V2, [fenced(V2), said("Change f"), fenced(V1)], None, once)
    assert stands("a.py::f", V2, [fenced(V1), fenced(V2), said("Change f")], None, once)
    assert stands("a.py::f", V2, [fenced(V2), fenced(V1, "b.py"), said("Change f")], None, once)


def test_files() -> None:
    whole, older = (v + "\n\n\n" + "x = 1\n" for v in (V1, V2))
    was = lambda _, artifact: artifact == artifact_hash(older)  # noqa: E731
    shown = fenced(whole.rstrip("\n"))
    assert stands("a.py", whole, [shown, said("Review a.py")], None, was)
    assert stands("a.py", whole, [shown, fenced(V1), said("Review a.py")], None, was), "a part of it"
    assert stands("a.py", whole, [shown, fenced(V2), said("Review a.py")], None, was), "a fragment"
    assert not stands("a.py", whole, [shown, fenced(older.rstrip("\n")), said("Review a.py")], None, was)


def test_texts_that_are_shown_in_another_form() -> None:
    numbered = said("1 | def f():\n2 |     return 1", Shown("/w/a.py", V1 + "\n", Carrier.READ, whole=True))
    assert stands("a.py::f", V1, [numbered, said("Change f")], "/w", once)


def test_empty_texts_never_stand() -> None:
    assert not stands("a.py", "", [said("")], None, once)


def test_an_item_that_can_not_hold_the_text_is_not_read() -> None:
    def unread() -> list[Evidence]:
        raise AssertionError("read in vain")

    other = Stated("     1\tdef g():", unread, '{"path": "b.py"}')
    assert not stands("a.py::f", "def long_name():\n    pass", [other, said("Change f")], None, once)
    assert stands("src/cart.py::f", V1, [fenced(V1, "src/cart.py"), other, said("Change f")], None, once)


def test_words_survive_every_carrier() -> None:
    text = 'def total(a):\n    return f"<{a}>"'
    shown = Shown("src/cart.py", text + "\n", Carrier.READ, whole=True)
    escaped = said('{"text":"def total(a):\\n    return f\\"<{a}>\\""}', shown)
    numbered = said('     1\tdef total(a):\n     2\t    return f"<{a}>"', shown)
    quoted = said("def total(a):\n    return f&quot;&lt;{a}&gt;&quot;", shown)
    for item in (escaped, numbered, quoted):
        assert stands("src/cart.py::total", text, [item, said("Change it")], None, once)


def test_a_later_read_of_the_file_is_found_by_its_call() -> None:
    later = Shown("src/cart.py", V1 + "\n", Carrier.READ, whole=True)
    read = Stated("     1\tdef f():\n     2\t    return 1", lambda: [later], '{"file_path": "/w/src/cart.py"}')
    assert not stands("src/cart.py::f", V2, [fenced(V2, "src/cart.py"), read, said("Change f")], None, once)


def test_what_never_was_the_truth_is_no_older_text() -> None:
    proposal = fenced("def f():\n    return 3")
    assert stands("a.py::f", V2, [fenced(V2), proposal, said("Change f")], None, once)
    assert stands("a.py", V2 + "\n", [fenced(V2), fenced("def f():", whole=True), said("Change f")], None, once)
    assert not stands("a.py", V2 + "\n", [fenced(V2), fenced(V1, whole=True), said("Change f")], None, once)


def test_an_older_text_in_a_fence_of_no_file_has_the_last_word_too() -> None:
    quoted = said(f"This is how it was:\n```python\n{V1}\n```")  # taken back, or without a label: no evidence
    assert not stands("a.py::f", V2, [fenced(V2), quoted, said("Change f")], None, once)
    assert not stands("a.py", V2 + "\n", [fenced(V2, whole=True), quoted, said("Change f")], None, once)
    assert stands("a.py::f", V2, [quoted, fenced(V2), said("Change f")], None, once)
    assert stands("a.py::f", V1, [fenced(V1), said("```python\ndef f():\n    return 3\n```")], None, once)
    member = "class C:\n    def f(self):\n        return 1"
    was = lambda _, artifact: artifact == artifact_hash(member.partition("\n")[2])  # noqa: E731
    now = fenced(member.replace("1", "2"))
    alone = said("```python\n    def f(self):\n        return 1\n```")
    assert not stands("a.py::C.f", "    def f(self):\n        return 2", [now, alone], None, was)


def test_what_stands_in_the_texts_of_a_call() -> None:
    call = Stated('{"content": "..."}', tuple, within=lambda: ["a.py", f"x = 1\n\n\n{V1}\n"])
    assert not stands("a.py::f", V1, [call], None, once), "the word is not there"
    call = Stated('{"content": "return"}', tuple, within=lambda: ["a.py", f"x = 1\n\n\n{V1}\n"])
    assert stands("a.py::f", V1, [said("Change f"), call], None, once)
    assert not stands("a.py::f", V2, [said("Change f"), call], None, once)
