"""The app with a journal, for the tests of conversations that are kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from screen_runs import ABOUT, CLUB
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Event
from campus_agent.assemble import About, Assistant
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.store import Journal
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL, Settings
from campus_agent.tools.tool import ToolResult, tool
from campus_agent.tui.app import CampusApp
from campus_agent.tui.conversations import Conversations
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.turn import Turn

ANSWER = "The AI Club meets every Thursday at 5 PM."
SIZE = (120, 36)


@tool(searches=True)
def search_campus_info(query: str) -> ToolResult:
    """Search."""
    return ToolResult(f"- {CLUB} (clubs.md, line 3)")


def club_agent(runs: int = 50) -> Agent:
    """An agent that searches, and then answers when the AI Club meets, whatever it is asked."""
    script = [part for _ in range(runs) for part in ([RequestedCall("search_campus_info", {"query": "AI"})], ANSWER)]
    return Agent(
        ScriptedModel(script), [search_campus_info], instructions="Answer.", guardrail=Guardrail(refusal=REFUSAL)
    )


def keeping_app(
    path: Path, *, first: str = "", about: About = ABOUT, journal: bool = True, agent: Agent | None = None
) -> CampusApp:
    """The app with the journal at `path`; without `journal` it is read, and nothing is written."""

    def keep(settings: Settings, about: About) -> Conversations:
        recorder = Recorder(path if journal else None, base=about.base, model=about.model)
        return Conversations(path, recorder, first=first)

    def assemble(_: Settings) -> Assistant:
        return Assistant(agent or club_agent(), about)

    settings = Settings.model_validate({"journal_path": str(path), "journal": journal})
    return CampusApp(settings, assemble=assemble, clock=lambda: 0.0, journal=keep)


async def record(path: Path, *runs: Sequence[Event], base: str = ABOUT.base, model: str = ABOUT.model) -> str:
    """Record runs as they are, as one conversation; return its id."""
    recorder = Recorder(path, base=base, model=model)
    for run in runs:
        async for _ in recorder.follow(_played(run)):
            pass
    id = recorder.conversation
    recorder.close()
    assert id is not None
    return id


async def _played(events: Sequence[Event]) -> AsyncGenerator[Event, None]:
    for event in events:
        yield event


async def asked(pilot: Pilot[int], screen: ConversationScreen, question: str) -> None:
    """Ask another question and wait until it is answered."""
    count = len(screen.records) + 1
    screen.question(question)
    await until(pilot, lambda: len(screen.records) == count and not screen.busy)


async def begun(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.kept is not None and screen.assistant is not None)
    return screen


def questions(screen: ConversationScreen) -> list[str]:
    return [turn.record.question for turn in screen.query(Turn)]


def stored(path: Path) -> dict[str, list[str]]:
    """The questions of every conversation of the journal, by title."""
    with Journal(path) as journal:
        return {row.title: [question for _, question in journal.outline(row.id)] for row in journal.conversations()}


def runs(path: Path) -> list[list[str]]:
    """The questions of every conversation of the journal, the one that was changed last first."""
    with Journal(path) as journal:
        return [[question for _, question in journal.outline(row.id)] for row in journal.conversations()]


def written(folder: Path) -> str:
    """All that stands in the files of a folder that hold lines of JSON."""
    return "".join(file.read_text() for file in folder.rglob("*.jsonl"))
