"""What an empty chat shows: what this is, questions to begin with, and how to make it one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from campus_agent.tui.keys import Place
from campus_agent.tui.words import line

_WHAT = Content("Ask about the campus. You see every step as it happens, and nothing is said that no source supports.")
_PICK = Content.assemble(("Questions to begin with   ", "$muted"), ("↓", "$primary bold"), (" to pick one", "$muted"))
_YOURS = Content.assemble(("Your own campus   ", "$muted"), "/kb FOLDER")
_MODEL = Content.assemble(("A language model  ", "$muted"), "/provider NAME")


class Start(Vertical):
    """What an empty chat shows."""

    key_place: ClassVar[Place] = "list"

    @dataclass
    class Picked(Message):
        """The person picked a question to begin with."""

        question: str

    def compose(self) -> ComposeResult:
        """Lay out the words; the questions come under them when they are known, so that nothing moves for them."""
        yield Static(_WHAT, classes="what")
        yield Static(_YOURS + "\n" + _MODEL, classes="yours")

    async def offer(self, questions: Sequence[str], *, own: bool) -> None:
        """Show the questions to begin with; `own` when the base is the person's own: how to name one is known then."""
        if own:
            self.query_one(".yours", Static).update(_MODEL)
        self._questions = tuple(questions)
        await self.query("OptionList, .pick").remove()
        if questions:
            options = OptionList(*(Option(line(question, 300)) for question in questions), markup=False)
            options.highlighted = None
            await self.mount(Static(_PICK, classes="pick"), options)

    def focus_questions(self) -> None:
        """Give the focus to the questions, when there are any."""
        for options in self.query(OptionList):
            options.focus()

    def on_descendant_focus(self) -> None:
        """Choose the first question, if none is chosen yet."""
        for options in self.query(OptionList):
            options.highlighted = options.highlighted or 0

    def on_descendant_blur(self) -> None:
        """Choose none: the questions do not look chosen while Enter sends what is in the prompt."""
        for options in self.query(OptionList):
            options.highlighted = None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask the question that was picked."""
        event.stop()
        self.post_message(self.Picked(self._questions[event.option_index]))
