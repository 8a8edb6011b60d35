"""What benchmarks/app.py measures inside one process, on a screen without a terminal.

Each function prints one JSON object; a process measures one thing only, so that memory and caches are its own.
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from textual import events
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Markdown, TextArea

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "tui"))  # where the stored runs are

from screen_runs import PlayedAgent, Script, campus_app, club_run, refused_run, rejected_run

from campus_agent.agent.agent import Agent
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import tool
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.turn import Turn

SIZE = (120, 36)
CHUNK = 20  # characters
PART = (
    "## Part {number}\n\n"
    + "The **AI Club** meets every Thursday at 5 PM in the engineering building, room 204. " * 6
    + "\n\n- one\n- two\n\n"
)


def long_text(kilobytes: int) -> str:
    """Return Markdown of so many thousand characters: headings, paragraphs and lists."""
    count = kilobytes * 1000 // len(PART) + 1
    return "".join(PART.format(number=number) for number in range(count))[: kilobytes * 1000]


def pieces(text: str) -> list[str]:
    """Return the text as a server sends it."""
    return [text[start : start + CHUNK] for start in range(0, len(text), CHUNK)]


class Bare(App[None]):
    """The baseline of a long answer: a Markdown widget in a pane that scrolls."""

    def compose(self) -> ComposeResult:
        """Lay it out."""
        with VerticalScroll():
            yield Markdown()

    async def stream(self, text: str) -> None:
        """Show the text as it arrives."""
        self.query_one(VerticalScroll).anchor()
        stream = Markdown.get_stream(self.query_one(Markdown))
        for piece in pieces(text):
            await asyncio.sleep(0)
            await stream.write(piece)
        await stream.stop()


class WritingAgent(PlayedAgent):
    """An agent that writes a text as fast as it is read; cancelled, it ends with what it has written."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.written = 0

    async def run(self, question: str) -> AsyncGenerator[Any, None]:
        """Write the text."""
        self._cancelled.clear()
        script = Script().step()
        for event in script.events:
            yield event
        for piece in pieces(self.text):
            await asyncio.sleep(0)
            if self._cancelled.is_set():
                break
            self.written += len(piece)
            yield script.write(piece).events[-1]
        outcome = Outcome.CANCELLED if self._cancelled.is_set() else Outcome.ANSWERED
        yield script.step_over().end(outcome, self.text[: self.written]).events[-2]
        yield script.events[-1]


@tool
def wait_for_ever() -> str:
    """Never come back."""
    threading.Event().wait()
    return ""


@asynccontextmanager
async def opened(agent: PlayedAgent | Agent) -> AsyncGenerator[tuple[Pilot[int], ConversationScreen], None]:
    """Open the app, ready to be asked."""
    app: CampusApp = campus_app(agent)
    async with app.run_test(size=SIZE) as pilot:
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        await until(lambda: screen.assistant is not None)
        await pilot.pause()
        gc.freeze()  # as the program does once it is assembled
        yield pilot, screen


async def until(holds: Callable[[], object]) -> None:
    """Wait until it holds; raise `TimeoutError` when that takes minutes."""
    async with asyncio.timeout(600):
        while not holds():  # noqa: ASYNC110 - what is waited for is the screen's, and it sets no event
            await asyncio.sleep(0.001)


async def quiet(screen: ConversationScreen) -> None:
    """Wait until nothing is drawn any more."""
    await screen.app.workers.wait_for_complete()


def report(**figures: float) -> None:
    """Print what was measured."""
    print(json.dumps(figures))


# ---- a long answer -------------------------------------------------------------------------------------------------


