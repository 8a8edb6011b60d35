"""Copies text, by a tool or by the terminal, and says which way it went."""

from __future__ import annotations

import asyncio

from textual.app import App


class Copying(App[int]):
    """An app that copies by whatever way there is."""

    def copy_to_clipboard(self, text: str) -> None:
        """Copy `text`, and say which way it went."""
        self._clipboard = text
        self.run_worker(self._copy(text), group="copy", exit_on_error=False)

    async def _copy(self, text: str) -> None:
        """Copy in a thread: a tool may take its time."""
        from campus_agent.tui.clipboard import by_terminal, copied, copy_by_tool

        tool = await asyncio.to_thread(copy_by_tool, text)
        asked = None if tool else by_terminal(text)
        if asked and self._driver is not None:
            self._driver.write(asked)
        self.notify(copied(tool, asked=asked is not None), markup=False)
