#!/usr/bin/env python3
"""An OpenAI-compatible chat server that misbehaves on purpose.

The `model` of a request selects a *scenario*: a scripted policy that reads the
messages so far and plays one provider quirk.  The step is derived from the
history, so a run behaves right however the client batches, splits or repairs
its calls.  Two things are remembered: how often this very request was seen in
the present run ("fails once, works on a retry"; forgotten when the run ends in
a final answer) and the final answers given (to tell turns of a chat apart).
POST /reset forgets both.  Standard library only.

    python quirk_server.py --port 8999          serve until interrupted
    python quirk_server.py --list               every scenario, as JSON
    with QuirkServer() as srv: ...              as a test fixture (own thread)

Endpoints
    POST /v1/chat/completions      streaming (SSE) and not
    GET  /v1/models                one model per scenario
    GET  /log?since=N&model=NAME   requests received, oldest first
    POST /reset                    empty the log and the retry counters

A model may carry options: "slow@delay=0.05", "stall@seconds=3", "quirk/good".

The tools a client is expected to offer are `search_campus_info(query)`,
`get_current_time(timezone)` and `days_until_weekday(weekday)`.  The policy
passes on what those tools really returned, so that a test can put a nonce in
an observation and look for it in the answer.

Strictness: like the real API, every request's history is checked first (ids
present, unique in a message and answered; arguments a string; no orphan tool
messages).  That is what turns "the provider sent no id" into a 400 one step
later for a client that echoes it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import re
import socket
import struct
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

REFUSAL = "I don't have that information — check with the USC AI Club."
UNFINISHED = "I could not finish within the allowed steps."
SEARCH, CLOCK, COUNT = "search_campus_info", "get_current_time", "days_until_weekday"
TOOLS = (SEARCH, CLOCK, COUNT)
WEEKDAY = re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b", re.I)
FAILURE = re.compile(
    r"\b(error|errors|failed|invalid|unknown|unavailable|malformed|truncated|missing|required|"
    r"not (?:a )?(?:valid|found|available|allowed|json)|does not exist|no such|unexpected|must be|validation)\b",
    re.I,
)

# --------------------------------------------------------------------------
# What a scenario returns
# --------------------------------------------------------------------------


@dataclass
class Call:
    """One tool call. `raw` replaces the encoded arguments on the wire."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)
    id: Any = "auto"
    raw: Any = "auto"

    def arguments(self) -> Any:
        return json.dumps(self.args, ensure_ascii=False) if self.raw == "auto" else self.raw


@dataclass
class Stall:
    """Stop sending for a while, the connection left open."""

    seconds: float


@dataclass
class Drop:
    """Cut the connection; `reset` sends a TCP RST instead of a clean close."""

    reset: bool = True


Piece = dict | str | bytes | Stall | Drop  # chunk, raw SSE text, raw bytes, or an act


@dataclass
class Reply:
    """A model message, and how to deform it on its way out."""

    content: Any = None
    calls: list[Call] = field(default_factory=list)
    finish: Any = "auto"
    reasoning: str | None = None
    final: bool = False  # a whole final answer: ends the run (and becomes `final_answer(...)` if offered)
    answer: str = ""  # the clean text of a final answer, whatever the content became
    message: Callable[[dict], Any] | None = None  # JSON: message -> message
    body: Callable[[dict], Any] | None = None  # JSON: whole body -> body
    deltas: list[dict] | None = None  # stream: replaces the deltas
    chunks: Callable[[list[dict]], list[Piece]] | None = None  # stream: chunks -> pieces
    sse: Callable[[list[bytes]], list[Piece]] | None = None  # stream: encoded events -> pieces
    delay: float = 0.0  # seconds between stream chunks
    done: bool = True  # end a stream with [DONE]
    force: str | None = None  # "json" or "sse" whatever was asked


@dataclass
class Fail:
    """An HTTP reply which is not a completion."""

    status: int
    body: Any = None  # dict -> JSON, str -> as is
    headers: dict[str, str] = field(default_factory=dict)
    act: Stall | Drop | None = None  # before any byte is sent


def api_error(
    status: int, message: str, type_: str = "invalid_request_error", code: Any = None, **headers: str
) -> Fail:
    error = {"message": message, "type": type_, "param": None, "code": code}
    return Fail(status, {"error": error}, {k.replace("_", "-"): v for k, v in headers.items()})


# --------------------------------------------------------------------------
# Reading the request
# --------------------------------------------------------------------------


def text_of(content: Any) -> str:
    """Message content as text, whether a string or a list of parts."""
    if isinstance(content, list):
        return "".join(p.get("text") or "" for p in content if isinstance(p, dict))
    return content if isinstance(content, str) else ""


def fold(text: str) -> str:
    """Letters and digits only, so that trimming and sanitising do not matter; the first 400."""
    return "".join(ch for ch in text if ch.isalnum())[:400]


def canonical(name: Any) -> str | None:
    """A tool name without the prefix and leaked tokens some scenarios add."""
    return str(name).split("<|")[0].strip().rsplit(".", 1)[-1] if name else None


@dataclass
class Observation:
    name: str | None
    text: str

    @property
    def failed(self) -> bool:
        return bool(FAILURE.search(self.text))


class Turn:
    """The part of the conversation since the last final answer."""

    def __init__(self, body: dict, attempt: int, options: dict[str, str], finals: Iterable[str] = ()):
        self.body, self.attempt, self.options = body, attempt, options
        self.stream = bool(body.get("stream"))
        self.messages: list[dict] = [m for m in body.get("messages") or [] if isinstance(m, dict)]
        self.offered = [(t.get("function") or {}).get("name") for t in body.get("tools") or []]
        start = 0
        for i, m in enumerate(self.messages[:-1]):
            if m.get("role") == "assistant" and not m.get("tool_calls"):
                said = fold(text_of(m.get("content")))
                if any(answer and answer in said for answer in finals):
                    start = i + 1
        self.tail = self.messages[start:]
        self.observations: list[Observation] = []
        self.steps = 0  # assistant messages so far
        self.blanks = 0  # of which empty
        self.nudges = 0  # user or system messages after the question which are not observations
        self.complaints = 0  # of which read as an error report
        self._read()

    def _read(self) -> None:
        asked, waiting = False, {}
        named: list[str] = []  # tools an assistant text mentions, for clients that keep calls as text
        for i, m in enumerate(self.tail):
            role, text = m.get("role"), text_of(m.get("content"))
            if role == "assistant":
                self.steps += 1
                calls = m.get("tool_calls") or []
                if m.get("function_call"):
                    calls = [{"id": m["function_call"].get("name"), "function": m["function_call"]}]
                waiting = {c.get("id"): (c.get("function") or {}).get("name") for c in calls}
                named = [] if calls else [n for n in re.findall(r"[a-z_]+", text) if n in TOOLS]
                self.blanks += not calls and not text.strip()
            elif role in ("tool", "function"):
                name = waiting.get(m.get("tool_call_id")) or m.get("name")
                self.observations.append(Observation(canonical(name), text))
            elif role == "user":
                if not asked:
                    asked = True
                    if re.search(r"^Error\b", text, re.M):  # joined on by clients that merge user messages
                        self._nudge(text)
                elif named:
                    text = text.removeprefix("Observation:").strip()
                    more = i + 1 < len(self.tail) and self.tail[i + 1].get("role") == "user"
                    here = named[:1] if more else named[:]  # one message a call, or one for all
                    del named[: len(here)]
                    self.observations += [Observation(name, text) for name in here]
                else:
                    self._nudge(text)
            elif role in ("system", "developer") and asked:
                self._nudge(text)

    def _nudge(self, text: str) -> None:
        self.nudges += 1
        self.complaints += bool(FAILURE.search(text))

    def result(self, tool: str) -> str | None:
        """The latest observation of a tool that does not read as a failure."""
        for o in reversed(self.observations):
            if o.name == tool and not o.failed:
                return o.text
        return None

    @property
    def erred(self) -> bool:
        """Whether an error has been handed back to the model in this turn."""
        return bool(self.complaints) or any(o.failed for o in self.observations)

    def option(self, name: str, default: float) -> float:
        try:
            return float(self.options.get(name, default))
        except ValueError:
            return default


