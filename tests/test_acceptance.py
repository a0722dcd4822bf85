"""How CI deals the acceptance suite's scenarios out."""

from __future__ import annotations

import pytest

from .acceptance import Scenario, split

PLAIN: list[Scenario] = [{"name": f"plain {n}"} for n in range(20)]
HUMAN: list[Scenario] = [{"name": f"human {n}", "settings": {"trust": "human"}} for n in range(5)]
AUDIT: list[Scenario] = [{"name": f"audit {n}", "settings": {"audit": True}} for n in range(2)]


@pytest.mark.parametrize("parts", [1, 3, 6])
def test_every_scenario_is_in_one_part_and_settings_stay_together(parts: int) -> None:
    made = split([*PLAIN, *HUMAN, *AUDIT], parts)
    names = [one["name"] for part in made for one in part]
    assert sorted(names) == sorted(one["name"] for one in [*PLAIN, *HUMAN, *AUDIT])
    for kind in ("human", "audit"):
        assert sum(any(one["name"].startswith(kind) for one in part) for part in made) == 1
    sizes = [len(part) for part in made]
    assert max(sizes) - min(sizes) <= 2


def test_no_part_is_empty() -> None:
    assert split(HUMAN, 6) == [HUMAN]
