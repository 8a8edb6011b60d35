from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.quirk_server import QuirkServer


@pytest.fixture(scope="module")
def quirks():
    with QuirkServer() as server:
        yield server


@pytest.fixture
def serving():
    """Serve this body to every request, and return the address."""
    servers = []

    def serve(body: object, status: int = 200) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_every_model_is_a_line_and_the_chosen_one_is_marked(cli, serving):
    address = serving({"data": [{"id": "small"}, {"id": "large"}]})
    ran = cli("models", "--base-url", address, "--model", "large")
    assert (ran.status, ran.out) == (0, "  small\n* large\n")


def test_as_json_it_is_one_object(cli, serving):
    address = serving({"data": [{"id": "small"}, {"id": "large"}]})
    (found,) = cli("models", "--json", "--base-url", address, "--model", "large").objects
    assert found == {"provider": "custom", "base_url": address, "models": ["small", "large"], "chosen": "large"}


def test_the_whole_list_of_a_large_server_is_there(cli, quirks):
    ran = cli("models", "--base-url", quirks.base_url, "--model", "good")
    assert len(ran.out.splitlines()) > 100
    assert [line for line in ran.out.splitlines() if line.startswith("*")] == ["* good"]


def test_the_offline_model_is_said_to_be_the_one_there_is(cli):
    ran = cli("models")
    assert (ran.status, ran.out) == (0, "* offline\n")
    assert "the one there is" in ran.err
    (found,) = cli("models", "--json").objects
    assert found == {"provider": "offline", "base_url": None, "models": ["offline"], "chosen": "offline"}


@pytest.mark.parametrize(
    ("flags", "listed", "said"),
    [
        ((), ["small"], "choose one with --model"),
        (("--model", "huge"), ["small"], "huge, the model that is chosen, is not among them"),
        (("--model", "huge"), [], "lists no models"),
    ],
)
def test_what_the_list_does_not_show_is_said_beside_it(cli, serving, flags, listed, said):
    address = serving({"data": [{"id": name} for name in listed]})
    ran = cli("models", "--base-url", address, *flags)
    assert (ran.status, ran.out) == (0, "".join(f"  {name}\n" for name in listed))
    assert said in ran.err


def test_a_name_cannot_break_its_line_or_drive_the_terminal(cli, serving):
    ran = cli("models", "--base-url", serving({"data": [{"id": "a\nb\x1b[2J"}]}))
    assert ran.out == "  a b\ufffd[2J\n"


def test_a_server_that_is_down_is_said_with_cause_and_next_step(cli):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        ran = cli("models", "--base-url", address, "--json")
    assert (ran.status, ran.out) == (1, "")
    what, cause, advice = ran.err.splitlines()
    assert what.startswith("campus-agent: ")
    assert address in cause
    assert "--base-url" in advice


def test_a_refused_key_names_its_variable(cli, serving, monkeypatch):
    monkeypatch.setenv("CAMPUS_AGENT_API_KEY", "sk-secret")
    ran = cli("models", "--base-url", serving({"error": {"message": "sk-secret is no key"}}, 401))
    assert (ran.status, ran.out) == (1, "")
    assert "CAMPUS_AGENT_API_KEY" in ran.err
    assert "sk-secret" not in ran.err


def test_a_hosted_server_that_needs_a_model_to_be_named_is_asked_all_the_same(cli, monkeypatch):
    asked = []

    async def models(self):
        asked.append(self.provider)
        return ["one", "two"]

    monkeypatch.setattr("campus_agent.models.openai_chat.OpenAIChatModel.models", models)
    monkeypatch.setenv("OPENROUTER_API_KEY", "k")
    ran = cli("models", "--provider", "openrouter")
    assert (ran.status, ran.out, asked) == (0, "  one\n  two\n", ["openrouter"])


@pytest.mark.parametrize("flags", [("--provider", "nvidia"), ("--provider", "none-such"), ("--base-url", "ftp://a")])
def test_settings_that_lead_to_no_server_are_wrong_usage(cli, flags):
    ran = cli("models", *flags)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("campus-agent: ")
