"""What a response is to carry, kept from the pre-flight until LiteLLM asks."""

from __future__ import annotations

from tslp_litellm.gateway.response_headers import ResponseHeaders


def test_headers_are_asked_for_more_than_once_and_by_their_key_alone() -> None:
    kept = ResponseHeaders()
    kept.put("a", {"x-tslp-window": "fits"})
    assert kept.of("a") == kept.of("a") == {"x-tslp-window": "fits"}
    assert kept.of("b") is None
    assert kept.of(None) is None
    found = kept.of("a")
    assert found is not None
    found["x-other"] = "1"
    assert kept.of("a") == {"x-tslp-window": "fits"}


def test_the_oldest_go_and_an_episode_without_headers_is_none() -> None:
    kept = ResponseHeaders(kept_max=2)
    for key in "abc":
        kept.put(key, {"x": key})
    kept.put("d", {})
    assert [kept.of(key) for key in "abcd"] == [None, {"x": "b"}, {"x": "c"}, None]
    kept.put("c", {})
    assert kept.of("c") is None
