"""Makes the model calls of a run, and turns what is said in them into events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from campus_agent.agent import endings
from campus_agent.agent.budgets import Ledger
from campus_agent.agent.events import AnswerDelta, AnswerWithdrawn, Note, ThoughtDelta, WithdrawnReason
from campus_agent.agent.gate import BeforeModel, Gate, Purpose, Stop
from campus_agent.agent.relay import Relay
from campus_agent.errors import ModelError, described
from campus_agent.models import chat_model as wire
from campus_agent.models.chat_model import ChatModel, ModelPiece, ModelRequest, Reply, Usage
from campus_agent.text import one_line, well_formed

LONGEST_REPLY = 1_000_000  # characters of text and thoughts
_WAITING = 256  # pieces that may wait for a slow reader

Show = Callable[[ModelPiece], Awaitable[None]]


@dataclass
class ModelCalls:
    """The model calls of one run: the gate is asked first, the deadline bounds them, their tokens are counted.

    Attributes:
        draft: the answer text that is on the screen now.
        usage: what the server counted, of every call; None for one of which it did not say.
        of_step: what it counted of the calls that wrote the drafts of the step under way.
    """

    model: ChatModel
    gate: Gate
    relay: Relay
    ledger: Ledger
    draft: str = ""
    usage: list[Usage | None] = field(default_factory=list)
    of_step: list[Usage | None] = field(default_factory=list)

    async def permit(self, step: int, purpose: Purpose = "step") -> None:
        """Ask the gate for a model call; raises `RunEnded` when it says stop."""
        with self.ledger.paused():
            decision = await self.gate(BeforeModel(step, self.ledger.budgets.max_steps, purpose))
        if isinstance(decision, Stop):
            raise endings.cancelled(self.draft)

    async def write(self, request: ModelRequest, *, step: int) -> Reply:
        """Make a call whose text is a draft, shown as it comes. Raises as `call_model` does."""

        async def show(piece: ModelPiece) -> None:
            match piece:
                case wire.ThoughtPiece(text):
                    await self.relay.emit(ThoughtDelta, step=step, text=well_formed(text))
                case wire.AnswerPiece(text):
                    self.draft += well_formed(text)
                    await self.relay.emit(AnswerDelta, step=step, text=well_formed(text))
                case wire.AnswerWithdrawn():
                    await self.withdraw(step, "retried")
                case wire.ModelNote(text, wait):
                    await self.relay.emit(Note, step=step, text=one_line(text), wait=wait)

        self.draft = ""
        reply = await call_model(
            self.model, request, show, ledger=self.ledger, awaited=f"the model's reply in step {step}"
        )
        self._count(reply, self.usage, self.of_step)
        return reply

    async def consult(self, request: ModelRequest, *, step: int, purpose: Purpose, awaited: str) -> Reply:
        """Ask the gate, then make a call whose text is no draft, so nothing of it is shown but its notes.

        Raises `ModelError` when there is no reply, and `RunEnded` as `deadline` or `cancelled`.
        """

        async def show(piece: ModelPiece) -> None:
            if isinstance(piece, wire.ModelNote):
                await self.relay.emit(Note, step=step or None, text=one_line(piece.text), wait=piece.wait)

        await self.permit(step, purpose)
        reply = await call_model(self.model, request, show, ledger=self.ledger, awaited=awaited)
        self._count(reply, self.usage)
        return reply

    async def show(self, step: int, text: str) -> None:
        """Show a draft whole, unless it came in pieces."""
        if not self.draft:
            self.draft = text
            await self.relay.emit(AnswerDelta, step=step, text=text)

    async def withdraw(self, step: int, reason: WithdrawnReason) -> None:
        """Take the draft off the screen."""
        self.draft = ""
        await self.relay.emit(AnswerWithdrawn, step=step, reason=reason)

    def _count(self, reply: Reply, *counts: list[Usage | None]) -> None:
        for count in counts:
            count.append(reply.usage)


async def call_model(model: ChatModel, request: ModelRequest, show: Show, *, ledger: Ledger, awaited: str) -> Reply:
    """Ask the model, hand each piece of what it says to `show` as it comes, and return its whole reply.

    The call runs in a task of its own, so a server that hangs cannot hold the run past its deadline.
    Raises `ModelError` when there is no reply, and `RunEnded` as `deadline`, naming what was `awaited`.
    """
    ledger.check_deadline(awaited)
    pieces: asyncio.Queue[ModelPiece | Exception] = asyncio.Queue(_WAITING)
    pump = asyncio.create_task(_pump(model, request, pieces))
    try:
        while True:
            match await ledger.next_from(pieces, awaited):
                case Reply() as reply:
                    return reply
                case ModelError() as error:
                    raise error
                case Exception() as error:
                    raise _unexpected(error)
                case piece:
                    await show(piece)
    finally:
        pump.cancel()


async def _pump(model: ChatModel, request: ModelRequest, pieces: asyncio.Queue[ModelPiece | Exception]) -> None:
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


def _unexpected(error: Exception) -> ModelError:
    said = one_line(described(error), endings.LONGEST_QUOTE)
    return ModelError(f"The model failed: {said}", next="Ask again, or choose another model with --model.")
