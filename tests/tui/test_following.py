from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from screen_runs import PlayedAgent, Script, campus_app
from textual.pilot import Pilot
from textual.widgets import Static
from waiting import until

from campus_agent.agent.events import Event, RunFinished
from campus_agent.agent.outcome import Outcome
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.status import Status
from campus_agent.tui.widgets.trace_pane import TracePane

WIDE = (120, 30)
PANES = pytest.mark.parametrize("kind", [ChatPane, TracePane], ids=["chat", "trace"])
PARAGRAPHS = 12


class FedAgent(PlayedAgent):
    """An agent whose events the test hands over one by one; cancelled, it ends at once."""

    def __init__(self) -> None:
        super().__init__()
        self.fed: asyncio.Queue[Event] = asyncio.Queue()

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        self.asked.append(question)
        while True:
            event = await self.fed.get()
            yield event
            if isinstance(event, RunFinished):
                return

    def cancel(self) -> None:
        self.fed.put_nowait(Script().end(Outcome.CANCELLED).events[-1])


class Stream:
    """A run that goes on: each `more` writes a few paragraphs into the chat and a step into the trace."""

    def __init__(self, pilot: Pilot[int], agent: FedAgent) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        self.pilot, self.agent, self.screen = pilot, agent, screen
        self.script = Script(max_steps=100)
        self.sent = 0
        self.text = ""

    async def begin(self) -> None:
        await until(self.pilot, lambda: self.screen.assistant is not None)
        self.screen.question("a")
        self._send()
        await until(self.pilot, lambda: self.screen.query(Status))

    async def more(self) -> None:
        self.script.step().act("look", {"step": self.script.step_now}).observe("one\ntwo\nthree").step_over()
        written = "".join(f"Paragraph {number} of part {self.sent}.\n\n" for number in range(PARAGRAPHS))
        self.text += written
        self.script.write(written)
        self._send()
        await until(self.pilot, lambda: self.screen.query(Answer) and self.screen.query_one(Answer).source == self.text)
        await self.pilot.pause()

    def _send(self) -> None:
        for event in self.script.events[self.sent :]:
            self.agent.fed.put_nowait(event)
        self.sent = len(self.script.events)

    async def filled(self) -> None:
        await self.begin()
        for _ in range(4):
            await self.more()
        for kind in (ChatPane, TracePane):
            await until(self.pilot, lambda kind=kind: at_the_end(self.screen.query_one(kind)))


def at_the_end(pane: FollowingPane) -> bool:
    return pane.max_scroll_y > 0 and pane.scroll_y >= pane.max_scroll_y


@PANES
@pytest.mark.parametrize("back", ["pageup", "up", "home", "wheel"])
async def test_a_pane_that_is_scrolled_back_stays_there_while_more_arrives_and_says_so(kind: type, back: str):
    agent = FedAgent()
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        stream = Stream(pilot, agent)
        await stream.filled()
        pane = stream.screen.query_one(kind)
        pane.focus()
        await pilot.pause()
        for _ in range(3):
            if back == "wheel":
                pane._on_mouse_scroll_up(wheel(pane))
            else:
                await pilot.press(back)
        await pilot.wait_for_scheduled_animations()
        await until(pilot, lambda: pane.scroll_y < pane.max_scroll_y - 1)
        stood = pane.scroll_y
        await stream.more()
        assert pane.scroll_y == stood
        await until(pilot, lambda: pane.has_class("-more-below"))
        stream.screen.action_stop()


def wheel(pane: FollowingPane):
    from textual import events

    x, y = pane.region.center
    return events.MouseScrollUp(pane, int(x), int(y), 0, -1, 0, False, False, False, screen_x=int(x), screen_y=int(y))


