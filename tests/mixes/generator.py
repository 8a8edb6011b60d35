"""Mixes of quirks: how a server misbehaves, in several ways at once, drawn from a seed and written as one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

# Each dimension with its values; the first is how a server without faults does it. What the values do is said where
# they are played: calls.py, written.py, messages.py, framing.py and server.py.
DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "policy": ("chain", "pair", "twins", "three", "one", "clock"),
    "query": ("plain", "apostrophe", "quotes", "newline", "foreign", "braces", "backslash", "separator", "tags",
              "null"),
    "wire": ("stream", "whole"),
    "body": ("asked", "other"),
    "steps": ("loose", "exact"),
    # calls
    "written": ("native", "hermes", "function", "qwen", "glm", "claude", "mistral", "mistral-named", "python-tag",
                "kimi", "deepseek", "react", "fence", "bare", "python", "python-list", "bare-list", "nemotron", "dsml",
                "lfm2", "internlm", "cohere", "harmony", "functionary", "tool-code", "action", "message"),
    "id": ("plain", "missing", "empty", "null", "number", "duplicate", "reused", "nine", "blank-later", "each"),
    "type": ("plain", "missing", "empty"),
    "index": ("plain", "missing", "null", "zero", "offset", "text"),
    "order": ("plain", "interleaved", "together"),
    "name": ("plain", "repeated", "grows", "split", "prefixed", "counted", "channel", "prefixed-repeated"),
    "notation": ("json", "spaces", "escapes", "comma", "python", "newline"),
    "wrapper": ("none", "object", "fenced", "encoded", "encoded-twice", "doubled", "after-empty", "row", "brace", "tag",
                "inside", "mark"),
    "nothing": ("{}", "empty", "null", "null-text", "None-text", "absent"),
    "pieces": ("12", "1", "3", "1000"),
    # messages
    "beside": ("empty", "null", "absent", "prose", "parts"),
    "thought": ("none", "tags", "closing", "reasoning_content", "reasoning", "thinking", "parts", "brackets", "nested",
                "two-ends", "channels"),
    "answer": ("text", "parts", "token", "example"),
    "finish": ("usual", "stop", "tool_calls", "function_call", "eos", "blank", "null", "absent", "length",
               "null-text", "every"),
    "noise": ("none", "keys", "empty-lists", "second-choice", "blank-call", "message-too", "message-last",
              "loses-calls"),
    "lacks": ("nothing", "role", "head", "null-head"),
    "usage": ("last", "none", "first", "both", "odd"),
    # a stream
    "line": ("lf", "crlf", "cr"),
    "field": ("space", "bare", "twice"),
    "lines": ("one", "several"),
    "extras": ("none", "comments", "events", "blank-lines", "byte-order-mark", "error-after"),
    "done": ("yes", "no", "bare"),
    "packet": ("event", "one", "5", "17", "64"),
    "transfer": ("chunked", "close"),
    # refusals and failures
    "failure": ("none", "500", "429", "503", "dropped", "reset", "error", "cut", "cut-anew", "blank"),
    "failing": ("0", "1", "2", "each"),
    "times": ("1", "2"),
    "refuses": ("nothing", "stream_options", "temperature", "max_tokens", "max_tokens+max_completion_tokens",
                "tool_choice", "stream_options+temperature+max_tokens+tool_choice"),
    "wording": tuple("0123456789"),
    "history": ("any", "one-call", "no-empty", "no-system", "thoughts-back", "only-known-keys", "reasoning-back",
                "details-back", "signature-back"),
}  # fmt: skip

ALIKE = frozenset(("policy", "query", "wire", "pieces", "packet", "wording", "failing"))  # no value is the usual one
UNSAID = ("blank", "null", "absent", "null-text", "every")  # finish reasons that do not say that a reply is over
SIDE_BY_SIDE = frozenset(("pair", "twins", "three"))


@dataclass(frozen=True, eq=False)
class Mix:
    """A value for each dimension; `seed` decides what is left to chance when the mix is played."""

    seed: int
    values: Mapping[str, str]

    def __getitem__(self, dimension: str) -> str:
        return self.values.get(dimension, DIMENSIONS[dimension][0])

    def __str__(self) -> str:
        return " ".join([f"seed={self.seed}", *(f"{name}={self[name]}" for name in self.odd)])

    @property
    def streams(self) -> bool:
        """Whether the server sends a stream of events to a client that asked as the mix says."""
        return (self["wire"] == "stream") == (self["body"] == "asked")

    @property
    def odd(self) -> list[str]:
        """The dimensions in which this mix is not as usual."""
        return [name for name, value in self.values.items() if value != DIMENSIONS[name][0]]

    def without(self, dimension: str) -> Mix:
        """Return the mix with one quirk less."""
        return Mix(self.seed, {name: value for name, value in self.values.items() if name != dimension})


def read_mix(line: str) -> Mix:
    """Return the mix that a line describes; raises `ValueError` for what is no mix."""
    pairs = dict(part.split("=", 1) for part in line.split())
    seed = int(pairs.pop("seed", "0"))
    for name, value in pairs.items():
        if value not in DIMENSIONS.get(name, ()):
            raise ValueError(f"no such quirk: {name}={value}")
    return Mix(seed, pairs)


def draw(seed: int, odd: float = 0.35) -> Mix:
    """Return the mix of a seed, of which about this share of the dimensions is odd."""
    chance = Random(seed)
    while not makes_sense(mix := Mix(seed, {name: _value(name, chance, odd) for name in DIMENSIONS})):
        pass
    return mix


def _value(name: str, chance: Random, share: float) -> str:
    usual, *odd = DIMENSIONS[name]
    if name in ALIKE:
        return chance.choice([usual, *odd])
    return chance.choice(odd) if chance.random() < share else usual


def makes_sense(mix: Mix) -> bool:
    """Return whether a careful reader can know what is meant, within the tries and steps that there are."""
    return _calls_can_be_read(mix) and _messages_can_be_read(mix) and _can_end_well(mix)


def _calls_can_be_read(mix: Mix) -> bool:
    if mix["written"] != "native" and mix["history"] == "signature-back":
        return False
    if mix["written"] != "native":
        return _text_can_be_read(mix)
    if mix["wrapper"] == "row" and mix["policy"] != "twins":
        return False
    one_after_the_other = mix["wrapper"] in ("doubled", "after-empty", "row", "brace", "tag")
    if one_after_the_other and mix["notation"] in ("comma", "python"):
        return False
    if mix["wrapper"] == "object" and mix["notation"] != "json":
        return False
    return not mix.streams or mix["policy"] not in SIDE_BY_SIDE or _calls_can_be_told_apart(mix)


def _calls_can_be_told_apart(mix: Mix) -> bool:
    if mix["index"] in ("plain", "offset", "text"):
        return True
    if mix["order"] != "plain":
        return mix["id"] == "each"
    if mix["id"] in ("plain", "reused", "nine", "blank-later", "each"):
        return True
    if mix["policy"] == "twins" and mix["name"] in ("split", "grows"):
        return False
    if mix["policy"] == "twins" or "repeated" in mix["name"]:
        return mix["notation"] in ("json", "spaces", "escapes", "newline") and mix["wrapper"] in ("none", "object")
    return True


def _text_can_be_read(mix: Mix) -> bool:
    if mix["notation"] in ("comma", "python") or mix["wrapper"] not in ("none", "encoded"):
        return False
    if mix["wrapper"] == "encoded" and mix["written"] not in ("hermes", "mistral", "python-tag", "nemotron"):
        return False
    only_message = mix["written"] in ("fence", "bare", "python", "python-list", "bare-list", "action", "message")
    if only_message and mix["beside"] == "prose":
        return False
    one_call = mix["written"] in ("react", "fence", "bare", "python", "python-tag", "tool-code", "action")
    if one_call and mix["policy"] in SIDE_BY_SIDE:
        return False
    return mix["nothing"] == "{}"


def _messages_can_be_read(mix: Mix) -> bool:
    if mix["history"] == "thoughts-back" and mix["thought"] == "none":
        return False
    if mix["finish"] == "length":  # then only what is surely whole counts, and an answer never is
        plain = mix["notation"] in ("json", "spaces", "escapes") and mix["wrapper"] in ("none", "object")
        return plain and mix["nothing"] == "{}" and mix["written"] not in ("qwen", "glm", "claude", "dsml")
    return True


def _can_end_well(mix: Mix) -> bool:
    if mix["failure"] == "blank" and (mix["failing"] == "each" or mix["times"] == "2" or mix["steps"] == "exact"):
        return False
    broken = mix["failure"] == "cut" or (mix["failure"] == "reset" and mix["transfer"] == "close")
    if broken and mix["times"] == "2":
        return False  # a stream that ends twice in the same way is believed
    if mix["extras"] == "error-after" and mix["finish"] in UNSAID:
        return False
    if mix["finish"] == "every" and mix["failure"] in ("cut", "cut-anew", "reset", "error"):
        return False  # the first piece alone may be the whole answer
    if mix["noise"] == "loses-calls" and not (mix["written"] == "native" and mix["body"] == "asked"):
        return False
    never_says_so = mix["done"] == "no" and mix["finish"] in UNSAID
    return not (never_says_so and mix["times"] == "2" and mix["failure"] != "none")
