"""The interpreter that is shared with the proxy."""

from __future__ import annotations

import gc
import sys

import pytest

from tslp_litellm.interpreter import LONG_CHARS, SWITCH_INTERVAL_S, Collections, share_the_interpreter


def test_the_event_loop_gets_the_interpreter_back_soon() -> None:
    import gc

    before = sys.getswitchinterval()
    try:
        share_the_interpreter()
        assert sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL_S)
        assert gc.get_freeze_count()
        sys.setswitchinterval(SWITCH_INTERVAL_S / 10)
        share_the_interpreter()
        assert sys.getswitchinterval() < SWITCH_INTERVAL_S, "a shorter one is left as it is"
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()


def test_collections_wait_for_a_long_text_and_no_other() -> None:
    collections = Collections()
    with collections.paused(LONG_CHARS - 1):
        assert gc.isenabled()
    with collections.paused(LONG_CHARS):
        assert not gc.isenabled()
        with collections.paused(LONG_CHARS):
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_collections_come_back_after_a_fault_and_stay_off_where_they_were() -> None:
    collections = Collections()
    with pytest.raises(ValueError), collections.paused(LONG_CHARS):
        raise ValueError
    assert gc.isenabled()
    gc.disable()
    try:
        with collections.paused(LONG_CHARS):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
