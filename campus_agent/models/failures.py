"""What goes wrong between this program and a server, as one kind of exception, and in words for a person."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Literal

from campus_agent.errors import ContextTooLong, ModelError
from campus_agent.models.masking import KeyMask
from campus_agent.models.patience import asked_to_wait, patience
from campus_agent.models.providers import Endpoint
from campus_agent.text import one_line

FailureKind = Literal["status", "lost", "unfinished", "silent", "garbled"]

LONGEST = 400
"""Characters of a server's message that a person is shown."""

_LONGEST_READ = 10 * LONGEST  # more than is shown: a key is masked before the message is cut, or half of it could stay

_QUOTA = re.compile(
    r"insufficient[ _](?:quota|balance|funds)|exceeded your current quota|billing|credits?\b|payment|\bbalance\b",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context[ _-]?(?:length|size|window)|maximum context|(?:prompt|input|request)\b.{0,40}too (?:long|large)|"
    r"too many (?:input )?tokens(?!.{0,20}wait)|exceeds? the (?:available|maximum).{0,30}(?:context|token)|"
    r"reduce the length of (?:the|your) (?:messages|prompt|input)|(?<!output )\btoken limit",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"authentication_error|unauthorized|permission[ _]denied|(?:invalid|incorrect|missing)[ _-](?:\w{1,12}[ _-])?"
    r"(?:api[ _-]?key|authentication|credentials?)|InvalidApiKey",
    re.IGNORECASE,
)
_FILTER = re.compile(r"content[ _]filter|ResponsibleAIPolicy|content management policy", re.IGNORECASE)
_NO_TOOLS = re.compile(
    r"(?:not|n't) support(?:ed)?.{0,40}\b(?:tools?\b|function)|support tool use|enable-auto-tool-choice"
    r"|\b(?:tools?|functions?|tool use|(?:tool|function) calling)\b.{0,40}\bnot (?:be )?(?:supported|allowed|enabled)",
    re.IGNORECASE,
)
_FAILED_WRITING = re.compile("tool_use_failed|json_validate_failed")  # the model's slip, in a server's words
_NO_SCHEMA = re.compile(
    r"response[ _]?format|json[ _]?(?:schema|mode|validate)|structured[ _]?outputs?|guided|grammar", re.IGNORECASE
)
_MESSAGE_KEYS = (
    *("error", "message", "detail", "msg", "errors", "title", "reason"),
    *("error_msg", "error_message", "error_description", "base_resp", "status_msg"),
)
_HTML = re.compile(r"^\s*(?:<!doctype|<html|<head|<body|<\?xml)", re.IGNORECASE)


class NoToolSupport(ModelError):
    """The server, or the model on it, takes no tools; another protocol may still work."""


class NoSchemaSupport(ModelError):
    """The server, or the model on it, cannot hold a reply to a JSON schema; another protocol may still work."""


class Withheld(ModelError):
    """The provider's filter withheld the answer, or would not even let the model see the question."""


