"""Pages that are written from the code are what the code says."""

from __future__ import annotations

import re

import pytest

from scripts import write_rules, write_settings
from tslp_litellm.gateway.policies import NAMES
from tslp_litellm.settings import Settings

from .pages import ROOT


def test_the_settings_page_is_current() -> None:
    assert write_settings.PAGE.read_text("utf-8") == write_settings.page(), "run python -m scripts.write_settings"
    for name in Settings.model_fields:
        assert f"| `{name}` |" in write_settings.page()


def test_every_header_of_ours_is_explained() -> None:
    assert write_settings.headers_in_code() == write_settings.HEADERS.keys() | write_settings.RESPONSE_HEADERS.keys()
    assert set(write_settings.METADATA) == set(NAMES)


def test_every_setting_says_what_it_does_and_takes() -> None:
    properties = Settings.model_json_schema()["properties"]
    for name, field in Settings.model_fields.items():
        _, value, _, said = write_settings._row(name, properties[name], field.default)
        assert value not in ("", "value"), name
        assert said.endswith((".", ")")), name


def test_the_tables_of_the_truth_page_are_current() -> None:
    text = write_rules.TRUTH.read_text("utf-8")
    assert text == write_rules.with_tables(text), "run python -m scripts.write_rules"
    for name in write_rules.tables():
        assert f"<!-- table: {name} -->" in text
    for code in write_rules.REASONS:
        assert f"`{code}`" in text


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        write_rules.with_tables("<!-- table: nothing -->\n<!-- end -->")


@pytest.mark.slow
def test_what_is_compared_stands_on_the_pages_that_it_links_to() -> None:
    """Those are written by what measures: new figures there are to be brought here."""
    page = ROOT / "docs" / "comparison.md"
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ") and "](" in line]
    assert rows
    for row in rows:
        source = re.search(r"\]\(([\w/]+\.md)", row)
        assert source, row
        told = (page.parent / source[1]).read_text("utf-8")
        without, with_tslp = (cell.strip() for cell in row.split("|")[-3:-1])
        for figure in (without, with_tslp):
            known = re.escape(figure.removesuffix(" ms")).replace("\\ of\\ ", r"(?: of |\s*\|\s*)")
            assert re.search(rf"[|\s]{known}[|\s]", told), f"{source[1]} does not have {figure}: {row}"
