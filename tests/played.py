"""How many rounds a property is played: `make check` draws new ones (profile `fresh`), and ten times as many."""

from __future__ import annotations

from hypothesis import settings


def played(few: int) -> int:
    """`few` in `make test`. Asked while a test's file is loaded, when the profile stands."""
    return few * 10 if settings.get_current_profile_name() == "fresh" else few
