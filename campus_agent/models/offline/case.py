"""A question together with what the conversation says about it."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from campus_agent.models.chat_model import ModelRequest, RequestedCall
from campus_agent.models.offline.asking import pointed_at, read_question
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Kind, Question
from campus_agent.models.offline.turns import Turn, read_turns, spoken_of

Calls = tuple[RequestedCall, ...]
Observations = tuple[str | None, ...]
"""What came back for some calls, in their order; None for a call that could not be made."""

Script = Generator[Calls, Observations, str]
"""How a question is answered: it yields the calls that it needs, is sent what came back, and returns the answer."""


def call(tool: str, **arguments: str) -> RequestedCall:
    """Return the request for a tool, its arguments as JSON text as a server would send them."""
    return RequestedCall(tool, json.dumps(arguments, ensure_ascii=False))


_TOPICS = re.compile(r"^Topics: *(\S.*?)\.?\s*$", re.MULTILINE)
SMALL_TALK = (Kind.HELLO, Kind.THANKS, Kind.ABILITIES)


@dataclass(frozen=True, slots=True)
class Case:
    """A question to answer.

    Attributes:
        question: what is asked.
        earlier: the passages that the conversation spoke of last, the latest turn's first.
        earlier_keys: the key words of the last question that had some.
        refusal: the line that is said when the information is not there.
        topics: what the base is about, as the instructions list it; "" when they do not.
    """

    question: Question
    earlier: tuple[Passage, ...] = ()
    earlier_keys: tuple[str, ...] = ()
    refusal: str = ""
    topics: str = ""

    def asking(self, question: Question) -> Case:
        """Return the same case with another question."""
        return replace(self, question=question)


def read_case(request: ModelRequest, refusal: str) -> tuple[Case, Turn]:
    """Return the question of a request in its conversation, and the turn that it is asked in."""
    *past, turn = read_turns(request.messages) or [Turn("")]
    previous: Question | None = None
    keys: tuple[str, ...] = ()
    meant: list[Turn] = []
    refused = refusal.strip()
    for before in past:
        question = read_question(before.question, previous)
        if question.kind not in SMALL_TALK:
            if not (question.leans_back and before.answer.strip() == refused):  # it named nothing new to speak of
                meant.append(before)
            previous, keys = question, question.keys or keys
    topics = _TOPICS.search(request.system)
    case = Case(
        question=read_question(turn.question, previous),
        earlier=_earlier(meant, turn.question, refusal),
        earlier_keys=keys,
        refusal=refusal,
        topics=topics[1] if topics else "",
    )
    return case, turn


def _earlier(turns: Sequence[Turn], question: str, refusal: str) -> tuple[Passage, ...]:
    """Return what was spoken of, the latest turn first; nothing when the latest turn found nothing.

    A turn that named nothing itself ("what room?") and found nothing is none of these turns.
    What the question points at ("the second one") goes before the rest.
    """
    if not (latest := spoken_of(turns, refusal)):
        return ()
    each = [spoken_of(turns[:end], refusal) for end in range(len(turns), 0, -1)]
    spoken = list(dict.fromkeys(passage for one in each for passage in one))
    place = pointed_at(question)
    told = next((one for one in each if len(one) > 1 and latest[0] in one), spoken[1::-1])  # in the order told
    if place is not None and -len(told) <= place < len(told):
        spoken.insert(0, told[place])
    return tuple(dict.fromkeys(spoken))
