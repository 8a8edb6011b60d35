from __future__ import annotations

from pathlib import Path

from campus_agent.cli.reference import page
from campus_agent.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"


def test_the_page_of_settings_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_page_names_every_setting_and_no_flag_for_the_key():
    assert [name for name in Settings.model_fields if f"| `{name}` |" not in page()] == []
    assert "--api-key" not in page()
