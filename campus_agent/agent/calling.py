"""Makes one model call and turns its pieces into events."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from campus_agent.agent import endings
from campus_agent.agent.budgets import Ledger
from campus_agent.agent.events import AnswerDelta, AnswerWithdrawn, Note, ThoughtDelta
from campus_agent.agent.relay import Relay
from campus_agent.errors import ContextTooLong, Explanation, ModelError
from campus_agent.models import chat_model as wire
from campus_agent.models.chat_model import ChatModel, ModelRequest, Reply
from campus_agent.text import one_line, well_formed


@dataclass
class Draft:
    """The answer text of a step that is on the screen now."""

    text: str = ""


async def call_model(
    model: ChatModel, request: ModelRequest, *, relay: Relay, ledger: Ledger, step: int, draft: Draft
) -> Reply:
    """Ask the model and emit what it says as it comes; return its whole reply.

    The call runs in a task of its own, so a server that hangs cannot hold the run past its deadline.
    Raises `RunEnded` as `deadline` or `provider_error`, and `ContextTooLong` when the request does not fit.
    """
    outstanding = f"the model's reply in step {step}"
    ledger.check_deadline(outstanding)
    pieces: asyncio.Queue[wire.ModelPiece | Exception] = asyncio.Queue()
    pump = asyncio.create_task(_pump(model, request, pieces))
    try:
        while True:
            match await ledger.next_from(pieces, outstanding):
                case wire.ThoughtPiece(text):
                    await relay.emit(ThoughtDelta, step=step, text=well_formed(text))
                case wire.AnswerPiece(text):
                    draft.text += well_formed(text)
                    await relay.emit(AnswerDelta, step=step, text=well_formed(text))
                case wire.AnswerWithdrawn():
                    draft.text = ""
                    await relay.emit(AnswerWithdrawn, step=step, reason="retried")
                case wire.ModelNote(text):
                    await relay.emit(Note, step=step, text=one_line(text))
                case Reply() as reply:
                    return reply
                case ContextTooLong() as error:
                    raise error
                case ModelError() as error:
                    raise endings.provider_error(error.explanation)
                case error:
                    raise endings.provider_error(_unexpected(error))
    finally:
        pump.cancel()


async def _pump(model: ChatModel, request: ModelRequest, pieces: asyncio.Queue[wire.ModelPiece | Exception]) -> None:
    try:
        async for piece in model.stream(request):
            pieces.put_nowait(piece)
        pieces.put_nowait(ModelError("The model's stream ended without a reply."))
    except Exception as error:
        # The border to whatever a model does: any failure of it is an outcome of the run, never a crash.
        pieces.put_nowait(error)


def _unexpected(error: Exception) -> Explanation:
    said = one_line(f"{type(error).__name__}: {error}", endings.LONGEST_QUOTE)
    return Explanation(what=f"The model failed: {said}", next="Ask again, or choose another model with --model.")
