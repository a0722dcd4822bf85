"""What changes an interface, and what does not."""

from __future__ import annotations

import pytest

from tests.uses.reading import outline
from tslp_litellm.uses.interfaces import interface

BEFORE = "class Clock:\n    RATE = 2\n\n    def __init__(self, zone):\n        self.zone = zone\n"


def of(text: str, name: str = "Clock") -> str:
    return interface(outline(text), name)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("self.zone = zone", "# as given\n        self.zone = str(zone)", False),
        ("(self, zone)", "(self,  # whose\n                 zone)", False),
        ("def __init__(self, zone)", "def  __init__(self,  zone)", False),
        ("(self, zone)", "(self, zone, rate)", True),
        ("(self, zone)", "(self, zone=None)", True),
        ("(self, zone):", "(self, zone) -> None:", True),
        ("    def __init__", "    @trace\n    def __init__", True),
        ("RATE = 2", "RATE = 3", True),
        ("RATE = 2", "RATE = 2  # a second", False),
        ("class Clock:", "class Clock(Base):", True),
        ("__init__", "start", True),
        ("    RATE", '    """Tells the time."""\n\n    RATE', False),
        ("    RATE", '    "ticks"; UNIT = 1\n    RATE', True),
        ("    RATE", '    NAME = "ticks"\n    RATE', True),
    ],
)
def test_an_interface_is_a_definition_without_bodies_and_comments(old: str, new: str, changed: bool) -> None:
    assert BEFORE.count(old) == 1
    assert (of(BEFORE) != of(BEFORE.replace(old, new))) is changed


def test_a_value_is_its_own_interface_over_all_its_lines() -> None:
    assert of("RATES = {\n    'a': 1,  # one\n}\n", "RATES") == "RATES = { 'a': 1, }"
