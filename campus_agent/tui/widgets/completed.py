"""A text whose slash commands are completed: what is offered while one is typed, and the keys that take it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual import work
from textual.content import Content
from textual.widgets import TextArea

from campus_agent.text import sanitize
from campus_agent.tui.slash.completing import Suggestion, complete, is_slow
from campus_agent.tui.slash.table import read
from campus_agent.tui.widgets.suggestions import Suggestions


class CompletedText(TextArea):
    """A text whose slash commands are completed.

    Attributes:
        suggestions: the list of what can be taken, for the screen to place.
        models: says which models the server offers; called in a thread, while a command that takes one is typed.
    """

    def __init__(self, placeholder: Content) -> None:
        super().__init__(compact=True, placeholder=placeholder, highlight_cursor_line=False)
        self.suggestions = Suggestions()
        self.models: Callable[[], Sequence[str]] = tuple
        self._looked = ""  # what stood here when it was last known how it can be completed
        self._take_first = ""  # what stood here when Tab came before that was known

    def put(self, text: str) -> None:
        """Let `text` stand here instead of what is there, with the cursor behind it."""
        self.suggestions.close()
        self.text = sanitize(text)
        self.move_cursor(self.document.end)

    def take(self, suggestion: Suggestion) -> None:
        """Let a suggestion stand in the prompt, and offer what can stand behind it."""
        self.put(suggestion.text)
        if suggestion.more:
            self.complete()

    def complete(self) -> None:
        """Offer what the command that is typed can be completed to."""
        text = self.text
        if read(text) is None:
            self.suggestions.close()
        elif is_slow(text):
            self._complete_slowly(text)
        else:
            self._looked = text
            self.suggestions.offer(complete(text, models=self.models))

    @work(exclusive=True, group="complete", exit_on_error=False)
    async def _complete_slowly(self, text: str) -> None:
        """Look for what a disk or a server has to say, and offer it unless something else is typed by then."""
        completion = await asyncio.to_thread(complete, text, models=self.models)
        if self.text == text:
            self._looked = text
            self.suggestions.offer(completion)
            if self._take_first == text and self.suggestions.display:
                self.take(self.suggestions.chosen)

    def is_for_suggestions(self, key: str) -> bool:
        """Act on a key that is for what is suggested, or will be once it is known; return whether it is."""
        self._take_first = ""
        text = self.text
        if self.suggestions.is_for(text):
            return self._choose(key)
        if key != "tab" or read(text) is None or self._looked == text:
            return False
        self._take_first = text
        self.complete()
        return is_slow(text) or (self.suggestions.is_for(text) and self._choose("tab"))

    def _choose(self, key: str) -> bool:
        """Act on a key while suggestions are shown; return whether it was for them."""
        chosen = self.suggestions.chosen
        match key:
            case "up" | "down":
                self.suggestions.move(-1 if key == "up" else 1)
            case "escape":
                self.suggestions.close()
            case "tab":
                self.take(chosen)
            case "enter" if chosen.text != self.text and self.suggestions.is_taken_by_enter:
                self.take(chosen)
                return chosen.more  # else it is whole, and Enter goes on to send it
            case _:
                return False
        return True
