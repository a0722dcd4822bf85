"""An answer on its way into the database."""

from __future__ import annotations

from tslp_litellm.engine import Request
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.wire.turn import Answer, Turn

REQUEST = Request("t", "w", "acompletion", "m", Turn(()))


def test_it_is_put_together_once_and_when_asked_for() -> None:
    made: list[int] = []

    def assemble() -> Answer:
        made.append(1)
        return Answer(finish="stop", complete=True)

    delivered = Delivered(REQUEST, assemble)
    assert (delivered.key, made) == (("t", "w"), [])
    assert delivered.answer() is delivered.answer()
    assert (delivered.answer().finish, made, delivered.fault) == ("stop", [1], None)


def test_one_that_can_not_be_put_together_counts_as_cut_short() -> None:
    def broken() -> Answer:
        raise ValueError("broken")

    delivered = Delivered(REQUEST, broken)
    assert delivered.answer() == Answer()
    assert str(delivered.fault) == "broken"
    assert delivered.answer() == Answer(), "and is not tried again"


def test_without_an_answer() -> None:
    assert (Delivered(REQUEST).answer(), Delivered(REQUEST).fault) == (Answer(), None)
