from __future__ import annotations

import pytest

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import AnswerPiece, ModelNote, Reply, RequestedCall, ThoughtPiece
from campus_agent.models.scripted import ScriptedModel
from tests.models.played import ASK, HELLO, heard


async def test_a_text_is_streamed_in_pieces_and_then_replied() -> None:
    said = await heard(ScriptedModel(["The club meets on Tuesday."]).stream(HELLO))
    assert said.reply == Reply(text="The club meets on Tuesday.")
    assert said.shown == "The club meets on Tuesday."
    assert sum(isinstance(piece, AnswerPiece) for piece in said.pieces) > 1


async def test_calls_thoughts_pieces_and_functions_are_played_in_order() -> None:
    call = RequestedCall("search_campus_info", {"query": "club"})
    model = ScriptedModel(
        [
            [call],
            Reply(text="Yes.", thought="Hm."),
            [ModelNote("a note"), Reply(text="No.")],
            lambda request: f"{len(request.tools)} tools",
        ]
    )
    replies = [await heard(model.stream(ASK)) for _ in range(4)]
    assert replies[0].reply.calls == (call,)
    assert replies[1].pieces[0] == ThoughtPiece("Hm.")
    assert replies[2].notes == ["a note"]
    assert replies[3].reply.text == "3 tools"
    assert model.requests == [ASK] * 4


async def test_an_error_is_raised_and_a_script_that_is_over_says_so() -> None:
    model = ScriptedModel([ModelError("no network"), [AnswerPiece("half"), ModelError("broke off")]])
    with pytest.raises(ModelError, match="no network"):
        await heard(model.stream(HELLO))
    with pytest.raises(ModelError, match="broke off"):
        await heard(model.stream(HELLO))
    with pytest.raises(ModelError, match="no reply number 3"):
        await heard(model.stream(HELLO))
