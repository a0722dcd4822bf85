"""Settings: the environment wins, and what is wrong is named."""

import math
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


def test_a_variable_of_the_environment_is_named_as_in_the_rest_of_litellms_config() -> None:
    given = {"database_url": "os.environ/DB", "debug": "os.environ/LOUD", "audit_model": "os.environ/UNSET"}
    found = load(given, {"DB": "sqlite:///x.db", "LOUD": "True"})
    assert (found.database_url, found.debug, found.audit_model) == ("sqlite:///x.db", True, None)
    with pytest.raises(SettingsError, match="`database_url` .* is os.environ/DB, and that variable is not set"):
        load(given, {})
    assert load({"database_url": "os.environ/DB"}, {"TSLP_DATABASE_URL": "sqlite://"}).database_url == "sqlite://"


def test_other_variables_of_that_beginning_are_let_alone() -> None:
    """The command line has some, the compose files have, and Kubernetes makes some for a service of that name."""
    others = ("URL", "KEY", "PORT", "PORT_4000_TCP", "SERVICE_HOST", "DB_PASSWORD", "MODEL", "HOOK_SECRET", "COMPLETE")
    assert load({}, {f"TSLP_{name}": "tcp://10.0.0.1:4000" for name in others}) == load({}, {})


def test_windows_are_a_number_or_a_table() -> None:
    assert load({"window_tokens": 4096}, {}).window_tokens == 4096
    assert load({}, {"TSLP_WINDOW_TOKENS": "8192"}).window_tokens == 8192
    assert load({}, {"TSLP_WINDOW_TOKENS": "{coder: 2048}"}).window_tokens == {"coder": 2048}


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
        ({"visit_seconds": math.inf}, {}, ["visit_seconds", "finite"]),
        ({"database_url": ""}, {}, ["database_url"]),
        ({"workspace": " "}, {}, ["workspace"]),
        ({}, {"TSLP_ON_ERROR": "explode"}, ["on_error", "TSLP_ON_ERROR"]),
        ({}, {"TSLP_DEBUG": "perhaps"}, ["TSLP_DEBUG"]),
        ({}, {"TSLP_TRUTS": "human"}, ["TSLP_TRUTS", "TSLP_TRUST"]),
        ({"a": 1, "debug": 3}, {}, ["`a`", "`debug`"]),
        ({"window_tokens": "4096"}, {}, ["window_tokens"]),
        ({"window_tokens": {"m": 16}}, {}, ["window_tokens"]),
        (["not", "a", "mapping"], {}, ["mapping"]),
    ],
)
def test_what_is_wrong_is_named(given: object, environment: dict[str, str], words: list[str]) -> None:
    with pytest.raises(SettingsError) as error:
        load(given, environment)  # type: ignore[arg-type]
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("given", "environment", "words"),
    [
        ({"window_tokens": 8}, {}, "is 8: must be a number, 256 or more, or a mapping of model names to such numbers."),
        ({"window_tokens": {"m": 8}}, {}, "is {'m': 8}: must be a number, 256 or more, or a mapping"),
        ({"window_tokens": {1: 8192}}, {}, "is {1: 8192}: must be a number, 256 or more, or a mapping"),
        ({"webhooks": {"url": "https://a/"}}, {}, "`webhooks` in the `tslp` settings: must be a list, each"),
        ({"webhooks": ["https://a/"]}, {}, "`webhooks.0` in the `tslp` settings: must be a mapping."),
        ({}, {"TSLP_WEBHOOKS": ""}, "TSLP_WEBHOOKS in the environment: must be a list"),
        ({}, {"TSLP_AUDIT": ""}, "TSLP_AUDIT in the environment is empty: must be true, false or all."),
        ({}, {"TSLP_DEBUG": ""}, "TSLP_DEBUG in the environment is empty: must be true or false."),
        ({}, {"TSLP_DATABASE_URL": ""}, "TSLP_DATABASE_URL in the environment is empty: must be a text."),
        ({}, {"TSLP_ON_ERROR": ""}, "TSLP_ON_ERROR in the environment is empty: must be 'pass' or 'block'."),
        ({"tombstone_episodes": "many"}, {}, "is 'many': must be a whole number."),
        ({"visit_seconds": "x"}, {}, "is 'x': must be a number."),
        ({"symbols_file": ["a"]}, {}, "is ['a']: must be a path."),
    ],
)
def test_one_sentence_in_a_users_words(given: object, environment: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError) as error:
        load(given, environment)  # type: ignore[arg-type]
    assert words in str(error.value)
    assert str(error.value).count("Setting ") == 1
    assert "should" not in str(error.value)


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())


WEBHOOK = {"url": "https://receiver.example/", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}


def test_webhooks_are_a_list_and_keep_their_secrets() -> None:
    (found,) = load({"webhooks": [WEBHOOK]}, {}).webhooks
    assert (found.url, found.allow_private, found.events) == (WEBHOOK["url"], False, ())
    assert "MfKQ9r8" not in repr(load({"webhooks": [WEBHOOK]}, {}))
    assert len(load({}, {"TSLP_WEBHOOKS": str([WEBHOOK])}).webhooks) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([{**WEBHOOK, "url": "ftp://a/"}], "webhooks.0.url"),
        ([{**WEBHOOK, "url": "https://user:word@a/"}], "password"),
        ([{**WEBHOOK, "url": "https://a:b/"}], "no URL"),
        ([{**WEBHOOK, "colour": "red"}], "webhooks.0.colour"),
        ([{"url": "https://a/"}], "webhooks.0.secret"),
        ([WEBHOOK, WEBHOOK], "one `url`"),
        (WEBHOOK, "webhooks"),
        ("https://a/", "webhooks"),
    ],
)
def test_a_webhook_that_is_none_is_named_without_its_secret(given: object, says: str) -> None:
    with pytest.raises(SettingsError, match=says) as raised:
        load({"webhooks": given}, {})
    assert "MfKQ9r8" not in str(raised.value)
