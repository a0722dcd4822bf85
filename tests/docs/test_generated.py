"""Pages that are written from the code are what the code says."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tslp_litellm.settings import Settings

from .pages import ROOT


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_settings_page_is_current() -> None:
    writer = script("write_settings")
    assert writer.PAGE.read_text("utf-8") == writer.page(), "run scripts/write_settings.py"
    for name in Settings.model_fields:
        assert f"| `{name}` |" in writer.page()


def test_every_header_of_ours_is_explained() -> None:
    writer = script("write_settings")
    assert writer.headers_in_code() == set(writer.HEADERS)


def test_every_setting_says_what_it_does_and_takes() -> None:
    writer = script("write_settings")
    properties = Settings.model_json_schema()["properties"]
    for name, field in Settings.model_fields.items():
        _, value, _, said = writer._row(name, properties[name], field.default)
        assert value not in ("", "value"), name
        assert said.endswith((".", ")")), name


def test_the_tables_of_the_truth_page_are_current() -> None:
    writer = script("write_rules")
    text = writer.TRUTH.read_text("utf-8")
    assert text == writer.with_tables(text), "run scripts/write_rules.py"
    for name in writer.tables():
        assert f"<!-- table: {name} -->" in text
    for code in writer.REASONS:
        assert f"`{code}`" in text


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        script("write_rules").with_tables("<!-- table: nothing -->\n<!-- end -->")
