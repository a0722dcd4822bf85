"""What a client that applies edits itself leaves on its disk: proven, unproven, not followed."""

from __future__ import annotations

from tslp_litellm.dialects.values import Applied, ApplierChat, Block, Carrier
from tslp_litellm.resolution.by_applier import judge_applied, proposed_on_disk
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Move, Op

from .helpers import asked, moved, reasons, unit

A = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
B = "def h():\n    return 3\n"


def after(of: UnitOfWork, *blocks: Block, form: Carrier = Carrier.SEARCH_REPLACE,
          files: tuple[str, ...] | None = ("a.py", "b.py"), doubtful: frozenset[str] = frozenset()) -> UnitOfWork:  # fmt: skip
    chat = ApplierChat(files=files)
    judge_applied(of, Applied(blocks, form, chat, doubtful), asked(chat=chat, forms=frozenset({form})))
    return of


def test_each_block_by_itself() -> None:
    b = after(unit(a_py=A), Block("a.py", "    return 1\n", "    return 10\n"), Block("a.py", "    return 3\n", "x\n"))
    assert b.file("a.py").text() == A.replace("1", "10")


def test_a_block_that_fits_in_another_file_of_the_chat_goes_there() -> None:
    b = after(unit(a_py=A, b_py=B), Block("a.py", "    return 3\n", "    return 30\n"))
    assert (b.file("a.py").text(), b.file("b.py").text()) == (A, B.replace("3", "30"))


def test_in_no_order_that_is_known_if_it_fits_in_several() -> None:
    b = after(unit(a_py=A, b_py=B, c_py=B), Block("a.py", "    return 3\n", "x\n"), files=("a.py", "b.py", "c.py"))
    assert sorted(e for e in moved(b, Op.DIRTY) if "::" not in str(e)) == ["b.py", "c.py"]
    assert b.file("a.py").text() == A


def test_what_does_not_fit_in_a_file_that_is_not_listed_may_have_fitted_on_the_disk() -> None:
    b = after(unit(a_py=A), Block("a.py", "    return 3\n", "x\n"), files=("b.py",))
    assert b.file("a.py").text() is None
    assert after(unit(a_py=A), Block("a.py", "    return 3\n", "x\n")).file("a.py").text() == A


def test_what_the_gates_refuse_is_on_the_disk_all_the_same() -> None:
    b = after(unit(a_py=A), Block("a.py", "", "def f():\n    return 1\n"), form=Carrier.FENCE)
    assert b.file("a.py").text() is None and not b.file("a.py").symbols["f"].clean
    assert ("a.py", "lost-symbols") in reasons(b)


def test_a_new_file_needs_a_name_that_is_a_path() -> None:
    b = after(unit(), Block("new.py", "", "x = 1\n"), Block("npm install", "", "y\n"), form=Carrier.FENCE, files=())
    assert set(b.files) == {"new.py"} and b.file("new.py").text() == "x = 1\n"


def test_a_hunk_that_is_not_followed_and_what_thinking_may_have_changed_are_unknown() -> None:
    b = after(unit(a_py=A, b_py=B), Block("a.py", "def f():\nreturn 1\n", "x\n"), form=Carrier.UDIFF,
              doubtful=frozenset({"b.py"}))  # fmt: skip
    assert (b.file("a.py").text(), b.file("b.py").text()) == (None, None)


def test_line_ends_are_those_that_the_client_writes() -> None:
    crlf = A.replace("\n", "\r\n")
    b = after(unit(a_py=crlf), Block("a.py", "    return 1\n", "    return 10\n"))
    assert b.file("a.py").text() == A.replace("1", "10")
    assert after(unit(a_py=crlf), Block("a.py", "nowhere\n", "x\n")).file("a.py").text() == crlf


def test_the_text_that_waits_on_the_disk_is_the_last_that_was_said() -> None:
    dirty, held = Move(Op.DIRTY, "a.py", reason="applied-unproven"), Move(Op.PROPOSE, "a.py", "hash")
    other = Move(Op.PROPOSE, "a.py", "other")
    assert proposed_on_disk([(1, [dirty], {}), (2, [held], {})], "a.py") == "hash"
    assert proposed_on_disk([(1, [dirty], {}), (2, [held], {}), (3, [other], {})], "a.py") is None
    assert proposed_on_disk([(1, [Move(Op.DIRTY, "a.py", reason="drift")], {}), (2, [held], {})], "a.py") is None
    assert proposed_on_disk([], "a.py") is None
