from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from campus_agent.models.chat_model import AnswerPiece, AnswerWithdrawn, ModelNote, ModelPiece, Reply, RequestedCall
from campus_agent.models.chat_model import ThoughtPiece as Thought
from campus_agent.models.masking import KeyMask, masked
from tests.models.played import Heard, heard

KEY = "sk-SECRET-0123456789"


async def hear(*pieces: ModelPiece, key: str = KEY) -> Heard:
    async def said() -> AsyncGenerator[ModelPiece]:
        for piece in pieces:
            yield piece

    return await heard(masked(said(), key))


@pytest.mark.parametrize("size", [1, 2, 7, 100])
@pytest.mark.parametrize("kind", [AnswerPiece, Thought])
async def test_a_key_is_masked_wherever_a_stream_cuts_it(kind: type[AnswerPiece] | type[Thought], size: int) -> None:
    text = f"It is sk-S, no, {KEY}, and again {KEY}sk-"
    pieces = [kind(text[start : start + size]) for start in range(0, len(text), size)]
    said = await hear(*pieces, Reply(text))
    assert said.shown + said.thought == said.reply.text == "It is sk-S, no, ***, and again ***sk-"


async def test_nothing_of_a_reply_or_a_note_holds_the_key() -> None:
    call = RequestedCall("search", {"query": f"x {KEY}"}, extra={"by": KEY})
    reply = Reply(KEY, (call, RequestedCall("search", f'{{"q": "{KEY}"}}')), KEY, details=({"text": KEY},))
    said = await hear(ModelNote(f"sent {KEY}"), reply)
    assert said.notes == ["sent ***"]
    assert said.reply == Reply(
        "***",
        (RequestedCall("search", {"query": "x ***"}, extra={"by": "***"}), RequestedCall("search", '{"q": "***"}')),
        "***",
        details=({"text": "***"},),
    )


async def test_what_was_held_back_of_a_void_answer_is_void_too() -> None:
    said = await hear(AnswerPiece("Yes sk-"), AnswerWithdrawn(), AnswerPiece("No."), Reply("No."))
    assert said.shown == "No."


@pytest.mark.parametrize("key", ["", "ollama"])
async def test_a_key_that_is_no_secret_changes_nothing(key: str) -> None:
    assert (await hear(AnswerPiece("ollama"), Reply("ollama"), key=key)).shown == "ollama"


@pytest.mark.parametrize("written", [KEY, KEY.lower(), KEY.replace("-", "\\u002d"), KEY.replace("-", "%2D")])
def test_a_key_is_known_in_other_letters_and_with_escapes(written: str) -> None:
    assert KeyMask(KEY).text(f"Bearer {written}.") == "Bearer ***."
