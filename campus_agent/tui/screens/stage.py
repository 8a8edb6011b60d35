"""The stage: the header, the chat and the trace, and how a run is performed on them, live or recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.screen import Screen

from campus_agent.errors import CampusAgentError, Explanation
from campus_agent.text import one_line
from campus_agent.tui.asking import Performance
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.panes import Panes
from campus_agent.tui.widgets.trace_pane import TracePane

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.tui.record import Record
    from campus_agent.tui.widgets.answer import Answer
    from campus_agent.tui.widgets.passage_row import PassagesPicked
    from campus_agent.tui.widgets.run_trace import RunTrace
    from campus_agent.tui.widgets.turn import Turn


@dataclass(frozen=True, slots=True)
class Playing:
    """The run that is being shown, and the parts of the screen that show it."""

    record: Record
    turn: Turn
    trace: RunTrace
    header: Header

    def hold(self, held: bool) -> None:
        """Let nothing move while the run is held, and nothing say that it goes on."""
        for part in (self.header, self.turn, self.trace):
            part.hold(held)

    async def broke(self, explanation: Explanation) -> None:
        """Show that the run broke in a way that no outcome describes, and that nothing of it goes on."""
        await self.turn.broke(explanation)
        await self.trace.cut_off()


class StageScreen(Screen[None]):
    """A screen on which runs are performed: what the conversation and a replay have in common."""

    def __init__(self, *, clock: Callable[[], float], run_clock: Callable[[], float]) -> None:
        """Take two clocks, in seconds that only grow: one that moves what moves, and the time of the run itself."""
        super().__init__()
        self._clock = clock
        self.playing: Playing | None = None
        self._header = Header(clock=run_clock)
        self._chat = ChatPane(clock=clock)
        self._trace = TracePane()
        self.panes = Panes(self._chat, self._trace)

    def compose(self) -> ComposeResult:
        """Lay out the header and the two panes."""
        yield self._header
        yield self.panes

    async def perform(self, performance: Performance) -> None:
        """Read the events of one run and tell every part of the screen about each; return when the run is over."""
        from campus_agent.tui.record import Record  # what a run needs is not there before the first one

        record = Record(performance.question)
        turn = await self._chat.begin(record)
        trace = await self._trace.begin(record)
        self._header.begin(record)
        self.playing = Playing(record, turn, trace, self._header)
        try:
            async with aclosing(performance.events()) as events:
                async for event in events:
                    await self._show(event, self.playing)
            if record.finished is None:
                for place in (turn, trace):
                    await place.cut_off()
        except CampusAgentError as error:
            await self.playing.broke(error.explanation)
        except Exception as error:  # the border of the worker: whatever broke, the app goes on and says so
            await self.playing.broke(_unexpected(error))
        finally:
            self.playing.hold(False)
            self.playing = None
            self._header.stop()
            if record.finished is None:
                self.run_over(record)
            await turn.stop()
            if self.has_class("-big"):
                self.panes.remove_class("-trace-first")
                self._mark_newest()

    async def _show(self, event: Event, playing: Playing) -> None:
        """Tell every part of the screen about an event of the run that is being shown."""
        playing.record.add(event)
        if playing.record.finished is not None:
            self.run_over(playing.record)  # before anything long is drawn
        for reader in (playing.header, playing.turn, playing.trace):
            await reader.show(event)
        if event.kind not in ("answer_delta", "thought_delta"):
            self.told(event)

    def run_over(self, record: Record) -> None:
        """Act on the end of a run, before its end is drawn; `record.finished` is None when it broke off."""

    def told(self, event: Event) -> None:
        """Act on an event, other than a piece of text, that every part of the screen has shown."""
        if self.has_class("-big"):
            match event.kind:
                case "run_started":
                    self.panes.set_class(True, "-trace-first")
                    self._mark_newest()
                case "acting" | "grounding_checked":  # until then the step before is what one looks at
                    self._mark_newest()

    def _mark_newest(self) -> None:
        """Mark what big type shows of the trace: the newest run, of which only the newest step while it goes on."""
        self.query("RunTrace, StepCard").remove_class("-newest")
        for trace in list(self.query("RunTrace"))[-1:]:
            trace.add_class("-newest")
            for card in list(trace.query("StepCard"))[0 if self.playing is None else -1 :]:
                card.add_class("-newest")

    def on_screen_suspend(self) -> None:
        """Show no notification that what opens over this screen shows."""
        self.query("ToastRack").add_class("-beneath")

    def on_screen_resume(self) -> None:
        """Show notifications again."""
        self.query("ToastRack").remove_class("-beneath")

    # ---- keys and clicks -------------------------------------------------------------------------------------------

    def action_trace(self) -> None:
        """Show or hide the trace; where there is room for one pane only it takes the place of the chat."""
        self.panes.toggle_trace()

    def action_whole(self) -> None:
        """Give the trace the whole screen, or share it again."""
        self.panes.toggle_alone()

    def action_wider(self) -> None:
        """Make the chat wider, the trace narrower."""
        self.panes.widen(1)

    def action_narrower(self) -> None:
        """Make the chat narrower, the trace wider."""
        self.panes.widen(-1)

    def action_big_type(self) -> None:
        """Show one thing at a time, with room around it, for a hall; or everything again."""
        self.toggle_class("-big")
        self._mark_newest()
        self.panes.remove_class("-trace-alone")
        self.panes.set_class(self.has_class("-big") and self.playing is not None, "-trace-first")

    @property
    def in_hand(self) -> Turn | None:
        """The turn that has the focus, else the newest; None when there is none."""
        from campus_agent.tui.widgets.turn import Turn

        around = self.focused.ancestors_with_self if self.focused else ()
        return next((node for node in around if isinstance(node, Turn)), self._chat.newest)

    def lacking(self, action: str) -> str:
        """Say why there is nothing for `action` to act on: branch, sources, links or copy_answer; "" when there is."""
        turn = self.in_hand
        match action:
            case "branch" | "sources" if turn is None:
                return "Nothing was asked yet. Ask something first."
            case "sources" if turn is not None and not turn.record.sources:
                return "This answer rests on no passage."
            case "links" if not self._links:
                return "There is no link to open."
            case "copy_answer" if not self._newest_text:
                return "There is no answer to copy yet."
        return ""

    def finds_nothing(self, action: str) -> bool:
        """Return whether there is nothing for `action` to act on, and say so."""
        if said := self.lacking(action):
            self.app.notify(said, markup=False)
        return bool(said)

    @property
    def _links(self) -> Sequence[str]:
        from campus_agent.tui.screens.link import web_addresses

        return web_addresses(self.in_hand.text) if self.in_hand else ()

    @property
    def _newest_text(self) -> str:
        return self._chat.newest.text if self._chat.newest else ""

    def action_sources(self) -> None:
        """Open the passages that an answer rests on."""
        from campus_agent.tui.widgets.passage_row import PassagesPicked

        if not self.finds_nothing("sources") and (turn := self.in_hand) is not None:
            self.on_passages_picked(PassagesPicked(turn.record.sources, turn.record.facts or ()))

    def action_links(self) -> None:
        """Show the links of an answer, before anything is opened."""
        from campus_agent.tui.screens.link import asking_for

        if not self.finds_nothing("links"):
            self.app.push_screen(asking_for(self._links))

    def action_copy_answer(self) -> None:
        """Copy the newest answer."""
        if not self.finds_nothing("copy_answer"):
            self.app.copy_to_clipboard(self._newest_text)

    def action_latest(self) -> None:
        """Go to the newest line of both panes, and follow."""
        self._chat.follow()
        self._trace.follow()

    async def on_selectable_selected(self, message: Turn.Selected) -> None:
        """Show the run of a turn: in the trace, or under the turn where the trace is not in sight."""
        if self._trace.display:
            await self._trace.show_run(message.turn.record)
        elif not message.moved:
            from campus_agent.tui.widgets.fold import Fold

            for fold in message.turn.query_children(Fold):
                await fold.toggle()

    def on_passages_picked(self, message: PassagesPicked) -> None:
        """Open passages, with what bears the answer out marked."""
        from campus_agent.tui.screens.passage import PassageScreen

        self.app.push_screen(PassageScreen(message.sources, message.facts, first=message.first))

    def on_answer_link(self, message: Answer.Link) -> None:
        """Show where a link of an answer leads, before anything is opened."""
        from campus_agent.tui.screens.link import LinkScreen, is_web_address

        if is_web_address(message.address):
            self.app.push_screen(LinkScreen(message.address))
        else:
            self.app.notify(one_line(message.address, 200), title="Not opened: no web address", markup=False)


def _unexpected(error: Exception) -> Explanation:
    return Explanation(
        what=f"Something broke in the program itself: {type(error).__name__}: {error}",
        cause="This is a fault of campus-agent, not of your question.",
        next="Ask again; if it happens twice, please report it.",
    )
