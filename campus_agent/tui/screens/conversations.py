"""The list of earlier conversations: what is typed narrows it down, Enter resumes one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from campus_agent.errors import CampusAgentError
from campus_agent.text import one_line, plural, sanitize
from campus_agent.tui.keys import Place
from campus_agent.tui.screens.confirm import ConfirmScreen
from campus_agent.tui.widgets.in_turn import KeysInTurn
from campus_agent.tui.words import line

if TYPE_CHECKING:
    from campus_agent.journal.records import ConversationRow
    from campus_agent.tui.app import CampusApp
    from campus_agent.tui.conversations import Conversations

_SEARCH = "Type to search titles, questions and answers"
_TITLE = "Blank leaves it as it was"
_KEYS = Content.from_markup(
    "[$primary bold]⏎[/] resume  "
    "[@click=screen.leave][$primary bold]esc[/] leave[/]  "
    "[@click=screen.copy][$primary bold]F6[/] copy[/]  "
    "[@click=screen.rename][$primary bold]F2[/] rename[/]  "
    "[@click=screen.delete][$primary bold]F8[/] delete[/]"
)
_RENAMING_KEYS = Content.from_markup(
    "[@click=screen.keep][$primary bold]⏎[/] keep[/]  [@click=screen.leave][$primary bold]esc[/] leave it[/]"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The conversation to resume, by its id; with `copy`, it stays as it is, and another begins as it does."""

    id: str
    copy: bool = False


class _Search(Input, KeysInTurn):
    """Where words to search for, or another title, are typed."""


