"""What follows the first frame, in a thread that cannot keep the app from ending: the settings, then the assistant.

None of it is imported before that frame: no pydantic, and so neither the settings nor the events of a run, and no
widget that shows one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from textual.message import Message

from campus_agent.errors import CampusAgentError, Explanation

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.settings import Settings
    from campus_agent.tui.slash.choosing import Chosen

_OF_A_RUN = ("turn", "answer")  # the widgets that bring every other one of a run with them


class Beginning:
    """Reads the settings and makes the assistant, and tells of both by a message."""

    @dataclass
    class Settled(Message):
        """The settings are read."""

        chosen: Chosen

    @dataclass
    class NotSettled(Message):
        """The settings cannot be read or used."""

        error: Exception

    @dataclass
    class Assembled(Message):
        """The assistant is ready."""

        assistant: Assistant

    @dataclass
    class NotAssembled(Message):
        """The assistant could not be made."""

        explanation: Explanation

    def __init__(
        self,
        tell: Callable[[Message], object],
        *,
        load: Callable[..., Settings],
        assemble: Callable[[Settings], Assistant],
    ) -> None:
        """Take whom to tell, what reads the settings, and what makes an assistant of them."""
        self._tell = tell
        self._load = load
        self._assemble = assemble

    def start(self, chosen: Chosen | None) -> None:
        """Begin in a thread; with no settings yet, by reading them."""
        Thread(target=self._begin, args=(chosen,), name="assemble", daemon=True).start()

    def choose(self, settings: Settings) -> Chosen:
        """Return settings as a choice that commands can change."""
        from campus_agent.tui.slash.choosing import Chosen

        return Chosen(settings, self._load)

    def _begin(self, chosen: Chosen | None) -> None:
        if chosen is None:
            try:
                chosen = self.choose(self._load())
            except Exception as error:  # the border of the thread; whoever opened the app says what it is
                self._tell(self.NotSettled(error))
                return
            self._tell(self.Settled(chosen))
        for name in _OF_A_RUN:
            import_module(f"campus_agent.tui.widgets.{name}")  # so that the first question does not wait for it
        try:
            self._tell(self.Assembled(self._assemble(chosen.settings)))
        except CampusAgentError as error:
            self._tell(self.NotAssembled(error.explanation))
        except Exception as error:  # the border of the thread: without this the app would wait for ever
            said = f"The assistant could not be started: {type(error).__name__}: {error}"
            self._tell(self.NotAssembled(Explanation(what=said, next="campus-agent doctor says more.")))


def load_settings(**changes: object) -> Settings:
    """Read every layer of the settings, with these changes on top."""
    from campus_agent.settings import Settings

    return Settings.load(**changes)
