"""The questions of the base in the command palette."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from rich.text import Text
from textual.command import DiscoveryHit, Hit, Hits, Provider

from campus_agent.text import one_line
from campus_agent.tui.screens.conversation import ConversationScreen


class StarterQuestions(Provider):
    """Offers the questions to begin with. They come from a base, so they are shown as text, never as markup."""

    async def discover(self) -> Hits:
        """Offer every question."""
        for question in self._questions():
            shown = f"Ask: {one_line(question, 80)}"
            yield DiscoveryHit(Text(shown), partial(self._ask, question), text=shown)

    async def search(self, query: str) -> Hits:
        """Offer the questions that match."""
        matcher = self.matcher(query)
        for question in self._questions():
            shown = f"Ask: {one_line(question, 80)}"
            if (score := matcher.match(shown)) > 0:
                yield Hit(score, Text(shown), partial(self._ask, question), text=shown)

    def _questions(self) -> Iterable[str]:
        screen = self.screen
        if isinstance(screen, ConversationScreen) and screen.assistant is not None:
            return screen.assistant.about.questions
        return ()

    async def _ask(self, question: str) -> None:
        if isinstance(self.screen, ConversationScreen):
            self.screen.question(question)
