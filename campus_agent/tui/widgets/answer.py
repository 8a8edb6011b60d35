"""The text of an answer, drawn as it arrives, and never faster than the screen can take it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from textual import work
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Markdown
from textual.worker import Worker, WorkerError

from campus_agent.text import sanitize
from campus_agent.tui.widgets.bounded_markdown import bounded_parser
from campus_agent.tui.widgets.code_block import CodeBlock

_AT_ONCE = 2_000  # characters that are drawn in one go while more arrive


class Answer(Markdown):
    """The text of one answer as Markdown; a link in it is reported, never opened by itself.

    Text that arrives while some is being drawn is gathered and drawn at once; between two drawings the screen rests for
    as long as the last one took, so that a key is always felt, however much arrives.
    """

    BLOCKS = {**Markdown.BLOCKS, "fence": CodeBlock, "code_block": CodeBlock}  # noqa: RUF012 - so declared by Textual

    @dataclass
    class Link(Message):
        """The person clicked a link in an answer."""

        address: str

    def __init__(self) -> None:
        super().__init__(open_links=False, parser_factory=bounded_parser)
        self._gathered: list[str] = []
        self._anew = False  # what is drawn is no part of the text: it is drawn from the start
        self._drawing: Worker[None] | None = None
        self._woken = asyncio.Event()
        self._hurried = False

    @property
    def text(self) -> str:
        """The whole text, also what of it is still to be drawn."""
        return ("" if self._anew else self.source) + "".join(self._gathered)

    async def write(self, text: str) -> None:
        """Add some text at the end."""
        self._gathered.append(sanitize(text))
        self._draw_on()
        await asyncio.sleep(0)

    async def settle(self, text: str | None) -> None:
        """Stop writing; show `text` if what was written is something else (None: keep what was written).

        Little is drawn before this returns; what is long is drawn after, at the same pace as before.
        """
        written = self.text
        whole = written if text is None or sanitize(text).strip() == written.strip() else sanitize(text)
        self._anew = not whole.startswith(self.source)
        rest = whole if self._anew else whole[len(self.source) :]
        self._gathered = [rest] if rest else []
        if (rest or self._anew) and len(rest) <= _AT_ONCE:
            await self._draw_now()
        elif rest:
            self._draw_on()

    async def stop(self) -> None:
        """Draw no more."""
        self._gathered.clear()
        await self._draw_now()

    def _draw_on(self) -> None:
        """Draw what was gathered, unless that is being done."""
        if self._drawing is None or self._drawing.is_finished:
            self._drawing = self._draw()

    async def _draw_now(self) -> None:
        """Let what was gathered be drawn without a rest, and return then."""
        if self._gathered or self._anew:
            self._draw_on()
        self._hurried = True
        self._woken.set()
        try:
            if self._drawing is not None:
                with suppress(WorkerError):
                    await self._drawing.wait()
        finally:
            self._hurried = False

    @work(exit_on_error=False)
    async def _draw(self) -> None:
        """Draw what was gathered, as long as there is some, at a pace that leaves the screen time for other things."""
        clock = asyncio.get_running_loop().time
        while self._gathered or self._anew:
            began = clock()
            if self._anew:
                self._anew = False
                await self.update(self._taken(_AT_ONCE))
            else:
                await self.append(self._taken(_AT_ONCE))
            self.call_after_refresh(self._woken.set)
            await self._rest()
            await self._rest(clock() - began)

    async def _rest(self, seconds: float | None = None) -> None:
        """Wait to be woken, at most `seconds` (None: for ever); not at all when the rest is to be drawn at once."""
        if not self._hurried:
            self._woken.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), seconds)

    def _taken(self, most: int) -> str:
        """Take at most so many characters of what was gathered."""
        text = "".join(self._gathered)
        self._gathered = [rest] if (rest := text[most:]) else []
        return text[:most]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height without the blank line that every block of Markdown has under it, also the last."""
        height = super().get_content_height(container, viewport, width)
        return height - self.children[-1].styles.margin.bottom if self.children else height

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """Report the link."""
        event.stop()
        self.post_message(self.Link(event.href))
