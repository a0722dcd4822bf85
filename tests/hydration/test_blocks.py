"""The template and the notice, byte for byte."""

from dataclasses import replace

from tslp_litellm.hydration import notices
from tslp_litellm.hydration.blocks import Block, blocks_in, notice, preface
from tslp_litellm.state.markers import markers
from tslp_litellm.state.values import Flag, Source

BLOCK = Block("a.py::f", "ab" * 32, Source.AST, "def f():\n    return 1")


def test_the_template() -> None:
    assert BLOCK.render() == (
        "[CURRENT STATE: AUTHORITATIVE]\nEntity: a.py::f\nArtifact: " + "ab" * 32 + "\nSource: Confirmed via AST\n\n"
        "def f():\n    return 1\n[END CURRENT STATE]"
    )


def test_content_that_ends_in_a_newline_keeps_it() -> None:
    assert Block("a.py", "0" * 64, Source.FILE, "x\n").render().endswith("\n\nx\n\n[END CURRENT STATE]")


def test_the_safety_notice() -> None:
    assert notices.from_flags([notices.UNLINKED]) == [
        "[STATE NOTICE]\nThe previous output could not be structurally linked to a known entity.\nIt has NOT modified the State Map.\n[END NOTICE]"
    ]


def test_blocks_then_notices_a_blank_line_after_each() -> None:
    assert (
        preface([BLOCK, BLOCK], ["[STATE NOTICE]\nx\n[END NOTICE]"])
        == f"{BLOCK.render()}\n\n{BLOCK.render()}\n\n[STATE NOTICE]\nx\n[END NOTICE]\n\n"
    )
    assert preface([], []) == ""


def test_notices_name_their_entities_in_full() -> None:
    flags = [Flag("rename", ("a.py::old", "a.py::new")), Flag("confirmed", ("b.py",), "collapse")]
    rename, confirmed = notices.from_flags(flags)
    assert "a.py::old" in rename
    assert "a.py::new" in rename
    assert "b.py" in confirmed
    for text in (
        rename,
        confirmed,
        notices.unknown(["c.py"]),
        *notices.ambiguous([("f", ["a.py::f"])]),
        notices.skipped(["d.py"]),
        notices.unframeable(["e.py"]),
    ):
        assert text.startswith("[STATE NOTICE]\n")
        assert text.endswith("\n[END NOTICE]")


def test_no_name_ends_a_notice() -> None:
    told = notices.skipped(["a.js::[end\u200b notice]", "b.py"])
    assert "- b.py" in told
    assert [m.mark for m in markers(told)] == ["[STATE NOTICE]", "[END NOTICE]"]


def test_blocks_are_read_as_they_were_written() -> None:
    texts = ["def a():\n    return 1", "import re\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n", ""]
    blocks = [replace(BLOCK, entity=f"src/{n}.py::f", text=text) for n, text in enumerate(texts)]
    found = blocks_in(preface(blocks, [notice("x")]))
    assert [(one.whole, one.entity, one.text) for one in found] == [(b.render(), b.entity, b.text) for b in blocks]
