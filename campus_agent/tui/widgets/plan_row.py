"""The plan that a model wrote down before it began, as a list that is ticked."""

from __future__ import annotations

from textual.content import Content

from campus_agent.agent.events import Planned
from campus_agent.text import duration
from campus_agent.tui.widgets.row import Paragraph, Row
from campus_agent.tui.words import DIM, GOOD, line

_LONGEST = 300  # characters of an item
_OPEN = Content.styled("☐ ", DIM)
_DONE = Content.styled("☑ ", GOOD)


class PlanRow(Row):
    """The plan of a run; it keeps its height while its items are ticked."""

    def __init__(self, event: Planned) -> None:
        self._items = event.items
        self._done: set[int] = set()
        edge = Content.styled(duration(event.latency_ms), DIM)
        super().__init__(Content.styled("plan", "bold"), self._listed(), edge=edge)

    def tick(self, item: int) -> None:
        """Tick the item with this index, from 0."""
        self._done.add(item)
        self.change(body=self._listed())

    def _listed(self) -> list[Paragraph]:
        return [self._item(number, item) for number, item in enumerate(self._items)]

    def _item(self, number: int, item: str) -> Paragraph:
        done = number in self._done
        return Paragraph(line(item, _LONGEST, DIM if done else ""), _DONE if done else _OPEN)