def check_history(messages: list[dict]) -> Fail | None:
    """The checks OpenAI itself makes of a replayed history."""
    open_ids: set = set()
    for i, m in enumerate(messages):
        role = m.get("role")
        if role not in ("system", "developer", "user", "assistant", "tool", "function"):
            return api_error(400, f"Invalid value: {role!r} at messages[{i}].role.")
        if role == "tool":
            if m.get("tool_call_id") not in open_ids:
                return api_error(
                    400, f"messages[{i}]: tool_call_id {m.get('tool_call_id')!r} has no preceding tool call."
                )
            open_ids.discard(m["tool_call_id"])
            continue
        if open_ids:
            return api_error(
                400,
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                f"'tool_call_id'. The following did not have response messages: {sorted(map(str, open_ids))}",
            )
        if role != "assistant":
            continue
        calls = m.get("tool_calls")
        if calls == []:
            return api_error(400, f"[] is too short - 'messages.{i}.tool_calls'")
        for call in calls or []:
            function = call.get("function") or {}
            if not isinstance(call.get("id"), str) or not call["id"] or call.get("type") != "function":
                return api_error(400, f"messages[{i}]: tool_calls.id and tool_calls.type are required.")
            if not isinstance(function.get("name"), str) or not function["name"]:
                return api_error(400, f"messages[{i}]: tool_calls.function.name is required.")
            if not isinstance(function.get("arguments"), str):
                return api_error(400, f"messages[{i}]: tool_calls.function.arguments must be a string.")
            if call["id"] in open_ids:
                return api_error(400, f"Duplicate value for 'tool_call_id' of {call['id']!r} in message[{i}]")
            open_ids.add(call["id"])
        if m.get("content") is None and not calls and not m.get("function_call"):
            return api_error(400, f"messages[{i}]: assistant message needs content or tool_calls.")
    if open_ids:
        return api_error(400, f"tool_call_ids did not have response messages: {sorted(map(str, open_ids))}")
    return None


# --------------------------------------------------------------------------
# Policies
# --------------------------------------------------------------------------

Outcome = Reply | Fail


def final(text: str) -> Reply:
    return Reply(content=text, final=True, answer=text)


def call(name: str, raw: Any = "auto", id: Any = "auto", **args: Any) -> Call:
    return Call(name, args, id, raw)


def answer_text(t: Turn) -> str:
    return f"{(t.result(SEARCH) or '').strip()} {(t.result(COUNT) or '').strip()}".strip()


def good(t: Turn) -> Reply:
    """search_campus_info -> days_until_weekday -> an answer out of both."""
    found = t.result(SEARCH)
    if found is None:
        return Reply(calls=[call(SEARCH, query="AI Club meeting day")])
    day = WEEKDAY.search(found)
    if not day:
        return final(REFUSAL)
    if t.result(COUNT) is None:
        return Reply(calls=[call(COUNT, weekday=day.group(0))])
    return final(answer_text(t))


def is_first(t: Turn) -> bool:
    return not t.observations and not t.nudges and not t.blanks and t.attempt == 1


def mangle_calls(t: Turn, change: Callable[[int, dict], None]) -> Reply:
    """`good`, each tool call changed in place, in both wire forms."""
    reply = good(t)

    def message(m: dict) -> dict:
        for i, c in enumerate(m.get("tool_calls") or []):
            change(i, c)
        return m

    def chunks(items: list[dict]) -> list[Piece]:
        for item in items:
            for choice in item["choices"]:
                for i, c in enumerate(choice["delta"].get("tool_calls") or []):
                    change(i, c)
        return list(items)

    reply.message, reply.chunks = message, chunks
    return reply


def with_args(t: Turn, encode: Callable[[dict], Any]) -> Reply:
    """`good`, the arguments of every call encoded in a deviant way."""
    reply = good(t)
    for c in reply.calls:
        c.raw = encode(c.args)
    return reply


def as_text(t: Turn, write: Callable[[str, dict], str], finish: str = "stop") -> Reply:
    """`good`, every tool call written into the content instead."""
    reply = good(t)
    if reply.calls:
        c = reply.calls[0]
        return Reply(content=write(c.name, c.args), finish=finish)
    return reply


def both(t: Turn, **kw: Any) -> Reply:
    """Two independent calls in one message, then an answer out of both."""
    if t.result(SEARCH) and t.result(CLOCK):
        return final(f"{t.result(SEARCH)} It is now {t.result(CLOCK)}")
    return Reply(calls=[call(SEARCH, query="AI Club meeting day"), call(CLOCK, timezone="America/Los_Angeles")], **kw)


def once(t: Turn, failure: Outcome) -> Outcome:
    """Fail the first time this exact request is seen, then play `good`."""
    return failure if t.attempt == 1 and not t.observations else good(t)


# --------------------------------------------------------------------------
# The scenarios
# --------------------------------------------------------------------------

ENDS = {
    "answered": "the answer holds what the tools returned",
    "recovered": "answered, after the client retried, repaired or handed an error back to the model",
    "refused": "the refusal line",
    "step_cap": "the client's own cap ended the run and it says so",
    "provider_error": "a clear error naming the provider's reason; no traceback, no retry storm",
}


@dataclass
class Scenario:
    name: str
    group: str
    does: str
    ends: tuple[str, ...]  # acceptable ends, the best first
    wire: str  # where the quirk shows: both, stream or json
    source: str
    play: Callable[[Turn], Outcome]
    strict: bool = True

    def describe(self) -> dict:
        return {
            "name": self.name, "group": self.group, "does": self.does, "end": self.ends[0],
            "accept": list(self.ends), "wire": self.wire, "source": self.source,
        }  # fmt: skip


SCENARIOS: dict[str, Scenario] = {}


def scenario(name: str, group: str, does: str, ends: str = "answered", wire: str = "both", source: str = "", **kw: Any):
    def register(play: Callable[[Turn], Outcome]):
        SCENARIOS[name] = Scenario(name, group, does, tuple(ends.split()), wire, source, play, **kw)
        return play

    return register


# ---- plain runs ----------------------------------------------------------


@scenario("good", "plain", "search, then days, then an answer built out of both observations")
def _(t: Turn) -> Outcome:
    return good(t)


@scenario("one-tool", "plain", "one search, then the answer")
def _(t: Turn) -> Outcome:
    found = t.result(SEARCH)
    return final(found) if found else Reply(calls=[call(SEARCH, query="AI Club meeting day")])


@scenario("no-tool", "plain", "answers at once, no tool call")
def _(t: Turn) -> Outcome:
    return final("Hello! Ask me about clubs, labs and office hours at USC.")


@scenario("refuse", "plain", "searches, then replies with the refusal line", "refused")
def _(t: Turn) -> Outcome:
    return final(REFUSAL) if t.observations else Reply(calls=[call(SEARCH, query="campus wifi password")])


@scenario("parallel", "plain", "three tool calls in one message, then the answer")
def _(t: Turn) -> Outcome:
    if t.result(SEARCH) and t.result(COUNT):
        return final(answer_text(t))
    return Reply(calls=[call(SEARCH, query="AI Club"), call(CLOCK, timezone="UTC"), call(COUNT, weekday="Thursday")])


@scenario(
    "parallel-same-tool",
    "plain",
    "two calls of one tool with different arguments in one message",
    source="generative-computing/mellea#1431",
)
def _(t: Turn) -> Outcome:
    if len(t.observations) >= 2:
        return final(" ".join(o.text for o in t.observations))
    return Reply(calls=[call(COUNT, weekday="Thursday"), call(COUNT, weekday="Friday")])


@scenario("deep", "plain", "four tool steps, the answer on model call 5: the last a cap of 5 allows")
def _(t: Turn) -> Outcome:
    if len(t.observations) >= 4:
        return final(answer_text(t))
    return Reply(calls=[call(COUNT, weekday="Thursday") if t.result(SEARCH) else call(SEARCH, query="AI Club")])


@scenario("slow", "plain", "`good`, paced: @delay seconds between chunks (0.05); before the body when not streaming")
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.delay = t.option("delay", 0.05)
    return reply


