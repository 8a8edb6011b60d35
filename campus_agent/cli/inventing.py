"""`campus-agent demo --inventing`: a scripted model makes facts up, and none of them reaches the student."""

from __future__ import annotations

from typing import TYPE_CHECKING

from campus_agent.cli.opening import is_at_a_terminal
from campus_agent.cli.output import as_json, nowhere, result
from campus_agent.cli.printer import Printer
from campus_agent.cli.runs import play
from campus_agent.models.inventing import NAME, inventing_model

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.assemble import Assistant
    from campus_agent.settings import Settings


def offline_for_inventing(settings: Settings) -> Settings:
    """Return the settings with which nothing but the script, the base and the checks in code has a say."""
    return settings.model_copy(update={"provider": "offline", "base_url": None, "model": None, "plan": False})


def play_inventing(settings: Settings, assistant: Assistant, *, one_object: bool) -> int:
    """Ask the first question of the base; the events are real, only the replies of the model are scripted.

    They are shown as a replay in the app, so that a class can go through them step by step; where there is no terminal
    they are printed, or written as one JSON object.
    """
    question = assistant.about.questions[0]
    assistant.agent.model = inventing_model(question)
    if one_object:
        return play(assistant.agent, [question], finish=as_json)
    at_a_terminal = is_at_a_terminal()
    write = nowhere if at_a_terminal else result
    write(f"{NAME} (not a language model: each of its replies is written down) · {assistant.about.base}")
    write(f"\n> {question}\n")
    events: list[Event] = []
    printer = Printer(trace=write, murmur=write, answer=write, message=lambda explanation: write(str(explanation)))

    def read(event: Event) -> None:
        events.append(event)
        printer.read(event)

    status = play(assistant.agent, [question], read=read)
    if not at_a_terminal:
        return status
    from campus_agent.recording import Recording
    from campus_agent.tui.run import run_app

    return run_app(settings, replay=Recording(name=NAME, runs=(tuple(events),)))[0]
