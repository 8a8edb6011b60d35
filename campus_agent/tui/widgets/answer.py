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

_AT_ONCE = 4_000  # characters that are drawn in one go while more arrive


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
        self._drawing: Worker[None] | None = None
        self._woken = asyncio.Event()
        self._settled = False

    async def write(self, text: str) -> None:
        """Add some text at the end."""
        self._gathered.append(sanitize(text))
        if self._drawing is None or self._drawing.is_finished:
            self._drawing = self._draw()
        await asyncio.sleep(0)

    async def settle(self, text: str | None) -> None:
        """Stop writing; show `text` if what was written is something else (None: keep what was written)."""
        self._settled = True
        self._woken.set()
        if self._drawing is not None:
            with suppress(WorkerError):
                await self._drawing.wait()
        written = self.source + self._taken()
        whole = written if text is None or sanitize(text).strip() == written.strip() else sanitize(text)
        if not whole.startswith(self.source):
            await self.update(whole)
        elif whole != self.source:
            await self.append(whole[len(self.source) :])

    @work(exit_on_error=False)
    async def _draw(self) -> None:
        """Draw what was gathered, as long as there is some, at a pace that leaves the screen time for other things."""
        clock = asyncio.get_running_loop().time
        while self._gathered and not self._settled:
            began = clock()
            await self.append(self._taken(_AT_ONCE))
            self.call_after_refresh(self._woken.set)
            await self._rest()
            await self._rest(clock() - began)

    async def _rest(self, seconds: float | None = None) -> None:
        """Wait to be woken, at most `seconds` (None: for ever); not at all once the answer is to be settled."""
        if not self._settled:
            self._woken.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), seconds)

    def _taken(self, most: int | None = None) -> str:
        """Take at most so many characters (None: all) of what was gathered."""
        text = "".join(self._gathered)
        self._gathered = [rest] if most and (rest := text[most:]) else []
        return text[:most]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height without the blank line that every block of Markdown has under it, also the last."""
        height = super().get_content_height(container, viewport, width)
        return height - self.children[-1].styles.margin.bottom if self.children else height

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """Report the link."""
        event.stop()
        self.post_message(self.Link(event.href))