@scenario("huge", "plain", "a 200 KB answer after one search")
def _(t: Turn) -> Outcome:
    found = t.result(SEARCH)
    if not found:
        return Reply(calls=[call(SEARCH, query="everything")])
    line = "Lorem ipsum dolor sit amet, **consectetur** adipiscing elit, sed do `eiusmod`.\n"
    return final(f"{found}\n\n" + line * (int(t.option("kb", 200)) * 1024 // len(line)))


# ---- runs that must be stopped -------------------------------------------


@scenario("runaway", "stop", "calls search for ever; answers only if tools are withheld", "step_cap answered")
def _(t: Turn) -> Outcome:
    if t.body.get("tool_choice") == "none" or not t.offered:
        return final(UNFINISHED)
    return Reply(calls=[call(SEARCH, query=f"AI Club {t.steps + 1}")])


@scenario("runaway-same", "stop", "repeats one identical call for ever", "step_cap answered")
def _(t: Turn) -> Outcome:
    if t.body.get("tool_choice") == "none" or not t.offered:
        return final(UNFINISHED)
    return Reply(calls=[call(SEARCH, query="AI Club")])


@scenario(
    "stubborn-error",
    "stop",
    "calls days_until_weekday('Caturday') for ever, whatever the error says",
    "step_cap provider_error",
)
def _(t: Turn) -> Outcome:
    if t.body.get("tool_choice") == "none" or not t.offered:
        return final(UNFINISHED)
    return Reply(calls=[call(COUNT, weekday="Caturday")])


@scenario("stubborn-unknown", "stop", "calls a tool that does not exist for ever", "step_cap provider_error")
def _(t: Turn) -> Outcome:
    if t.body.get("tool_choice") == "none" or not t.offered:
        return final(UNFINISHED)
    return Reply(calls=[call("web_search", query="AI Club")])


# ---- tool call ids -------------------------------------------------------


@scenario("id-missing", "ids", "tool calls have no id key", source="vllm-project/vllm#18412, iOfficeAI/aionrs#99")
def _(t: Turn) -> Outcome:
    return mangle_calls(t, lambda i, c: c.pop("id", None))


@scenario("id-empty", "ids", "every id is the empty string", source="lmstudio-ai/lmstudio-bug-tracker#830")
def _(t: Turn) -> Outcome:
    return mangle_calls(t, lambda i, c: c.update(id=""))


@scenario("id-duplicate", "ids", "two parallel calls share one id", source="HKUDS/nanobot#3943 (DeepSeek, GLM)")
def _(t: Turn) -> Outcome:
    reply = both(t)
    for c in reply.calls:
        c.id = "call_0"
    return reply


@scenario("id-reused", "ids", "every step reuses the id call_0", source="QwenLM/qwen-code#8382")
def _(t: Turn) -> Outcome:
    reply = good(t)
    for c in reply.calls:
        c.id = "call_0"
    return reply


@scenario(
    "id-nine", "ids", "ids are 9 alphanumerics and only such are accepted back", source="karthink/gptel#1203 (Mistral)"
)
def _(t: Turn) -> Outcome:
    for m in t.messages:
        for c in m.get("tool_calls") or []:
            if not re.fullmatch(r"[A-Za-z0-9]{9}", str(c.get("id"))):
                return api_error(
                    400, f"Tool call id was {c.get('id')} but must be a-z, A-Z, 0-9, with a length of 9.", code="3280"
                )
    reply = good(t)
    for n, c in enumerate(reply.calls):
        c.id = f"Ab{t.steps:03d}{n:04d}"
    return reply


@scenario(
    "id-blank-later",
    "ids",
    'later deltas carry id "" and name ""',
    wire="stream",
    source="anomalyco/opencode#37841 (DashScope)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.deltas = _deltas(reply, later={"id": "", "type": "function", "name": ""})
    return reply


@scenario("type-missing", "ids", "tool calls have no type key", source="iOfficeAI/aionrs#99")
def _(t: Turn) -> Outcome:
    return mangle_calls(t, lambda i, c: c.pop("type", None))


# ---- stream indexes ------------------------------------------------------


def _indexed(t: Turn, index: Callable[[int], Any]) -> Reply:
    """Two whole calls, one a delta, with a scripted `index` (None: no key)."""
    reply = both(t)
    reply.deltas = _deltas(reply, fragment=10_000, index=index)
    return reply


@scenario(
    "index-zero",
    "index",
    "two parallel calls, both with index 0 and different ids",
    wire="stream",
    source="ollama/ollama#15457",
)
def _(t: Turn) -> Outcome:
    return _indexed(t, lambda i: 0)


@scenario(
    "index-missing",
    "index",
    "one call in fragments, no index key at all",
    wire="stream",
    source="ollama/ollama#7881, openai/openai-python#2806 (Gemini)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.deltas = _deltas(reply, index=lambda i: None)
    return reply


@scenario(
    "index-offset",
    "index",
    "the first call has index 1",
    wire="stream",
    source="BerriAI/litellm#11407 (Bedrock Claude)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.deltas = _deltas(reply, index=lambda i: i + 1)
    return reply


@scenario(
    "index-interleaved",
    "index",
    "fragments of two calls alternate",
    wire="stream",
    source="allowed by the API; breaks last-call accumulators",
)
def _(t: Turn) -> Outcome:
    reply = both(t)
    plain = _deltas(reply)
    first = [d for d in plain if d.get("tool_calls") and d["tool_calls"][0]["index"] == 0]
    second = [d for d in plain if d.get("tool_calls") and d["tool_calls"][0]["index"] == 1]
    if first and second:
        mixed = [d for pair in zip(first, second, strict=False) for d in pair]
        rest = first[len(second) :] + second[len(first) :]
        reply.deltas = [d for d in plain if not d.get("tool_calls")] + mixed + rest
    return reply


# ---- tool names ----------------------------------------------------------


@scenario(
    "name-repeated",
    "names",
    "the whole name is repeated in every delta",
    wire="stream",
    source="NousResearch/hermes-agent#12230 (MiniMax on NVIDIA NIM), #8094 (Kimi)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.calls:
        reply.deltas = _deltas(reply, later={"name": reply.calls[0].name})
    return reply


@scenario(
    "name-split",
    "names",
    "the name arrives in two fragments",
    wire="stream",
    source="continuedev/continue#5849 (Gemini)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.calls:
        c = reply.calls[0]
        cut = len(c.name) // 2
        head, *rest = [d for d in _deltas(reply) if d.get("tool_calls")]
        head["tool_calls"][0]["function"] = {"name": c.name[:cut], "arguments": ""}
        tail = {"tool_calls": [{"index": 0, "function": {"name": c.name[cut:], "arguments": ""}}]}
        reply.deltas = [{"role": "assistant", "content": ""}, head, tail, *rest]
    return reply


@scenario(
    "name-unknown",
    "names",
    "first calls a tool that does not exist, then the right one",
    "recovered",
    source="openai/openai-agents-python#2957, vercel/ai#2786",
)
def _(t: Turn) -> Outcome:
    return Reply(calls=[call("web_search", query="AI Club")]) if is_first(t) else good(t)


@scenario(
    "name-unknown-mixed",
    "names",
    "one known and one unknown tool in one message",
    "recovered",
    source="openai/openai-agents-python#2957",
)
def _(t: Turn) -> Outcome:
    if is_first(t):
        return Reply(calls=[call(SEARCH, query="AI Club meeting day"), call("python", code="1+1")])
    return good(t)


@scenario(
    "name-empty",
    "names",
    "first a tool call with an empty name and no arguments",
    "recovered",
    source="lmstudio-ai/lmstudio-bug-tracker#830, aliasrobotics/cai#270",
)
def _(t: Turn) -> Outcome:
    if is_first(t):
        return Reply(calls=[Call("", raw="")])
    return good(t)


@scenario(
    "name-prefixed",
    "names",
    "names come as functions.NAME",
    "answered recovered",
    source="Kimi K2 / gpt-oss habit (cf. aliasrobotics/cai#405)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    for c in reply.calls:
        c.name = c.name if t.erred else f"functions.{c.name}"
    return reply


# ---- arguments -----------------------------------------------------------


@scenario(
    "args-object",
    "args",
    "arguments are a JSON object, not a string",
    source="ggml-org/llama.cpp#20198, can1357/oh-my-pi#1779 (MiniMax)",
)
def _(t: Turn) -> Outcome:
    reply = with_args(t, lambda a: a)
    reply.deltas = _deltas(reply, fragment=10_000) if reply.calls else None
    return reply


def _clock_then_good(t: Turn, raw: Any) -> Reply:
    if t.result(CLOCK) is None:
        return Reply(calls=[call(CLOCK, timezone="UTC") if t.erred else call(CLOCK, raw=raw)])
    return good(t)


@scenario(
    "args-empty", "args", 'a call without arguments has arguments ""', source="vercel/ai#6687, QwenLM/qwen-code#6249"
)
def _(t: Turn) -> Outcome:
    return _clock_then_good(t, "")


@scenario(
    "args-null-text",
    "args",
    'a call without arguments has arguments "null"',
    source="habit of small models (no issue cited)",
)
def _(t: Turn) -> Outcome:
    return _clock_then_good(t, "null")


@scenario("args-none", "args", "a call without arguments has arguments null", source="QwenLM/qwen-code#6249")
def _(t: Turn) -> Outcome:
    return _clock_then_good(t, None)


@scenario(
    "args-double-encoded",
    "args",
    "arguments are a JSON string holding JSON",
    source="FoundationAgents/OpenManus#989 (Qwen2.5), quarkiverse/quarkus-langchain4j#2642",
)
def _(t: Turn) -> Outcome:
    return with_args(t, lambda a: json.dumps(json.dumps(a)))


@scenario(
    "args-python",
    "args",
    "arguments are a Python dict: single quotes, an apostrophe, True",
    "answered recovered",
    source="NousResearch/atropos#479, waybarrios/vllm-mlx#64",
)
def _(t: Turn) -> Outcome:
    if t.result(SEARCH) is None and not t.erred:
        return Reply(calls=[call(SEARCH, raw="""{'query': "what's the AI Club's day"}""")])
    return good(t)


@scenario(
    "args-trailing-comma", "args", "a trailing comma", "answered recovered", source="NousResearch/hermes-agent#26053"
)
def _(t: Turn) -> Outcome:
    if t.erred:
        return good(t)
    return with_args(t, lambda a: json.dumps(a)[:-1] + ",}")


@scenario(
    "args-fenced",
    "args",
    "arguments wrapped in a Markdown fence",
    "answered recovered",
    source="small models; Groq failed_generation, groq/groq-typescript#28",
)
def _(t: Turn) -> Outcome:
    if t.erred:
        return good(t)
    return with_args(t, lambda a: f"```json\n{json.dumps(a)}\n```")


@scenario(
    "args-newline",
    "args",
    "a raw newline inside a string",
    "answered recovered",
    source="NousResearch/hermes-agent#26053 (control characters)",
)
def _(t: Turn) -> Outcome:
    if t.erred:
        return good(t)
    if t.result(SEARCH) is None:
        return Reply(calls=[call(SEARCH, raw='{"query": "AI Club\nmeeting day"}')])
    return good(t)


@scenario(
    "args-doubled",
    "args",
    "the same object twice: {..}{..}",
    "answered recovered",
    source="NousResearch/hermes-agent#25333, BerriAI/litellm#40582",
)
def _(t: Turn) -> Outcome:
    if t.erred:
        return good(t)
    return with_args(t, lambda a: json.dumps(a) * 2)


@scenario(
    "args-extra",
    "args",
    "unknown extra arguments",
    "answered recovered",
    source="common: models add limit, reason, language",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if not t.erred:
        for c in reply.calls:
            c.args.update(limit=5, reason="to find out")
    return reply


@scenario(
    "args-missing", "args", "the required argument is missing at first", "recovered", source="jaseci-labs/jac#6766"
)
def _(t: Turn) -> Outcome:
    return Reply(calls=[call(SEARCH)]) if is_first(t) else good(t)


@scenario(
    "args-misnamed",
    "args",
    "the argument has a wrong name at first (q)",
    "recovered answered",
    source="common with small models",
)
def _(t: Turn) -> Outcome:
    return Reply(calls=[call(SEARCH, q="AI Club")]) if is_first(t) else good(t)


@scenario(
    "args-wrong-type",
    "args",
    "a list where a string is wanted, at first",
    "recovered answered",
    source="HunorLaczko/ha-groq-cloud-api#20, MoonshotAI/kimi-cli#2513",
)
def _(t: Turn) -> Outcome:
    if t.result(SEARCH) and not any(o.name == COUNT for o in t.observations):
        return Reply(calls=[call(COUNT, weekday=["Thursday"])])
    return good(t)


@scenario(
    "args-array",
    "args",
    "arguments are a JSON array",
    "recovered answered",
    source="habit of small models (no issue cited)",
)
def _(t: Turn) -> Outcome:
    return Reply(calls=[call(SEARCH, raw='["AI Club"]')]) if is_first(t) else good(t)


@scenario(
    "args-garbage",
    "args",
    "arguments are not JSON at all; later an invalid one in the history is a 500",
    "recovered",
    source="ggml-org/llama.cpp#25510, #22948",
)
def _(t: Turn) -> Outcome:
    poisoned = _poisoned(t)
    if poisoned:
        return poisoned
    return Reply(calls=[call(SEARCH, raw="{")]) if is_first(t) else good(t)


def _poisoned(t: Turn) -> Fail | None:
    """llama.cpp parses the arguments of a replayed history and dies on bad ones."""
    for m in t.messages:
        for c in m.get("tool_calls") or []:
            try:
                parsed = json.loads(c["function"]["arguments"])
            except (ValueError, KeyError, TypeError) as exc:
                return api_error(
                    500, f"Failed to parse tool call arguments as JSON: {exc}", "server_error", 500, retry_after="0"
                )
            if not isinstance(parsed, dict):
                return api_error(
                    500,
                    "Failed to parse tool call arguments as JSON: not an object",
                    "server_error",
                    500,
                    retry_after="0",
                )
    return None


@scenario(
    "args-cut-length",
    "args",
    "cut in mid-arguments, finish_reason length; a bad history is a 500",
    "recovered",
    source="jaseci-labs/jac#6766, XpressAI/xaibo#33",
)
def _(t: Turn) -> Outcome:
    poisoned = _poisoned(t)
    if poisoned:
        return poisoned
    if is_first(t):
        return Reply(calls=[call(SEARCH, raw='{"query": "AI Club meet')], finish="length")
    return good(t)


@scenario(
    "args-cut-silent",
    "args",
    "cut in mid-arguments, yet finish_reason tool_calls",
    "recovered",
    source="vllm-project/vllm#58228, #46303; NousResearch/hermes-agent#7693",
)
def _(t: Turn) -> Outcome:
    if is_first(t):
        return Reply(calls=[call(SEARCH, raw='{"query": "AI Club meet')])
    return good(t)


def _bytewise(events: list[bytes]) -> list[Piece]:
    blob = b"".join(events)
    return [blob[i : i + 7] for i in range(0, len(blob), 7)]


# ---- tool calls written as text ------------------------------------------


@scenario(
    "text-hermes",
    "text",
    "<tool_call>{json}</tool_call> in the content",
    source="jundot/omlx#2565, NousResearch/hermes-agent#35129 (Qwen, Hermes)",
)
def _(t: Turn) -> Outcome:
    return as_text(t, lambda n, a: f"<tool_call>\n{json.dumps({'name': n, 'arguments': a})}\n</tool_call>")


@scenario(
    "text-hermes-prose", "text", "a sentence first, then <tool_call>..", source="lmstudio-ai/lmstudio-bug-tracker#821"
)
def _(t: Turn) -> Outcome:
    return as_text(
        t, lambda n, a: f"Let me look that up.\n<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>"
    )


@scenario(
    "text-function",
    "text",
    "<function=NAME>{json}</function>",
    source="langchain-ai/langchain#31440 (Groq Llama), ogx-ai/llama-stack-apps#36",
)
def _(t: Turn) -> Outcome:
    return as_text(t, lambda n, a: f"<function={n}>{json.dumps(a)}</function>")


@scenario(
    "text-qwen-xml",
    "text",
    "<tool_call><function=N><parameter=P>v</parameter></function></tool_call>",
    source="eugr/spark-vllm-docker#196 (Nemotron 3), Qwen3-Coder",
)
def _(t: Turn) -> Outcome:
    def write(n: str, a: dict) -> str:
        params = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in a.items())
        return f"<tool_call>\n<function={n}>\n{params}</function>\n</tool_call>"

    return as_text(t, write)


@scenario("text-mistral", "text", "[TOOL_CALLS][{json}]", source="vllm-project/vllm#11097, mistralai/mistral-common#73")
def _(t: Turn) -> Outcome:
    return as_text(t, lambda n, a: f"[TOOL_CALLS]{json.dumps([{'name': n, 'arguments': a}])}")


@scenario("text-python-tag", "text", '<|python_tag|>{"name","parameters"}', source="vllm-project/vllm#8343 (Llama 3.1)")
def _(t: Turn) -> Outcome:
    return as_text(t, lambda n, a: f"<|python_tag|>{json.dumps({'name': n, 'parameters': a})}<|eom_id|>")


@scenario("text-fence", "text", "a ```json block with name and arguments", source="irreg/native_tool_call_adapter#3")
def _(t: Turn) -> Outcome:
    return as_text(t, lambda n, a: f"```json\n{json.dumps({'name': n, 'arguments': a}, indent=2)}\n```")


@scenario(
    "text-bare-json",
    "text",
    'bare {"name","parameters"} as the whole content',
    source="BlockRunAI/ClawRouter#193, jundot/omlx#2565",
)
def _(t: Turn) -> Outcome:
    return as_text(t, lambda n, a: json.dumps({"type": "function", "name": n, "parameters": a}))


@scenario("text-react", "text", "Action: NAME / Action Input: {json}", source="classic ReAct text protocol")
def _(t: Turn) -> Outcome:
    return as_text(t, lambda n, a: f"Thought: I need a tool.\nAction: {n}\nAction Input: {json.dumps(a)}")


@scenario("text-not-a-call", "text", "the answer holds a JSON example that is NOT a call: must be shown, not run")
def _(t: Turn) -> Outcome:
    found = t.result(SEARCH)
    if not found:
        return Reply(calls=[call(SEARCH, query="AI Club meeting day")])
    return final(f'{found}\n\n```json\n{{"name": "USC AI Club", "arguments": "none", "day": "Thursday"}}\n```')


# ---- finish reasons and content ------------------------------------------


def _finish(t: Turn, value: Any) -> Reply:
    reply = good(t)
    reply.finish = value
    return reply


@scenario(
    "finish-stop",
    "content",
    "finish_reason stop although there are tool calls",
    source="openai/openai-dotnet#64, ollama/ollama#5995, sgl-project/sglang#2877",
)
def _(t: Turn) -> Outcome:
    return _finish(t, "stop")


@scenario(
    "finish-tool-calls",
    "content",
    "finish_reason tool_calls on the final text",
    source="vllm-project/vllm#58228 (reverse)",
)
def _(t: Turn) -> Outcome:
    return _finish(t, "tool_calls")


@scenario("finish-null", "content", "finish_reason stays null to the end", source="pydantic/pydantic-ai#3581")
def _(t: Turn) -> Outcome:
    return _finish(t, None)


@scenario(
    "finish-length", "content", "the final answer is cut, finish_reason length: keep it and say so", source="OpenAI API"
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final:
        reply.finish = "length"
    return reply


@scenario("content-and-calls", "content", "a sentence and a tool call in one message", source="vllm-project/vllm#32997")
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.calls:
        reply.content = "Let me check that for you."
    return reply


@scenario(
    "content-parts",
    "content",
    "the final content is a list of parts",
    "answered provider_error",
    wire="json",
    source="Mistral ContentChunk lists; vercel/ai#14888",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final:
        reply.message = lambda m: {**m, "content": [{"type": "text", "text": m["content"]}]}
    return reply


@scenario(
    "empty-once",
    "content",
    "after the tools: an empty message once, the answer when asked again",
    "recovered",
    source="sipeed/picoclaw#315 (kimi-k2.5 on NVIDIA), NousResearch/hermes-agent#6488",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final and t.attempt == 1 and not t.nudges and not t.blanks:
        return Reply(content="")
    return reply


@scenario(
    "empty-forever",
    "content",
    "after the tools: an empty message every time",
    "provider_error step_cap",
    source="tontinton/maki#299",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    return Reply(content="") if reply.final else reply


@scenario(
    "space-only",
    "content",
    "after the tools: only white space once, the answer when asked again",
    "recovered",
    source="NousResearch/hermes-agent#6267",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final and t.attempt == 1 and not t.nudges and not t.blanks:
        return Reply(content="\n\n")
    return reply


@scenario(
    "reasoning",
    "content",
    "reasoning_content beside tool calls and beside the answer",
    source="dairoot/Grok-Mirror#16, ollama/ollama#11765",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.reasoning = "The user wants the next meeting; SECRET-THOUGHT."
    return reply


@scenario(
    "reasoning-only",
    "content",
    "the final message has only reasoning_content once; the answer when asked again",
    "recovered",
    source="lmstudio-ai/lmstudio-bug-tracker#1602, xorbitsai/inference#3673",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final and t.attempt == 1 and not t.nudges and not t.blanks:
        return Reply(content="", reasoning="I know the answer now. SECRET-THOUGHT")
    return reply


@scenario(
    "think-tags",
    "content",
    "<think>..</think> in the content, tool steps too",
    source="candelahq/candela#361, lmstudio-bug-tracker#723",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.content = "<think>\nSECRET-THOUGHT: count the days.\n</think>\n\n" + (reply.content or "")
    return reply


@scenario(
    "extra-forbidden",
    "content",
    "replies carry extra fields, a history with unknown fields is a 422",
    source="nomtek/mistralai_client_dart#44 (Mistral)",
)
def _(t: Turn) -> Outcome:
    allowed = {"role", "content", "tool_calls", "tool_call_id", "name", "prefix"}
    for i, m in enumerate(t.messages):
        extra = sorted(set(m) - allowed)
        if extra:
            detail = [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", "messages", i, extra[0]],
                    "msg": "Extra inputs are not permitted",
                }
            ]
            return Fail(
                422, {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error", "code": None}
            )
    reply = good(t)
    reply.reasoning = "Extra."
    reply.message = lambda m: {**m, "refusal": None, "annotations": [], "audio": None, "parsed": None}
    return reply


@scenario("role-missing", "content", "no role in message or delta", source="common with small servers")
def _(t: Turn) -> Outcome:
    reply = good(t)

    def chunks(items: list[dict]) -> list[Piece]:
        for item in items:
            for choice in item["choices"]:
                choice["delta"].pop("role", None)
        return list(items)

    reply.message = lambda m: {k: v for k, v in m.items() if k != "role"}
    reply.chunks = chunks
    return reply


@scenario(
    "bare-body",
    "content",
    "only choices[0].message: no id, created, model, usage, index",
    source="pydantic/pydantic-ai#1390, #2996 (Ollama Cloud)",
    wire="both",
)
def _(t: Turn) -> Outcome:
    reply = good(t)

    def chunks(items: list[dict]) -> list[Piece]:
        out: list[Piece] = []
        for item in items:
            for choice in item["choices"]:
                choice.pop("index", None)
                choice.pop("logprobs", None)
            out.append({"choices": item["choices"]})
        return out

    reply.body = lambda b: {"choices": [{k: c[k] for k in ("message", "finish_reason")} for c in b["choices"]]}
    reply.chunks = chunks
    return reply


@scenario(
    "noise-fields",
    "content",
    "tool_calls [] or null beside text, unknown fields everywhere",
    source="vllm-project/vllm#13978, lmstudio-bug-tracker#1602",
)
def _(t: Turn) -> Outcome:
    reply = good(t)

    def chunks(items: list[dict]) -> list[Piece]:
        for item in items:
            item["provider_specific_fields"] = {}
            for choice in item["choices"]:
                choice["delta"].setdefault("tool_calls", None)
                choice["delta"].update(refusal=None, function_call=None, audio=None)
        return list(items)

    reply.message = lambda m: {"tool_calls": [], "function_call": None, "stats": {}, **m}
    reply.chunks = chunks
    return reply


@scenario(
    "stop-token-leak", "content", "template tokens at the end of the answer", source="common with wrong chat templates"
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final:
        reply.content += "<|im_end|>"
    return reply


@scenario(
    "hostile-answer",
    "content",
    "the answer holds terminal escapes, bidi marks and [markup]",
    source="terminal injection; matters to a TUI",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final:
        reply.content = "\x1b]0;pwned\x07\x1b[31m[bold]" + reply.content + "[/nope]\u202e \x1b[2J"
    return reply


@scenario(
    "content-filter",
    "content",
    "finish_reason content_filter, no content",
    "provider_error refused",
    source="BerriAI/litellm#6104, Azure OpenAI",
)
def _(t: Turn) -> Outcome:
    return Reply(content="", finish="content_filter")


# ---- the stream ----------------------------------------------------------


@scenario(
    "usage-chunks",
    "stream",
    "a first and a last chunk with empty choices",
    wire="stream",
    source="awslabs/llmeter#34 (Bedrock), AndraxDev/speak-gpt#162 (Azure), bojieli/ai-agent-book#915 (DashScope)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)

    def chunks(items: list[dict]) -> list[Piece]:
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        return [
            {**items[0], "choices": [], "prompt_filter_results": []},
            *items,
            {**items[0], "choices": [], "usage": usage},
        ]

    reply.chunks = chunks
    return reply


@scenario(
    "sse-comments",
    "stream",
    "comment lines between the events",
    wire="stream",
    source="mnfst/llm-gateway#2053, docker/docker-agent#2349 (OpenRouter)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.sse = lambda events: [p for e in events for p in (b": OPENROUTER PROCESSING\n\n", e)]
    return reply


@scenario("sse-no-done", "stream", "the stream ends without [DONE]", wire="stream", source="common with gateways")
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.done = False
    return reply


@scenario("sse-one-packet", "stream", "the whole stream in one packet", wire="stream", source="buffering proxies")
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.sse = lambda events: [b"".join(events)]
    return reply


@scenario(
    "sse-split-bytes",
    "stream",
    "answer with emoji and CJK, network chunks of 7 bytes",
    wire="stream",
    source="api7/aisix#111, ggml-org/llama.cpp#28926",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final:
        reply.content = "俱乐部 🦀 café — " + reply.content
    reply.sse = _bytewise
    return reply


@scenario(
    "sse-for-json",
    "stream",
    "no stream asked, SSE sent",
    "answered provider_error",
    wire="json",
    source="openclaw/openclaw#97474",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    reply.force = "sse"
    return reply


@scenario(
    "stream-error",
    "stream",
    "200, then an error event in mid-answer; works on a retry",
    "recovered provider_error",
    wire="stream",
    source="aaif-goose/goose#8027 (vLLM, SGLang), octos-org/octos#13",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final and t.attempt == 1:
        if not t.stream:
            return api_error(500, "Internal server error", "server_error", retry_after="0")
        error = {"error": {"message": "Internal server error", "type": "server_error", "code": 500}}
        reply.final = False
        reply.chunks = lambda items: [*items[:4], error]
        reply.done = False
    return reply


@scenario(
    "drop-midway",
    "stream",
    "connection reset in mid-answer; works on a retry",
    "recovered provider_error",
    wire="stream",
    source="openai/openai-python#2065, Alishahryar1/free-claude-code#225 (NVIDIA NIM)",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final and t.attempt == 1:
        if not t.stream:
            return Fail(0, act=Drop())
        reply.final = False
        reply.chunks = lambda items: [*items[:4], Drop()]
    return reply


@scenario(
    "drop-first",
    "stream",
    "connection closed before any byte, once",
    "recovered provider_error",
    source="RemoteProtocolError: server disconnected",
)
def _(t: Turn) -> Outcome:
    return once(t, Fail(0, act=Drop(reset=False)))


@scenario(
    "stall",
    "stream",
    "goes silent in mid-answer for @seconds (3600)",
    "provider_error recovered",
    source="dahai80/fusion-code#134, 2389-research/tracker#575",
)
def _(t: Turn) -> Outcome:
    reply = good(t)
    if reply.final and t.stream:
        reply.final = False
        reply.chunks = lambda items: [*items[:4], Stall(t.option("seconds", 3600)), *items[4:]]
    elif reply.final:
        return Fail(0, act=Stall(t.option("seconds", 3600)))
    return reply


# ---- HTTP errors ---------------------------------------------------------


@scenario("http-401", "http", "wrong API key", "provider_error", source="OpenAI API")
def _(t: Turn) -> Outcome:
    return api_error(401, "Incorrect API key provided: sk-***.", code="invalid_api_key")


@scenario(
    "http-403",
    "http",
    "key not entitled to the model (NIM shape)",
    "provider_error",
    source="NVIDIA NIM: {status, title, detail}",
)
def _(t: Turn) -> Outcome:
    return Fail(
        403,
        {"status": 403, "title": "Forbidden", "detail": "Authorization failed"},
        {"Content-Type": "application/problem+json"},
    )


@scenario("http-404-model", "http", "model not found", "provider_error", source="Ollama, OpenAI")
def _(t: Turn) -> Outcome:
    return api_error(404, 'model "nope" not found, try pulling it first', "api_error", "model_not_found")


@scenario(
    "http-404-html", "http", "wrong base URL: an HTML 404", "provider_error", source="missing /v1 in the base URL"
)
def _(t: Turn) -> Outcome:
    return Fail(
        404, "<!DOCTYPE html><html><body><h1>404 page not found</h1></body></html>", {"Content-Type": "text/html"}
    )


@scenario(
    "http-429-once", "http", "rate limited once, Retry-After: 1", "recovered", source="CopilotKit/CopilotKit#3842"
)
def _(t: Turn) -> Outcome:
    return once(
        t, api_error(429, "Rate limit reached for requests", "requests", "rate_limit_exceeded", Retry_After="1")
    )


@scenario(
    "http-429-long",
    "http",
    "rate limited, Retry-After: 3600: do not wait it out",
    "provider_error",
    source="CopilotKit/CopilotKit#3842",
)
def _(t: Turn) -> Outcome:
    return api_error(429, "Rate limit reached. Try again in 1h.", "requests", "rate_limit_exceeded", Retry_After="3600")


@scenario("http-500-once", "http", "a 500 once", "recovered", source="OpenAI API")
def _(t: Turn) -> Outcome:
    return once(t, api_error(500, "The server had an error while processing your request.", "server_error"))


@scenario(
    "http-503-loading",
    "http",
    "Loading model: twice, then ready",
    "recovered",
    source="mostlygeek/llama-swap#146, containers/ramalama#2343 (llama.cpp)",
)
def _(t: Turn) -> Outcome:
    if t.attempt <= 2 and not t.observations:
        return Fail(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})
    return good(t)


@scenario(
    "http-502-html",
    "http",
    "a Cloudflare HTML page every time: do not print it",
    "provider_error",
    source="yoheinakajima/babyagi#64",
)
def _(t: Turn) -> Outcome:
    page = (
        "<!DOCTYPE html>\n<html><head><title>api.example | 502: Bad gateway</title></head><body>" + "<div>x</div>" * 400
    )
    return Fail(502, page + "</body></html>", {"Content-Type": "text/html; charset=UTF-8"})


@scenario(
    "error-200",
    "http",
    "status 200, the body is {error} and no choices",
    "provider_error",
    source="pydantic/pydantic-ai#2323 (OpenRouter)",
)
def _(t: Turn) -> Outcome:
    return Fail(200, {"error": {"message": "Provider returned error", "code": 502}, "user_id": "u"})


@scenario(
    "choices-empty",
    "http",
    "status 200 with choices []",
    "provider_error",
    source="pydantic/pydantic-ai#1390, AbanteAI/archive-old-cli-mentat#430",
)
def _(t: Turn) -> Outcome:
    return Reply(
        content="", body=lambda b: {**b, "choices": []}, chunks=lambda items: [{**i, "choices": []} for i in items]
    )


@scenario(
    "http-400-context",
    "http",
    "context length exceeded after the search (vLLM wording)",
    "provider_error recovered",
    source="ogx-ai/ogx#4534, ggml-org/llama.cpp#15780",
)
def _(t: Turn) -> Outcome:
    if t.observations:
        return api_error(
            400,
            "This model's maximum context length is 4096 tokens. However, you requested 6616 tokens "
            "(6216 in the messages, 400 in the completion). Please reduce the length of the messages or completion.",
            "BadRequestError",
            "context_length_exceeded",
        )
    return good(t)


@scenario(
    "no-tools",
    "http",
    "400: the model does not support tools; without tools it writes <tool_call> text",
    "provider_error answered",
    source="ollama/ollama#11131, #14795",
)
def _(t: Turn) -> Outcome:
    if t.body.get("tools"):
        return api_error(400, "registry.ollama.ai/library/gemma:2b does not support tools", "api_error")
    return as_text(t, lambda n, a: f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>")


@scenario(
    "tool-use-failed",
    "http",
    "Groq 400 tool_use_failed with failed_generation, once",
    "recovered provider_error",
    source="groq/groq-typescript#28, langchain-ai/langchain#31440",
)
def _(t: Turn) -> Outcome:
    failure = api_error(
        400,
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        code="tool_use_failed",
    )
    failure.body["error"]["failed_generation"] = '<function=search_campus_info>{"query": "AI Club"}</function>'
    return once(t, failure) if not t.nudges else good(t)


# ---- parameters and histories a server refuses ---------------------------


def _refuse(parameter: str, message: str) -> Callable[[Turn], Outcome]:
    def check(t: Turn) -> Outcome:
        if t.body.get(parameter) is not None:
            return api_error(400, message, code="unsupported_parameter")
        return good(t)

    return check


for _name, _parameter, _message, _source in (
    (
        "no-parallel-param",
        "parallel_tool_calls",
        "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
        "run-llama/llama_index#20865, microsoft/semantic-kernel#10365",
    ),
    (
        "no-stream-options",
        "stream_options",
        "Unsupported parameter: 'stream_options'",
        "vybestack/llxprt-code#114 (Mistral), langgenius/dify-plugin-sdks#50 (Azure)",
    ),
    (
        "no-max-tokens",
        "max_tokens",
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "koosoli/ESPHomeDesigner#379 (gpt-5), HKUDS/nanobot#2462",
    ),
    (
        "no-max-completion-tokens",
        "max_completion_tokens",
        "Unknown field: max_completion_tokens",
        "AgentFlocks/flocks#528, EuroEval/EuroEval#2176",
    ),
    (
        "no-temperature",
        "temperature",
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default "
        "(1) value is supported.",
        "langchain-ai/open-swe#628 (o3)",
    ),
    (
        "no-tool-choice",
        "tool_choice",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "hidenobunagai/nvidia-nim-provider#2 (NVIDIA NIM, vLLM)",
    ),
):
    scenario(
        _name, "params", f"400 if {_parameter} is sent: drop it and go on", "recovered provider_error", source=_source
    )(_refuse(_parameter, _message))


@scenario(
    "null-content",
    "history",
    "400 if an assistant message has content null",
    "answered",
    source="SAIL-Research-Lab/cheetahclaws#72 (Ollama), mistralai/mistral-common#324",
)
def _(t: Turn) -> Outcome:
    if any(m.get("role") == "assistant" and "content" in m and m["content"] is None for m in t.messages):
        return api_error(400, "invalid message content type: <nil>", "api_error")
    return good(t)


@scenario(
    "content-key",
    "history",
    "400 if an assistant message has no content key",
    "answered",
    source="langchain4j/langchain4j#1958 (llama.cpp), jekalmin/extended_openai_conversation#456 (vLLM)",
)
def _(t: Turn) -> Outcome:
    if any(m.get("role") == "assistant" and "content" not in m for m in t.messages):
        return api_error(400, "messages: Missing 'content'", "invalid_request_error")
    return good(t)


@scenario(
    "single-call",
    "history",
    "two calls in one message; a history with two in one message is refused",
    "answered recovered",
    source="unslothai/unsloth#7426, vllm-project/vllm#12938 (Llama 3.x, NVIDIA NIM)",
)
def _(t: Turn) -> Outcome:
    if any(len(m.get("tool_calls") or []) > 1 for m in t.messages):
        return api_error(400, "This model only supports single tool-calls at once!", "BadRequestError")
    if t.result(SEARCH) and t.result(CLOCK):
        return final(f"{t.result(SEARCH)} It is now {t.result(CLOCK)}")
    if t.result(SEARCH):  # a client that ran only the first call is asked again
        return Reply(calls=[call(CLOCK, timezone="America/Los_Angeles")])
    return both(t)


# ---- models that cannot call tools, and servers that can do even less -------


def _unfence(t: Turn) -> None:
    """Take the observations out of the fences that a client puts around them where they travel as text."""
    for o in t.observations:
        o.text = re.sub(r"^.*?(`{3,})\n(.*)\n\1.*$", r"\2", o.text, flags=re.S)


@scenario(
    "json-only",
    "protocol",
    "400 if tools are offered (@ignores=1: answers out of thin air instead); follows a JSON schema of decisions",
    "provider_error answered",
    source="ollama/ollama#14795, pydantic/pydantic-ai#703",
)
def _(t: Turn) -> Outcome:
    if t.offered and not t.option("ignores", 0):
        return api_error(400, "registry.ollama.ai/library/json-only does not support tools")
    if not t.body.get("response_format"):
        return final("It meets on Tuesdays at noon.")
    _unfence(t)
    reply = good(t)
    decision = {"answer": reply.content}
    if reply.calls:
        decision = {"tool": reply.calls[0].name, "arguments": reply.calls[0].args}
    reply.content, reply.calls = json.dumps({"thought": "One step more.", "decision": decision}), []
    return reply


@scenario(
    "text-only",
    "protocol",
    "400 for tools, a reply format and a stop text; invents what its actions return",
    "provider_error answered",
    source="NVIDIA/NeMo-Agent-Toolkit#1309",
)
def _(t: Turn) -> Outcome:
    if t.offered:
        return api_error(400, "This model does not support tools.")
    for parameter in ("response_format", "stop"):
        if t.body.get(parameter):
            return api_error(400, f"Unsupported parameter: '{parameter}' is not supported with this model.")
    _unfence(t)
    reply = good(t)
    if reply.calls:
        action = f"Action: {reply.calls[0].name}\nAction Input: {json.dumps(reply.calls[0].args)}"
        invented = "Observation: The AI Club meets on Tuesdays.\nThought: Now I know.\nFinal Answer: On Tuesdays."
        return Reply(content=f"Thought: One step more.\n{action}\n{invented}")
    reply.content = f"Thought: Now I know.\nFinal Answer: {reply.content}"
    return reply


# ---- quirks combined -----------------------------------------------------


# --------------------------------------------------------------------------
# Rendering
# --------------------------------------------------------------------------


def _fragments(text: str, size: int) -> Iterator[str]:
    for i in range(0, len(text), size):
        yield text[i : i + size]


def _deltas(
    reply: Reply,
    fragment: int = 12,
    index: Callable[[int], Any] = lambda i: i,
    later: dict[str, str] | None = None,
) -> list[dict]:
    """The deltas of a message. `later` adds keys to every further delta of a call."""
    deltas: list[dict] = [{"role": "assistant", "content": ""}]
    for part in re.findall(r"\S+\s*|\s+", reply.reasoning or ""):
        deltas.append({"reasoning_content": part})
    text = text_of(reply.content)
    pieces = re.findall(r"\S+\s*|\s+", text) if len(text) < 4096 else list(_fragments(text, 400))
    deltas += [{"content": part} for part in pieces]
    for i, c in enumerate(reply.calls):
        position = {} if index(i) is None else {"index": index(i)}
        arguments, name = c.arguments(), c.name
        whole = not isinstance(arguments, str) or len(arguments) <= fragment
        first = {"name": name, "arguments": arguments if whole else ""}
        deltas.append({"tool_calls": [{**position, "id": c.id, "type": "function", "function": first}]})
        for part in [] if whole else _fragments(arguments, fragment):
            extra = dict(later or {})
            function = {"arguments": part, **({"name": extra.pop("name")} if "name" in extra else {})}
            deltas.append({"tool_calls": [{**position, **extra, "function": function}]})
    return deltas


def _settle(reply: Reply, t: Turn) -> Reply:
    """Fill in ids and finish reason; answer by `final_answer` where that is the protocol."""
    if reply.final and "final_answer" in t.offered:
        reply = Reply(
            calls=[call("final_answer", answer=reply.answer)],
            delay=reply.delay,
            sse=reply.sse,
            done=reply.done,
            force=reply.force,
        )
    for n, c in enumerate(reply.calls):
        if c.id == "auto":
            c.id = f"call_{t.steps}_{n}_" + hashlib.md5(f"{c.name}{c.args}".encode()).hexdigest()[:8]
    if reply.finish == "auto":
        reply.finish = "tool_calls" if reply.calls else "stop"
    if reply.deltas is not None:  # deltas drawn up before the ids were known
        ids = iter([c.id for c in reply.calls])
        for d in reply.deltas:
            for c in d.get("tool_calls") or []:
                if c.get("id") == "auto":
                    c["id"] = next(ids, "call_x")
    return reply


def _usage(t: Turn, reply: Reply) -> dict:
    prompt = len(json.dumps(t.messages)) // 4
    completion = len(text_of(reply.content)) // 4 + 20 * len(reply.calls)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def render_json(reply: Reply, t: Turn, head: dict) -> Any:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.reasoning is not None:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments()}}
            for c in reply.calls
        ]
    if reply.message:
        message = reply.message(message)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish}
    body: Any = {**head, "object": "chat.completion", "choices": [choice], "usage": _usage(t, reply)}
    return reply.body(body) if reply.body else body


def render_stream(reply: Reply, t: Turn, head: dict) -> list[Piece]:
    head = {**head, "object": "chat.completion.chunk"}

    def chunk(delta: dict, finish: Any = None) -> dict:
        return {**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]}

    deltas = reply.deltas if reply.deltas is not None else _deltas(reply)
    items: list[Any] = [chunk(d) for d in deltas] + [chunk({}, reply.finish)]
    if (t.body.get("stream_options") or {}).get("include_usage"):
        items.append({**head, "choices": [], "usage": _usage(t, reply)})
    pieces: list[Piece] = reply.chunks(items) if reply.chunks else items
    encoded = [f"data: {json.dumps(p, ensure_ascii=False)}\n\n".encode() if isinstance(p, dict) else p for p in pieces]
    if reply.done:
        encoded.append(b"data: [DONE]\n\n")
    return reply.sse(encoded) if reply.sse else encoded  # type: ignore[arg-type]


# --------------------------------------------------------------------------
# The server
# --------------------------------------------------------------------------

REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    422: "Unprocessable Entity",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
}


def digest(value: Any) -> str:
    return hashlib.md5(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


class Hangup(Exception):
    """The connection was cut on purpose."""


class App:
    """Routes, request log and retry counters; one per server."""

    def __init__(self, log_size: int = 5000):
        self.log: deque[dict] = deque(maxlen=log_size)
        self.runs: dict[str, Counter[str]] = {}  # run -> request -> times seen
        self.finals: dict[str, None] = {}  # folded final answers, oldest first
        self.count = 0
        self.lock = threading.Lock()

    def reset(self) -> None:
        with self.lock:
            self.log.clear()
            self.runs.clear()
            self.finals.clear()
            self.count = 0

    def requests(self, since: int = 0, model: str | None = None) -> list[dict]:
        with self.lock:
            return [e for e in self.log if e["n"] > since and (model is None or e["scenario"] == model)]

    # -- connections --

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sock = writer.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while True:
                try:
                    head = await reader.readuntil(b"\r\n\r\n")
                except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    return
                request, *lines = head.decode("latin-1").split("\r\n")
                method, target, _ = [*request.split(" "), "", ""][:3]
                headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines if line)}
                body = await reader.readexactly(int(headers.get("content-length") or 0))
                await self.route(writer, method, target, headers, body)
                await writer.drain()
                if headers.get("connection", "").lower() == "close":
                    return
        except (ConnectionError, Hangup, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def route(self, w: asyncio.StreamWriter, method: str, target: str, headers: dict, body: bytes) -> None:
        url = urlsplit(target)
        query = {k: v[0] for k, v in parse_qs(url.query).items()}
        path = url.path.rstrip("/")
        if method == "POST" and path.endswith("/chat/completions"):
            return await self.complete(w, headers, body)
        if method == "GET" and path.endswith("/models"):
            data = [{"id": n, "object": "model", "created": 0, "owned_by": "quirk"} for n in SCENARIOS]
            return self.send_json(w, 200, {"object": "list", "data": data})
        if method == "GET" and path == "/log":
            return self.send_json(w, 200, self.requests(int(query.get("since", 0)), query.get("model")))
        if method == "GET" and path in ("/scenarios", "/list"):
            return self.send_json(w, 200, [s.describe() for s in SCENARIOS.values()])
        if method in ("POST", "DELETE") and path in ("/reset", "/log"):
            self.reset()
            return self.send_json(w, 200, {"ok": True})
        if path in ("", "/health"):
            return self.send_json(w, 200, {"status": "ok", "scenarios": len(SCENARIOS)})
        error = api_error(404, f"Not found: {method} {path}")
        return self.send_json(w, 404, error.body)

    # -- one completion --

    async def complete(self, w: asyncio.StreamWriter, headers: dict, raw: bytes) -> None:
        try:
            body = json.loads(raw)
            assert isinstance(body, dict)
        except (ValueError, AssertionError):
            return self.send_json(w, 400, api_error(400, "We could not parse the JSON body of your request.").body)
        model = str(body.get("model", ""))
        name, _, tail = model.rsplit("/", 1)[-1].partition("@")
        options = dict(kv.split("=", 1) for kv in tail.split(",") if "=" in kv)
        messages = body.get("messages") or []
        key = digest([model, messages])
        opening = next((i for i, m in enumerate(messages) if isinstance(m, dict) and m.get("role") == "user"), 0)
        run = digest([model, messages[: opening + 1]])
        with self.lock:
            self.count += 1
            seen = self.runs.setdefault(run, Counter())
            seen[key] += 1
            attempt = seen[key]
            entry = {
                "n": self.count,
                "time": time.time(),
                "model": model,
                "scenario": name,
                "attempt": attempt,
                "stream": bool(body.get("stream")),
                "headers": {k: v for k, v in headers.items() if k not in ("authorization", "cookie")},
                "authorized": "authorization" in headers,
                "body": body,
                "status": None,
                "reply": None,
            }
            self.log.append(entry)
        chosen = SCENARIOS.get(name)
        if chosen is None:
            outcome: Outcome = api_error(404, f"The model `{model}` does not exist.", code="model_not_found")
        else:
            turn = Turn(body, attempt, options, list(self.finals))
            outcome = (check_history(turn.messages) if chosen.strict else None) or chosen.play(turn)
        if isinstance(outcome, Fail):
            entry.update(
                status=outcome.status,
                reply={"error": outcome.body if isinstance(outcome.body, dict) else str(outcome.body)[:200]},
            )
            return await self.send_fail(w, outcome)
        if outcome.final:
            with self.lock:
                self.runs.pop(run, None)
                self.finals[fold(outcome.answer)] = None
                while len(self.finals) > 256:
                    del self.finals[next(iter(self.finals))]
        reply = _settle(outcome, turn)
        entry.update(status=200, reply={
            "content": text_of(reply.content)[:500], "finish": reply.finish,
            "calls": [{"name": c.name, "arguments": c.arguments()} for c in reply.calls],
        })  # fmt: skip
        head = {"id": f"chatcmpl-{key[:12]}", "created": int(time.time()), "model": model}
        streaming = reply.force == "sse" or (turn.stream and reply.force != "json")
        if streaming:
            return await self.send_stream(w, render_stream(reply, turn, head), reply.delay)
        if reply.delay:
            await asyncio.sleep(reply.delay)
        self.send_json(w, 200, render_json(reply, turn, head))

    # -- writing --

    def send(self, w: asyncio.StreamWriter, status: int, body: bytes, headers: dict[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}", f"Content-Length: {len(body)}"]
        lines += [f"{k}: {v}" for k, v in headers.items()]
        w.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def send_json(self, w: asyncio.StreamWriter, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        headers = dict(headers or {})
        headers.setdefault("Content-Type", "application/json")
        self.send(w, status, json.dumps(body, ensure_ascii=False).encode(), headers)

    async def send_fail(self, w: asyncio.StreamWriter, fail: Fail) -> None:
        if fail.act is not None:
            await self.act(w, fail.act)
        if not fail.status:
            raise Hangup
        if isinstance(fail.body, str):
            return self.send(w, fail.status, fail.body.encode(), {"Content-Type": "text/plain", **fail.headers})
        self.send_json(w, fail.status, fail.body, fail.headers)

    async def act(self, w: asyncio.StreamWriter, act: Stall | Drop) -> None:
        if isinstance(act, Stall):
            await w.drain()
            return await asyncio.sleep(act.seconds)
        await w.drain()
        await asyncio.sleep(0.02)  # let what was sent arrive before the reset
        sock = w.get_extra_info("socket")
        if act.reset and sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        w.close()
        raise Hangup

    async def send_stream(self, w: asyncio.StreamWriter, pieces: list[Piece], delay: float) -> None:
        w.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for piece in pieces:
            if isinstance(piece, (Stall, Drop)):
                await self.act(w, piece)
                continue
            data = piece.encode() if isinstance(piece, str) else bytes(piece)  # type: ignore[arg-type]
            w.write(b"%x\r\n%s\r\n" % (len(data), data))
            if delay:
                await w.drain()
                await asyncio.sleep(delay)
        w.write(b"0\r\n\r\n")


class QuirkServer:
    """The server in a thread of its own: `with QuirkServer() as srv: srv.base_url`."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0):
        self.host, self.port, self.app = host, port, App()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="quirk-server", daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://{self.host}:{self.port}/v1"

    def requests(self, since: int = 0, model: str | None = None) -> list[dict]:
        return self.app.requests(since, model)

    def reset(self) -> None:
        self.app.reset()

    def _run(self) -> None:
        self._loop = asyncio.new_event_loop()
        server = self._loop.run_until_complete(asyncio.start_server(self.app.serve, self.host, self.port, limit=2**26))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    def __enter__(self) -> QuirkServer:
        self._thread.start()
        if not self._ready.wait(5):
            raise RuntimeError("the quirk server did not start")
        return self

    def __exit__(self, *exc: object) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="An OpenAI-compatible chat server that misbehaves on purpose.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8999)
    parser.add_argument("--list", action="store_true", help="print the scenarios as JSON and exit")
    parser.add_argument("--log-size", type=int, default=5000, help="requests kept for GET /log")
    args = parser.parse_args(argv)
    if args.list:
        json.dump(
            {"ends": ENDS, "scenarios": [s.describe() for s in SCENARIOS.values()]},
            sys.stdout,
            indent=1,
            ensure_ascii=False,
        )
        print()
        return 0

    async def run() -> None:
        server = await asyncio.start_server(App(args.log_size).serve, args.host, args.port, limit=2**26)
        host, port = server.sockets[0].getsockname()[:2]
        print(f"quirk server: {len(SCENARIOS)} scenarios on http://{host}:{port}/v1", file=sys.stderr, flush=True)
        async with server:
            await server.serve_forever()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
