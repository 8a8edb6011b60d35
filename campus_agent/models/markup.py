"""What opens a tool call in the text of a model, and what ends one: a table, a family of models a line."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Markup:
    """One way to open a call.

    Attributes:
        opening: a regular expression without groups that capture.
        sure: whether nothing else begins like this, so that a call in it that cannot be run is to be answered as one.
    """

    opening: str
    sure: bool = True


TAG = r"(?:[|｜]\w{1,12}[|｜]|\w{1,12}:)?"
"""What may stand before the name of an element: a name space, or a token of DeepSeek's."""

MARKUPS = (
    # Hermes, Qwen, GLM, Nemotron, MiniMax, Claude, newer DeepSeek: elements, with the name inside or as an attribute.
    Markup(rf"(?i:<{TAG}(?:tool_?calls?|function_?calls?|invoke)(?=[\s>]))"),
    Markup(rf"<{TAG}function(?:=|(?=\s+name=))"),  # Llama, Qwen coder, Seed
    Markup(r"\[TOOL_CALLS?\]"),  # Mistral
    Markup(r"<\|python_tag\|>"),  # Llama
    # Granite, Phi, LFM2, Kimi, DeepSeek
    Markup(r"<[|｜]tool[_▁]calls?(?:[_▁]section)?(?:[_▁](?:begin|start))?[|｜]>"),
    Markup(r"<\|START_ACTION\|>"),  # Cohere
    Markup(r"<\|action_start\|>(?:\s{0,9}<\|(?:plugin|interpreter)\|>)?"),  # InternLM
    Markup(r"(?:<\|(?:start|channel)\|>[^<\n]{0,40}){1,2}?\bto=(?:functions\.)?(?=\w)"),  # gpt-oss
    Markup(r"\bto=functions\."),  # the same, without the tokens that a server took out
    Markup(r"^>>>(?=\w)", sure=False),  # Functionary
    Markup(r"^```tool_(?:code|calls?)\b", sure=False),  # Gemma
    Markup(r"^[ \t*]*Action:", sure=False),  # ReAct
)

# The look ahead is for speed: nearly all of a text begins none of them.
OPENING = re.compile(
    rf"(?=[<\[]|\bto=|^[>` \t*A])(?:{'|'.join(f'({markup.opening})' for markup in MARKUPS)})", re.MULTILINE
)
"""Any opening; the number of the group that matched is its place in `MARKUPS`, counted from 1."""

MAYBE_OPENING = re.compile(
    r"(?:<[^<>\n]{0,40}|\[[A-Z_]{0,11}|\bt(?:o(?:=[a-z]{0,9})?)?"
    r"|^(?:>{1,3}|`{1,3}[a-z_]{0,9}|[ \t*]*(?:A(?:c(?:t(?:i(?:on?)?)?)?)?)?))\Z",
    re.MULTILINE,
)
"""What may be the beginning of an opening at the end of a text."""

_ENDS = rf"</{TAG}(?:tool_?calls?|function_?calls?|function|invoke)>|<[|｜]/?[^|｜\n]{{1,40}}[|｜]>"
CLOSING = re.compile(rf"(?i:{_ENDS})|^[ \t]*Observation:|^```", re.MULTILINE)
"""Where what an opening opened ends at the latest."""

NOTHING_MORE = re.compile(rf"(?i:\s|{_ENDS})*+")
"""What may stand behind a call that is the whole message."""