class ServerFailure(Exception):
    """One try that got no usable reply.

    Attributes:
        text: what the server said, on one line, "" for nothing fit to show.
        kind: "status" for an error that the server sent, "lost" for a connection that broke or never stood,
            "unfinished" for a reply that ended without saying so, "silent" for one of the two timers, "garbled" for a
            body that is no completion.
        status: the HTTP status, or the one inside an error event; None where there was none.
        named: the message with the parameter and the code that the error names, to look for words in.
        retry_after: seconds that the server asked to wait, None where it did not ask.
    """

    def __init__(
        self,
        text: str,
        kind: FailureKind,
        *,
        status: int | None = None,
        named: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind
        self.status = status
        self.named = f"{text} {named}"
        self.retry_after = retry_after

    @property
    def transient(self) -> bool:
        """Whether the same request may well succeed a moment later."""
        if self.kind != "status":
            return not (self.kind == "garbled" and _HTML.match(self.text))
        if _FAILED_WRITING.search(self.named):
            return True
        if self.about_quota or self.about_key or self.about_context or self.about_filter:
            return False
        return self.status is None or self.status in (408, 409, 429) or self.status >= 500

    @property
    def about_quota(self) -> bool:
        """Whether the account is out of money, which waiting does not mend."""
        return self.kind == "status" and self.status in (None, 400, 402, 403, 429) and bool(_QUOTA.search(self.named))

    @property
    def about_key(self) -> bool:
        """Whether the key is what the server objects to."""
        return self.status == 401 or (self.kind == "status" and self.status is None and bool(_KEY.search(self.named)))

    @property
    def about_filter(self) -> bool:
        """Whether the provider withheld the answer, or would not even look at the question."""
        return self.kind == "status" and self.status in (None, 400) and bool(_FILTER.search(self.named))

    @property
    def about_context(self) -> bool:
        """Whether the request was longer than the model can read."""
        return self.kind == "status" and self.status != 429 and bool(_CONTEXT.search(self.named))

    @property
    def about_tools(self) -> bool:
        """Whether the server takes no tools."""
        return self.status in (400, 404, 422, 500, 501) and bool(_NO_TOOLS.search(self.named))

    @property
    def about_schema(self) -> bool:
        """Whether the server cannot hold a reply to the schema that was sent."""
        return self.status in (400, 404, 422, 500, 501) and bool(_NO_SCHEMA.search(self.named))


def failure_from_response(status: int, headers: Mapping[str, str], body: str) -> ServerFailure:
    """Read the reply to a request that the server refused."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        value = "" if _HTML.match(body) else body
    return ServerFailure(
        one_line(_said(value), _LONGEST_READ),
        "status",
        status=status,
        named=_named(value),
        retry_after=asked_to_wait(headers),
    )


def failure_in_body(body: Mapping[str, Any]) -> ServerFailure | None:
    """Find the error that a server sent with status 200, in an event or instead of a completion."""
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    error = body.get("error") or first.get("error")
    if error is True or (not error and choices is None):
        error = body  # which says itself what is wrong
    said, named = _said(error), _named(error)
    if str(first.get("finish_reason")).lower() == "error":
        message = first.get("message")
        content = message.get("content") if isinstance(message, dict) else ""
        said = said or (content if isinstance(content, str) else "") or "The server broke the reply off with an error."
    if not said and (error is body or not named):
        return None
    code = str(error.get("code")) if isinstance(error, dict) else ""
    status = int(code) if re.fullmatch("[45][0-9][0-9]", code) else None
    return ServerFailure(one_line(said, _LONGEST_READ), "status", status=status, named=named)


def explain(failure: ServerFailure, endpoint: Endpoint, model: str, *, schema: bool = False) -> ModelError:
    """Put a failure into words: what the server said, the likely cause, and what to do about it.

    With `schema` the request asked for a reply that follows one, and its refusal may be what the words are about.
    """
    if schema and failure.about_schema:
        return NoSchemaSupport(
            _what(failure, endpoint),
            f"The model {model!r}, as this server runs it, cannot follow a JSON schema.",
            "Set --protocol text, or choose another model with --model.",
        )
    if failure.about_tools:
        return NoToolSupport(
            _what(failure, endpoint),
            f"The model {model!r}, as this server runs it, cannot call tools.",
            "Choose a model that can (--model), such as llama3.1, qwen2.5 or mistral-nemo.",
        )
    cause, advice = _cause(failure, endpoint, model)
    kind = ContextTooLong if failure.about_context else Withheld if failure.about_filter else ModelError
    return kind(_what(failure, endpoint), cause, advice)


def _what(failure: ServerFailure, endpoint: Endpoint) -> str:
    text = failure.text
    if failure.kind == "garbled" and _HTML.match(text):
        text = "The address answered with a web page instead of a completion."
    if failure.status is not None:
        said = text or f"{_phrase(failure.status)} (no readable message)"
        text = f"{endpoint.label} answered {failure.status}: {said}"
    if endpoint.api_key:
        text = KeyMask(endpoint.api_key.get_secret_value()).text(text)
    return one_line(text or "The server gave no usable reply.", LONGEST)


def _cause(failure: ServerFailure, endpoint: Endpoint, model: str) -> tuple[str, str]:
    """Return the likely cause and what to do next."""
    if failure.about_context:
        return (
            "The conversation, with what the tools returned, is longer than this model can read.",
            "Begin a new conversation, lower --history-turns or --observation-chars, or choose a larger model.",
        )
    if failure.about_quota:
        return (
            "The account is out of credit.",
            f"Look at the plan and billing of the account that {endpoint.key_variable} is for.",
        )
    match failure.kind, failure.status:
        case "lost" | "unfinished", _:
            return (
                f"Nothing usable came from {endpoint.base_url}.",
                "Check that the server runs, the network, and --base-url.",
            )
        case "silent", _:
            return (
                f"The server at {endpoint.base_url} hangs, or needs longer.",
                "Try again, or allow more seconds when you start: --first-byte-timeout 120 --idle-timeout 60.",
            )
        case _, _ if failure.about_key:
            return (
                "The key is missing or was not accepted.",
                f"Set {endpoint.key_variable} to a valid key for {endpoint.label}.",
            )
        case _, 403:
            return (
                f"The key may not use the model {model!r}.",
                f"Choose another --model, or check the key in {endpoint.key_variable}.",
            )
        case ("garbled", _) | (_, 404 | 405):
            return (
                f"The server has no model {model!r}, or {endpoint.base_url} is not the address of its API.",
                "Check --model, and --base-url (most addresses end in /v1).",
            )
        case _, 429:
            return (
                "Too many requests in a short time.",
                f"{patience(failure.retry_after)} and ask again, or choose another provider or model.",
            )
        case _, status if status is None or status >= 500:
            return "The server has a fault of its own, or is still starting.", "Try again in a moment."
    return "The server did not accept the request.", f"Check --model and --base-url ({endpoint.base_url})."


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "an error"


def _said(value: object) -> str:
    """Find the message in an error body: each server keeps it somewhere else."""
    match value:
        case str():
            return value
        case list():
            return "; ".join(text for item in value if (text := _said(item)))
        case {"status_code": 0} | {"code": 0 | 200}:
            return ""  # some servers say with each reply that nothing is wrong
        case {"msg": str(text), "loc": [*where]}:
            return f"{'.'.join(map(str, where))}: {text}"
        case dict():
            return next((text for key in _MESSAGE_KEYS if (text := _said(value.get(key)))), "")
    return ""


def _named(value: object) -> str:
    """Return the codes and parameters that an error body names."""
    if not isinstance(value, dict):
        return ""
    here = [str(value[key]) for key in ("param", "code", "type") if value.get(key) is not None]
    return " ".join([*here, _named(value.get("error"))])
