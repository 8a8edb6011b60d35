from __future__ import annotations

import json

from campus_agent.settings import Settings


def test_show_prints_every_setting_with_its_value_and_origin(cli, monkeypatch):
    monkeypatch.setenv("CAMPUS_AGENT_MAX_TOKENS", "100")
    ran = cli("--max-steps", "3", "config", "show", "--no-stream")
    lines = {line.split()[0]: line for line in ran.out.splitlines()}
    assert list(lines) == list(Settings.model_fields)
    assert lines["max_steps"].split()[1:] == ["3", "[flag]"]
    assert lines["stream"].split()[1:] == ["false", "[flag]"]
    assert lines["max_tokens"].split()[1:] == ["100", "[environment", "CAMPUS_AGENT_MAX_TOKENS]"]
    assert lines["deadline"].split()[1:] == ["180.0", "[default]"]


def test_show_as_json_has_value_and_origin_of_each(cli):
    (found,) = cli("config", "show", "--json", "--now", "2026-06-13T10:00:00", "--kb", "a", "--kb", "b").objects
    assert list(found) == list(Settings.model_fields)
    assert found["now"] == {"value": "2026-06-13T10:00:00", "origin": "flag"}
    assert found["model"] == {"value": None, "origin": "default"}
    assert found["kb"]["value"] == ["a", "b"]


def test_show_masks_every_secret(cli, monkeypatch):
    monkeypatch.setenv("CAMPUS_AGENT_API_KEY", "sk-1")
    address = "http://me:sk-2@localhost:8000/v1"
    plain = cli("config", "show", "--base-url", address)
    as_json = cli("config", "show", "--base-url", address, "--json")
    assert "sk-" not in plain.out + as_json.out
    assert "api_key" in plain.out
    assert json.loads(as_json.out)["api_key"]["value"] == "********"


def test_path_says_where_the_file_is_looked_for(cli, monkeypatch, tmp_path):
    assert cli("config", "path").out.strip().endswith("config.toml")
    assert cli("config", "path", "--config", "mine.toml").out == "mine.toml\n"
    monkeypatch.setenv("CAMPUS_AGENT_CONFIG", str(tmp_path / "other.toml"))
    assert cli("config", "path").out == f"{tmp_path / 'other.toml'}\n"


def test_path_works_although_the_file_is_wrong(cli, tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("nonsense", encoding="utf-8")
    assert cli("config", "path", "--config", str(wrong)).status == 0
    assert cli("config", "show", "--config", str(wrong)).status == 2
