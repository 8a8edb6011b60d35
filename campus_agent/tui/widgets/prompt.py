"""Where the question is typed: Enter sends, a slash begins a command, and what was typed before comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.content import Content
from textual.message import Message
from textual.widgets.text_area import Edit, EditResult

from campus_agent.text import one_line, sanitize
from campus_agent.tui.history import History
from campus_agent.tui.keys import Place, actions, left_to_the_screen
from campus_agent.tui.slash.completing import is_slow
from campus_agent.tui.slash.paths import quoted
from campus_agent.tui.slash.table import Command, Typed, as_question, as_typed, read
from campus_agent.tui.widgets.completed import CompletedText
from campus_agent.tui.widgets.in_turn import KeysInTurn

if TYPE_CHECKING:
    from campus_agent.settings import Settings

_WITHOUT_TYPING: tuple[Place, ...] = ("turn", "pane", "fold", "code", "list")  # a letter there is for the prompt


class Prompt(CompletedText, KeysInTurn):
    """Where the question is typed.

    Attributes:
        take_back: takes back the question that would wait longest, and returns it; None when none waits.
    """

    key_place: ClassVar[Place] = "prompt"

    @dataclass
    class Sent(Message):
        """The person wants this question to be asked."""

        question: str

    @dataclass
    class Commanded(Message):
        """The person wants this command to be carried out."""

        text: str
        typed: Typed

    @dataclass
    class Paged(Message):
        """The person wants to scroll the chat by this many pages."""

        pages: int

    @dataclass
    class LookedUp(Message):
        """The person pressed up, or down, in an empty prompt, and nothing was typed before, or after."""

    @dataclass
    class Pressed(Message):
        """The person pressed a key that the screen acts on, behind what was sent before."""

        action: str

    def __init__(self) -> None:
        super().__init__(Content("Ask about the campus …   / for commands"))
        self.cursor_blink = False  # a cursor that blinks is a timer that never stops
        self.take_back: Callable[[], str | None] = lambda: None
        self._history = History()
        self._returned = False  # whether what stands here was given back, and nobody has touched it since

    async def on_key(self, event: events.Key) -> None:
        """Act on the keys of the prompt, in their turn: a binding with priority would overtake what was just typed."""
        action = actions("prompt").get(event.key)
        if event.character == "/" and self._returned and self.cursor_at_end_of_text:
            self._make_room()
        if event.key == "space" and not self.text:
            action = ""  # one press too many in step mode: nobody would see it in front of a command
        elif self.is_for_suggestions(event.key):
            action = ""
        elif action is None and (left := left_to_the_screen().get(event.key)):
            self.post_message(self.Pressed(left))
            action = ""
        if action is not None:
            event.stop()
            event.prevent_default()
            if action:
                await self.run_action(action)

    def is_meant_by(self, event: events.Key | events.Paste, place: Place) -> bool:
        """Return whether what comes while another place has the focus belongs here: a letter, or anything pasted."""
        if isinstance(event, events.Paste):
            return self.is_mounted
        return place in _WITHOUT_TYPING and event.key not in {*actions(place), "space"} and event.is_printable

    def remember(self, questions: Sequence[str]) -> None:
        """Let the arrow up find these questions first, the last of them before the others."""
        typed = [as_typed(question) for question in questions]
        if typed:
            self._history.back_to(typed, self.text)
            self._history.add("")  # behind them

    def keep_private(self, private: bool) -> None:
        """Remember what is typed from now on only until the end; or, with False, longer again."""
        self._history.private = private

    def wait_for_settings(self) -> None:
        """Write nothing down of what is typed before `go_by` tells the settings."""
        self._history.kept = None

    def go_by(self, settings: Settings) -> None:
        """Remember what is typed beyond this start as far as the settings want it, and no key in it."""
        self._history.go_by(settings)

    def forget(self, questions: Sequence[str]) -> None:
        """Forget questions that were typed, also in earlier starts."""
        self._history.forget([*questions, *map(as_typed, questions)])

    # ---- what is typed ---------------------------------------------------------------------------------------------

    def restore(self, questions: Sequence[str]) -> None:
        """Give questions back, unless something else has been typed since: then the arrow up finds them."""
        typed = self.text
        self.give_back(questions)
        if typed.strip():
            self.put(typed)

    def _make_room(self) -> None:
        """Keep what was given back for the arrow up: the slash behind it begins a new command."""
        self._history.add(self.text)
        self.put("")

    def give_back(self, questions: Sequence[str]) -> None:
        """Let the first of some questions stand here; the arrow down leads to the others, and at last to the draft."""
        if questions:
            self.put(self._history.back_to([as_typed(question) for question in questions], self.text))
            self._returned = True

    def begin_command(self, command: Command) -> None:
        """Let `command` stand in the prompt, for its argument to be typed."""
        self.put(f"/{command.name} ")
        self.complete()

    def give_command_back(self, text: str) -> None:
        """Put a command that was not carried out back behind what is typed already; the arrow up finds it too."""
        self.call_later(self._take_command_back, text)  # in its turn: keys that wait here were pressed before

    def _take_command_back(self, text: str) -> None:
        if not self.text.strip():
            self.put(text)
            self._returned = not is_slow(text)  # a path goes on with a slash
        elif self.text != text:
            self.app.notify(f"↑ brings {one_line(text, 60)} back.", markup=False)

    def put(self, text: str) -> None:
        """Let `text` stand in the prompt instead of what is there, with the cursor behind it."""
        self._returned = False
        super().put(text)

    def edit(self, edit: Edit) -> EditResult:
        """Take typed and pasted text in; many terminals paste a carriage return for each new line."""
        self._returned = False
        edit.text = sanitize(edit.text.replace("\r\n", "\n").replace("\r", "\n"))
        result = super().edit(edit)
        self.complete()
        return result

    async def on_paste(self, event: events.Paste) -> None:
        """Look whether what is pasted into an empty prompt was dropped on the terminal; it stands there meanwhile."""
        if not self.text and ("/" in event.text or "\\" in event.text):
            self._offer_dropped(event.text)

    @work(exclusive=True, group="dropped", exit_on_error=False)
    async def _offer_dropped(self, pasted: str) -> None:
        """Offer to answer from the folders or files whose paths were pasted, unless more has been typed by then."""
        from campus_agent.tui.dropped import dropped_paths

        paths = await asyncio.to_thread(dropped_paths, pasted)
        if paths and self.text.strip() == sanitize(pasted.replace("\r\n", "\n").replace("\r", "\n")).strip():
            self.put(f"/kb {' '.join(quoted(str(path)) for path in paths)}")
            what = "this folder" if len(paths) == 1 and paths[0].is_dir() else "what you dropped"
            self.app.notify(f"⏎ answers from {what} from now on.", markup=False, timeout=6)

    def action_send(self) -> None:
        """Send what was typed, and make room for the next question."""
        text = self.text
        if not text.strip():
            return
        self.put("")
        self._history.add(text)
        typed = read(text)
        if typed is not None:
            self.post_message(self.Commanded(text, typed))
        elif question := as_question(text):
            self.post_message(self.Sent(question))

    def action_new_line(self) -> None:
        """Begin a new line."""
        self.insert("\n")

    # ---- what was typed before -------------------------------------------------------------------------------------

    def action_cursor_up(self, select: bool = False) -> None:
        """Go a line up; from the first one to what was typed before."""
        if select or not self.navigator.is_first_wrapped_line(self.cursor_location):
            super().action_cursor_up(select)
        elif (waiting := self.take_back()) is not None:
            self.give_back([waiting])
        else:
            self._recall(older=True)

    def action_cursor_down(self, select: bool = False) -> None:
        """Go a line down; from the last one to what was typed after this."""
        if select or not self.navigator.is_last_wrapped_line(self.cursor_location):
            super().action_cursor_down(select)
        else:
            self._recall(older=False)

    def _recall(self, *, older: bool) -> None:
        """Show what was typed before, or after, what is shown; with nothing there, and nothing shown, say so."""
        text = self._history.older(self.text) if older else self._history.newer(self.text)
        if text is None:
            if not self.text:
                self.post_message(self.LookedUp())
            return
        self.put(text)
        if older:
            self.move_cursor(self.document.start)  # so that the next press goes on, and does not walk through lines
            self.move_cursor((0, len(self.document.get_line(0))))

    def action_page(self, pages: int) -> None:
        """Scroll the chat, since a prompt has no pages."""
        self.post_message(self.Paged(pages))
