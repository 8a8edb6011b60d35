"""The conversation of a plain chat: kept, resumed, branched, named, deleted and saved, in lines and by numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from campus_agent.cli.output import result
from campus_agent.errors import CampusAgentError
from campus_agent.journal.opening import journal_path
from campus_agent.journal.saying import OFF, OPEN_ALREADY
from campus_agent.text import one_line, plural
from campus_agent.tui.conversations import Conversations, branch_at, remember
from campus_agent.tui.history import History
from campus_agent.tui.record import Record
from campus_agent.tui.slash.table import read

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.assemble import Assistant
    from campus_agent.journal.recorder import Recorder
    from campus_agent.journal.records import ConversationRow
    from campus_agent.settings import Settings
    from campus_agent.tui.conversations import Earlier

_LEFT_AT = 3  # questions of an earlier conversation that are said again
_MOST_LISTED = 20


class NotDone(CampusAgentError):
    """A command that cannot be carried out, or not now."""


class Left(Exception):
    """The person leaves, whatever was asked."""


class PlainConversation:
    """The questions of a conversation, and what commands do with it. Every command may raise `CampusAgentError`.

    Attributes:
        assistant: what answers.
        settings: the settings in force.
    """

    def __init__(
        self, assistant: Assistant, settings: Settings, recorder: Recorder, *, say: Callable[[str], object]
    ) -> None:
        """Take what answers, the settings in force, what keeps the runs, and what says a text to the person."""
        self.assistant = assistant
        self.settings = settings
        self._recorder = recorder
        self._say = say
        self._kept = Conversations(journal_path(settings.journal_path), recorder)
        self._records: list[Record] = []

    def take(self, event: Event) -> Record:
        """Take in the next event of the run that goes on, and return what is known of that run."""
        if event.kind == "run_started":
            self._records.append(Record(event.question))
        record = self._records[-1]
        record.add(event)
        if event.kind == "run_finished":
            record.run = self._recorder.run or ""
        return record

    # ---- from one conversation to another --------------------------------------------------------------------------

    def recall(self, id: str) -> None:
        """Say where a conversation was left that the assistant remembers, and in which the next run is kept."""
        earlier = self._kept.load(id)
        self._records = list(earlier.records)
        self._tell(earlier)

    def resume(self, id: str) -> None:
        """Resume the conversation with this id, or with "" let one be chosen from a list."""
        found = id or self._picked()
        if not found:
            return
        earlier = self._kept.load(found)
        if earlier.row.id == self._recorder.conversation:
            raise NotDone(OPEN_ALREADY)
        self._go_on(earlier.records)
        self._recorder.begin(earlier.row.id)
        self._tell(earlier)
        if self._recorder.off:
            self._say(OFF)

    def branch(self) -> str:
        """Go back to before a question that is chosen, and return what is to be asked instead; "" when none was."""
        if not self._records:
            raise NotDone("Nothing was asked yet.", next="Ask something first.")
        first = max(0, len(self._records) - _MOST_LISTED)
        self._say("The questions of this conversation:")
        for number, record in enumerate(self._records[first:], first + 1):
            self._say(f"  {number}. {one_line(record.question, 200)}")
        answer = asked("Go back to before which one? Its number, or Enter to stay: ").strip()
        place = _number(answer, len(self._records)) - 1
        if place < 0:
            if answer:
                raise NotDone(f"There is no question {one_line(answer, 30)} in this list.")
            return ""
        question = self._records[place].question
        instead = asked("What do you ask instead? Enter asks it again as it was: ").strip() or question
        origin = self._recorder.origin
        branch = branch_at(self._records, place, origin)
        self._go_on(self._records[:place])
        if branch is None:
            self._recorder.begin()
        else:
            self._recorder.begin_branch(branch[0], before=branch[1])
        self._say("A new conversation, as the old one was before that question." if place else "A new conversation.")
        if origin:
            self._say("The old one stays: /resume lists it.")
        return instead

    def begin_anew(self) -> None:
        """Begin a new conversation."""
        self._go_on(())
        self._recorder.begin()
        self._say("A new conversation.")

    # ---- what is kept ----------------------------------------------------------------------------------------------

    def rename(self, title: str) -> None:
        """Give this conversation another title."""
        if not title:
            raise NotDone("/rename needs a title.", next="/rename My club questions")
        self._kept.rename(self._present(), title)
        self._say(f"This conversation is called “{one_line(title, 60)}”.")

    def delete(self) -> None:
        """Delete this conversation, if the person really wants it."""
        id = self._present()
        going = self._kept.leaving(id)
        what = f"Delete this conversation, with {plural(len(going), 'question')}, for good? [y/N] "
        if asked(what).strip().lower() in ("y", "yes"):
            self.begin_anew()
            self._kept.delete(id)
            History().forget(going)

    def turn_private(self) -> None:
        """Keep nothing of what is asked from now on, or keep it again."""
        self._recorder.private = not self._recorder.private
        self._say("Nothing of what you ask from now on is kept." if self._recorder.private else "It is kept again.")

    def export(self, written: str) -> None:
        """Save the whole conversation to a file."""
        from campus_agent.models.providers import known_keys
        from campus_agent.tools import clock
        from campus_agent.tui.exporting import export

        now, keys = clock.real_time().astimezone(), known_keys(self.settings, os.environ)
        runs = [record.events for record in self._records]
        self._say(f"Saved: {export(runs, written, picture=_no_picture, now=now, secrets=keys)}")

    # ---- inside ----------------------------------------------------------------------------------------------------

    def _go_on(self, records: Sequence[Record]) -> None:
        """Let the assistant remember these runs and nothing else."""
        agent = self.assistant.agent
        agent.reset()
        if records:
            remember(agent, records, most=self.settings.history_turns)
        self._records = list(records)

    def _tell(self, earlier: Earlier) -> None:
        """Say where a conversation was left, and what is not as it was in it."""
        from campus_agent.transcript import as_text

        row, about = earlier.row, self.assistant.about
        self._say(f"Resumed “{one_line(row.title)}”, {plural(row.runs, 'question')}. It was left at:\n")
        self._say(as_text([record.events for record in earlier.records[-_LEFT_AT:]]))
        if changed := row.instead(base=about.base, model=about.model):
            self._say(changed)

    def _picked(self) -> str:
        """Let a conversation be chosen by its number; words narrow the list down. Return its id, "" for none."""
        words = ""
        while True:
            rows = self._kept.listed(words)[:_MOST_LISTED]
            if not rows:
                none = f"No conversation holds all of these words: {one_line(words, 60)}."
                self._say(none if words else "No conversation is kept yet.")
            if not rows and not words:
                return ""
            for number, row in enumerate(rows, 1):
                self._say(f"  {number}. {self._described(row)}")
            answer = asked("Resume which one? Its number, words to search for, or Enter to stay: ").strip()
            if number := _number(answer, len(rows)):
                return rows[number - 1].id
            if not answer:
                return ""
            if answer.isdigit():
                self._say(f"There is no number {one_line(answer, 30)} in this list, so it is searched for.")
            words = answer

    def _described(self, row: ConversationRow) -> str:
        when = f"{row.changed.astimezone(self.settings.zone):%a %d %b %Y, %H:%M}"
        here = ", this one" if row.id == self._recorder.conversation else ""
        return f"{one_line(row.title, 100)}, {plural(row.runs, 'question')}, {when}{here}"

    def _present(self) -> str:
        """Return the id of this conversation in the journal."""
        if (id := self._recorder.conversation) is None:
            raise NotDone("Nothing of this conversation is kept.", self._recorder.absence)
        return id


def asked(prompt: str) -> str:
    """Return what the person types; raises `Left` for /quit, and at the end of the input."""
    try:
        text = input(prompt)
    except EOFError:
        result("")
        raise Left from None
    typed = read(text)
    if typed is not None and typed.name.lower() == "quit":
        raise Left
    return text


def _number(text: str, most: int) -> int:
    """Return the number in `text` if it is one of those from 1 to `most`, else 0."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    return number if number <= most else 0


def _no_picture() -> str:
    raise ValueError("there is no screen to draw; the app can")
