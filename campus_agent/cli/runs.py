"""Runs questions through an agent for the commands, with Ctrl+C as the way to stop one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import aclosing, closing, contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from campus_agent.agent.outcome import Outcome

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent
    from campus_agent.agent.events import Event
    from campus_agent.agent.result import RunResult
    from campus_agent.assemble import Assistant
    from campus_agent.journal.recorder import Recorder
    from campus_agent.settings import Settings

Reader = Callable[["Event"], None]


def play(
    agent: Agent,
    questions: Iterable[str],
    *,
    read: Reader | None = None,
    finish: Callable[[RunResult], None] | None = None,
    until_cancelled: bool = True,
    recorder: Recorder | None = None,
) -> int:
    """Run the questions one after the other, in one conversation, and return the worst of their exit statuses.

    The first Ctrl+C in a run cancels it, which is its outcome; a second one, or one between two runs, ends the program
    at once.

    Args:
        agent: what answers.
        questions: asked for one at a time, so that they may come from a pipe that is still being written.
        read: takes every event as it happens.
        finish: takes what came of each run.
        until_cancelled: whether no further question is asked after a run that was cancelled.
        recorder: keeps the runs in the journal.
    """
    import asyncio  # takes longer to import than all of --help

    return asyncio.run(_play(agent, questions, read, finish, until_cancelled, recorder))


@contextmanager
def keeping(settings: Settings, assistant: Assistant, *, resume: str = "") -> Iterator[Recorder]:
    """Open what keeps the runs of an assistant in the journal, as far as the settings want them kept.

    `resume` is the id of a conversation to resume, which the agent then remembers; "" begins a new one. What befell
    the journal is said on standard error at once, what could not be kept at the end. Raises `JournalError` when
    there is no such conversation.
    """
    from campus_agent.cli.output import aside
    from campus_agent.journal.saying import OFF
    from campus_agent.journal.sitting import open_recorder
    from campus_agent.models.providers import known_keys

    about, keys = assistant.about, known_keys(settings, os.environ)
    recorder = open_recorder(settings, base=about.base, model=about.model, secrets=keys)
    said = recorder.mishap
    if said:
        aside(f"campus-agent: {said}")
    try:
        with closing(recorder):
            if resume:
                _go_on_with(resume, settings, assistant.agent, recorder)
                if recorder.off:
                    aside(f"campus-agent: {OFF}")
            yield recorder
    finally:
        for text in (recorder.mishap if recorder.mishap != said else "", recorder.trouble):
            if text:
                aside(f"campus-agent: {text}")


def _go_on_with(id: str, settings: Settings, agent: Agent, recorder: Recorder) -> None:
    from campus_agent.cli.trace_filter import journal_of
    from campus_agent.journal.memory import last_turns

    with journal_of(settings) as journal:
        conversation = journal.named(id).id
        runs = (journal.events(run) for run, _ in reversed(journal.outline(conversation)))
        agent.conversation.remember(last_turns(runs, agent.tools, most=settings.history_turns))
    recorder.begin(conversation)


async def _play(
    agent: Agent,
    questions: Iterable[str],
    read: Reader | None,
    finish: Callable[[RunResult], None] | None,
    until_cancelled: bool,
    recorder: Recorder | None,
) -> int:
    import asyncio

    from campus_agent.daemon_threads import DaemonThreads

    asyncio.get_running_loop().set_default_executor(DaemonThreads())
    _let_interrupts_end_the_program()
    worst = 0
    for question in questions:
        result = await _run(agent, question, read, recorder)
        if finish:
            finish(result)
        worst = max(worst, result.exit_status)
        if until_cancelled and result.outcome is Outcome.CANCELLED:
            break
    return worst


async def _run(agent: Agent, question: str, read: Reader | None, recorder: Recorder | None) -> RunResult:
    from campus_agent.agent.result import RunResult

    events = []
    with _interrupts_cancel(agent):
        run = agent.run(question)
        async with aclosing(recorder.follow(run) if recorder else run) as stream:
            async for event in stream:
                events.append(event)
                if read:
                    read(event)
    return RunResult.from_events(events)


def _let_interrupts_end_the_program() -> None:
    """Make Ctrl+C raise `KeyboardInterrupt` at once, also inside an event loop that waits for a line of input."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _interrupts_cancel(agent: Agent) -> Iterator[None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        _let_interrupts_end_the_program()
        agent.cancel()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        _let_interrupts_end_the_program()
