from __future__ import annotations

import socket

import pytest

from tests.quirk_server import QuirkServer

NAMES = [
    "provider",
    "address",
    "key",
    "model",
    "streaming",
    "native tools",
    "JSON schema",
    "clock",
    "knowledge base",
    "semantic",
    "terminal",
]


@pytest.fixture(scope="module")
def quirks():
    with QuirkServer() as server:
        yield server


@pytest.fixture
def closed_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


def test_without_any_setting_everything_works_and_the_server_is_not_applicable(cli):
    ran = cli("doctor")
    lines = ran.out.splitlines()
    assert (ran.status, ran.err) == (0, "")
    assert [line[2:16].rstrip() for line in lines] == NAMES
    assert [line[0] for line in lines] == [*"✓––––––✓✓––"]


def test_under_a_failure_stands_one_line_with_what_to_do(cli, quirks):
    ran = cli("doctor", "--base-url", quirks.base_url, "--model", "http-401")
    assert ran.status == 1
    lines = ran.out.splitlines()
    (at,) = [n for n, line in enumerate(lines) if line.startswith("✕")]
    assert lines[at].startswith("✕ key ")
    assert lines[at + 1].startswith(" " * 18 + "Set CAMPUS_AGENT_API_KEY")
    assert lines[at + 2].startswith("– model ")


def test_a_warning_has_advice_and_does_not_change_the_status(cli, quirks):
    ran = cli("doctor", "--base-url", quirks.base_url, "--model", "no-tools")
    assert ran.status == 0
    assert "! native tools " in ran.out
    assert "--protocol json" in ran.out


def test_as_json_it_is_one_object_with_every_check(cli, quirks):
    ran = cli("doctor", "--json", "--base-url", quirks.base_url, "--model", "good")
    (found,) = ran.objects
    assert set(found) == {"checks", "ok"}
    assert [check["name"] for check in found["checks"]] == NAMES
    assert all(set(check) == {"name", "status", "found", "next"} for check in found["checks"])
    assert (found["ok"], ran.status, ran.err) == (True, 0, "")
    passed = {check["name"] for check in found["checks"] if check["status"] == "ok"}
    assert {"address", "key", "model", "streaming", "native tools"} <= passed


def test_as_json_a_dead_server_is_not_ok(cli, closed_port):
    ran = cli("doctor", "--json", "--base-url", closed_port, "--model", "m")
    (found,) = ran.objects
    assert (found["ok"], ran.status) == (False, 1)
    assert [check["status"] for check in found["checks"]][:4] == ["ok", "failed", "skipped", "skipped"]


def test_a_setting_that_cannot_be_used_is_wrong_usage_and_nothing_is_checked(cli):
    ran = cli("doctor", "--timezone", "Mars/Olympus")
    assert (ran.status, ran.out) == (2, "")
    assert "timezone" in ran.err


@pytest.mark.parametrize(
    ("flags", "waits"),
    [((), (10.0, 10.0)), (("--first-byte-timeout", "3"), (3.0, 10.0)), (("--idle-timeout", "60"), (10.0, 60.0))],
)
def test_it_waits_ten_seconds_where_the_person_chose_no_other_time(cli, monkeypatch, flags, waits):
    waited = []

    async def examine(settings, environ, terminal):
        waited.append((settings.first_byte_timeout, settings.idle_timeout))
        for never in ():
            yield never

    monkeypatch.setattr("campus_agent.doctor.examine.examine", examine)
    assert cli("doctor", *flags).status == 0
    assert waited == [waits]
