"""The text of an answer, written as it arrives."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Size
from textual.message import Message
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownStream

from campus_agent.text import sanitize


class Answer(Markdown):
    """The text of one answer as Markdown; a link in it is reported, never opened by itself."""

    @dataclass
    class Link(Message):
        """The person clicked a link in an answer."""

        address: str

    def __init__(self) -> None:
        super().__init__(open_links=False)
        self._stream: MarkdownStream | None = None

    async def write(self, text: str) -> None:
        """Add some text at the end."""
        if self._stream is None:
            self._stream = Markdown.get_stream(self)
        await self._stream.write(sanitize(text))

    async def settle(self, text: str | None) -> None:
        """Stop writing; show `text` if what was written is something else (None: keep what was written)."""
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.stop()
        if text is not None and sanitize(text) != self.source:
            await self.update(sanitize(text))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height without the blank line that every block of Markdown has under it, also the last."""
        height = super().get_content_height(container, viewport, width)
        return height - self.children[-1].styles.margin.bottom if self.children else height

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """Report the link."""
        event.stop()
        self.post_message(self.Link(event.href))
