"""Sends the spans of runs to a collector: OTLP in JSON over HTTP, which needs no library.

The variables are those of OpenTelemetry's own exporters
(https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from campus_agent.errors import CampusAgentError
from campus_agent.text import one_line, without_credentials

_SIGNAL = "/v1/traces"
_LONGEST = 200  # characters of what a collector says
_MOST_READ = 65_536  # bytes of it


class NotSent(CampusAgentError):
    """Spans that no collector took."""


class _NoRedirect(HTTPRedirectHandler):
    """A POST that is sent elsewhere would arrive as a GET without its spans."""

    def redirect_request(self, *_: object) -> None:
        return None


def endpoint(given: str | None, environ: Mapping[str, str]) -> str:
    """Return the whole address that spans go to: the one given, else that of the environment.

    A base (`http://localhost:4318`) gets the path of traces. Raises `NotSent` when there is none, or no web address.
    """
    traces = environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    address = (given or traces or environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or "").strip()
    if not address:
        raise NotSent(
            "No collector is named.",
            next="Give its address, as in --to http://localhost:4318, or set OTEL_EXPORTER_OTLP_ENDPOINT.",
        )
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotSent(
            f"{one_line(without_credentials(address))} is no address of a collector.",
            next="Write it like http://localhost:4318.",
        )
    whole = (address == traces and not given) or parts.path.rstrip("/").endswith(_SIGNAL)
    return address if whole else address.rstrip("/") + _SIGNAL


def headers(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that the environment asks for: `name=value` pairs between commas, percent-encoded."""
    written = environ.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS") or environ.get("OTEL_EXPORTER_OTLP_HEADERS") or ""
    pairs = (pair.partition("=") for pair in written.split(",") if "=" in pair)
    return {unquote(name.strip()): unquote(value.strip()) for name, _, value in pairs}


def send(spans: str, address: str, *, headers: Mapping[str, str], timeout: float = 10.0) -> None:
    """Send one request of OTLP in JSON; return when the collector took every span.

    Args:
        spans: the request's body.
        address: where to, whole.
        headers: what to send beside it.
        timeout: how long to wait for the collector, in seconds.

    Raises:
        NotSent: the collector cannot be reached, refuses the request, or does not take all spans.
    """
    shown = one_line(without_credentials(address))
    try:
        request = Request(address, spans.encode(), {**headers, "Content-Type": "application/json"}, method="POST")
        with build_opener(_NoRedirect).open(request, timeout=timeout) as response:
            said = response.read(_MOST_READ)
    except HTTPError as error:
        said = error.read(_MOST_READ).decode("utf-8", "replace")
        raise NotSent(
            f"The collector at {shown} refused the spans: HTTP {error.code}.",
            cause=one_line(said, _LONGEST),
            next="Look whether that address takes OTLP in JSON over HTTP, and whether it asks for a key "
            "(OTEL_EXPORTER_OTLP_HEADERS).",
        ) from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise NotSent(
            f"The collector at {shown} did not answer.",
            cause=one_line(str(reason), _LONGEST),
            next="Look whether it runs, and at its port: OTLP over HTTP has 4318 as a rule, gRPC 4317.",
        ) from None
    if rejected := _rejected(said):
        raise NotSent(f"The collector at {shown} did not take every span.", cause=rejected)


def _rejected(said: bytes) -> str:
    """Return what a collector says of spans that it did not take, "" when it took all."""
    try:
        match json.loads(said):
            case {"partialSuccess": {"rejectedSpans": int() | str() as count, **rest}} if int(count):
                return one_line(str(rest.get("errorMessage") or f"{count} were left out"), _LONGEST)
    except (ValueError, RecursionError):
        pass  # an empty answer, or one in another form: the status said yes
    return ""
