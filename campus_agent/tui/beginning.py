"""What follows the first frame, in a thread that cannot keep the app from ending: the settings, then the assistant.

None of it is imported before that frame: no pydantic, and so neither the settings nor the events of a run, and no
widget that shows one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from threading import Lock, Thread
from typing import TYPE_CHECKING

from textual.message import Message

from campus_agent.errors import CampusAgentError, Explanation

if TYPE_CHECKING:
    from campus_agent.assemble import About, Assistant
    from campus_agent.settings import Settings
    from campus_agent.tui.conversations import Conversations
    from campus_agent.tui.slash.choosing import Chosen

_OF_A_RUN = ("turn", "answer")  # the widgets that bring every other one of a run with them

_PATIENCE = 2.0  # seconds

_LEFT = Explanation(
    what="Getting ready was stopped.",
    cause="You pressed Esc before all of the knowledge base was read.",
    next="Send your question, or name a smaller folder: /kb FOLDER",
)


class Beginning:
    """Reads the settings and makes the assistant, and tells of both by a message."""

    @dataclass
    class Settled(Message):
        """The settings are read."""

        chosen: Chosen

    @dataclass
    class NotSettled(Message):
        """The settings, or the recording that was named with them, cannot be read or used."""

        error: Exception

    @dataclass
    class Assembled(Message):
        """The assistant is ready, and the journal is open, where there is one."""

        assistant: Assistant
        kept: Conversations | None

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
        give_up: Callable[[], object] | None = None,
        journal: Callable[[Settings, About], Conversations] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take whom to tell, what reads the settings, what makes an assistant of them, and what opens the journal.

        `give_up` lets `assemble` end soon; `clock` tells seconds that only grow.
        """
        self._tell = tell
        self._load = load
        self._assemble = assemble
        self._give_up = give_up
        self._lock = Lock()
        self._wanted: object = None  # what stands for the latest start, until it is told how that went
        self._clock = clock
        self._patience = _PATIENCE  # until there is an assistant
        self._began = 0.0
        self._journal = journal
        self._kept: Conversations | None = None

    def start(self, chosen: Chosen | None) -> None:
        """Begin in a thread; with no settings yet, by reading them."""
        self._wanted = wanted = object()
        self._began = self._clock()
        Thread(target=self._begin, args=(chosen, wanted), name="assemble", daemon=True).start()

    def leave(self) -> None:
        """Tell at once that there will be no assistant, whatever the thread still does; nothing where none is made.

        While there is no assistant at all yet, a start goes on that has only just begun: it is ready before it is
        missed, and the key was meant for something else.
        """
        if self._clock() - self._began < self._patience:
            return
        if self._tell_once(self._wanted, self.NotAssembled(_LEFT)) and self._give_up is not None:
            self._give_up()

    def _tell_once(self, wanted: object, message: Message) -> bool:
        """Tell how a start went, unless that has been told; return whether it was told now."""
        with self._lock:
            if wanted is None or wanted is not self._wanted:
                return False
            self._wanted = None
        self._tell(message)
        return True

    def choose(self, settings: Settings) -> Chosen:
        """Return settings as a choice that commands can change."""
        from campus_agent.tui.slash.choosing import Chosen

        return Chosen(settings, self._load)

    def _begin(self, chosen: Chosen | None, wanted: object) -> None:
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
            assistant = self._assemble(chosen.settings)
            if self._kept is None and self._journal is not None:
                self._kept = self._journal(chosen.settings, assistant.about)
            self._patience = 0.0
            self._tell_once(wanted, self.Assembled(assistant, self._kept))
        except CampusAgentError as error:
            self._tell_once(wanted, self.NotAssembled(error.explanation))
        except Exception as error:  # the border of the thread: without this the app would wait for ever
            said = f"The assistant could not be started: {type(error).__name__}: {error}"
            self._tell_once(wanted, self.NotAssembled(Explanation(what=said, next="campus-agent doctor says more.")))


def load_settings(**changes: object) -> Settings:
    """Read every layer of the settings, with these changes on top."""
    from campus_agent.settings import Settings

    return Settings.load(**changes)
