"""The line under an answer: what the run is doing, and, when it is over, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    AnswerWithdrawn,
    Event,
    GroundingChecked,
    Note,
    Observed,
    Reviewed,
    Reviewing,
    RunFinished,
    RunStarted,
    StepStarted,
)
from campus_agent.text import one_line
from campus_agent.tui.record import Record
from campus_agent.tui.verdict import verdict
from campus_agent.tui.widgets.passage_row import PassagesPicked
from campus_agent.tui.words import (
    CAUTION,
    DRAFT,
    FRAMES_PER_SECOND,
    GROUNDED,
    SPINNER,
    THINKING,
    WRITING,
    doing,
    ending,
    flowing,
    unbroken,
    wrapped,
)

_DIM = "$muted"
_LONGEST_NOTE = 200  # characters
HELD = Content.styled("‖ paused", "$primary bold")


class Status(Widget):
    """A spinner and what is being done, always one line; then the outcome, all of it. It ticks only during a run."""

    def __init__(self, record: Record, *, clock: Callable[[], float]) -> None:
        super().__init__()
        self._record = record
        self._clock = clock
        self._doing = THINKING
        self._goes_on = 0.0  # when what waits goes on, by the clock
        self._said: Content | None = None
        self._held = False

    def on_mount(self) -> None:
        """Begin to tick."""
        self._tick()

    @property
    def settled(self) -> bool:
        """Whether what is shown is how the run ended."""
        return self._said is not None

    def show(self, event: Event) -> None:
        """Show the next event of the run."""
        if event.kind == "run_finished":
            self.settle(badge(event, self._record))
        else:
            before, self._doing = self._doing, _activity(event, self._record.step) or self._doing
            self._goes_on = self._clock() + event.wait if event.kind == "note" else 0.0
            if self._doing != before:
                self.refresh()  # where nothing may move, no tick does it

    def hold(self, held: bool) -> None:
        """Stand still, and say so, while the run is held."""
        self._held = held
        self.set_class(held, "-held")
        self._tick()
        self.refresh()

    def _tick(self) -> None:
        """Let the spinner turn while the run goes on, unless the person wants nothing to move."""
        still = self.settled or self._held or self.app.animation_level == "none"
        self.auto_refresh = None if still else 1 / FRAMES_PER_SECOND

    def action_open_sources(self, first: int) -> None:
        """Open the passages that the answer rests on, beginning with the one of this index."""
        self.post_message(PassagesPicked(self._record.sources, self._record.facts or (), first))

    def settle(self, content: Content) -> None:
        """Stop ticking and show `content` from now on."""
        self.auto_refresh = None
        self._said = content
        self.refresh(layout=content.cell_length > self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines it takes at `width` cells."""
        return len(wrapped(self._said, width)) if self._said else 1

    def render(self) -> Content:
        """Draw what is being done, or what came of it."""
        if self._said is not None:
            return flowing(self._said, self.content_size.width)
        if self._held:
            return HELD.truncate(self.content_size.width, ellipsis=True)
        frame = SPINNER[int(self._clock() * FRAMES_PER_SECOND) % len(SPINNER)]
        left = ceil(self._goes_on - self._clock())
        doing = f"waiting {left} s · {self._doing}" if left > 0 else self._doing
        said = Content.assemble((frame, "$primary"), (f" {doing} …", _DIM))
        return said.truncate(self.content_size.width, ellipsis=True)


def _activity(event: Event, step: int) -> str | None:
    match event:
        case RunStarted() | StepStarted() | AnswerWithdrawn() | Observed() | Reviewed():
            return THINKING
        case AnswerDelta():
            return f"{WRITING} {DRAFT}"
        case Acting():
            return doing(event.tool, event.arguments)
        case GroundingChecked():
            return "checking facts"
        case Reviewing():
            return f"the {event.by} reads the draft"
        case Note() if event.step or not step:  # one of no step, behind all of them, says what is over
            return one_line(event.text, _LONGEST_NOTE).rstrip(".")
    return None


def badge(event: RunFinished, record: Record) -> Content:
    """Return what stands under an answer: how it ended, what was checked, and where it comes from."""
    said = verdict(record)
    if said.doubtful:
        return Content.styled(str(said), CAUTION)
    head = GROUNDED if said.grounded else ending(event.outcome)
    more = Content.styled(f" · {said.more}" if said.more else "", "" if said.grounded else _DIM)
    return Content.assemble(head, more, *(_cited(record) if said.grounded else ()))


def _cited(record: Record) -> Iterator[Content]:
    """Yield each document that the answer rests on; a click on it opens its first passage."""
    documents = [source.source for source in record.sources]
    for number, name in enumerate(record.documents, 1):
        said = unbroken(f"[{number}] {one_line(name, 40)}")
        yield Content("   ")
        if name in documents:
            yield Content.from_markup(f"[@click=open_sources({documents.index(name)})]$said[/]", said=said)
        else:
            yield Content.styled(said, _DIM)
