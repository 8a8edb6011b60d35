"""The screen on which the arguments of a call are changed before it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea
from textual.widgets.text_area import Edit, EditResult

from campus_agent.agent.arguments import Unreadable, read_arguments
from campus_agent.text import one_line, sanitize
from campus_agent.tools.tool import BadArguments, Tool
from campus_agent.tui.widgets.in_turn import KeysInTurn
from campus_agent.tui.words import BAD, line, plain

Check = Callable[[str], "dict[str, Any] | str"]
"""Reads the edited text: the arguments, or what is wrong with it."""

_NEAR = 12  # characters before and after a fault
_EXAMPLE = '{"name": "text", "other name": 5}'
_KEYS = Content.styled("⏎ run with these   ^J new line   Esc leave as they were", "$muted")


def read_edited(tool: str, text: str, tools: Mapping[str, Tool]) -> dict[str, Any] | str:
    """Return the arguments in an edited text, or in words for a person why `tool` cannot be run with them."""
    read = read_arguments(text)
    if isinstance(read, Unreadable):
        reason = _place_of_fault(text) or read.reason
        return f"This cannot be read: {reason}. Write names and texts in double quotes, such as {_EXAMPLE}"
    try:
        if tool in tools:
            tools[tool].check(read.arguments)
    except BadArguments as error:
        return f"{tool} cannot use this: {error}."
    return read.arguments


def _place_of_fault(text: str) -> str:
    """Say at which words a text stops being JSON; "" where it is something else that is wrong."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1]
        near = one_line(line[max(0, error.colno - _NEAR) : error.colno + _NEAR])
        return f"something is wrong in line {error.lineno}, near {near}"
    except (ValueError, RecursionError):  # said by who read it
        pass
    return ""


class ArgumentsEditor(TextArea, KeysInTurn):
    """The arguments as JSON; Enter is done, as in the prompt."""

    async def on_key(self, event: events.Key) -> None:
        """Act on the keys that a text area would type."""
        match event.key:
            case "enter":
                event.stop()
                event.prevent_default()
                await self.run_action("screen.run_with")
            case "ctrl+j" | "shift+enter" | "alt+enter":
                event.stop()
                event.prevent_default()
                self.insert("\n")

    def on_paste(self, event: events.Paste) -> None:
        """Paste several lines as one: a line break would be lost, or end a text of JSON where it stands."""
        event.text = " ".join(event.text.splitlines())

    def edit(self, edit: Edit) -> EditResult:
        """Take typed and pasted text in, made safe."""
        edit.text = sanitize(edit.text)
        return super().edit(edit)


class EditArgumentsScreen(ModalScreen["dict[str, Any] | None"]):
    """The arguments of a call as JSON; it returns the changed ones, or None to leave them as they were."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave as they were", show=False)]

    def __init__(self, tool: str, arguments: dict[str, Any], *, check: Check) -> None:
        super().__init__()
        self._tool = tool
        self._check = check
        text = sanitize(json.dumps(arguments, ensure_ascii=False, indent=2, default=str))
        self._editor = ArgumentsEditor(text, compact=True, highlight_cursor_line=False)
        self._editor.cursor_blink = False
        self._wrong = Static(Content(""), classes="wrong")

    def compose(self) -> ComposeResult:
        """Lay out the editor."""
        with VerticalScroll(classes="sheet", can_focus=False):
            yield Static(Content.assemble(("What ", "bold"), line(self._tool, 80, "bold"), (" is given", "bold")))
            yield self._editor
            yield self._wrong
            yield Static(_KEYS, classes="keys")

    def on_mount(self) -> None:
        """Begin to edit at the end of the first argument, if there is one."""
        row = min(1, self._editor.document.line_count - 1)
        self._editor.move_cursor((row, len(self._editor.document.get_line(row).rstrip(',"'))))
        self._editor.focus()

    def action_run_with(self) -> None:
        """Return the arguments; what cannot be used is said, and nothing that was typed is lost."""
        match self._check(self._editor.text):
            case str(wrong):
                self._wrong.update(plain(f"✕ {wrong}", BAD))
            case arguments:
                self.dismiss(arguments)

    def action_leave(self) -> None:
        """Leave the arguments as they were."""
        self.dismiss(None)
