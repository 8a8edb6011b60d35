"""The one line at the top: what answers, from what, and how far the run has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from campus_agent.text import duration
from campus_agent.tui.words import line

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.tui.record import Record

_MOST_CELLS = 8  # of the meter
_NAMED = 100  # cells; a narrower line leaves out the program's name
_METER = 50  # cells that are kept for it before the first run too, so that the name does not go when it comes
_METER_ONLY = 70  # cells; a narrower line keeps the meter and drops the rest, once there is a meter
_LAST = " last"  # beside the number of the last step
_WITH_DEADLINE = 116  # cells; a narrower line that also says what answers leaves the deadline out
_LEAST = 12  # cells; in less room the name of a base says nothing
_NAME = Content.styled("campus-agent", "bold") + Content("  ")
_BETWEEN = Content.styled(" · ", "$muted")
_TICK = 0.2  # seconds
_SECONDS_CELLS = 9  # of the time that a run has taken, and of what is said at the last step: nothing moves for that


class Header(Widget):
    """The line at the top. Its clock ticks only while a run goes on."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._model = Content("getting ready …")
        self._brief = Content("")
        self._base = Content("")
        self._record: Record | None = None
        self._began: float | None = None
        self._ticking: Timer | None = None
        self._ticked = ""  # the time as it was drawn last

    def about(self, *, model: str, base: str, brief: str = "") -> None:
        """Show which model answers, and from which base; `brief` is the model where there is little room."""
        self._model, self._brief, self._base = line(model, 200), line(brief, 200), line(base, 200)
        self.refresh()

    def clear(self) -> None:
        """Forget the last run."""
        self._record = None
        self.refresh()

    def recall(self, record: Record) -> None:
        """Show how far the run of `record`, which is over, had come."""
        self._record, self._began = record, None
        self.stop()

    def begin(self, record: Record) -> None:
        """Show how far the run of `record` has come, from now on."""
        self._record, self._began = record, self._clock()
        self.hold(False)

    async def show(self, event: Event) -> None:
        """Show the next event of the run."""
        if event.kind == "run_finished":
            self.stop()
        elif event.kind not in ("answer_delta", "thought_delta"):
            self.refresh()

    def hold(self, held: bool) -> None:
        """Let the clock stand still while the run is held, and tick again after."""
        self._stop_ticking()
        if not held and self._record is not None and self._record.finished is None:
            self._ticking = self.set_interval(_TICK, self._tick, name="clock")
        self.refresh()

    def stop(self) -> None:
        """Let the clock stand still."""
        self._stop_ticking()
        self.refresh()

    def _stop_ticking(self) -> None:
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None

    def _tick(self) -> None:
        """Draw anew when another second is to be shown, and only then."""
        if self._elapsed() != self._ticked:
            self.refresh()

    def render(self) -> Content:
        """Draw the line for the width that it has."""
        width = self.content_size.width
        fullest, meter, shortest = self._meters()
        if meter and width < _METER_ONLY - 2:
            fitting = (one for one in (fullest, meter) if one.cell_length <= width)
            return next(fitting, shortest.truncate(width, ellipsis=True))
        if width >= _WITH_DEADLINE - 2:
            meter = fullest
        room = max(0, width - meter.cell_length - 2)
        said = self._about(room, named=width >= _NAMED - 2 and self._fullest.cell_length + 2 + _METER <= width)
        return said.truncate(room, ellipsis=True, pad=True).truncate(room, pad=True) + Content("  ") + meter

    def _about(self, room: int, *, named: bool) -> Content:
        """Say what answers, and from what.

        In little room the program's name goes first, then how much the base holds, then the base; that the model is
        none goes only where there is no room for it at all.
        """
        fullest = self._fullest if named else self._fullest[_NAME.cell_length :]
        if self._base and fullest.cell_length <= room:
            return fullest
        shortest = self._model.split(" (")[0]
        for model in filter(None, (self._model, self._brief, shortest)):
            left = room - model.cell_length - _BETWEEN.cell_length
            for base in (self._base, self._base_name):
                if base and base.cell_length <= left:
                    return model + _BETWEEN + base
            if self._base and left >= _LEAST:
                return model + _BETWEEN + self._base_name.truncate(left, ellipsis=True)
            if model.cell_length <= room:
                return model
        return shortest

    @property
    def _fullest(self) -> Content:
        """All there is to say: the program's name, what answers, and from what."""
        return _NAME + self._model + _BETWEEN + self._base

    @property
    def _base_name(self) -> Content:
        """The name of the base without how much it holds."""
        return self._base[: self._base.plain.rfind(", ")] if ", " in self._base.plain else self._base

    def _meters(self) -> tuple[Content, Content, Content]:
        """Return how far the run has come, in full, without the deadline, and as the steps alone."""
        if self._record is None or not self._record.steps:
            return Content(""), Content(""), Content("")
        step, steps = self._record.step, self._record.steps
        cells = min(steps, _MOST_CELLS)
        full = min(cells, -(-step * cells // steps))
        last = _LAST if step == steps and self._record.finished is None else ""
        shortest = Content.assemble(
            ("step ", "$muted"),
            ("▰" * full, "$primary"),
            ("▱" * (cells - full), "$muted"),
            (f" {step}/{steps}{last}", "bold"),
        )
        self._ticked = self._elapsed()
        meter = Content.assemble(
            shortest,
            ("   calls ", "$muted"),
            (f"{self._record.calls}/{self._record.max_calls}", "bold"),
            f" {self._ticked:>{_SECONDS_CELLS - len(last)}}",
        )
        return meter + Content.styled(f" of {self._record.deadline:g} s", "$muted"), meter, shortest

    def _elapsed(self) -> str:
        """Return the time that the run has taken: in whole seconds while it goes on, so that the line is calm."""
        finished = self._record.finished if self._record else None
        if finished is not None:
            return duration(finished.duration_ms)
        return "n/a" if self._began is None else f"{int(self._clock() - self._began)} s"
