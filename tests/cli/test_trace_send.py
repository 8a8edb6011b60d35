from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from played import Ending, Played

from campus_agent.journal.sending import NotSent, endpoint, headers


@dataclass
class Collector:
    """Takes what is sent to it, and says what a test wants."""

    status: int = 200
    said: bytes = b"{}"
    location: str = ""
    taken: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    address: str = ""


@pytest.fixture
def collector() -> Iterator[Collector]:
    state = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.taken.append(
                (self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(body))
            )
            self.send_response(state.status)
            if state.location:
                self.send_header("Location", state.location)
            self.send_header("Content-Length", str(len(state.said)))
            self.end_headers()
            self.wfile.write(state.said)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.address = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def asked(cli: Callable, played: Callable[..., Played], monkeypatch: pytest.MonkeyPatch) -> Callable:
    for name in ("", "_TRACES"):
        for what in ("ENDPOINT", "HEADERS"):
            monkeypatch.delenv(f"OTEL_EXPORTER_OTLP{name}_{what}", raising=False)
    played(Ending())
    assert cli("ask", "question 1").status == 0
    return cli


def test_a_run_is_sent_to_the_collector_that_is_named(asked: Callable, collector: Collector) -> None:
    ran = asked("trace", "send", "last", "--to", collector.address)
    assert (ran.status, ran.out) == (0, "")
    assert f"Sent 1 run to {collector.address}/v1/traces" in ran.err
    ((path, sent, body),) = collector.taken
    assert (path, sent["content-type"]) == ("/v1/traces", "application/json")
    spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert spans[0]["name"] == "invoke_agent campus-agent"


def test_the_environment_names_the_collector_and_the_key_as_other_exporters_have_it(
    asked: Callable, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"{collector.address}/otel/")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=secret%3D1, x-team = campus")
    assert asked("trace", "send", "last").status == 0
    ((path, sent, _),) = collector.taken
    assert (path, sent["x-key"], sent["x-team"]) == ("/otel/v1/traces", "secret=1", "campus")


@pytest.mark.parametrize(
    ("status", "said", "words"),
    [
        (401, b"no key", ["refused the spans: HTTP 401", "no key", "OTEL_EXPORTER_OTLP_HEADERS"]),
        (404, b"\x1b[31mnothing here\xff", ["refused the spans: HTTP 404", "nothing here"]),
        (503, b"", ["refused the spans: HTTP 503"]),
        (302, b"", ["refused the spans: HTTP 302"]),
        (
            200,
            b'{"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too old"}}',
            ["did not take every", "too old"],
        ),
    ],
)
def test_what_a_collector_does_not_take_is_said(
    asked: Callable, collector: Collector, status: int, said: bytes, words: list[str]
) -> None:
    collector.status, collector.said = status, said
    collector.location = "http://127.0.0.1:9/" if status == 302 else ""
    ran = asked("trace", "send", "last", "--to", collector.address)
    assert ran.status == 1
    assert [word for word in words if word not in ran.err] == []
    assert "\x1b" not in ran.err


@pytest.mark.parametrize("said", [b"", b"ok", b'{"partialSuccess": {}}', b'{"partialSuccess": {"rejectedSpans": 0}}'])
def test_a_collector_that_says_yes_in_any_form_is_believed(asked: Callable, collector: Collector, said: bytes) -> None:
    collector.said = said
    assert asked("trace", "send", "last", "--to", collector.address).status == 0


def test_a_collector_that_is_not_there_is_said_with_the_port_it_may_have(asked: Callable, collector: Collector) -> None:
    ran = asked("trace", "send", "last", "--to", "http://user:word@127.0.0.1:9")
    assert ran.status == 1
    assert "did not answer" in ran.err
    assert "4318" in ran.err
    assert "word@" not in ran.err


@pytest.mark.parametrize(
    ("given", "environ", "address"),
    [
        ("http://a:4318", {}, "http://a:4318/v1/traces"),
        ("https://a/v1/traces", {}, "https://a/v1/traces"),
        (None, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"}, "http://a/v1/traces"),
        (None, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a/x"}, "http://a/x"),
        ("http://b", {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a/x"}, "http://b/v1/traces"),
    ],
)
def test_the_address_is_that_of_traces(given: str | None, environ: dict[str, str], address: str) -> None:
    assert endpoint(given, environ) == address


@pytest.mark.parametrize("given", [None, "", "localhost:4318", "ftp://a", "http://", "http://a:port", "file:///etc"])
def test_what_is_no_address_is_said_with_an_example(given: str | None) -> None:
    with pytest.raises(NotSent) as raised:
        endpoint(given, {})
    assert "http://localhost:4318" in str(raised.value)


def test_headers_that_are_none_are_left_out() -> None:
    assert headers({"OTEL_EXPORTER_OTLP_HEADERS": "a=1,,b,c=2=3"}) == {"a": "1", "c": "2=3"}
    assert headers({}) == {}
