"""The text of an answer, drawn as it arrives, and never faster than the screen can take it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Markdown
from textual.worker import Worker, WorkerError

from campus_agent.text import sanitize
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.piece import Piece, PieceLine
from campus_agent.tui.widgets.pieces import Cut, cut
from campus_agent.tui.widgets.staying import stay

_AT_ONCE = 2_000  # characters that are drawn in one go
_LINES_AT_ONCE = 20


class Answer(Vertical):
    """The text of one answer as Markdown; a link in it is reported, never opened by itself.

    Text that arrives while some is being drawn is gathered and drawn at once; between two drawings the screen rests for
    as long as the last one took, so that a key is always felt, however much arrives. Of a long text one piece is drawn,
    the first to begin with, and a line under it leads to the others.
    """

    @dataclass
    class Link(Message):
        """The person clicked a link in an answer."""

        address: str

    def __init__(self) -> None:
        super().__init__()
        self._piece = Piece()
        self._line: PieceLine | None = None  # there once there is something beside the piece that is shown
        self._written: list[str] = []
        self._length = 0
        self._cuts = [Cut(0)]  # the beginnings of the pieces up to the one that is shown
        self._drawn = 0  # up to where in the text
        self._anew = False  # what is drawn is no part of the piece: it is drawn from the start
        self._full = False  # the piece ends before the text does, and is drawn
        self._turned = False  # by the person, who wants to see where it begins
        self._arriving = True
        self._left = False  # the newest piece, by the person, for an earlier one
        self._drawing: Worker[None] | None = None
        self._woken = asyncio.Event()
        self._hurried = False

    def compose(self) -> ComposeResult:
        """Lay out the piece."""
        yield self._piece

    @property
    def text(self) -> str:
        """The whole text, also what of it is not drawn."""
        if len(self._written) > 1:
            self._written = ["".join(self._written)]
        return self._written[0] if self._written else ""

    @property
    def source(self) -> str:
        """What is drawn of the text, as it was written."""
        return "" if self._anew else self.text[self._cuts[-1].end : self._drawn]

    async def write(self, text: str) -> None:
        """Add some text at the end."""
        safe = sanitize(text)
        self._written.append(safe)
        self._length += len(safe)
        if not self._full or self._follows:
            self._draw_on()
        if self._full:
            self._say()
        await asyncio.sleep(0)

    async def settle(self, text: str | None) -> None:
        """Stop writing; show `text` if what was written is something else (None: keep what was written).

        Little is drawn before this returns; what is long is drawn after, at the same pace as before.
        """
        self._arriving = False
        written = self.text
        whole = written if text is None or sanitize(text).strip() == written.strip() else sanitize(text)
        if not whole.startswith(written[: self._drawn]):
            self._show_from([Cut(0)])
        self._written, self._length = [whole], len(whole)
        if self._length - self._drawn <= _AT_ONCE:
            await self._draw_now()
        else:
            self._draw_on()

    async def stop(self) -> None:
        """Draw no more."""
        self._written = [self.text[: self._drawn]]
        self._length = self._drawn
        await self._draw_now()

    def on_piece_line_turned(self, message: PieceLine.Turned) -> None:
        """Show another piece; after the last one comes the first."""
        message.stop()
        stay(self)
        self._turned = True
        self._show_from(self._cuts_after(message.by))
        self._left = self._end.complete
        self._draw_on()

    def _cuts_after(self, by: int) -> list[Cut]:
        """Return where the pieces begin up to the next one, or up to the one before when `by` is negative."""
        if by < 0:
            return self._cuts[:-1] or [Cut(0)]
        end = self._end
        return [*self._cuts, end] if end.complete else [Cut(0)]

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """Report the link."""
        event.stop()
        self.post_message(self.Link(event.href))

    @property
    def _end(self) -> Cut:
        """Where the piece ends that is shown."""
        return cut(self.text, self._cuts[-1].end, self._cuts[-1].carried)

    @property
    def _to_be_drawn(self) -> bool:
        return self._anew or self._drawn < self._end.end

    @property
    def _follows(self) -> bool:
        """Whether the person follows what arrives: then the newest piece is the one to show."""
        panes = (node for node in self.ancestors if isinstance(node, FollowingPane))
        return self._arriving and not self._left and any(pane.follows for pane in panes)

    def _more(self) -> bool:
        """Return whether there is something to draw; who follows what arrives gets on to the newest piece."""
        if self._to_be_drawn:
            return True
        self._full = self._end.complete
        if self._full and self._follows:
            cuts = [*self._cuts, self._end]
            while (end := cut(self.text, cuts[-1].end, cuts[-1].carried)).complete:
                cuts.append(end)
            self._show_from(cuts)
        return self._anew

    def _show_from(self, cuts: list[Cut]) -> None:
        """Show the piece that begins at the last of these, from its beginning."""
        self._cuts, self._drawn, self._anew, self._full = cuts, cuts[-1].end, True, False

    def _draw_on(self) -> None:
        """Draw what was gathered, if there is some, unless that is being done."""
        if (self._drawing is None or self._drawing.is_finished) and self._more():
            self._drawing = self._draw()

    async def _draw_now(self) -> None:
        """Let what was gathered be drawn without a rest, and return then."""
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
        while self._more():
            began = clock()
            await self._draw_some()
            self.call_after_refresh(self._woken.set)
            await self._rest()
            await self._rest(clock() - began)
        self._say()

    async def _draw_some(self) -> None:
        """Draw as much as is drawn in one go."""
        begins, text = self._cuts[-1], self.text
        lines = text[self._drawn : min(self._end.end, self._drawn + _AT_ONCE)].splitlines(keepends=True)
        some = "".join(lines[:_LINES_AT_ONCE])
        self._drawn += len(some)
        if self._anew:
            self._anew = False
            await self._piece.update(begins.carried + some)
        else:
            await self._piece.append(some)
        if self._turned:
            self._turned = False
            self._piece.scroll_visible(top=True, animate=False)

    def _say(self) -> None:
        """Say how much there is beside the piece that is shown, if there is anything."""
        if self._line is None:
            if not self._full and len(self._cuts) == 1:
                return
            self._line = PieceLine()
            self.mount(self._line)
        self._line.say(len(self._cuts) - 1, self._length - self._drawn, last=not self._full)

    async def _rest(self, seconds: float | None = None) -> None:
        """Wait to be woken, at most `seconds` (None: for ever); not at all when the rest is to be drawn at once."""
        if not self._hurried:
            self._woken.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), seconds)
