from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from campus_agent.settings import Settings


def test_settings_made_in_python_read_no_environment(monkeypatch):
    monkeypatch.setenv("CAMPUS_AGENT_MAX_STEPS", "2")
    assert Settings().max_steps == 5


def test_settings_loaded_in_python_read_every_layer(monkeypatch):
    monkeypatch.setenv("CAMPUS_AGENT_MAX_STEPS", "2")
    monkeypatch.setenv("CAMPUS_AGENT_MAX_TOKENS", "100")
    settings = Settings.load(max_steps=3, kb=["a", "b"])
    assert (settings.max_steps, settings.max_tokens, settings.kb) == (3, 100, ("a", "b"))


def test_settings_cannot_be_changed():
    with pytest.raises(ValidationError):
        Settings().max_steps = 3


@pytest.mark.parametrize(
    "values",
    [
        {"max_step": 3},
        {"max_steps": 0},
        {"temperature": 2.1},
        {"temperature": math.nan},
        {"deadline": 0},
        {"deadline": math.inf},
        {"timezone": "Mars/Phobos"},
        {"timezone": "../etc/passwd"},
        {"now": "tomorrow"},
        {"guardrail": "loose"},
        {"refusal": ""},
        {"refusal": " "},
        {"refusal": "\u00a0\u2003\t"},
        {"topics": ("clubs", "\u200b")},
        {"tool_names": ("",)},
        {"kb": ("",)},
        {"kb": ("club", "\u00a0")},
        {"now": "9999-12-31T23:59:59-12:00"},
        {"now": "0001-01-01T00:00:00+14:00"},
        {"now": "1899-12-31T23:59:59"},
        {"now": datetime(2201, 1, 1)},
    ],
)
def test_a_value_that_cannot_be_right_is_refused_by_name(values):
    (name,) = values
    with pytest.raises(ValidationError, match=name):
        Settings(**values)


def test_every_setting_has_a_description_of_one_line():
    assert [name for name, field in Settings.model_fields.items() if not (field.description or "").strip()] == []
    assert not any("\n" in (field.description or "") for field in Settings.model_fields.values())


def test_a_moment_may_be_written_as_text_with_an_offset_or_without():
    assert Settings(now="2026-06-13T10:00:00-07:00").now == datetime(2026, 6, 13, 17, tzinfo=UTC)
    moment = Settings(now="2026-06-13 10:00").now
    assert (moment, moment.tzinfo) == (datetime(2026, 6, 13, 10), None)


def test_the_zone_is_that_of_the_campus():
    assert datetime(2026, 6, 13, tzinfo=Settings(timezone="Europe/Madrid").zone).utcoffset() == timedelta(hours=2)


def test_the_budgets_are_the_settings_of_the_same_name():
    budgets = Settings(max_steps=2, max_tool_calls=3, parse_retries=4, tool_retries=5, deadline=6).budgets
    assert budgets.model_dump() == {
        "max_steps": 2,
        "max_tool_calls": 3,
        "parse_retries": 4,
        "tool_retries": 5,
        "deadline": 6.0,
    }


def test_a_key_does_not_show():
    assert "sk-1" not in repr(Settings(api_key="sk-1"))


def test_a_theme_that_does_not_exist_is_said_with_those_that_do() -> None:
    with pytest.raises(ValidationError, match="campus-dark"):
        Settings(theme="nope")
