"""What the command palette offers: commands, the questions of the base, the newest line; over a replay its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from rich.text import Text
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

from campus_agent.text import one_line
from campus_agent.tui.keys import KEYS
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.slash.table import COMMANDS

_Offer = tuple[str, str, Callable[[], object]]  # what is shown, what it means, what it does


class PaletteCommands(Provider):
    """Offers the commands of the prompt, and the questions to begin with.

    Questions come from a base and the arguments of commands stand in brackets, so all is shown as text, not as markup.
    """

    async def discover(self) -> Hits:
        """Offer everything."""
        for shown, meaning, act in self._offers():
            yield DiscoveryHit(Text(shown), act, text=shown, help=meaning)

    async def search(self, query: str) -> Hits:
        """Offer what matches."""
        matcher = self.matcher(query)
        for shown, meaning, act in self._offers():
            if (score := max(matcher.match(shown), matcher.match(meaning))) > 0:
                yield Hit(score, Text(shown), act, text=shown, help=meaning)

    def _offers(self) -> Iterable[_Offer]:
        screen = self.screen
        if not isinstance(screen, ConversationScreen):
            yield from _keys_of(screen)
            return
        for command in COMMANDS:
            yield command.shown, command.meaning, partial(screen.choose, command)
        yield "Newest line", "Go to the end of both panes and follow it", screen.action_latest
        for question in screen.assistant.about.questions if screen.assistant else ():
            yield f"Ask: {one_line(question, 80)}", "", partial(screen.question, question)


def _keys_of(screen: Screen[object]) -> Iterable[_Offer]:
    """Offer what the keys of a screen do, such as those of a replay."""
    for key in KEYS:
        if key.place == getattr(screen, "key_place", "") and key.action and key.meaning:
            yield key.meaning, f"the key {key.label}", partial(screen.run_action, key.action)
