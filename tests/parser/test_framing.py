"""Messages over a socket: whole or not at all."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.parser import framing

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@given(st.dictionaries(st.text(), st.integers(-(2**53), 2**53)), st.binary(max_size=2000))
def test_a_message_arrives_as_it_was_sent(header: dict[str, int], body: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        framing.send(ours, header, body)
        assert framing.receive(theirs, 1_000_000) == (header, body)


def test_a_large_one_too(pair: Pair) -> None:
    body = b"x" * 5_000_000
    sender = threading.Thread(target=framing.send, args=(pair[0], {"n": 1}, body))
    sender.start()
    assert framing.receive(pair[1], 6_000_000, time.monotonic() + 60) == ({"n": 1}, body)
    sender.join()


def test_one_that_is_too_large_is_not_read(pair: Pair) -> None:
    framing.send(pair[0], {}, b"x" * 1000)
    with pytest.raises(framing.ClosedError):
        framing.receive(pair[1], 500)


@pytest.mark.parametrize("sent", [b"", b"\0", b"\0\0\0\1\0\0\0\0\0\0\0\0{", b"\0\0\0\2\0\0\0\0\0\0\0\0[]"])
def test_what_is_no_message_is_an_end(pair: Pair, sent: bytes) -> None:
    pair[0].sendall(sent)
    pair[0].close()
    with pytest.raises(framing.ClosedError):
        framing.receive(pair[1], 1000)


def test_silence_ends_at_the_deadline(pair: Pair) -> None:
    with pytest.raises(TimeoutError):
        framing.receive(pair[1], 1000, time.monotonic() + 0.05)


def test_nobody_there_any_more(pair: Pair) -> None:
    pair[1].close()
    with pytest.raises(framing.ClosedError):
        framing.send(pair[0], {}, b"x" * 1_000_000)
