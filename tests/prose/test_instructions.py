"""What an answer tells in words to change."""

from __future__ import annotations

import pytest

from tslp_litellm.prose.instructions import instructed


@pytest.mark.parametrize(
    "prose",
    [
        "Delete `shout` from util.py.",
        "In util.py, replace `lower` by `casefold`.",
        "You can remove `shout`.",
        "You just need to rename `shout`.",
        "`shout` needs to be removed.",
        "It is enough to delete `shout`.",
        "Yank `shout`.",
        "Du kannst `shout` löschen.",
        "Tu peux supprimer `shout`.",
        "Puedes borrar `shout`.",
        "请把 `shout` 删掉。",
        "Change line 2 to:",
        "Use this:",
        "Press Ctrl+H.",
        "Add the import at the top.",
        "Delete it.",
    ],
)
def test_that_tells_to_change_something(prose: str) -> None:
    assert instructed(prose)


@pytest.mark.parametrize(
    "prose",
    [
        "`shout` uppercases its argument.",
        "See `shout` in util.py.",
        "Note that `shout` is unused.",
        "Let me know!",
        "You can see it in util.py.",
        "You can call `shout` like this:",
        "Like this:",
        "With `shout` the text is upper case.",
        "You may want to add a test.",
        "Restart your server to see the change.",
        "Run it again.",
        "Should I delete `shout`?",
        "Die Funktion `shout` schreibt alles groß.",
        "",
    ],
)
def test_that_tells_nothing_of_the_kind(prose: str) -> None:
    assert not instructed(prose)


def test_what_it_names_leads_to_and_loses() -> None:
    (one,) = instructed("Delete `shout` from util.py:")
    assert (one.names, one.leads, one.loses) == (("shout", "util.py"), True, True)
