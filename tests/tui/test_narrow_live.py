from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from screen_runs import QUESTIONS, PlayedAgent, Script, campus_app
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.events import Event
from campus_agent.agent.gate import BeforeAct, BeforeModel, Gate
from campus_agent.tools.tool import Source
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.live_step import LiveStep
from campus_agent.tui.widgets.pause_card import PauseCard
from campus_agent.tui.widgets.status import Status

PASSAGES = [
    Source(title=title, source="clubs.md", line=number, text=f"{title} meets in a room that takes words to describe.")
    for number, title in enumerate(("AI Club", "Workshop of the AI Club", "Office hours of the faculty"), 1)
]
SIZES = pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 15), (24, 8)])


def two_steps() -> list[Event]:
    """A run that has found three passages and now counts days."""
    script = Script().step().act("search_campus_info", {"query": "AI Club"})
    script.observe("\n".join(f"- {one.title}: {one.text} (clubs.md)" for one in PASSAGES), sources=PASSAGES).step_over()
    return script.step().act("days_until_weekday", {"weekday": "Thursday", "after_time": "5 PM"}).events


class HeldAgent(PlayedAgent):
    """An agent that asks its gate before each step and each tool of the run that it plays."""

    gate: Gate

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        async for event in super().run(question):
            yield event
            if event.kind == "step_started":
                await self.gate(BeforeModel(event.step, event.of, "step"))
            elif event.kind == "acting":
                await self.gate(BeforeAct(event.step, event.call_id, event.tool, event.arguments or {}))


async def ask(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    screen.question(QUESTIONS[0])
    return screen


def drawn(screen: ConversationScreen) -> list[str]:
    # a space that does not break a line is a space
    return [strip.text.replace("\u00a0", " ").rstrip() for strip in screen._compositor.render_strips()]


@SIZES
async def test_the_newest_lines_of_the_step_that_goes_on_fill_the_pane(size: tuple[int, int]):
    app = campus_app(PlayedAgent(two_steps()[:-1]))
    async with app.run_test(size=size) as pilot:
        screen = await ask(pilot)
        await until(pilot, lambda: screen.query("LiveStep PassageRow"))
        chat, step, status = (screen.query_one(kind) for kind in (ChatPane, LiveStep, Status))
        assert status.region in chat.region
        assert step.region.bottom in (status.region.y, status.region.y - 1)
        assert step.region.y >= chat.region.y or step.region.height > chat.size.height - 3
        assert chat.region.bottom - status.region.bottom <= 2 or chat.max_scroll_y == 0
        if size[1] >= 24:
            assert sum("- " in line for line in drawn(screen)) == len(PASSAGES)
        screen.action_stop()


@SIZES
async def test_the_keys_of_a_pause_are_in_sight_with_the_one_that_goes_on_and_so_is_the_card_if_it_fits(
    size: tuple[int, int],
):
    app = campus_app(HeldAgent(two_steps()))
    async with app.run_test(size=size) as pilot:
        screen = await ask_in_steps(pilot)
        for number, held in enumerate(("beforestep1", "beforerunningsearch", "beforestep2", "beforerunningdays")):
            await until(pilot, lambda held=held: isinstance(screen.focused, PauseCard) and held in words(screen))
            card, pane = screen.focused, screen.query_one(ChatPane)
            assert any(line.startswith(" ▌") and "Space go on" in line for line in drawn(screen)), number
            assert card.region in pane.region or card.region.height > pane.size.height - 2
            await pilot.press("space")
        screen.action_stop()


async def ask_in_steps(pilot: Pilot[int]) -> ConversationScreen:
    await pilot.press("f8")
    return await ask(pilot)


def words(screen: ConversationScreen) -> str:
    card = screen.focused
    shown = card.walk_children() if isinstance(card, PauseCard) else ()
    return "".join("".join(str(part.render()).split()) for part in shown)


async def test_in_a_narrow_line_at_the_bottom_the_key_that_goes_on_comes_first():
    app = campus_app(HeldAgent(two_steps()))
    async with app.run_test(size=(40, 15)) as pilot:
        screen = await ask_in_steps(pilot)
        await until(pilot, lambda: isinstance(screen.focused, PauseCard))
        assert drawn(screen)[-1].strip().startswith("Space go on")
        screen.action_stop()


@pytest.mark.parametrize(("width", "said"), [(120, "the chat and the trace"), (60, "big type (F9)")])
async def test_the_line_over_the_prompt_says_what_there_is_room_for(width: int, said: str):
    app = campus_app(PlayedAgent(two_steps()))
    async with app.run_test(size=(width, 20)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: any(line.strip("─").endswith(said) for line in drawn(app.screen)))
        assert app.screen.has_class("-big")
