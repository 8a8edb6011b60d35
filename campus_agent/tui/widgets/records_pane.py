"""A pane that shows the runs of a conversation of any length with few widgets."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypeVar

from textual import work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from campus_agent.text import plural
from campus_agent.tui.widgets.following import FollowingPane

if TYPE_CHECKING:
    from campus_agent.tui.record import Record

_MOST = 1_000  # runs that are remembered, to be shown again or exported
_AT_LEAST = 8  # parts that come back together, or stay, however low the pane

PartT = TypeVar("PartT", bound=Widget)


class RecordsPane(FollowingPane, Generic[PartT]):
    """A pane with a part for each run of the conversation, the newest last.

    Only the parts near what is in sight have widgets, and the newest one. The others come back, from what is remembered
    of their runs, as the person scrolls towards them; those that are left behind go.
    """

    LEAST_LINES: ClassVar[int]
    """The lines that a part takes at least: so many parts are kept that they fill more than the pane."""

    def __init__(self, *others: Widget) -> None:
        """Take what stands in the pane after the parts."""
        self._earlier = Static(classes="earlier")  # always there and always first
        self._later = Static(classes="earlier")
        self._earlier.display = self._later.display = False
        super().__init__(self._earlier, self._later, *others)
        self._records: list[Record] = []
        self._parts: dict[Record, PartT] = {}
        self._first = self._end = 0  # the records that have parts, besides the newest: from, and up to
        self._arranging = asyncio.Lock()
        self._moving = False

    @property
    def records(self) -> tuple[Record, ...]:
        """What is remembered of each run of the conversation, oldest first."""
        return tuple(self._records)

    @property
    def newest(self) -> PartT | None:
        """The part of the newest run, None in an empty pane."""
        return self._parts[self._records[-1]] if self._records else None

    @abstractmethod
    def make_part(self, record: Record) -> PartT:
        """Return the part for a run that is over."""

    async def fill_part(self, part: PartT) -> None:
        """Show in a part, which is on the screen now, what its record holds."""

    async def add(self, record: Record, part: PartT) -> None:
        """Add the part of a new run; of the earlier ones the newest stay, as many as more than fill the pane."""
        super().follow()  # what goes now is not what the person scrolls away from
        async with self._arranging:
            self._records.append(record)
            forgotten = [one for one in self._records if not one.stored][:-_MOST]  # of a stored one there is little
            for old in forgotten:
                await self._release(old)
                self._records.remove(old)
            last = len(self._records) - 1
            await self._show(last - self.kept, last, new=part)
        self.follow()

    async def recall(self, records: Sequence[Record]) -> None:
        """Show the runs of an earlier conversation, one at least, instead of what is shown; the newest in sight."""
        await self.forget()
        async with self._arranging:
            self._records = list(records)
            last = len(self._records) - 1
            await self._show(last - self.kept, last)
        self.follow()

    async def replace(self, record: Record, part: PartT) -> None:
        """Let another part stand for a run, if it is in the pane."""
        async with self._arranging:
            old = self._parts.get(record)
            if old is not None:
                self._parts[record] = part
                with self.app.batch_update():
                    await self.body.mount(part, before=old)
                    await old.remove()

    async def bring(self, record: Record) -> PartT | None:
        """Return the part of a run, which is brought back if need be; None when the run is forgotten."""
        if record not in self._records:
            return None
        async with self._arranging:
            if record not in self._parts:
                position = self._records.index(record)
                await self._show(position - self.kept // 2, position + self.kept // 2)
            return self._parts[record]

    async def forget(self) -> None:
        """Take all parts away."""
        async with self._arranging:
            for record in list(self._parts):
                await self._release(record)
            self._records, self._first, self._end = [], 0, 0
            self._say_how_many()

    def follow(self) -> None:
        """Go to the end and follow it, also after the person has scrolled away."""
        super().follow()
        self._release_what_is_behind()

    def action_scroll_home(self) -> None:
        """Go to the very beginning of the conversation, however much of it has no widgets."""
        if self._first == 0:
            super().action_scroll_home()
        elif not self._moving:
            self.release_anchor()
            self._move("to the start")

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Bring back what the person scrolls towards, and release what they leave behind."""
        super().watch_scroll_y(old_value, new_value)
        page = max(1, self.size.height)
        if self._moving or not self._records:
            return
        if new_value < old_value and new_value < page and self._first > 0 and self._anchor_released:
            self._move("back")
        elif new_value > old_value and self.max_scroll_y - new_value < 1:
            self._release_what_is_behind()
        elif new_value > old_value and self._later.display and self._later.virtual_region.y < new_value + 2 * page:
            self._move("on")

    @property
    def kept(self) -> int:
        """How many parts stay when the pane stands at the end, besides the newest."""
        return _AT_LEAST + self.size.height // self.LEAST_LINES

    @property
    def _at_once(self) -> int:
        """How many parts come back together: a page of them at least."""
        return max(_AT_LEAST, self.size.height // self.LEAST_LINES + 1)

    def _release_what_is_behind(self) -> None:
        """Stand at the end again, with no more parts than are needed."""
        last = len(self._records) - 1
        if self._records and (self._end < last or last - self._first > self.kept + self._at_once):
            self._move("to the end")

    @work(group="parts", exit_on_error=False)
    async def _move(self, where: Literal["back", "on", "to the start", "to the end"]) -> None:
        """Show other parts; what is in sight stays where it is."""
        self._moving = True
        try:
            async with self._arranging:
                last = len(self._records) - 1
                most = self.kept + 2 * self._at_once
                match where:
                    case "back":
                        first = max(0, self._first - self._at_once)
                        await self._show(first, min(self._end, first + most))
                    case "on":
                        end = min(last, self._end + self._at_once)
                        await self._show(max(self._first, end - most), end)
                    case "to the start":
                        await self._show(0, most)
                    case "to the end":
                        await self._show(last - self.kept, last)
            await self.wait_for_refresh()
            if where == "to the start":
                self.scroll_home(animate=False, immediate=True)
        finally:
            self._moving = False
        if self.scroll_y <= 0 and self._first > 0 and self._anchor_released:  # nothing would scroll from here
            self._move("back")

    async def _show(self, first: int, end: int, *, new: PartT | None = None) -> None:
        """Show the parts of these records and of the newest one, in their order, all at once on the screen."""
        last = len(self._records) - 1
        self._first, self._end = max(0, first), min(end, last)
        wanted = dict.fromkeys([*self._records[self._first : self._end], *self._records[-1:]])
        in_sight = self._in_sight(wanted)
        stood = in_sight.virtual_region.y if in_sight else 0
        with self.app.batch_update():
            for record in [record for record in self._parts if record not in wanted]:
                await self._release(record)
            before: Widget = self._earlier
            for record in wanted:
                if record not in self._parts:
                    begun = new if record is self._records[-1] else None
                    self._parts[record] = part = begun or self.make_part(record)
                    await self.body.mount(part, after=before)
                    if begun is None:
                        await self.fill_part(part)
                before = self._parts[record]
            self._say_how_many()
            if self._later.display:
                self.body.move_child(self._later, before=before)
        if in_sight is not None and self._anchor_released:
            self.call_after_refresh(self._put_back, in_sight, stood)

    async def _release(self, record: Record) -> None:
        part = self._parts.pop(record, None)
        if part is not None:
            if part.has_focus_within or part.has_focus:
                self.focus(scroll_visible=False)
            await part.remove()

    def _in_sight(self, wanted: dict[Record, None]) -> PartT | None:
        """Return the first part in sight that stays."""
        parts = (self._parts[record] for record in wanted if record in self._parts)
        return next((part for part in parts if part.virtual_region.bottom > self.scroll_y), None)

    def _put_back(self, part: Widget, stood: int) -> None:
        """Scroll by as much as a part has moved from the line where it stood, so that it seems not to have moved."""
        if part.is_attached and self._anchor_released:
            self.scroll_to(y=self.scroll_y + part.virtual_region.y - stood, animate=False, immediate=True)

    def _say_how_many(self) -> None:
        earlier, later = self._first, max(0, len(self._records) - 1 - self._end)
        self._earlier.display, self._later.display = earlier > 0, later > 0
        self._earlier.update(Content(f"↑ {plural(earlier, 'earlier question')}: scroll on to see more"))
        self._later.update(Content(f"↓ {plural(later, 'later question')}: scroll on, or press End for the newest"))
