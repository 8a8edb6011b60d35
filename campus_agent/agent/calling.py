"""Makes one model call and turns its pieces into events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from campus_agent.agent import endings
from campus_agent.agent.budgets import Ledger
from campus_agent.agent.events import AnswerDelta, AnswerWithdrawn, Note, ThoughtDelta
from campus_agent.agent.relay import Relay
from campus_agent.errors import ContextTooLong, Explanation, ModelError, described
from campus_agent.models import chat_model as wire
from campus_agent.models.chat_model import ChatModel, ModelRequest, Reply
from campus_agent.text import one_line, well_formed

LONGEST_REPLY = 1_000_000  # characters of text and thoughts
_WAITING = 256  # pieces that may wait for a slow reader


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
    pieces: asyncio.Queue[wire.ModelPiece | Exception] = asyncio.Queue(_WAITING)
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
    length = 0
    try:
        async for piece in model.stream(request):
            await pieces.put(piece)  # waits while the reader is behind, so that an endless stream fills no memory
            length += len(piece.text) if isinstance(piece, wire.AnswerPiece | wire.ThoughtPiece) else 0
            if length > LONGEST_REPLY:
                raise ModelError(f"The reply is longer than {LONGEST_REPLY:,} characters; it was not read further.")
        await pieces.put(ModelError("The model's stream ended without a reply."))
    except KeyboardInterrupt:
        raise
    except asyncio.CancelledError:
        with suppress(asyncio.QueueFull):  # when the run cancelled it, nobody reads this
            pieces.put_nowait(ModelError("The model's call was cancelled from within."))
        raise
    except BaseException as error:
        # The border to whatever a model does: any failure of it is an outcome of the run, never a crash.
        await pieces.put(error if isinstance(error, Exception) else ModelError(f"The model failed: {described(error)}"))


def _unexpected(error: Exception) -> Explanation:
    said = one_line(described(error), endings.LONGEST_QUOTE)
    return Explanation(what=f"The model failed: {said}", next="Ask again, or choose another model with --model.")
