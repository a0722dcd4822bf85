"""Secrets: what is found, what is left alone, and what stands in their place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import metadata

import pytest

from tests.samples_of_secrets import ALL, INNOCENT, OWN
from tslp_litellm import secrets

CODE = "def connect(host):\n    key = '{}'\n    return client(host, key)\n"


@pytest.fixture
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    secrets.detector.cache_clear()
    monkeypatch.setattr(secrets.metadata, "version", absent)
    yield
    secrets.detector.cache_clear()


@pytest.mark.parametrize("secret", ALL.values(), ids=ALL)
def test_a_secret_is_found_and_nothing_of_it_is_left(secret: str) -> None:
    text = CODE.format(secret)
    assert secrets.holds_secret(text)
    shown = secrets.redact(text)
    assert "[REDACTED: " in shown
    assert shown.startswith("def connect(host):\n")
    assert "return client(host, key)\n" in shown
    longest = max(secret.replace("'", '"').split('"'), key=len)
    assert not [longest[i : i + 12] for i in range(0, len(longest) - 12, 6) if longest[i : i + 12] in shown]


@pytest.mark.parametrize("secret", OWN.values(), ids=OWN)
def test_ours_are_found_without_the_extra(secret: str, without_the_extra: None) -> None:
    assert secrets.detector().version is None
    assert secrets.holds_secret(f"x = {secret} ;")


@pytest.mark.parametrize("text", INNOCENT.values(), ids=INNOCENT)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert secrets.findings(text) == []
    assert secrets.redact(text) is text


def test_several_secrets_each_with_its_kind() -> None:
    text = f"a {OWN['aws id']} b {OWN['github classic']} c"
    assert secrets.redact(text) == "a [REDACTED: AWS Access Key] b [REDACTED: GitHub Token] c"
    first, second = secrets.findings(text)
    assert (text[first.start : first.end], text[second.start : second.end]) == (OWN["aws id"], OWN["github classic"])


def test_redacting_twice_changes_nothing_more() -> None:
    once = secrets.redact("\n".join(ALL.values()))
    assert secrets.redact(once) == once


def test_a_json_value_is_redacted_in_all_its_texts() -> None:
    value = {"a": [1, None, {"b": f"x {OWN['google']}"}], OWN["aws id"]: "k", "key": OWN["rsa"], "n": 2.5}
    shown = secrets.redacted(value)
    assert not secrets.holds_secret(json.dumps(shown))
    assert shown["a"][0] == 1
    assert shown["n"] == 2.5
    assert shown["key"] == "[REDACTED: Private Key]"
    harmless = {"entity": "a.py::f", "artifact": INNOCENT["hash"]}
    assert secrets.redacted(harmless) is harmless


def test_a_value_of_any_depth_is_redacted() -> None:
    key = "AKIA" + "QRJ5MWXK2NVT7HPA"
    deep: object = key
    for n in range(50_000):
        deep = [deep] if n % 2 else {"a": deep}
    shown = secrets.redacted(deep)
    for n in reversed(range(50_000)):
        shown = shown[0] if n % 2 else shown["a"]
    assert shown == secrets.redact(key) != key


def test_lone_surrogates_and_nuls_do_no_harm() -> None:
    text = f"\ud800\0{OWN['npm']}\udfff"
    assert secrets.redact(text) == "\ud800\0[REDACTED: NPM tokens]\udfff"
    assert secrets.redacted([text]) == [secrets.redact(text)]


class Endless:
    """A pattern that does not come to an end in its time."""

    @staticmethod
    def finditer(*_args: object, **_more: object) -> Iterator[re.Match[str]]:
        raise TimeoutError


def test_what_takes_too_long_counts_as_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    forms = (secrets._Form("key", Endless()),)
    monkeypatch.setattr(secrets, "detector", lambda: secrets.Detector(forms, None))
    assert secrets.findings("sk-abc") == [secrets.Finding(secrets.UNEXAMINED, 0, 6)]
    assert secrets.redact("sk-abc") == f"[REDACTED: {secrets.UNEXAMINED}]"