@PANES
@pytest.mark.parametrize("how", ["end", "ctrl+end", "click", "sent"])
async def test_a_pane_follows_again_when_the_person_asks_for_the_newest(kind: type, how: str):
    agent = FedAgent()
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        stream = Stream(pilot, agent)
        await stream.filled()
        pane = stream.screen.query_one(kind)
        pane.focus()
        await pilot.press("pageup", "pageup")
        await pilot.wait_for_scheduled_animations()
        await until(pilot, lambda: pane.has_class("-more-below"))
        if how == "click":
            hint = pane.query_one(".more-below")
            await pilot.click(offset=(hint.region.right - 6, hint.region.y))
        elif how == "sent":
            stream.screen.query_one(Prompt).text = "next"
            stream.screen.query_one(Prompt).action_send()
            agent.cancel()
        else:
            await pilot.press(how)
            await pilot.wait_for_scheduled_animations()
        await until(pilot, lambda: at_the_end(pane) or (how == "sent" and pane.max_scroll_y == pane.scroll_y))
        if how != "sent":
            await stream.more()
        await until(pilot, lambda: pane.scroll_y >= pane.max_scroll_y)
        assert not pane.has_class("-more-below")
        agent.cancel()


@PANES
async def test_a_pane_goes_on_following_after_the_theme_has_changed_in_the_middle_of_an_answer(kind: type):
    agent = FedAgent()
    app = campus_app(agent)
    async with app.run_test(size=WIDE) as pilot:
        stream = Stream(pilot, agent)
        await stream.filled()
        pane = stream.screen.query_one(kind)
        for theme in ("campus-light", "ansi-dark", "campus-contrast"):
            app.theme = theme
            await stream.more()
            await until(pilot, lambda: at_the_end(pane))
        stream.screen.action_stop()


@PANES
async def test_what_gets_shorter_under_the_person_does_not_make_the_pane_follow_again(kind: type):
    agent = FedAgent()
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        stream = Stream(pilot, agent)
        await stream.filled()
        pane = stream.screen.query_one(kind)
        last = Static("\n".join(["one"] * 20))
        await pane.body.mount(last)
        await until(pilot, lambda: at_the_end(pane))
        pane.scroll_relative(y=-10, animate=False)
        await until(pilot, lambda: pane.has_class("-more-below"))
        high = pane.max_scroll_y
        last.update("one")
        await until(pilot, lambda: pane.max_scroll_y == high - 19 and pane.scroll_y == pane.max_scroll_y)
        last.update("\n".join(["one"] * 20))
        await until(pilot, lambda: pane.max_scroll_y == high)
        assert pane.scroll_y == high - 19
        stream.screen.action_stop()


async def test_code_that_is_being_written_stays_when_it_is_clicked_and_the_theme_changes():
    agent = FedAgent()
    app = campus_app(agent)
    async with app.run_test(size=WIDE) as pilot:
        stream = Stream(pilot, agent)
        await stream.begin()
        lines = [f"print({number})\n" for number in range(6)]
        stream.script.step().write("```python\n")
        for line, theme in zip(
            lines, ["nord", "campus-light", "ansi-light", "dracula", "monokai", "campus-dark"], strict=True
        ):
            stream.script.write(line)
            stream._send()
            await until(
                pilot, lambda line=line: stream.screen.query(Answer) and line in stream.screen.query_one(Answer).source
            )
            app.theme = theme
            await pilot.click(Answer, offset=(4, 1))
            await pilot.pause()
            drawn = "".join(strip.text for strip in app.screen._compositor.render_strips())
            assert line.strip() in drawn
        stream.screen.action_stop()


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_a_stop_in_the_middle_of_the_text_works_at_once_keeps_the_text_and_frees_the_prompt(key: str):
    agent = FedAgent()
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        stream = Stream(pilot, agent)
        await stream.begin()
        await stream.more()
        stream.screen.query_one(Prompt).focus()
        await pilot.press(key)
        await until(pilot, lambda: not stream.screen.busy)
        assert stream.screen.query_one(Prompt).text == "a"
        await pilot.press("end", "b")
        assert stream.screen.query_one(Prompt).text == "ab"
        assert str(stream.screen.query_one(Status).render()).startswith("■ cancelled")
