"""Open episodes: bounded in number, size and age, and named by nobody but us."""

from __future__ import annotations

from typing import Any

import pytest

from tslp_litellm.gateway import open_episodes
from tslp_litellm.gateway.open_episodes import AGE_MAX_S, FIELD, Dropped, OpenEpisodes, stamp, stamped, unstamp
from tslp_litellm.state.names import WorkspaceKey

W = WorkspaceKey("t", "w")


def put(episodes: OpenEpisodes[str], *keys: str, chars: int = 1, now: float = 0.0) -> None:
    for key in keys:
        assert episodes.put(key, f"episode {key}", W, chars, now) == []


def test_an_episode_is_taken_once() -> None:
    episodes: OpenEpisodes[str] = OpenEpisodes()
    put(episodes, "a")
    assert "a" in episodes
    assert (episodes.take("a"), episodes.take("a"), episodes.take("b"), episodes.take(None)) == (
        "episode a",
        None,
        None,
        None,
    )
    assert len(episodes) == 0


def test_it_may_be_told_anew() -> None:
    episodes: OpenEpisodes[str] = OpenEpisodes(chars_max=10)
    put(episodes, "b")
    for _ in range(20):
        put(episodes, "a", chars=9)
    assert (episodes.take("a"), episodes.take("b")) == ("episode a", "episode b"), "its size counts once"


def test_beyond_the_number_the_oldest_goes() -> None:
    episodes: OpenEpisodes[str] = OpenEpisodes(episodes_max=2)
    put(episodes, "a", "b", "c")
    assert (episodes.take("a"), episodes.take("b")) == (Dropped(W), "episode b")
    assert episodes.take("a") is None, "that is said once"


def test_beyond_the_size_as_many_go_as_need_be_but_never_the_newest() -> None:
    episodes: OpenEpisodes[str] = OpenEpisodes(chars_max=10)
    put(episodes, "a", "b", "c", chars=3)
    put(episodes, "d", chars=7)
    assert [episodes.take(key) for key in "abcd"] == [Dropped(W), Dropped(W), "episode c", "episode d"]
    put(episodes, "e", chars=100)
    assert episodes.take("e") == "episode e"


def test_beyond_the_age_they_go_with_the_next() -> None:
    episodes: OpenEpisodes[str] = OpenEpisodes()
    put(episodes, "a")
    put(episodes, "b", now=1.0)
    put(episodes, "c", now=AGE_MAX_S + 0.5)
    assert [episodes.take(key) for key in "abc"] == [Dropped(W), "episode b", "episode c"]


def test_what_is_not_even_known_by_its_workspace_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_episodes, "DROPPED_MAX", 1)
    episodes: OpenEpisodes[str] = OpenEpisodes(episodes_max=1)
    put(episodes, "a", "b")
    assert episodes.put("c", "episode c", W, 1, 0.0) == [W]
    assert (episodes.take("a"), episodes.take("b")) == (None, Dropped(W))


@pytest.mark.parametrize(
    "data", [{}, {"metadata": {"x": "y"}}, {"metadata": None}, {"metadata": {}, "litellm_metadata": {}}]
)
def test_a_request_has_a_key_of_its_own(data: dict[str, Any]) -> None:
    other: dict[str, Any] = {}
    assert stamp(data) != stamp(other)
    key = stamped(data)
    assert key is not None
    assert len(key) >= 32
    assert stamp(data) != key
    assert stamped(data) != key
    unstamp(data)
    assert stamped(data) is None


def test_the_key_stands_in_litellms_own_metadata_and_is_no_string() -> None:
    """What is sent to a provider is `metadata` where `litellm_metadata` is LiteLLM's own, and strings only."""
    data: dict[str, Any] = {"metadata": {"users": "own"}, "litellm_metadata": {}}
    key = stamp(data)
    assert data == {"metadata": {"users": "own"}, "litellm_metadata": {FIELD: [key]}}


@pytest.mark.parametrize("forged", [["theirs"], "theirs", [["theirs"]], {"theirs": 1}, None, [1]])
@pytest.mark.parametrize("place", ["metadata", "litellm_metadata"])
def test_what_a_client_puts_there_is_replaced(place: str, forged: Any) -> None:
    data: dict[str, Any] = {"metadata": {}, "litellm_metadata": {}, place: {FIELD: forged}}
    key = stamp(data)
    assert stamped(data) == key
    assert "theirs" not in str(data)
