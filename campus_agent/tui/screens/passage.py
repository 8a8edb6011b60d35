"""The passage screen: what an answer rests on, word for word, with the words marked that bear it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from campus_agent.guardrail.review import CheckedFact
from campus_agent.text import plural
from campus_agent.tools.tool import Source
from campus_agent.tui.keys import Place
from campus_agent.tui.widgets.passage_text import shown_passage

_MOST = 100  # passages
_KEYS = "[@click=screen.dismiss][$primary bold]esc[/] close[/]"


class PassageScreen(ModalScreen[None]):
    """Shows passages under each other, beginning with one of them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "dismiss", "Close")]
    key_place: ClassVar[Place] = "sheet"

    def __init__(self, sources: Sequence[Source], facts: Sequence[CheckedFact] = (), *, first: int = 0) -> None:
        """Take the passages, the facts of the answer, and the index of the passage to begin with."""
        super().__init__()
        self._sources = sources[:_MOST]
        self._facts = facts
        self._first = first

    def compose(self) -> ComposeResult:
        """Lay out the passages."""
        with VerticalScroll(classes="sheet"):
            count = len(self._sources)
            said = "A passage of the knowledge base" if count == 1 else plural(count, "passage")
            yield Static(Content.styled(said, "$muted"))
            yield from (Static(shown_passage(source, self._facts), classes="passage") for source in self._sources)
            yield Static(Content.from_markup(_KEYS), classes="keys")

    def on_mount(self) -> None:
        """Go to the passage to begin with."""
        if self._first:
            passage = list(self.query(".passage"))[min(self._first, len(self._sources) - 1)]
            self.call_after_refresh(passage.scroll_visible, top=True, animate=False)