class Stopwatch:
    """Milliseconds since it was made: of CPU, which a busy machine does not change, and of the clock on the wall."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def read(self) -> tuple[float, float]:
        """Return both."""
        return 1000 * (time.process_time() - self._cpu), 1000 * (time.perf_counter() - self._wall)


async def stream(kilobytes: int) -> None:
    """Measure the CPU seconds of a long answer, in the app and bare."""
    text = long_text(kilobytes)
    bare = Bare()
    async with bare.run_test(size=SIZE) as pilot:
        await pilot.pause()
        began = time.process_time()
        await bare.stream(text)
        await pilot.pause()
        baseline = time.process_time() - began
    async with opened(WritingAgent(text)) as (pilot, screen):
        began = time.process_time()
        screen.question("?")
        await until(lambda: not screen.busy)
        await quiet(screen)
        await pilot.pause()
        report(value=time.process_time() - began, baseline=baseline)


# ---- stopping ------------------------------------------------------------------------------------------------------


async def cancel(kilobytes: int) -> None:
    """Measure the CPU milliseconds from Esc until what is typed after it is in the prompt, in a long answer.

    The baseline is a key in a TextArea beside an idle Markdown widget that shows as much.
    """
    text = long_text(kilobytes)
    bare = Bare()
    async with bare.run_test(size=SIZE) as pilot:
        await bare.query_one(Markdown).update(text[: len(text) // 2])
        await bare.mount(TextArea())
        bare.query_one(TextArea).focus()
        await pilot.pause()
        watch = Stopwatch()
        bare.post_message(events.Key("x", "x"))
        await until(lambda: bare.query_one(TextArea).text == "x")
        baseline, _ = watch.read()
    agent = WritingAgent(text)
    async with opened(agent) as (pilot, screen):
        screen.question("?")
        await until(lambda: agent.written > len(text) // 2)
        value, wall = await _typed_after_esc(pilot, screen)
        report(value=value, wall=wall, baseline=baseline, freeze=await _longest_freeze(10.0))


async def cancel_tool() -> None:
    """Measure the same while a tool does not come back; the baseline is the same key while nothing goes on."""
    calls = [[RequestedCall("wait_for_ever", "{}", "call-1")]]
    agent = Agent(ScriptedModel(calls), [wait_for_ever], instructions="Wait.", guardrail=Guardrail(refusal=REFUSAL))
    async with opened(agent) as (pilot, screen):
        baseline, _ = await _typed_after_esc(pilot, screen, restored="")
        screen.query_one(Prompt).text = ""
        screen.question("?")
        await until(lambda: "wait_for_ever" in "".join(str(row.render()) for row in screen.query("Row")))
        value, wall = await _typed_after_esc(pilot, screen)
        report(value=value, wall=wall, baseline=baseline, freeze=await _longest_freeze(2.0))


async def _typed_after_esc(pilot: Pilot[int], screen: ConversationScreen, restored: str = "?") -> tuple[float, float]:
    """Return the CPU milliseconds from Esc until a key after it is in the prompt, and the milliseconds that passed."""
    prompt = screen.query_one(Prompt)
    prompt.focus()
    watch = Stopwatch()
    for key in ("escape", "end"):
        pilot.app.post_message(events.Key(key, None))
    await until(lambda: prompt.text == restored)
    pilot.app.post_message(events.Key("x", "x"))
    await until(lambda: "x" in prompt.text)
    return watch.read()


async def _longest_freeze(seconds: float) -> float:
    """Return the longest time, in CPU milliseconds, in which a key would have waited."""
    longest, began = 0.0, time.perf_counter()
    while time.perf_counter() < began + seconds:
        watch = Stopwatch()
        await asyncio.sleep(0.001)
        longest = max(longest, watch.read()[0])
    return longest


# ---- a long conversation -------------------------------------------------------------------------------------------


class Layouts:
    """Counts how often the screen arranges itself."""

    def __init__(self) -> None:
        self.count = 0
        arrange = Screen._refresh_layout

        def counted(screen: Screen[Any], *args: Any, **more: Any) -> None:  # noqa: ANN401 - passed on as it came
            self.count += 1
            arrange(screen, *args, **more)

        Screen._refresh_layout = counted  # type: ignore[method-assign]


async def turns(count: int) -> None:
    """Measure CPU a turn, memory and scrolling after `count` turns; the baseline is the same app after ten.

    The events come apart, as they do from a server, so that each is drawn for itself.
    """
    layouts = Layouts()
    agent = PlayedAgent(club_run(), refused_run(), rejected_run())
    async with opened(agent) as (pilot, screen):
        await _ask(agent, screen, 9)
        early, layouts_early = await _cost_of_turns(agent, screen, layouts)
        early_page = await _cost_of_pages(pilot, screen)
        await _ask(agent, screen, count - 33)
        late, layouts_late = await _cost_of_turns(agent, screen, layouts)
        late_page = await _cost_of_pages(pilot, screen)
        memory = megabytes("VmRSS")
        widgets = len(list(screen.walk_children()))
        back, most = await _scroll_to_the_first(pilot, screen)
        report(
            value=late,
            baseline=early,
            layouts=layouts_late,
            layouts_baseline=layouts_early,
            page=late_page,
            page_baseline=early_page,
            memory=memory,
            peak=megabytes("VmHWM"),
            widgets=widgets,
            scrolled_back=back,
            most_widgets=most,
        )


async def _ask(agent: PlayedAgent, screen: ConversationScreen, count: int) -> None:
    for _ in range(count):
        asked = len(agent.asked)
        screen.question(f"question {asked}")
        await until(lambda asked=asked: len(agent.asked) > asked and not screen.busy)


async def _cost_of_turns(agent: PlayedAgent, screen: ConversationScreen, layouts: Layouts) -> tuple[float, float]:
    """Return the CPU milliseconds and the layouts of one turn, of twelve; each event comes after the one before."""
    agent.delay, before, began = 0.03, layouts.count, time.process_time()
    await _ask(agent, screen, 12)
    agent.delay = 0.0
    return 1000 * (time.process_time() - began) / 12, (layouts.count - before) / 12


async def _cost_of_pages(pilot: Pilot[int], screen: ConversationScreen) -> float:
    """Return the CPU milliseconds of one page in the chat, up or down; the median of ten."""
    pane = screen.query_one(ChatPane)
    times = []
    for number in range(10):
        began = time.process_time()
        (pane.scroll_page_up if number % 2 == 0 else pane.scroll_page_down)(animate=False)
        await pilot.pause()
        times.append(time.process_time() - began)
    screen.action_latest()
    await pilot.pause()
    return 1000 * statistics.median(times)


async def _scroll_to_the_first(pilot: Pilot[int], screen: ConversationScreen) -> tuple[int, int]:
    """Scroll back page by page until there is no more; return how many questions came by, and the most widgets."""
    pane, seen, most, still = screen.query_one(ChatPane), set[str](), 0, 0
    while still < 20:
        before = len(seen)
        pane.scroll_page_up(animate=False)
        await pilot.pause()
        await quiet(screen)
        seen.update(turn.record.question for turn in screen.query(Turn))
        most = max(most, len(list(screen.walk_children())))
        still = 0 if len(seen) > before else still + 1
    return len(seen), most


def megabytes(name: str) -> float:
    """Return a figure of this process's memory, in megabytes; 0 where the system does not tell."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1000
    return 0.0


PARTS: dict[str, Callable[[int], Any]] = {
    "stream": stream,
    "cancel": cancel,
    "cancel_tool": lambda _: cancel_tool(),
    "turns": turns,
}

if __name__ == "__main__":
    asyncio.run(PARTS[sys.argv[1]](int(sys.argv[2])))
