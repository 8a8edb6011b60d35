"""The two panes side by side, how the room is shared between them, and which of them is shown."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.divider import Divider
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.trace_pane import TracePane

SHARE = 48
"""The chat's part of the width before anybody changes it, in percent."""

_LEAST, _MOST, _BY = 20, 80, 4  # percent


class Panes(Horizontal):
    """The chat beside the trace. Where there is room for one only, the chat is shown, or the trace in its place."""

    @dataclass
    class Arranged(Message):
        """The person has shared the room anew: the chat has `share` percent of it, and the trace is shown or not."""

        share: int
        trace: bool

    def __init__(self, chat: ChatPane, trace: TracePane) -> None:
        super().__init__(id="panes")
        self._chat = chat
        self._trace = trace
        self._rack: Widget | None = None  # of the messages of the screen
        self.divide(SHARE)

    def compose(self) -> ComposeResult:
        """Lay out the panes and the line between them."""
        yield self._chat
        yield Divider()
        yield self._trace

    @property
    def front(self) -> FollowingPane:
        """The pane that the keys of the prompt scroll: the chat, unless the trace has taken its place."""
        return self._chat if self._chat.display else self._trace

    def divide(self, share: int, *, trace: bool = True) -> None:
        """Give the chat `share` percent of the width, within bounds, and the trace the rest; or hide the trace."""
        self._share = min(_MOST, max(_LEAST, share))
        self._chat.styles.width = f"{self._share}fr"
        self._trace.styles.width = f"{100 - self._share}fr"
        self.set_class(not trace, "-trace-hidden")

    def on_mount(self) -> None:
        """Keep out of the way of messages, from now on."""
        self._rack = next(iter(self.screen.query_children("ToastRack")), None)
        self.screen.screen_layout_refresh_signal.subscribe(self, self._make_room)

    def _make_room(self, _: Screen[object]) -> None:
        """Leave the messages lines of their own between the panes and the prompt: they cover nothing."""
        if self._rack is None:
            return
        height = self.screen.size.height
        lines = sum(toast.outer_size.height for toast in self._rack.query("Toast")) if self._rack.display else 0
        lines = min(lines, height // 2)
        below = max(0, height - self.region.bottom - self.styles.margin.bottom)
        if self._rack.styles.margin.bottom != below:
            self._rack.styles.margin = (0, 0, below, 0)
        if self.styles.margin.bottom != lines:
            self.styles.margin = (0, 0, lines, 0)

    def widen(self, times: int) -> None:
        """Make the chat a little wider so many times; less than 0 makes it narrower."""
        if self._chat.display and self._trace.display:
            self._put(self._share + times * _BY)

    def toggle_trace(self) -> None:
        """Show the trace or hide it; in the place of the chat where there is room for one pane only."""
        if self._narrow:
            self.toggle_class("-trace-first")
        elif self.has_class("-trace-alone"):
            self.remove_class("-trace-alone")
        else:
            self.toggle_class("-trace-hidden")
            self._say()
        self._keep_focus()

    def toggle_alone(self) -> None:
        """Give the trace the whole width, or share it again."""
        if self._narrow:
            self.toggle_class("-trace-first")
        else:
            self.toggle_class("-trace-alone")
            self.remove_class("-trace-hidden")
        self._keep_focus()

    @on(Divider.Moved)
    def _hold(self, message: Divider.Moved) -> None:
        self.divide(round(100 * (message.column - self.region.x) / max(1, self.region.width)))

    @on(Divider.Dropped)
    def _say(self) -> None:
        self.post_message(self.Arranged(self._share, not self.has_class("-trace-hidden")))

    @on(Divider.PutBack)
    def _put_back(self) -> None:
        self._put(SHARE)

    def _put(self, share: int) -> None:
        self.divide(share)
        self._say()

    @property
    def _narrow(self) -> bool:
        return self.screen.has_class("-narrow") or self.screen.has_class("-big")

    def _keep_focus(self) -> None:
        """Take the focus away from a pane that is no longer shown."""
        focused = self.screen.focused
        if focused is not None and not all(node.display for node in focused.ancestors_with_self):
            self.screen.set_focus(self.front)
