"""Definitions that are equal but for the name."""

from tslp_litellm.resolution.renaming import renames

from .test_gates import BASE, py


def test_renames_are_found_by_equal_definitions() -> None:
    after = py(BASE.replace("title(s)", "titled(s)"))
    assert renames(after, py(BASE)) == {"title": "titled"}
    assert (
        renames(
            py(BASE.replace("def title(s):\n    return clean(s).title()", "def titled(s):\n    return s")), py(BASE)
        )
        == {}
    )
