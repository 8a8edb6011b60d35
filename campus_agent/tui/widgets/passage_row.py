"""A passage that a search returned, as a row of the trace that opens the whole of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from campus_agent.guardrail.review import CheckedFact
from campus_agent.text import one_line
from campus_agent.tools.tool import Source
from campus_agent.tui.widgets.row import Paragraph, Row
from campus_agent.tui.words import DIM, SUPPORTS, plain

_LONGEST = 600  # characters; the rest stands on the screen that it opens
_LISTED = Content.styled("- ", DIM)


@dataclass
class PassagesPicked(Message):
    """The person wants to read passages.

    Attributes:
        sources: the passages.
        facts: the facts of the answer, so that what supports them can be marked.
        first: the index of the passage to begin with.
    """

    sources: Sequence[Source]
    facts: Sequence[CheckedFact] = ()
    first: int = 0


class PassageRow(Row):
    """A passage of an observation; Enter or a click opens it."""

    FOLD_OVER = 6
    FOLDED = 5
    OPENS = True

    @dataclass
    class Picked(Message):
        """The person picked this passage; the trace of the run adds what is known of its facts."""

        source: Source

    def __init__(self, source: Source, said: str) -> None:
        """Take the passage, and the line of the observation that shows it."""
        self.source = source
        self._said = plain(one_line(said, _LONGEST))
        super().__init__(Content(""), [Paragraph(self._said, _LISTED)])

    def mark(self, supporting: Sequence[Source]) -> None:
        """Show whether the passage is among those that the latest draft rests on."""
        self.change(body=[Paragraph(self._said, SUPPORTS if self.source in supporting else _LISTED)])

    def action_open(self) -> None:
        """Open the passage."""
        self.post_message(self.Picked(self.source))
