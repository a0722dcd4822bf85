"""Settings: the environment wins, and what is wrong is named."""

from pathlib import Path

import pytest

from tslp_litellm.settings import Settings, SettingsError, load


def test_defaults() -> None:
    assert load(None, {}) == Settings()
    assert Settings().database_url == "sqlite:///tslp.db"
    assert (Settings().on_error, Settings().tombstone_episodes, Settings().audit) == ("pass", 10, True)


def test_the_environment_wins() -> None:
    given = {"tombstone_episodes": 3, "debug": False, "audit": True}
    environment = {
        "TSLP_TOMBSTONE_EPISODES": "5",
        "TSLP_DEBUG": "true",
        "TSLP_AUDIT": "all",
        "TSLP_SYMBOLS_FILE": "s.json",
        "TSLP_PARITY_NODES_MIN_RATIO": "0.25",
        "TSLP_HYDRATION_TOKENS_MAX": "99",
        "TSLP_ELSEWHERE": "x",
        "TSLP_DATABASE_URL": "sqlite://",
    }
    found = load(given, environment)
    assert (found.tombstone_episodes, found.debug, found.audit) == (5, True, "all")
    assert (found.symbols_file, found.parity_nodes_min_ratio, found.hydration_tokens_max) == (Path("s.json"), 0.25, 99)
    assert found.database_url == "sqlite://"


@pytest.mark.parametrize(
    ("given", "environment", "words"),
    [
        ({"hydration_token_max": 1}, {}, ["hydration_token_max", "Unknown", "hydration_tokens_max"]),
        ({"tombstone_episodes": "many"}, {}, ["tombstone_episodes", "'many'"]),
        ({"tombstone_episodes": -1}, {}, ["tombstone_episodes"]),
        ({"tombstone_episodes": True}, {}, ["tombstone_episodes"]),
        ({"debug": "yes please"}, {}, ["debug"]),
        ({"audit": "sometimes"}, {}, ["audit", "true, false or all"]),
        ({"on_error": "explode"}, {}, ["on_error", "'pass' or 'block'"]),
        ({"parity_tokens_min_ratio": 1.5}, {}, ["parity_tokens_min_ratio"]),
        ({"database_url": ""}, {}, ["database_url"]),
        ({}, {"TSLP_ON_ERROR": "explode"}, ["on_error", "TSLP_ON_ERROR"]),
        ({}, {"TSLP_DEBUG": "perhaps"}, ["TSLP_DEBUG"]),
        ({"a": 1, "debug": 3}, {}, ["`a`", "`debug`"]),
        (["not", "a", "mapping"], {}, ["mapping"]),
        ({5: 5}, {}, ["Unknown setting `5`"]),
        ({"tombstone_episodes": 10**20}, {}, ["tombstone_episodes", "less than or equal"]),
        ({"hydration_tokens_max": 10**30}, {}, ["hydration_tokens_max"]),
        ({"window_tokens": 10**40}, {}, ["window_tokens"]),
        ({"visit_seconds": float("inf")}, {}, ["visit_seconds"]),
        ({"visit_seconds": True}, {}, ["visit_seconds"]),
        ({}, {"TSLP_VISIT_SECONDS": "0"}, ["visit_seconds", "greater than 0"]),
        ({"parity_nodes_min_ratio": True}, {}, ["parity_nodes_min_ratio"]),
    ],
)
def test_what_is_wrong_is_named(given: object, environment: dict[str, str], words: list[str]) -> None:
    with pytest.raises(SettingsError) as error:
        load(given, environment)  # type: ignore[arg-type]
    for word in words:
        assert word in str(error.value)


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())
