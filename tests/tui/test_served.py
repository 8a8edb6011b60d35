from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from campus_agent.settings import Settings
from campus_agent.tui.slash.served import ServedModels


class Server(ThreadingHTTPServer):
    asked = 0
    body = json.dumps({"data": [{"id": "small"}, {"id": "large"}]}).encode()


class Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        self.server.asked += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server(("127.0.0.1", 0), Answering)
    Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def test_the_server_is_asked_once_for_its_models(server):
    models = ServedModels(lambda: Settings(base_url=address(server)))
    assert (models(), models()) == (("small", "large"), ("small", "large"))
    assert server.asked == 1


def test_another_server_is_asked_when_the_settings_name_one(server):
    settings = [Settings(provider="offline"), Settings(base_url=address(server))]
    models = ServedModels(lambda: settings[0])
    assert models() == ()
    settings.pop(0)
    assert models() == ("small", "large")


@pytest.mark.parametrize("body", [b"", b"no json", b"[[[", b'{"data": 3}', b'{"data": [3, {"id": 4}]}'])
def test_a_server_that_lists_nothing_readable_offers_nothing(server, body):
    server.body = body
    assert ServedModels(lambda: Settings(base_url=address(server)))() == ()


@pytest.mark.parametrize(
    "settings",
    [Settings(base_url="http://127.0.0.1:9/v1"), Settings(provider="openai"), Settings(provider="nobody")],
    ids=["down", "no key", "unknown"],
)
def test_a_server_that_cannot_be_asked_offers_nothing(settings):
    assert ServedModels(lambda: settings)() == ()
