"""The embedded offline model: a `ChatModel` of rules instead of weights, with no key and no network.

At each step it plays its script for the question from the start, over what has been observed so far. The first calls
of the script that have not been made yet are its reply; when there are none left, the script's end is the answer. So it
remembers nothing between two requests, and the same request always gets the same reply.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from campus_agent.guardrail.refusal import without_refusal
from campus_agent.knowledge.language import is_foreign
from campus_agent.models.chat_model import AnswerPiece, ModelPiece, ModelRequest, Reply
from campus_agent.models.offline.case import Calls, Observations, Script, read_case
from campus_agent.models.offline.planning import asks_for_plan, plan
from campus_agent.models.offline.scripts import answer, quote_found, quote_only
from campus_agent.models.offline.turns import Turn

_PURPOSES = {
    "search_campus_info": "search further",
    "get_current_time": "read the clock",
    "days_until_weekday": "count the days",
    "days_until_date": "count the days",
}


class OfflineModel:
    """A model that answers campus questions by searching, counting and quoting; it is not a language model.

    Args:
        refusal: the line that it says when the information is not there.
        stream: whether an answer comes word by word; else it comes only with the reply.
    """

    name = "offline"
    provider = "offline"
    protocol = "native"

    def __init__(self, *, refusal: str, stream: bool = True) -> None:
        self._refusal = refusal
        self._streams = stream

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """Make the reply to a request and yield its pieces."""
        reply = self.reply(request)
        if self._streams:
            for word in re.findall(r"\s*\S+\s*", reply.text):
                yield AnswerPiece(word)
        yield reply

    def reply(self, request: ModelRequest) -> Reply:
        """Return the next tool calls, or the answer; or the plan, where one is asked for."""
        case, turn = read_case(request, self._refusal)
        if asks_for_plan(request):
            return Reply(text=plan(case, request))
        if is_foreign(turn.question):
            script = quote_found(turn.question, self._refusal)
        else:
            script = quote_only(case) if turn.sent_back else answer(case)
        return _play(script, turn, request, self._refusal)


def _play(script: Script, turn: Turn, request: ModelRequest, refusal: str) -> Reply:
    """Play a script over the steps of a turn, and return the first thing that it wants beyond them.

    Of what it wants when nothing may be called any more, the answer says that it was left undone.
    """
    offered = {tool.name for tool in request.tools}
    callable_now = offered if request.tool_choice == "auto" else set()
    # A passage that says the refusal line is quoted without it: it would answer for the assistant.
    steps = [[(tool, without_refusal(text, refusal)) for tool, text in step] for step in turn.steps]
    undone: list[str] = []
    known = offered | {tool for step in steps for tool, _ in step}
    try:
        wanted = next(script)
        while True:
            step: list[tuple[str, str]] = []
            if any(call.name in known for call in wanted):
                if steps:
                    step = steps.pop(0)
                elif calls := tuple(call for call in wanted if call.name in callable_now):
                    return Reply(calls=calls)
            observed = _observations(wanted, step)
            missing = [call.name for call, text in zip(wanted, observed, strict=True) if text is None]
            undone += [_PURPOSES[name] for name in missing if name in offered & _PURPOSES.keys()]
            wanted = script.send(observed)
    except StopIteration as end:
        return Reply(text=end.value if end.value == refusal or not undone else f"{end.value} {_left_out(undone)}")


def _left_out(undone: list[str]) -> str:
    return f"There was no step left to {' and to '.join(dict.fromkeys(undone))}."


def _observations(calls: Calls, step: list[tuple[str, str]]) -> Observations:
    """Give each call what came back for it: the next observation of its tool in that step."""
    left = list(step)
    found: list[str | None] = []
    for call in calls:
        match = next((one for one in left if one[0] == call.name), None)
        if match:
            left.remove(match)
        found.append(match[1] if match else None)
    return tuple(found)