class ConversationsScreen(ModalScreen[Wanted | None]):
    """Lists the conversations of the journal, the newest first; it returns the one to resume."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", priority=True),
        Binding("up", "move(-1)", "Up", priority=True),
        Binding("down", "move(1)", "Down", priority=True),
        Binding("pageup", "move(-5)", "Up", priority=True),
        Binding("pagedown", "move(5)", "Down", priority=True),
        Binding("f2", "rename", "Rename", priority=True),
        Binding("f6", "copy", "Resume a copy", priority=True),
        Binding("f8", "delete", "Delete", priority=True),
    ]
    key_place: ClassVar[Place] = "sheet"

    def __init__(self, kept: Conversations, present: str | None, *, forget: Callable[[Sequence[str]], object]) -> None:
        """Take the conversations, the id of the one that goes on, and what forgets questions that were typed."""
        super().__init__()
        self._forget = forget
        self._kept = kept
        self._present = present
        self._rows: Sequence[ConversationRow] = ()
        self._renaming: ConversationRow | None = None
        self._words = ""  # that the list is narrowed down to
        self._search = _Search(placeholder=_SEARCH, compact=True)
        self._list = OptionList(markup=False)
        self._list.can_focus = False  # what is typed always goes to the search
        self._said = Static(classes="said")
        self._head = Static()
        self._keys = Static(classes="keys")

    def compose(self) -> ComposeResult:
        """Lay out the search, the list and the keys."""
        with Vertical(classes="sheet"):
            yield self._head
            yield self._search
            yield self._said
            yield self._list
            yield self._keys

    def on_mount(self) -> None:
        """Show what there is."""
        self._search.focus()
        self._take(None)
        self._look()

    # ---- the list --------------------------------------------------------------------------------------------------

    @work(group="look", exclusive=True, exit_on_error=False)
    async def _look(self, chosen: str | None = None) -> None:
        """Show the conversations in which the words stand, with the one of this id chosen, else the first."""
        with self._complaining():
            self._show(await asyncio.to_thread(self._kept.listed, self._words), chosen)

    def _show(self, rows: Sequence[ConversationRow], chosen: str | None) -> None:
        self._rows = rows
        self._list.clear_options()
        self._list.add_options([Option(self._shown(row)) for row in rows])
        places = [place for place, row in enumerate(rows) if row.id == chosen]
        self._list.highlighted = (places or [0])[0] if rows else None
        nothing = "No conversation holds all of these words." if self._words.strip() else "No conversation is kept yet."
        self._said.update(Content.styled("" if rows else nothing, "$muted"))
        self._said.display = not rows

    def _shown(self, row: ConversationRow) -> Content:
        zone = cast("CampusApp", self.app).chosen.settings.zone
        when = f"{row.changed.astimezone(zone):%a %d %b %Y, %H:%M}"
        here = " · this one" if row.id == self._present else ""
        about = f"{when} · {plural(row.runs, 'question')} · {row.base}{here}"
        return line(row.title, 200) + "\n" + line(about, 200, "$muted")

    @property
    def _chosen(self) -> ConversationRow | None:
        place = self._list.highlighted
        return None if place is None or place >= len(self._rows) else self._rows[place]

    @on(Input.Changed)
    def _narrow(self, message: Input.Changed) -> None:
        message.stop()
        if self._renaming is None and message.value != self._words:
            self._words = message.value
            self._look()

    # ---- keys and clicks -------------------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """Choose another conversation."""
        if self._renaming is None and self._rows:
            place = (self._list.highlighted or 0) + by
            self._list.highlighted = min(len(self._rows) - 1, max(0, place))

    @on(OptionList.OptionSelected)
    def _click(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        if self._renaming is None:
            self._go_on()

    @on(Input.Submitted)
    def _enter(self, message: Input.Submitted) -> None:
        message.stop()
        if self._renaming is None:
            self._go_on()
        else:
            self.action_keep()

    def _go_on(self) -> None:
        if self._chosen is not None:
            self.dismiss(Wanted(self._chosen.id))

    def action_leave(self) -> None:
        """Leave the list; or leave a title as it was."""
        if self._renaming is None:
            self.dismiss(None)
        else:
            self._take(None)

    def action_rename(self) -> None:
        """Let the person write another title where the words are typed."""
        if self._chosen is not None and self._renaming is None:
            self._take(self._chosen)

    def action_keep(self) -> None:
        """Keep the title that was written."""
        if self._renaming is not None:
            self._rename(self._renaming, self._search.value)

    @work(group="change", exit_on_error=False)
    async def _rename(self, row: ConversationRow, title: str) -> None:
        with self._complaining():
            if title.strip():
                await asyncio.to_thread(self._kept.rename, row.id, title)
        self._take(None)
        self._look(row.id)

    def _take(self, renaming: ConversationRow | None) -> None:
        """Take another title for this conversation in the field, or words to search for; say which, and the keys."""
        self._renaming = renaming
        self._search.value = self._words if renaming is None else sanitize(renaming.title)
        self._search.placeholder = _SEARCH if renaming is None else _TITLE
        self._head.update(Content.styled("Earlier conversations" if renaming is None else "New title", "bold"))
        self._keys.update(_KEYS if renaming is None else _RENAMING_KEYS)

    def action_copy(self) -> None:
        """Resume a copy of a conversation, so that it stays as it is."""
        if self._chosen is not None and self._renaming is None:
            self.dismiss(Wanted(self._chosen.id, copy=True))

    @work(group="change", exit_on_error=False)
    async def action_delete(self) -> None:
        """Delete a conversation, if the person really wants it; the one that goes on is deleted by /delete."""
        if (row := self._chosen) is None or self._renaming is not None:
            return
        if row.id == self._present:
            self.app.notify("This is the conversation that goes on. /delete deletes it.", markup=False)
            return
        with self._complaining():
            going = await asyncio.to_thread(self._kept.leaving, row.id)
            what = f"Delete “{one_line(row.title, 60)}”, with {plural(len(going), 'question')}, for good?"
            if await self.app.push_screen_wait(ConfirmScreen(what)):
                await asyncio.to_thread(self._kept.delete, row.id)
                self._forget(going)
                self._look()

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        try:
            yield
        except CampusAgentError as error:
            self.app.notify(sanitize(str(error.explanation)), severity="warning", markup=False, timeout=10)
