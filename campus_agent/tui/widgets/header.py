"""The one line at the top: what answers, from what, and how far the run has come."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content
from textual.widget import Widget

from campus_agent.agent.events import Event
from campus_agent.text import duration
from campus_agent.tui.record import Record
from campus_agent.tui.words import line

_MOST_CELLS = 8  # of the meter
_NAMED = 100  # cells; a narrower line leaves out the program's name
_METER_ONLY = 70  # cells; a narrower line keeps the meter and drops the rest, once there is a meter
_LEAST = 12  # cells; in less room the name of a base says nothing
_BETWEEN = Content.styled(" · ", "$muted")
_REFRESH = 0.2  # seconds


class Header(Widget):
    """The line at the top. Its clock ticks only while a run goes on."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._model = Content("getting ready …")
        self._base = Content("")
        self._record: Record | None = None
        self._began = 0.0

    def about(self, *, model: str, base: str) -> None:
        """Show which model answers, and from which base."""
        self._model, self._base = line(model), line(base)
        self.refresh()

    def clear(self) -> None:
        """Forget the last run."""
        self._record = None
        self.refresh()

    def begin(self, record: Record) -> None:
        """Show how far the run of `record` has come, from now on."""
        self._record, self._began = record, self._clock()
        self.auto_refresh = _REFRESH

    async def show(self, event: Event) -> None:
        """Show the next event of the run."""
        if event.kind == "run_finished":
            self.stop()
        elif event.kind not in ("answer_delta", "thought_delta"):
            self.refresh()

    def stop(self) -> None:
        """Let the clock stand still."""
        self.auto_refresh = None
        self.refresh()

    def render(self) -> Content:
        """Draw the line for the width that it has."""
        width = self.content_size.width
        meter = self._meter()
        if meter and width < _METER_ONLY - 2:
            return meter if meter.cell_length <= width else self._meter(short=True).truncate(width, ellipsis=True)
        named = Content.assemble(("campus-agent", "bold"), "  ") if width >= _NAMED - 2 else Content("")
        room = max(0, width - meter.cell_length - 2)
        said = named + self._about(room - named.cell_length)
        return said.truncate(room, ellipsis=True, pad=True).truncate(room, pad=True) + Content("  ") + meter

    def _about(self, room: int) -> Content:
        """Say what answers, and from what: in little room the base gives way first, then what is in brackets."""
        left = room - self._model.cell_length - _BETWEEN.cell_length
        if self._base and left >= min(_LEAST, self._base.cell_length):
            return self._model + _BETWEEN + self._base.truncate(left, ellipsis=True)
        if self._model.cell_length <= room:
            return self._model
        return self._model.split(" (")[0]

    def _meter(self, *, short: bool = False) -> Content:
        if self._record is None or not self._record.steps:
            return Content("")
        step, steps = self._record.step, self._record.steps
        cells = min(steps, _MOST_CELLS)
        full = -(-step * cells // steps)
        last = " last" if step == steps and self._record.finished is None else ""
        meter = Content.assemble(
            ("step ", "$muted"),
            ("▰" * full, "$primary"),
            ("▱" * (cells - full), "$muted"),
            (f" {step}/{steps}{last}", "bold"),
        )
        if short:
            return meter
        return Content.assemble(
            meter,
            ("   calls ", "$muted"),
            (f"{self._record.calls}/{self._record.max_calls}", "bold"),
            f"   {self._elapsed():>7}",
        )

    def _elapsed(self) -> str:
        finished = self._record.finished if self._record else None
        if finished is not None:
            return duration(finished.duration_ms)
        return f"{self._clock() - self._began:.1f} s"
