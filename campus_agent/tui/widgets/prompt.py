"""Where the question is typed: Enter sends, and grows by lines when asked to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from campus_agent.text import sanitize
from campus_agent.tui.keys import actions


class Prompt(TextArea):
    """Where the question is typed."""

    @dataclass
    class Sent(Message):
        """The person wants this question to be asked."""

        question: str

    @dataclass
    class Paged(Message):
        """The person wants to scroll the chat by this many pages."""

        pages: int

    @dataclass
    class LookedUp(Message):
        """The person pressed up or down in an empty prompt."""

    def __init__(self) -> None:
        super().__init__(compact=True, placeholder=Content("Ask about the campus …"), highlight_cursor_line=False)
        self.cursor_blink = False  # a cursor that blinks is a timer that never stops

    async def on_key(self, event: events.Key) -> None:
        """Act on the keys of the prompt, in their turn: a binding with priority would overtake what was just typed."""
        action = actions("prompt").get(event.key)
        if action is not None:
            event.stop()
            event.prevent_default()
            await self.run_action(action)

    def restore(self, question: str) -> None:
        """Give a question back, unless something else has been typed since."""
        if not self.text.strip():
            self.give_back([question])

    def give_back(self, questions: Sequence[str]) -> None:
        """Put questions that were not asked before what is typed, a line for each."""
        if questions:
            lines = [*questions, self.text] if self.text.strip() else questions
            self.text = sanitize("\n".join(lines))
            self.move_cursor(self.document.end)

    def edit(self, edit: Edit) -> EditResult:
        """Take typed and pasted text in; many terminals paste a carriage return for each new line."""
        edit.text = sanitize(edit.text.replace("\r\n", "\n").replace("\r", "\n"))
        return super().edit(edit)

    def action_send(self) -> None:
        """Send what was typed, and make room for the next question."""
        question = self.text.strip()
        if question:
            self.text = ""
            self.post_message(self.Sent(question))

    def action_new_line(self) -> None:
        """Begin a new line."""
        self.insert("\n")

    def action_cursor_up(self, select: bool = False) -> None:
        """Go a line up; there is none in an empty prompt."""
        if self.text:
            super().action_cursor_up(select)
        else:
            self.post_message(self.LookedUp())

    def action_cursor_down(self, select: bool = False) -> None:
        """Go a line down; there is none in an empty prompt."""
        if self.text:
            super().action_cursor_down(select)
        else:
            self.post_message(self.LookedUp())

    def action_page(self, pages: int) -> None:
        """Scroll the chat, since a prompt has no pages."""
        self.post_message(self.Paged(pages))
