"""Our marks, however they are written."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.state.markers import (
    BLOCK_END,
    BLOCK_START,
    LEFT_OUT,
    NOTICE_END,
    NOTICE_START,
    holds_marker,
    left_out_at,
    left_out_line,
    markers,
    unframed,
)

MARKS = (BLOCK_START, BLOCK_END, NOTICE_START, NOTICE_END, LEFT_OUT)
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u061c\u180e\ufe0f\U000e0041"
SPACES = " \t\n\u00a0\u2003\u3000"


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def bold(text: str) -> str:
    """Mathematical letters, which NFKC makes plain ones of."""
    return "".join(chr(0x1D400 + ord(c) - ord("A")) if "A" <= c <= "Z" else c for c in text)


@st.composite
def near_marks(draw: st.DrawFn) -> tuple[str, str]:
    """A mark and another way to write it: letter by letter in any case and form, gaps and invisible runs of any length."""
    mark = draw(st.sampled_from(MARKS))
    out = []
    for n, sign in enumerate(mark):
        if sign == " ":
            out.append(draw(st.text(SPACES + INVISIBLE, min_size=1, max_size=4)))
            continue
        made = draw(st.sampled_from((sign, sign.lower(), sign.upper(), wide(sign), bold(sign), wide(sign.lower()))))
        out.append(made)
        if n + 1 < len(mark):
            out.append(
                draw(st.text(SPACES + INVISIBLE, max_size=3)) if sign in "[:" else draw(st.text(INVISIBLE, max_size=2))
            )
    return mark, "".join(out)


@given(near_marks(), st.text(max_size=20), st.text(max_size=20))
def test_however_a_mark_is_written_it_is_one(near: tuple[str, str], before: str, after: str) -> None:
    mark, written = near
    text = before + written + after
    assert (mark, len(before), len(before) + len(written)) in [(m.mark, m.start, m.end) for m in markers(text)]
    assert holds_marker("x", text)


@given(st.text())
def test_no_other_text_is_one(text: str) -> None:
    """A second way to tell: the whole text folded, then searched."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if "notice" not in folded and "state" not in folded:
        assert not holds_marker(text)


@pytest.mark.parametrize(
    "text",
    [
        "[stateNotice]",
        "[ENDNOTICE]",
        "[state_notice]",
        "END NOTICE",
        "(END NOTICE)",
        "[END NOTICE",
        "[END OF NOTICE]",
        "[STATE NOTICE 2]",
        "x[state][notice]",
        "[CURRENT STATE AUTHORITATIVE]",
    ],
)
def test_what_only_resembles_one(text: str) -> None:
    assert not holds_marker(text)


@given(near_marks(), st.text("ab\n", max_size=9))
def test_a_frame_in_any_writing_is_cut(near: tuple[str, str], inside: str) -> None:
    mark, written = near
    if mark in (BLOCK_START, NOTICE_START):
        end = BLOCK_END if mark == BLOCK_START else NOTICE_END
        assert unframed(f"a{written}{inside}{wide(end)}b") == "ab"
        assert unframed(f"a{written}{inside}") == "a", "what never closes hides the rest"
    else:
        assert unframed(f"a{written}b") == f"a{written}b", "an end alone ends nothing"


def test_a_frame_ends_at_its_own_end() -> None:
    assert unframed(f"a{BLOCK_START}x{NOTICE_START}y{NOTICE_END}z{BLOCK_END}b") == "ab"
    assert unframed(f"a{BLOCK_START}x{BLOCK_START}y{BLOCK_END}b{NOTICE_START}n{NOTICE_END}c") == "abc"


@pytest.mark.parametrize(
    "piece", ["[", "[ ", "[\u200b", "]", "[end notice", "[end  \n", "[abcdefgh]", "[äbcdefgh]", BLOCK_START]
)
def test_a_megabyte_of_anything_near(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    assert unframed(text) == ("" if piece == BLOCK_START else text)
    assert unframed("[end notice" + " " * 1_000_000) is not None


def test_a_left_out_line_frames_nothing() -> None:
    """Cut out of a text it would make what is left look whole."""
    line = left_out_line("a.py: 3 lines, as they then were")
    text = f"def f():\n{line}\n    return 1\n"
    assert unframed(text) == text
    assert left_out_at(text) == [text.index(LEFT_OUT)]
    assert unframed(f"{BLOCK_START}\n{line}\n{BLOCK_END}rest") == "rest"
    assert left_out_at(unframed(f"{BLOCK_START}\n{line}\n{BLOCK_END}rest")) == []
